from __future__ import annotations

import pytest

from mempa_gym.behaviour.lexicon import Hit, Lexicon, load, words
from mempa_gym.errors import DataError

LEXICONS = (
    "boundary",
    "breadth",
    "emotion",
    "expansion",
    "guidance",
    "preference",
    "process",
    "reasoning",
    "speech",
    "tone",
    "topics",
    "uncertainty",
    "verbosity",
)


def find(phrase: str, text: str) -> list[Hit]:
    return list(Lexicon("test", {"kind": [phrase]}).find(tuple(text.split())))


@pytest.mark.parametrize(
    ("phrase", "text", "hits"),
    [
        ("shall i", "well shall i go", [(1, 3)]),
        ("(shall|may) i (send|book it)", "may i book it or shall i send", [(0, 4), (5, 8)]),
        ("(very |)glad", "very glad glad", [(0, 2), (2, 3)]),
        ("^ done", "done is done", [(0, 1)]),
        ("done $", "done is done", [(2, 3)]),
        ("^ _ sent", "message sent and mail sent", [(0, 2)]),
        ("if ~ prefer", "if you would really prefer", [(0, 5)]),
        ("if ~ prefer", "if you would very much indeed prefer", []),
        ("@ sure", "90% sure not sure", [(0, 2)]),
        ("don't worry", "do not worry", [(0, 3)]),
        ("(a (b|c)|d) e", "a c e d e", [(0, 3), (3, 5)]),
    ],
)
def test_phrases_are_found(phrase: str, text: str, hits: list[tuple[int, int]]) -> None:
    assert [(hit.start, hit.end) for hit in find(phrase, text)] == hits


def test_the_longest_phrase_wins_and_none_is_found_inside_another() -> None:
    lexicon = Lexicon("test", {"kind": ["no", "no worries", "worries"], "other": ["worries"]})
    assert lexicon.find(("no", "worries")) == (Hit("kind", 0, 2), Hit("other", 1, 2))


@pytest.mark.parametrize("phrase", ["(shall i", "shall) i", "(|a) ", "shall ^ i", "%"])
def test_a_malformed_phrase_is_refused_with_its_place(phrase: str) -> None:
    with pytest.raises(DataError) as error:
        Lexicon("data/test.yaml", {"greeting": [phrase]})
    assert error.value.file == "data/test.yaml"
    assert error.value.key == "greeting"


@pytest.mark.parametrize("name", LEXICONS)
def test_packaged_lexicons_load(name: str) -> None:
    assert load(name).kinds


def test_an_unknown_set_of_words_is_refused() -> None:
    assert "since" in words("links")
    with pytest.raises(DataError, match="no such set"):
        words("nothing")


@pytest.mark.parametrize("name", LEXICONS)
def test_no_setting_is_recognised_by_its_label_alone(name: str) -> None:
    labels = (
        "casual consultative formal terse detailed assumed guided silent bookend reactive autonomous infer structured "
        "iterative organize"
    )
    for label in labels.split():
        assert not load(name).find((label,))
