"""An immutable mapping that pickles, copies and serialises as a dict does.

``types.MappingProxyType`` cannot be pickled, yet an environment in the middle of a session has to be: vector
environments and checkpoints send it across processes.
"""

from __future__ import annotations

from typing import Any, NoReturn, TypeVar

__all__ = ["FrozenDict", "frozen"]

_ATOMS = frozenset({str, int, float, bool, type(None)})

K = TypeVar("K")
V = TypeVar("V")


class FrozenDict(dict[K, V]):
    """A dict that refuses to change; nested values are as mutable as they are."""

    __slots__ = ()

    def _refuse(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise TypeError("this mapping is immutable; copy it with dict(...) first")

    __setitem__ = __delitem__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse
    __ior__ = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (dict(self),))

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))


def frozen(value: Any) -> Any:
    """Returns plain data that nobody can change: mappings as FrozenDict and lists as tuples, at every depth.

    A FrozenDict is returned as it is: whoever made it, made it of frozen values.
    """
    if isinstance(value, FrozenDict):
        return value
    if isinstance(value, dict):
        return FrozenDict({k: item if type(item) in _ATOMS else frozen(item) for k, item in value.items()})
    if isinstance(value, list | tuple):
        return tuple([item if type(item) in _ATOMS else frozen(item) for item in value])
    return value
