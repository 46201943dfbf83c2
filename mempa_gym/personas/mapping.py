"""A read-only mapping that can be hashed and pickled.

The standard library's mapping proxy can be neither, and personas travel to the worker processes of vector environments.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Generic, TypeVar

__all__ = ["FrozenMapping"]

Key = TypeVar("Key")
Value = TypeVar("Value", covariant=True)


class FrozenMapping(Mapping[Key, Value], Generic[Key, Value]):
    """An immutable mapping in the order it was given, equal to any mapping with the same content.

    Args:
        content: A mapping or the pairs of one; copied.
    """

    __slots__ = ("_content",)
    _content: dict[Key, Value]

    def __init__(self, content: Mapping[Key, Value] | Iterable[tuple[Key, Value]] = ()) -> None:
        object.__setattr__(self, "_content", dict(content))

    def __getitem__(self, key: Key) -> Value:
        return self._content[key]

    def __iter__(self) -> Iterator[Key]:
        return iter(self._content)

    def __len__(self) -> int:
        return len(self._content)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a {type(self).__name__} cannot be changed")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a {type(self).__name__} cannot be changed")

    def __hash__(self) -> int:
        return hash(frozenset(self._content.items()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._content!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._content,)
