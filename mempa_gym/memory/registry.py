"""Names to memories: the one list behind `--memory`, factories and tests."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from mempa_gym.errors import InvalidOptionError, UnknownNameError, unknown
from mempa_gym.frozen import FrozenDict
from mempa_gym.memory.answers import Consolidator
from mempa_gym.memory.bounds import NoMemory, OracleMemory
from mempa_gym.memory.file import SYSTEM_TOKENS, TARGET_TOKENS, TRIGGER_TOKENS, FileMemory
from mempa_gym.memory.full import FullMemory
from mempa_gym.memory.offline import OfflineConsolidator
from mempa_gym.memory.protocol import MemorySystem

__all__ = ["build", "memory_names"]

_ANNOUNCED = ("rag", "mem0", "memos", "ledger")


def _file(
    *,
    trigger: int = TRIGGER_TOKENS,
    target: int = TARGET_TOKENS,
    flush: bool = True,
    count_tools: bool = False,
    system_tokens: int = SYSTEM_TOKENS,
    keep: int = 6,
    consolidator: Consolidator | None = None,
) -> MemorySystem:
    return FileMemory(
        trigger=trigger,
        target=target,
        flush=flush,
        count_tools=count_tools,
        system_tokens=system_tokens,
        consolidator=consolidator if consolidator is not None else OfflineConsolidator(keep=keep),
    )


_BUILDERS: Mapping[str, Callable[..., MemorySystem]] = FrozenDict(
    {"none": NoMemory, "oracle": OracleMemory, "full": FullMemory, "file": _file}
)


def memory_names() -> tuple[str, ...]:
    """Returns the names that `build` takes."""
    return tuple(_BUILDERS)


def build(name: str, **options: Any) -> MemorySystem:
    """Builds a memory; two calls share nothing.

    Args:
        name: none, oracle, full or file.
        **options: for file: trigger, target, flush, count_tools, system_tokens, keep, consolidator (see `FileMemory`
            and `OfflineConsolidator`); the others take none.

    Raises:
        UnknownNameError: There is no such memory, or it is not available yet.
        InvalidOptionError: The memory has no such option, or cannot work with its value.
    """
    builder = _BUILDERS.get(name) if isinstance(name, str) else None
    if builder is None:
        raise _unavailable(name)
    known = tuple(inspect.signature(builder).parameters)
    for option in options:
        if option not in known:
            error = unknown(f"option of the memory {name!r}", option, known)
            raise InvalidOptionError(error.what, remedy=error.remedy)
    return builder(**options)


def _unavailable(name: object) -> UnknownNameError:
    if name in _ANNOUNCED:
        listed = ", ".join(repr(known) for known in _BUILDERS)
        return UnknownNameError(f"the memory {name!r} is not available yet", remedy=f"Valid names: {listed}")
    error = unknown("memory", name, _BUILDERS)
    return UnknownNameError(error.what, remedy=f"{error.remedy}. Not available yet: {', '.join(_ANNOUNCED)}")
