from __future__ import annotations

import copy
import json
import pickle

import pytest

from mempa_gym.frozen import FrozenDict


def test_it_cannot_be_changed_by_any_method_of_a_dict() -> None:
    mapping = FrozenDict({"a": 1})
    changes = (
        lambda: mapping.__setitem__("a", 2),
        lambda: mapping.__delitem__("a"),
        lambda: mapping.pop("a"),
        lambda: mapping.popitem(),
        lambda: mapping.setdefault("b", 2),
        lambda: mapping.update(a=2),
        lambda: mapping.clear(),
        lambda: mapping.__ior__({"a": 2}),
    )
    for change in changes:
        with pytest.raises(TypeError, match="immutable"):
            change()
    assert mapping == {"a": 1}


def test_it_is_a_copy_of_what_it_was_made_from() -> None:
    content = {"a": 1}
    mapping = FrozenDict(content)
    content["a"] = 9
    assert mapping == {"a": 1}


def test_it_pickles_copies_hashes_and_serialises_as_a_dict_does() -> None:
    mapping = FrozenDict({"b": 2, "a": (1, 2)})
    for other in (pickle.loads(pickle.dumps(mapping)), copy.deepcopy(mapping), copy.copy(mapping)):
        assert other == mapping
        assert type(other) is FrozenDict
    assert hash(mapping) == hash(FrozenDict([("a", (1, 2)), ("b", 2)]))
    assert json.loads(json.dumps(mapping)) == {"b": 2, "a": [1, 2]}
