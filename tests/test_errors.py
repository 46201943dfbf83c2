from __future__ import annotations

import inspect
import pickle

import pytest

from mempa_gym import errors
from mempa_gym.errors import (
    ArgumentError,
    DataError,
    InvalidActionError,
    InvalidOptionError,
    MempaGymError,
    MissingExtraError,
    PolicyError,
    RunError,
    UnknownNameError,
    ViabilityError,
    unknown,
)

PLAIN = (InvalidActionError, InvalidOptionError, PolicyError, RunError, UnknownNameError, ViabilityError)
EXAMPLES: tuple[MempaGymError, ...] = (
    *(kind("it broke", where="key a", remedy="Mend it") for kind in PLAIN),
    DataError("data/x.yaml", "users.b", "no such setting"),
    ArgumentError("start", 7, "must be text"),
    MissingExtraError("plots", "the report", "matplotlib"),
)


def test_every_error_type_has_the_one_base() -> None:
    types = [kind for _, kind in inspect.getmembers(errors, inspect.isclass) if issubclass(kind, Exception)]
    assert len(types) >= 10
    assert all(issubclass(kind, MempaGymError) for kind in types)


@pytest.mark.parametrize("kind", PLAIN, ids=lambda kind: kind.__name__)
def test_message_names_place_problem_and_remedy_in_this_order(kind: type[MempaGymError]) -> None:
    error = kind("the value is 3", where="option tier", remedy="Use standard")
    assert str(error) == "option tier: the value is 3. Use standard."
    assert (error.what, error.where, error.remedy) == ("the value is 3", "option tier", "Use standard")


def test_parts_may_be_left_out() -> None:
    assert str(RunError("the folder is empty")) == "the folder is empty."


def test_data_error_names_file_key_and_reason() -> None:
    error = DataError("data/x.yaml", "users.b", "no such setting", "Use Low")
    assert (error.file, error.key, error.reason) == ("data/x.yaml", "users.b", "no such setting")
    assert str(error) == "data/x.yaml, key users.b: no such setting. Use Low."
    assert str(DataError("data/x.yaml", "", "is empty")).startswith("data/x.yaml: is empty. ")


def test_argument_error_names_field_value_and_reason_and_cuts_long_values() -> None:
    error = ArgumentError("start", "9 o'clock", "must be a story time")
    assert (error.field, error.value) == ("start", "9 o'clock")
    assert "argument start" in str(error)
    assert '"9 o\'clock"' in str(error)
    assert "must be a story time" in str(error)
    assert len(str(ArgumentError("body", "x" * 10_000, "is too long"))) < 300


def test_missing_extra_gives_the_install_command() -> None:
    error = MissingExtraError("plots", "the report", "matplotlib")
    assert isinstance(error, ImportError)
    assert 'pip install "mempa-gym[plots]"' in str(error)
    assert "matplotlib" in str(error)


@pytest.mark.parametrize("error", EXAMPLES, ids=lambda error: type(error).__name__)
def test_errors_survive_the_way_between_processes(error: MempaGymError) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert str(copy) == str(error)
    assert vars(copy) == vars(error)


def test_unknown_lists_all_names_and_suggests_the_near_one() -> None:
    error = unknown("persona", "usr_b", ["user_a", "user_b"])
    assert isinstance(error, UnknownNameError)
    assert str(error) == "unknown persona 'usr_b'. Did you mean 'user_b'? Valid names: 'user_a', 'user_b'."


def test_unknown_finds_a_name_in_other_letters() -> None:
    assert "Did you mean 'Self-directed'?" in str(unknown("setting", "SELF-DIRECTED", ["Reactive", "Self-directed"]))


def test_unknown_suggests_nothing_when_nothing_is_near() -> None:
    assert "Did you mean" not in str(unknown("persona", "zzz", ["user_a", "user_b"]))


@pytest.mark.parametrize("value", [None, 3, ["user_a"], {"a": 1}], ids=repr)
def test_unknown_takes_values_of_any_type(value: object) -> None:
    assert repr(value) in str(unknown("persona", value, ["user_a"]))
