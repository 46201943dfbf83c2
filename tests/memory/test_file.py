from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from mempa_gym.errors import ArgumentError, RunError
from mempa_gym.interaction.views import MemoryQuery
from mempa_gym.memory import (
    ConsolidationFailure,
    ConsolidationResult,
    FileMemory,
    OfflineConsolidator,
    count_tokens,
    parse_answer,
)
from mempa_gym.memory.file import SYSTEM_TOKENS, TARGET_TOKENS, TRIGGER_TOKENS
from mempa_gym.memory.render import CONTINUED

NOW = "2026-03-02T18:00"


def small(consolidator: Any, **options: Any) -> FileMemory:
    """A File memory that consolidates after a handful of turns of about 100 tokens."""
    return FileMemory(**{"trigger": 600, "target": 300, "system_tokens": 1, "consolidator": consolidator, **options})


def marks(lines: Any) -> list[str]:
    return re.findall(r"mark-\S+", "\n".join(lines))


def test_the_published_numbers_are_the_default() -> None:
    assert (TRIGGER_TOKENS, TARGET_TOKENS) == (20_000, 10_000)
    assert (FileMemory().options["trigger"], FileMemory().options["target"]) == (20_000, 10_000)
    assert FileMemory().prompt_tokens == SYSTEM_TOKENS


def test_the_prompt_counts_instructions_memory_history_and_message(story: Any, recorder: Callable[..., Any]) -> None:
    memory = small(recorder(), system_tokens=50)
    record = story.turn("1", "word " * 80)
    memory.write(record)
    lines = 2
    tail = count_tokens(f"[{record.at}] USER: {record.user.strip()}\n[{record.at}] PA: Done.") + 4 * lines
    assert memory.prompt_tokens == 50 + tail
    memory.prepare_checkpoint(NOW)
    assert memory.memory_text == "- chunk 1\n"
    assert memory.prompt_tokens == 50 + count_tokens("- chunk 1") + 1


def test_consolidation_starts_exactly_at_the_trigger(story: Any, recorder: Callable[..., Any]) -> None:
    probe = small(recorder())
    for record in story.session("a", 3, words=80):
        probe.write(record)
    reached = probe.prompt_tokens
    for trigger, expected in ((reached + 1, 0), (reached, 1)):
        double = recorder()
        memory = small(double, trigger=trigger, target=reached - 1)
        for record in story.session("a", 3, words=80):
            memory.write(record)
        assert len(double.chunks) == expected


def test_the_message_can_bring_the_prompt_to_the_trigger(story: Any, recorder: Callable[..., Any]) -> None:
    double = recorder()
    memory = small(double)
    story.play(memory, story.session("a", 4, words=80))
    assert double.chunks == []
    assert memory.prompt_tokens < 600
    query = MemoryQuery(NOW, "word " * 300)
    evidence = memory.recall(query)
    assert len(double.chunks) >= 1
    assert evidence.startswith("# Memory\n- chunk 1\n")
    state = memory.get_state()
    assert memory.recall(query) == evidence
    assert memory.get_state() is state
    assert "word " * 300 not in evidence


def test_whole_turns_are_archived_from_the_oldest_until_the_target(story: Any, recorder: Callable[..., Any]) -> None:
    double = recorder()
    memory = small(double)
    for record in story.session("a", 8, words=80):
        memory.write(record)
    archived = [mark for chunk in double.chunks for mark in marks(chunk)]
    assert archived == [f"mark-a-{n}" for n in range(len(archived))]
    assert memory.stats()["archived"] == len(archived) > 0
    assert memory.prompt_tokens < 600
    # Each chunk is whole turns: a message and its reply.
    for chunk in double.chunks:
        lines = [line for line in chunk if line != CONTINUED]
        assert [line.split()[1] for line in lines] == ["USER:", "PA:"] * (len(lines) // 2)


def test_a_turn_with_calls_is_not_split(story: Any, recorder: Callable[..., Any]) -> None:
    double = recorder()
    memory = small(double)
    for n in range(6):
        steps = [story.call(text="word " * 60), story.call("contact_read", "word " * 60)]
        memory.write(story.turn(f"{n}", f"mark-{n}", steps=steps))
    assert double.chunks
    for chunk in double.chunks:
        lines = [line.split()[1] for line in chunk if line != CONTINUED]
        assert lines == ["USER:", "CALL", "CALL", "PA:"] * (len(lines) // 4)


def test_the_newest_turn_stays_however_large(story: Any, recorder: Callable[..., Any]) -> None:
    double = recorder()
    memory = small(double)
    memory.write(story.turn("1", "mark-big " + "word " * 5_000))
    assert double.chunks == []
    memory.write(story.turn("2", "mark-bigger " + "word " * 5_000))
    assert marks(double.chunks[0]) == ["mark-big"]
    assert len(double.chunks) == 1
    assert memory.stats()["waiting"] == 1
    assert memory.stats()["unreachable"] == 1


def test_a_chunk_is_the_fewest_turns_that_reach_the_target(story: Any, recorder: Callable[..., Any]) -> None:
    memory = small(recorder(), trigger=10_000, target=5_000)
    sizes = []
    for n, words in enumerate((30, 200, 10, 90, 400, 20)):
        before = memory.prompt_tokens
        memory.write(story.turn(str(n), f"mark-{n} " + "word " * words))
        sizes.append(memory.prompt_tokens - before)
    state, total = memory.get_state(), memory.prompt_tokens
    for count in range(1, 5):
        removed = sum(sizes[:count])
        for target, expected in ((total - removed, count), (total - removed - 1, count + 1)):
            double = recorder([ConsolidationResult("one", "")])
            # Four tokens more on both sides: an empty message still has its frame.
            other = small(double, trigger=total + 4, target=target + 4)
            other.set_state(state)
            other.recall(MemoryQuery(NOW, ""))
            assert len(marks(double.chunks[0])) == expected


def test_at_most_five_rounds(story: Any) -> None:
    class Eager:
        """Adds about as many tokens to the memory as the chunk had, so that the target stays away."""

        name = "eager"

        def __init__(self) -> None:
            self.calls = 0

        def propose(self, memory_text: str, lines: tuple[str, ...], now: str) -> ConsolidationResult:
            self.calls += 1
            return ConsolidationResult("more", memory_text + "word " * 80)

    double = Eager()
    memory = FileMemory(trigger=2_000, target=1_990, system_tokens=1, consolidator=double)
    number = 0
    while not double.calls:
        memory.write(story.turn(str(number), "word " * 30))
        number += 1
    assert double.calls == 5
    assert int(memory.stats()["waiting"]) > 5
    assert memory.stats()["unreachable"] == 1


def test_a_memory_above_the_trigger_ends_keeps_the_newest_turn_and_is_reported(story: Any) -> None:
    class Hoarder:
        """Only ever appends."""

        name = "hoarder"

        def propose(self, memory_text: str, lines: tuple[str, ...], now: str) -> ConsolidationResult:
            return ConsolidationResult("more", memory_text + "\n".join(lines) + "\n")

    memory = small(Hoarder())
    for number in range(94):
        seen = story.play(memory, story.session(f"s{number}", 2, words=60))
        assert f"mark-s{number}-0" not in seen[0]
    assert count_tokens(memory.memory_text) > 600
    assert memory.stats()["waiting"] == 1
    assert int(memory.stats()["unreachable"]) > 80
    kept = marks([memory.memory_text])
    assert kept == [f"mark-s{n}-{m}" for n in range(94) for m in range(2)][:-1]


def test_tool_schemas_count_when_asked_for() -> None:
    counted = FileMemory(count_tools=True)
    assert counted.prompt_tokens > FileMemory().prompt_tokens + 4_000
    assert counted.options["count_tools"] is True


def test_an_unreachable_target_by_counted_tools_still_ends(story: Any, recorder: Callable[..., Any]) -> None:
    double = recorder()
    memory = FileMemory(count_tools=True, trigger=600, target=300, consolidator=double)
    for n, record in enumerate(story.session("a", 5)):
        memory.write(record)
        assert memory.stats()["waiting"] == 1
        assert len(double.chunks) == n


def test_evidence_is_memory_then_earlier_conversation(story: Any, recorder: Callable[..., Any]) -> None:
    memory = small(recorder())
    assert memory.recall(MemoryQuery(NOW, "Hi")) == ""
    seen = story.play(memory, story.session("a"))
    assert seen == ["", ""]
    seen = story.play(memory, story.session("b", at="2026-03-03T10:00"))
    assert seen[0] == seen[1]
    assert seen[0].startswith("# Earlier conversation\n[2026-03-02T09:00] USER: mark-a-0")
    assert "mark-b" not in seen[1]
    memory.prepare_checkpoint(NOW)
    seen = story.play(memory, [*story.session("c", 1), *story.session("d", 1)])
    assert seen[0] == "# Memory\n- chunk 1\n"
    tail = memory.recall(MemoryQuery(NOW, "Hi")).split("# Earlier conversation\n")[1]
    assert [block.count("USER") for block in tail.split("\n\n")] == [1, 1]


def test_history_is_never_shown(story: Any, recorder: Callable[..., Any]) -> None:
    memory = small(recorder([ConsolidationResult("HISTORY-ONLY", "- notes")]))
    story.play(memory, story.session("a"))
    memory.prepare_checkpoint(NOW)
    assert "HISTORY-ONLY" in memory.history_text
    assert "HISTORY-ONLY" not in memory.recall(MemoryQuery(NOW, "Hi"))


def test_a_blank_memory_is_not_shown_as_a_heading(story: Any, recorder: Callable[..., Any]) -> None:
    memory = small(recorder([ConsolidationResult("nothing to note", " \n")]))
    story.play(memory, story.session("a"))
    memory.prepare_checkpoint(NOW)
    assert memory.recall(MemoryQuery(NOW, "Hi")) == ""


def test_history_grows_by_stamped_entries_over_midnight_and_year_end(story: Any, recorder: Callable[..., Any]) -> None:
    memory = small(recorder([ConsolidationResult("one\n\n\nmore", "- a"), ConsolidationResult("two", "- b")]))
    times = ["2026-12-31T23:50", "2026-12-31T23:59", "2027-01-01T00:05"]
    for number, at in enumerate(times):
        story.play(memory, story.session(f"s{number}", at=at))
        memory.prepare_checkpoint(at)
    assert memory.history_text.split("\n\n") == [
        "[2026-12-31T23:50] one\nmore",
        "[2026-12-31T23:59] two",
        "[2027-01-01T00:05] chunk 3",
    ]


def test_an_unchanged_memory_is_left_alone_and_counted(story: Any, recorder: Callable[..., Any]) -> None:
    memory = small(recorder([ConsolidationResult("one", "- same"), ConsolidationResult("two", "- same")]))
    for name in ("a", "b"):
        story.play(memory, story.session(name))
        memory.prepare_checkpoint(NOW)
    assert memory.memory_text == "- same"
    assert (memory.stats()["consolidations"], memory.stats()["unchanged"]) == (2, 1)
    assert len(memory.history_text.split("\n\n")) == 2


def test_a_consolidator_sees_the_present_memory_the_chunk_and_story_time(
    story: Any, recorder: Callable[..., Any]
) -> None:
    double = recorder()
    memory = small(double)
    story.play(memory, story.session("a", at="2026-03-02T09:00"))
    story.play(memory, story.session("b", at="2026-03-03T09:00"))
    memory.prepare_checkpoint("2026-03-04T07:00")
    assert double.times == ["2026-03-04T07:00"]
    assert double.memories == [""]
    assert double.chunks[0].count("") == 1
    assert marks(double.chunks[0]) == ["mark-a-0", "mark-a-1", "mark-b-0", "mark-b-1"]
    assert CONTINUED not in double.chunks[0]


def test_a_chunk_says_when_its_first_session_was_begun_before(story: Any, recorder: Callable[..., Any]) -> None:
    double = recorder()
    memory = small(double)
    turns = story.session("a", 2) + story.session("b", 2)
    memory.write(turns[0])
    memory.prepare_checkpoint(NOW)
    memory.write(turns[1])
    memory.end_session(NOW)
    memory.write(turns[2])
    memory.prepare_checkpoint(NOW)
    memory.write(turns[3])
    memory.prepare_checkpoint(NOW)
    assert [chunk[0] == CONTINUED for chunk in double.chunks] == [False, True, True]
    assert [marks(chunk) for chunk in double.chunks] == [["mark-a-0"], ["mark-a-1", "mark-b-0"], ["mark-b-1"]]


@pytest.mark.parametrize(
    "bad",
    [
        ConsolidationFailure("no answer", "nothing came"),
        None,
        {"history_entry": "x", "memory_update": "y"},
        ConsolidationResult("", "- notes"),
        ConsolidationResult("x", ""),
        ConsolidationResult("x", "-"),
        ConsolidationResult("x", ["- notes"]),  # type: ignore[arg-type]
        ConsolidationResult("x", "y" * 2_000_000),
        ValueError("connection lost\nat line 2"),
        parse_answer({"history_entry": "x", "memory_update": "- all"}, "length", ""),
    ],
    ids=lambda bad: type(bad).__name__,
)
def test_a_bad_answer_is_a_failure_that_costs_nothing(story: Any, recorder: Callable[..., Any], bad: Any) -> None:
    notes = "- notes worth keeping " * 5
    double = recorder([ConsolidationResult("first", notes)])
    memory = small(double)
    story.play(memory, story.session("a"))
    memory.prepare_checkpoint(NOW)
    double.answers.append(bad)
    for record in story.session("b", 6, words=80):
        memory.write(record)
        if int(memory.stats()["failures"]):
            break
    assert memory.memory_text == notes
    assert memory.stats()["failures"] == 1
    assert str(memory.stats()["last_failure"])
    assert "\n" not in str(memory.stats()["last_failure"])
    # Every turn is still there, and the next attempt gets the same ones again.
    waiting = memory.stats()["waiting"]
    memory.end_session(NOW)
    assert len(marks([memory.recall(MemoryQuery(NOW, "")).split("# Earlier conversation")[-1]])) <= int(waiting)
    assert marks(double.chunks[1]) == marks(double.chunks[2])[: len(marks(double.chunks[1]))]


def test_the_third_failure_in_a_row_archives_the_chunk_word_for_word(story: Any, recorder: Callable[..., Any]) -> None:
    double = recorder([ConsolidationFailure("error", "down")] * 3)
    memory = small(double)
    for n in range(30):
        memory.write(story.turn(str(n), f"mark-{n} " + "word " * 80))
        if memory.stats()["raw_archives"]:
            break
    assert memory.stats()["failures"] == 3
    assert memory.memory_text == ""
    assert memory.history_text.startswith(f"[{story.turn('0').at}] (not consolidated, ")
    raw = marks([memory.history_text])
    assert raw == [f"mark-{n}" for n in range(len(raw))]
    assert memory.stats()["archived"] == len(raw) > 0


def test_a_success_between_failures_starts_the_count_anew(story: Any, recorder: Callable[..., Any]) -> None:
    down = ConsolidationFailure("error", "down")
    memory = small(recorder([down, down, ConsolidationResult("up", "- up"), down, down]))
    for name in ("a", "b"):
        story.play(memory, story.session(name))
        memory.prepare_checkpoint(NOW)
    assert memory.stats()["failures"] == 4
    assert memory.stats()["raw_archives"] == 0
    assert memory.stats()["consolidations"] == 2


def test_errors_of_the_project_itself_are_not_swallowed(story: Any, recorder: Callable[..., Any]) -> None:
    memory = small(recorder([RunError("the budget is spent")]))
    story.play(memory, story.session("a"))
    state = memory.get_state()
    with pytest.raises(RunError, match="budget"):
        memory.prepare_checkpoint(NOW)
    assert memory.get_state() is state


def test_a_stated_reason_for_a_shorter_memory_goes_into_the_history(story: Any, recorder: Callable[..., Any]) -> None:
    memory = small(
        recorder([ConsolidationResult("one", "- a long note " * 20), ConsolidationResult("two", "- short", "settled")])
    )
    for name in ("a", "b"):
        story.play(memory, story.session(name))
        memory.prepare_checkpoint(NOW)
    assert memory.memory_text == "- short"
    assert memory.history_text.endswith("two (MEMORY.md became shorter: settled)")


def test_a_checkpoint_flushes_unless_told_not_to(story: Any, recorder: Callable[..., Any]) -> None:
    for flush in (True, False):
        double = recorder()
        memory = small(double, flush=flush)
        story.play(memory, story.session("a"))
        memory.prepare_checkpoint(NOW)
        assert memory.stats()["waiting"] == (0 if flush else 2)
        assert ("mark-a-1" in memory.recall(MemoryQuery(NOW, "Hi"))) == (not flush)
        memory.without_conversation()
        assert "mark-a" not in memory.recall(MemoryQuery(NOW, "Hi"))


def test_a_flush_that_keeps_failing_archives_raw_and_ends(story: Any, recorder: Callable[..., Any]) -> None:
    memory = small(recorder([ConsolidationFailure("error", "down")] * 3))
    story.play(memory, story.session("a"))
    memory.prepare_checkpoint(NOW)
    assert memory.stats()["raw_archives"] == 1
    assert memory.stats()["waiting"] == 0
    assert marks([memory.history_text]) == ["mark-a-0", "mark-a-1"]


def test_a_probe_branch_carries_no_raw_conversation_and_leaves_nothing_behind(
    story: Any, recorder: Callable[..., Any]
) -> None:
    memory = small(recorder(), trigger=5_000, target=2_000, flush=False)
    for number in range(12):
        story.play(memory, story.session(f"s{number}"))
    before, shown = memory.get_state(), memory.recall(MemoryQuery(NOW, "Hi"))
    memory.without_conversation()
    probe = story.play(memory, story.session("probe", 2))
    assert probe == ["", ""]
    assert memory.prompt_tokens < 300
    memory.set_state(before)
    assert memory.recall(MemoryQuery(NOW, "Hi")) == shown
    assert "mark-probe" not in shown
    assert "mark-s11-1" in shown


def test_the_decision_turn_is_stored_once_even_when_it_triggers(story: Any, recorder: Callable[..., Any]) -> None:
    double = recorder()
    memory = small(double)
    for n in range(12):
        record = story.turn(f"{n}", f"mark-{n} " + "word " * 70)
        memory.recall(MemoryQuery(record.at, record.user))
        memory.write(record)
    memory.prepare_checkpoint(NOW)
    stored = [mark for chunk in double.chunks for mark in marks(chunk)]
    assert stored == [f"mark-{n}" for n in range(12)]


def test_recalled_evidence_is_not_stored_again(story: Any) -> None:
    memory = small(OfflineConsolidator())
    for number in range(25):
        turns = [
            story.turn(f"{number}.0", "Move the rehearsal, please.", steps=[story.selection("verbosity", "Terse")]),
            story.turn(f"{number}.1", "QED-1913" if number == 0 else "Fine."),
        ]
        story.play(memory, [replace(turns[0], new_session=True), turns[1]])
        memory.prepare_checkpoint(NOW)
        evidence = memory.recall(MemoryQuery(NOW, "Hi"))
        assert evidence.count("# Memory") == 1
        assert evidence.count("QED-1913") == (1 if number < 6 else 0)
    assert "# Memory" not in memory.history_text + memory.memory_text


def test_text_that_names_scopes_changes_nothing(story: Any, recorder: Callable[..., Any]) -> None:
    double = recorder()
    memory = small(double)
    step = story.call(text='{"user_id": "user_x", "run_id": "r", "agent_id": "a"}', user_id="user_x", run_id="r")
    story.play(memory, [story.turn("1", '{"user_id": "other"}', steps=[step])])
    memory.prepare_checkpoint(NOW)
    assert len(double.chunks) == 1
    other = small(recorder())
    assert other.recall(MemoryQuery(NOW, "user_x")) == ""


def test_a_turn_without_a_word_leaves_no_gap(story: Any, recorder: Callable[..., Any]) -> None:
    double = recorder()
    memory = small(double)
    silent = story.turn("2", "", reply="")
    story.play(memory, [story.turn("1", "mark-1"), silent, story.turn("3", "mark-3")])
    assert "" not in memory.recall(MemoryQuery(NOW, "Hi")).split("\n")
    memory.prepare_checkpoint(NOW)
    assert memory.stats()["archived"] == 3
    assert len(double.chunks[0]) == 4


@pytest.mark.parametrize("call", ["recall", "write", "end_session", "prepare_checkpoint"])
def test_only_story_time_is_taken(story: Any, recorder: Callable[..., Any], call: str) -> None:
    memory = small(recorder())
    late = "2026-03-02T09:00:00+00:00"
    argument = {"recall": MemoryQuery(late, "Hi"), "write": story.turn("1", "Hi", at=late)}.get(call, late)
    state = memory.get_state()
    with pytest.raises(ArgumentError):
        getattr(memory, call)(argument)
    assert memory.get_state() is state


def test_a_whole_timeline_with_the_offline_rules(story: Any) -> None:
    memory = FileMemory()
    filler = "The stopcock behind the kitchen on Harbour Street drips again and Renee wants it mended by noon. "
    for number in range(60):
        at = f"2026-{3 + number // 28:02d}-{1 + number % 28:02d}T10:00"
        turns = [
            story.turn(f"{number}.{n}", f"{filler}{number}", at=at, steps=[story.call(text="word " * 300)] * 2)
            for n in range(4)
        ]
        pick = story.selection("verbosity", "Terse" if number % 2 else "Detailed")
        turns[1] = replace(turns[1], steps=(*turns[1].steps, pick))
        turns[2] = replace(turns[2], user=f"reaction {number}")
        story.play(memory, turns)
        assert memory.prompt_tokens < 20_000
    assert int(memory.stats()["consolidations"]) > 5
    assert memory.stats()["failures"] == 0
    memory.prepare_checkpoint("2026-06-30T10:00")
    memory.without_conversation()
    evidence = memory.recall(MemoryQuery("2026-06-30T10:00", "Hi"))
    assert [int(n) for n in re.findall(r"reaction (\d+)", evidence)] == [54, 55, 56, 57, 58, 59]
    assert count_tokens(evidence) < 1_500
