from __future__ import annotations

import pytest
from pydantic import BaseModel

from mempa_gym.errors import DataError
from mempa_gym.resources import parse_yaml, read_text, read_yaml, validated


def test_plain_words_stay_text() -> None:
    text = "date: 2026-03-04\nclock: 9:30\nswitch: on\nanswer: no\nflat: 007\ntime: 2026-03-04T09:00\n"
    expected = {
        "date": "2026-03-04",
        "clock": "9:30",
        "switch": "on",
        "answer": "no",
        "flat": "007",
        "time": "2026-03-04T09:00",
    }
    assert parse_yaml(text, "x.yaml") == expected


def test_numbers_truth_values_and_nothing_are_read_as_such() -> None:
    assert parse_yaml("[3, -2, 0, 1.5, -0.25, 1.0e3, true, false, null, ~]", "x.yaml") == [
        *(3, -2, 0, 1.5, -0.25, 1000.0),
        *(True, False, None, None),
    ]


@pytest.mark.parametrize("text", ["a: 1\na: 2\n", "x: {b: 1, c: 2, b: 1}\n", "- {1: a, 1: b}\n"])
def test_a_key_given_twice_is_refused(text: str) -> None:
    with pytest.raises(DataError, match=r"x\.yaml: line \d: key .* is given twice"):
        parse_yaml(text, "x.yaml")


@pytest.mark.parametrize("text", ["!!python/object/apply:os.getcwd []", "!!python/name:os.system", "!custom {a: 1}"])
def test_nothing_but_plain_data_is_built(text: str) -> None:
    with pytest.raises(DataError, match="x.yaml"):
        parse_yaml(text, "x.yaml")


def test_broken_yaml_is_reported_with_its_line() -> None:
    with pytest.raises(DataError, match="line 3"):
        parse_yaml("a: 1\nb: [1,\n", "x.yaml")


def test_a_missing_file_is_named() -> None:
    with pytest.raises(DataError, match=r"data/no/such\.yaml: the file is missing"):
        read_text("no/such.yaml")
    with pytest.raises(DataError, match=r"data/no/such\.yaml"):
        read_yaml("no/such.yaml")


class _Row(BaseModel, extra="forbid"):
    name: str
    sizes: list[int]


def test_validation_reports_the_first_problem_by_its_path() -> None:
    assert validated(_Row, {"name": "a", "sizes": [1]}, "x.yaml") == _Row(name="a", sizes=[1])
    with pytest.raises(DataError) as caught:
        validated(_Row, {"name": "a", "sizes": [1, "two"], "extra": 1}, "x.yaml")
    assert caught.value.file == "x.yaml"
    assert caught.value.key == "sizes.1"
    assert "1 further problem" in str(caught.value)
