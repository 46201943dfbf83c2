"""Observations, actions and infos as JSON, and back, without anything being lost or evaluated.

Arrays keep dtype and shape. A long text that was written before is written as a reference: a memory's evidence is shown
at every call of a turn, and a record would otherwise be many times as long as what happened.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from mempa_gym.envs.actions import encode
from mempa_gym.errors import DataError

__all__ = ["Reader", "Writer", "spelt_action"]

_ARRAY = "__array__"
_SCALAR = "__scalar__"
_TEXT = "__text__"
_TUPLE = "__tuple__"
_MARKS = (_ARRAY, _SCALAR, _TEXT, _TUPLE)
_LONG = 200
# What an array or a scalar may be made of; nothing else is ever built from a file.
_KINDS = frozenset("biuf")


class Writer:
    """Turns values into JSON-able ones; one writer serves one file."""

    def __init__(self) -> None:
        self._texts: dict[str, int] = {}
        self.new_texts: list[str] = []
        """Texts that were met for the first time; whoever writes the file puts them there first and clears the list."""

    def value(self, value: Any) -> Any:
        """Returns a value in JSON-able form.

        Raises:
            TypeError: it holds what a record cannot keep.
        """
        if isinstance(value, str):
            return self._text(value)
        if value is None or isinstance(value, bool | int | float):
            return value
        if isinstance(value, np.generic):
            return {_SCALAR: [str(value.dtype), value.item()]}
        if isinstance(value, np.ndarray):
            if value.dtype.kind not in _KINDS:
                raise TypeError(f"arrays of {value.dtype} cannot be recorded")
            return {_ARRAY: [str(value.dtype), list(value.shape), value.ravel().tolist()]}
        if isinstance(value, Mapping):
            if not all(isinstance(key, str) for key in value) or any(mark in value for mark in _MARKS):
                raise TypeError("only mappings with texts as keys can be recorded, and none of the format's own marks")
            return {key: self.value(item) for key, item in value.items()}
        if isinstance(value, tuple):
            return {_TUPLE: [self.value(item) for item in value]}
        if isinstance(value, list):
            return [self.value(item) for item in value]
        raise TypeError(f"a {type(value).__name__} cannot be recorded")

    def _text(self, text: str) -> Any:
        if len(text) < _LONG:
            return text
        number = self._texts.get(text)
        if number is None:
            number = self._texts[text] = len(self._texts)
            self.new_texts.append(text)
        return {_TEXT: number}


class Reader:
    """Turns what a `Writer` wrote back into the values.

    Args:
        file: the file's name, for errors.
    """

    def __init__(self, file: str) -> None:
        self._file = file
        self.texts: list[str] = []

    def value(self, data: Any, place: str = "") -> Any:
        """Returns the value; arrays are fresh.

        Raises:
            DataError: it is nothing that a `Writer` writes.
        """
        if isinstance(data, list):
            return [self.value(item, place) for item in data]
        if not isinstance(data, dict):
            return data
        if len(data) == 1:
            ((mark, held),) = data.items()
            try:
                if mark == _TEXT:
                    if held < 0:
                        raise IndexError(held)
                    return self.texts[held]
                if mark == _TUPLE:
                    return tuple([self.value(item, place) for item in held])
                if mark == _SCALAR:
                    return _dtype(held[0]).type(held[1])
                if mark == _ARRAY:
                    return np.array(held[2], dtype=_dtype(held[0])).reshape(held[1])
            except (IndexError, TypeError, ValueError, OverflowError, AttributeError) as error:
                raise DataError(self._file, place, f"it holds a damaged value: {error}") from None
        return {key: self.value(item, place) for key, item in data.items()}


def _dtype(name: object) -> np.dtype[Any]:
    if not isinstance(name, str) or np.dtype(name).kind not in _KINDS:
        raise ValueError(f"no dtype of numbers: {name!r}")
    return np.dtype(name)


def spelt_action(action: Any) -> Any:
    """Returns an action in the form of its space; the timeline environments also take PA actions as objects."""
    if action is None or isinstance(action, Mapping | str | int | float | np.generic | np.ndarray | list | tuple):
        return action
    return encode(action)
