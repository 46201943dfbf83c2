from __future__ import annotations

import re
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from mempa_gym.memory import ConsolidationResult, OfflineConsolidator, count_tokens, render_record
from mempa_gym.memory.notebook import Notebook
from mempa_gym.memory.render import CONTINUED
from mempa_gym.memory.words import names, telling_words
from mempa_gym.taxonomy import attributes

NOW = "2026-03-09T08:00"


def chunk(*sessions: list[Any], goes_on: bool = False) -> tuple[str, ...]:
    blocks = [[line for record in session for line in render_record(record).split("\n")] for session in sessions]
    lines = [line for block in blocks for line in (*block, "")][:-1]
    return (CONTINUED, *lines) if goes_on else tuple(lines)


def proposed(memory: str, lines: tuple[str, ...], **options: int) -> ConsolidationResult:
    outcome = OfflineConsolidator(**options).propose(memory, lines, NOW)
    assert isinstance(outcome, ConsolidationResult)
    return outcome


def swap(story: Any, at: str = "2026-03-02T15:10", setting: str = "Iterative") -> list[Any]:
    """A session of four turns with the selection in the second."""
    pick = story.selection("information_elicitation", setting)
    return [
        story.turn("1", "Marco might cover my dinner shift on Thursday.", at=at),
        story.turn("2", "Write to Renee about the shift, please.", at=at, steps=[pick]),
        story.turn("3", 'One thing at a time, "good". Till half past eight.', at=at),
        story.turn("4", "Sunday brunch | she can have it.", at=at),
    ]


def test_a_selection_becomes_a_line_with_words_and_what_followed(story: Any) -> None:
    memory = proposed("", chunk(swap(story))).memory_text
    assert memory.split("\n\n")[0] == (
        "# Information Elicitation\n"
        "- [2026-03-02] IX_information_elicitation Iterative"
        " | about: shift marco cover dinner renee brunch"
        ' | user: "One thing at a time, \'good\'. Till half past eight." | user: "Sunday brunch / she can have it."'
    )


def test_only_three_messages_are_kept_and_long_ones_end_at_a_word(story: Any) -> None:
    long = " ".join(["stopcock"] * 40)
    turns = [story.turn("1", "Start", steps=[story.selection("verbosity", "Terse")])]
    turns += [story.turn(str(n), f"{n} {long}") for n in range(2, 7)]
    memory = proposed("", chunk(turns)).memory_text
    messages = re.findall(r'user: "([^"]*)"', memory)
    assert [message[0] for message in messages] == ["2", "3", "4"]
    assert all(len(message) <= 240 and message.endswith(" stopcock") for message in messages)


def test_entries_of_an_attribute_stand_newest_last_and_the_oldest_go_first(story: Any) -> None:
    memory = ""
    for day in range(1, 10):
        memory = proposed(memory, chunk(swap(story, f"2026-03-0{day}T10:00"))).memory_text
    assert re.findall(r"\[(.*?)\] IX_", memory) == [f"2026-03-0{day}" for day in range(4, 10)]
    memory = proposed(memory, chunk(swap(story, "2026-04-01T10:00")), keep=2).memory_text
    assert re.findall(r"\[(.*?)\] IX_", memory) == ["2026-03-09", "2026-04-01"]


def test_headings_follow_the_published_order(story: Any) -> None:
    memory = ""
    for attribute in reversed(attributes()):
        turns = [story.turn("1", "Hi", steps=[story.selection(attribute.id, attribute.labels[-1])])]
        memory = proposed(memory, chunk(turns)).memory_text
    wanted = [f"# {attribute.name}" for attribute in attributes()]
    assert [line for line in memory.splitlines() if line.startswith("#")][: len(wanted)] == wanted


def test_a_session_cut_in_two_gives_the_same_line_as_a_whole_one(story: Any) -> None:
    whole = proposed("", chunk(swap(story))).memory_text
    for cut in (1, 2, 3):
        first, second = swap(story)[:cut], swap(story)[cut:]
        memory = proposed("", chunk(first)).memory_text
        memory = proposed(memory, chunk(second, goes_on=True)).memory_text
        assert memory.count("IX_information_elicitation") == 1
        assert re.findall('user: ".*', memory) == re.findall('user: ".*', whole)
        assert set(re.findall(r"about: ([a-z ]*)", memory)[0].split()) == set(
            re.findall(r"about: ([a-z ]*)", whole)[0].split()
        )


def test_the_second_part_goes_with_its_own_session_and_not_with_another_of_that_day(story: Any) -> None:
    other = [
        story.turn("a", "Tax papers", at="2026-03-02T08:00", steps=[story.selection("verbosity", "Terse")]),
        story.turn("b", "Fine, brief.", at="2026-03-02T08:00"),
    ]
    first, second = swap(story)[:2], swap(story)[2:]
    memory = proposed("", chunk(other, first)).memory_text
    memory = proposed(memory, chunk(second, goes_on=True)).memory_text
    verbosity = next(line for line in memory.splitlines() if "IX_verbosity" in line)
    assert verbosity.endswith('about: tax papers brief | user: "Fine, brief."')
    # The same chunk without the mark is a session of its own: its messages belong to no selection.
    apart = proposed(proposed("", chunk(first)).memory_text, chunk(second)).memory_text
    assert "half past eight" not in apart


def test_refused_and_unknown_selections_are_not_noted(story: Any) -> None:
    lines = (
        "[2026-03-02T09:00] USER: Hello there",
        '[2026-03-02T09:00] CALL IX_verbosity {"setting": "Terse"} -> Error: already selected',
        '[2026-03-02T09:00] CALL IX_verbosity {"setting": "Loud"} -> ok',
        '[2026-03-02T09:00] CALL IX_shouting {"setting": "Terse"} -> ok',
    )
    assert "IX_" not in proposed("", lines).memory_text


def test_a_setting_is_selected_once_a_session(story: Any) -> None:
    picks = [story.selection("verbosity", "Terse"), story.selection("verbosity", "Detailed")]
    memory = proposed("", chunk([story.turn("1", "Hi", steps=picks), story.turn("2", "Fine.")])).memory_text
    assert re.findall(r"IX_\w+ \w+", memory) == ["IX_verbosity Terse"]


def test_notes_of_others_are_kept_verbatim(story: Any) -> None:
    notes = (
        "Written by hand.\n\n## Family\n* Theo: brother   (two spaces kept)\n\n\t- tabbed\n"
        "# Verbosity\nShe said once: not so long.\n- [2026-03-01] IX_verbosity Loud | about: x\n"
        "- [2026-03-01] IX_verbosity Terse | about: x | user: unquoted\n"
        "- [2026-03-01] IX_verbosity Terse | about:  two  spaces\n### deeper\n"
        "# People and facts\n- Renee runs the floor\n# Elsewhere\n- [2026-03-01] IX_verbosity Terse | about: mine"
    )
    memory = notes
    for day in (2, 3):
        turns = [story.turn("1", "Hi", at=f"2026-03-0{day}T10:00", steps=[story.selection("verbosity", "Detailed")])]
        memory = proposed(memory, chunk(turns)).memory_text
    for line in notes.splitlines():
        assert memory.splitlines().count(line) == 1 or not line.strip()
    assert memory.startswith("Written by hand.\n\n## Family\n* Theo: brother   (two spaces kept)\n\n\t- tabbed\n")
    section = memory[memory.index("# Verbosity") :]
    assert section.index("not so long") < section.index("[2026-03-02] IX_verbosity Detailed")


def test_nothing_said_changes_nothing() -> None:
    notes = "by hand  \n\n\n"
    for lines in ((), ("", ""), ("not a line of history",)):
        assert proposed(notes, lines).memory_text == notes


def test_names_that_recur_are_counted_and_bounded(story: Any) -> None:
    talk = [story.turn(str(n), f"Tell Renee and Marco it is on Thursday, ask Kim{chr(97 + n)}.") for n in range(3)]
    memory = proposed("", chunk(talk)).memory_text
    assert "- Marco: 3 mentions, last on 2026-03-02\n- Renee: 3 mentions" in memory
    assert "Thursday" not in memory.split("# Latest")[0]
    assert "Kima" not in memory
    later = [story.turn("9", "And Renee again.", at="2026-04-01T10:00")]
    assert "- Renee: 4 mentions, last on 2026-04-01" in proposed(memory, chunk(later)).memory_text
    crowd = " ".join(f"with N{chr(97 + a)}{chr(97 + b)}" for a in range(5) for b in range(10))
    memory = proposed(memory, chunk([story.turn(str(n), crowd) for n in range(2)])).memory_text
    assert memory.count(" mentions, ") == 20


def test_a_long_timeline_stays_small(story: Any) -> None:
    memory, sizes = "", []
    filler = "I would have liked to hear about the stopcock behind the Harbour Street kitchen before anybody called. "
    for number in range(99):
        attribute = attributes()[number % 14]
        at = f"2026-{3 + number // 28:02d}-{1 + number % 28:02d}T10:00"
        turns = [story.turn("1", f"Word{chr(97 + number % 26)}xyz " + filler, at=at)]
        turns.append(story.turn("2", filler, at=at, steps=[story.selection(attribute.id, attribute.labels[0])]))
        turns += [story.turn(str(n), f"{number} {n} " + filler * 3, at=at) for n in range(3, 7)]
        memory = proposed(memory, chunk(turns)).memory_text
        sizes.append(count_tokens(memory))
    assert max(sizes) < 7_000
    assert len(re.findall(r"^- \[.*?\] IX_", memory, re.MULTILINE)) > 60
    # The oldest suffer first.
    kept = [len(re.findall('user: "([^"]*)', line)[0]) for line in memory.splitlines() if "| user: " in line]
    assert min(kept) <= 160
    newest = next(line for line in memory.splitlines() if 'user: "98 3' in line)
    assert len(re.findall('user: "([^"]*)', newest)[0]) > 200


def test_a_tiny_size_still_keeps_the_newest_line_of_each_attribute(story: Any) -> None:
    memory = ""
    for day in range(1, 6):
        memory = proposed(memory, chunk(swap(story, f"2026-03-0{day}T10:00")), size=1).memory_text
    assert re.findall(r"\[(.*?)\] IX_", memory) == ["2026-03-05"]


def test_telling_words_are_content_words_the_frequent_first() -> None:
    messages = ["Could you please move Marco's rehearsal?", "The rehearsal, the long rehearsal on Thursday!"]
    assert telling_words(messages, 8) == ("rehearsal", "move", "marco")
    assert telling_words(messages, 1) == ("rehearsal",)
    assert telling_words([], 8) == ()


def test_names_stand_inside_a_sentence() -> None:
    assert names("Renee wrote. Ask Marco, not Ines's sister; It's Thursday, NASA") == ("Marco", "Ines")


@given(st.text(st.sampled_from('#-[] \n"|:IX_verbosityTerse2026-03 user about'), max_size=200))
def test_any_text_survives_as_a_notebook(text: str) -> None:
    book = Notebook.parse(text)
    again = book.text()
    assert Notebook.parse(again) == book
    for line in text.split("\n"):
        if line.strip():
            assert line in again.split("\n") or line.startswith("#")
