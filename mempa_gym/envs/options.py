"""Reset options: what a caller may choose for one episode.

They arrive in three ways: as ``options={"persona": ...}`` (the only way through foreign wrappers and vector envs), as
``reset(persona=...)`` on what our factories return, or not at all, when a vector env resets by itself. A value holds
for that episode; the constructor's value holds for every other one.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mempa_gym.errors import InvalidOptionError
from mempa_gym.personas import Persona

__all__ = ["OPTION_NAMES", "EpisodeOptions", "read_options"]

OPTION_NAMES = ("persona", "start_session", "end_session")


@dataclass(frozen=True, slots=True)
class EpisodeOptions:
    """What was asked for one episode; None leaves the constructor's choice."""

    persona: str | Persona | None = None
    start_session: int | None = None
    end_session: int | None = None


def read_options(options: Mapping[str, Any] | None, given: Mapping[str, Any]) -> EpisodeOptions:
    """Merges ``options`` with keyword arguments of ``reset``.

    Unknown keys warn and are ignored, since test suites and dataset tools pass keys of their own.

    Raises:
        InvalidOptionError: a value of the wrong type, or a name given twice with different values.
    """
    if options is not None and not isinstance(options, Mapping):
        raise InvalidOptionError(
            f"options must be a mapping of names to values, got {options!r}", where="reset(options=...)"
        )
    merged: dict[str, Any] = {}
    for key, value in (options or {}).items():
        if key in OPTION_NAMES:
            merged[key] = value
        else:
            warnings.warn(
                f"reset option {key!r} is not known and is ignored; options are {', '.join(OPTION_NAMES)}", stacklevel=3
            )
    for key, value in given.items():
        if value is None:
            continue
        if key in merged and merged[key] != value:
            raise InvalidOptionError(
                f"{key} was given twice, as {merged[key]!r} and {value!r}", where=f"reset({key}=...)"
            )
        merged[key] = value
    persona = merged.get("persona")
    if persona is not None and not isinstance(persona, str | Persona):
        raise InvalidOptionError(
            f"persona must be a name or a Persona, got {type(persona).__name__}", where="reset(persona=...)"
        )
    for key in ("start_session", "end_session"):
        value = merged.get(key)
        if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
            raise InvalidOptionError(f"{key} must be a whole number, got {value!r}", where=f"reset({key}=...)")
    return EpisodeOptions(**merged)
