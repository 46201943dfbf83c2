"""Two banks of wording must stay two."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mempa_gym.reading import train_bank
from mempa_gym.reading.bank_checks import overlaps
from mempa_gym.reading.lexicon import EMPTY, words
from mempa_gym.timeline import load_library, scripted_personas
from mempa_gym.users import load_voice

LINE = "Ten words and the thing's settled, saves my tired eyes a lot of bother."


def test_a_shared_run_of_words_is_found() -> None:
    (found,) = overlaps([LINE], ["Well, the cheese settled, saves my tired eyes some work."])
    assert (found.kind, found.train, found.span) == ("run", LINE, "settled saves my tired eyes")


def test_five_words_without_content_are_no_overlap() -> None:
    assert overlaps(["I would have had it then."], ["And so I would have had it all, he said."]) == []


def test_four_shared_words_are_no_overlap() -> None:
    assert overlaps(["Bring the heavy wooden ladder."], ["A heavy wooden ladder came yesterday."]) == []


def test_a_near_duplicate_is_found_whatever_its_order() -> None:
    found = overlaps(
        ["Scrolling through paragraphs with wet cement on thumbs is a nightmare."],
        ["With cement on my wet thumbs, a nightmare: paragraphs, scrolling."],
    )
    assert [overlap.kind for overlap in found] == ["near-duplicate"]


@given(st.lists(st.sampled_from(list(train_bank().texts())), min_size=1, max_size=4, unique=True))
def test_every_longer_line_overlaps_with_itself(lines: list[str]) -> None:
    for line in lines:
        content = [word for word in words(line) if word.isalpha() and word not in EMPTY]
        if len(content) >= 10:
            assert overlaps(lines, [line])


def test_the_packaged_users_share_nothing_with_the_train_bank() -> None:
    train = list(train_bank().texts())
    for persona in scripted_personas():
        library = load_library(persona)
        spoken: list[str] = []
        for session in (*library.sessions, *library.probes):
            for beat in session.beats:
                spoken += [beat.say] if isinstance(beat.say, str) else list(beat.say.values())
                spoken += [text for row in beat.react.values() for text in row.values()]
                spoken += list(beat.again.values())
        voice = load_voice(persona)
        spoken += [text for rows in voice.answers.values() for lines in rows.values() for text in lines]
        spoken += [text for lines in voice.insist for text in lines]
        assert overlaps(train, spoken) == []
