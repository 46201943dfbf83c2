"""Every error the project raises, in one place.

One base class lets a caller catch whatever this package objects to and nothing else. The types are flat and few: a
type exists only where a caller may want to react differently. A message says what was wrong, where, and what to do; the
parts stay available as attributes, so that a command line or a test never has to parse the text. Errors survive
pickling, since vector environments send them across processes.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any, Self

__all__ = [
    "ArgumentError",
    "DataError",
    "InvalidAction",
    "InvalidActionError",
    "InvalidOptionError",
    "MempaGymError",
    "MissingExtraError",
    "PolicyError",
    "RunError",
    "UnknownNameError",
    "ViabilityError",
    "require_text",
    "unknown",
]

_LONGEST_VALUE = 120


class MempaGymError(Exception):
    """Base of all errors of this package.

    Args:
        what: What was wrong, without a final full stop.
        where: The file, key, option or call it happened in.
        remedy: What the caller can do about it.
    """

    def __init__(self, what: str, *, where: str = "", remedy: str = "") -> None:
        self.what = what
        self.where = where
        self.remedy = remedy
        super().__init__(_message(what, where, remedy))

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.args, self.__dict__)

    @classmethod
    def _restored(cls, args: tuple[Any, ...], state: dict[str, Any]) -> Self:
        # Subclasses take other arguments than the message, so the default protocol (call the class again) cannot work.
        error = cls.__new__(cls, *args)
        error.args = args
        error.__dict__.update(state)
        return error


class UnknownNameError(MempaGymError, ValueError):
    """A name that is not in a closed list: an attribute, a setting, a tool, a persona. Made by `unknown`."""


class InvalidOptionError(MempaGymError, ValueError):
    """A constructor argument, reset option or command line option has a value that cannot be used."""


class InvalidActionError(MempaGymError, ValueError):
    """An action lies outside the action space, or is masked while the environment is strict."""


# The short name used in the environments' documentation.
InvalidAction = InvalidActionError


class DataError(MempaGymError, ValueError):
    """A data file does not follow its schema, or contradicts itself.

    Args:
        file: The file, as the reader can find it.
        key: Path of the offending entry inside the file, for instance `users.user_b.initial`; empty for the whole file.
        reason: What is wrong there.
        remedy: What to do; a general hint when left out.
    """

    def __init__(self, file: object, key: object, reason: str, remedy: str = "") -> None:
        self.file = str(file)
        self.key = str(key)
        self.reason = reason
        where = f"{self.file}, key {self.key}" if self.key else self.file
        super().__init__(reason, where=where, remedy=remedy or "Correct the entry or restore the packaged file")


class ArgumentError(MempaGymError, ValueError):
    """One argument of a tool call is not acceptable.

    Args:
        field: Name of the argument.
        value: What was given.
        reason: Why it is not acceptable.
        remedy: What to do; a general hint when left out.
    """

    def __init__(self, field: str, value: object, reason: str, remedy: str = "") -> None:
        self.field = field
        self.value = value
        self.reason = reason
        super().__init__(
            f"got {_short(value)}: {reason}",
            where=f"argument {field}",
            remedy=remedy or "Call again with a value that the tool's schema allows",
        )


class RunError(MempaGymError, RuntimeError):
    """A run cannot be started, resumed, read or scored."""


class MissingExtraError(MempaGymError, ImportError):
    """A feature needs an optional dependency that is not installed.

    Args:
        extra: Name of the extra of this package that brings it.
        feature: What was asked for.
        module: The module that could not be imported.
    """

    def __init__(self, extra: str, feature: str, module: str = "") -> None:
        self.extra = extra
        self.feature = feature
        self.module = module
        missing = f"the module {module!r}, which is" if module else "an optional dependency that is"
        super().__init__(
            f"{feature} needs {missing} not installed", remedy=f'Install it with: pip install "mempa-gym[{extra}]"'
        )


class ViabilityError(MempaGymError):
    """A session script does not let every setting of its attribute be carried out and be told apart."""


class PolicyError(MempaGymError, RuntimeError):
    """A policy returned something its role cannot return, or failed while it was asked."""


def require_text(name: str, value: object) -> None:
    """Raises ArgumentError when a value that has to be text is none."""
    if not isinstance(value, str):
        raise ArgumentError(name, value, "it must be text", "Give a string")


def unknown(kind: str, value: object, valid: Iterable[str]) -> UnknownNameError:
    """Makes the error for a name outside a closed list.

    Args:
        kind: What the name should have been, in words: "attribute", "setting of Verbosity".
        value: The name that was given.
        valid: All names that would do, in the order to show them.

    Returns:
        An error that lists the valid names and, when one is near, asks whether it was meant.
    """
    names = list(valid)
    folded = {name.casefold(): name for name in reversed(names)}
    near = difflib.get_close_matches(str(value).casefold(), folded, n=1, cutoff=0.6)
    hint = f"Did you mean {folded[near[0]]!r}? " if near else ""
    listed = ", ".join(repr(name) for name in names) if names else "none"
    return UnknownNameError(f"unknown {kind} {_short(value)}", remedy=f"{hint}Valid names: {listed}")


def _message(what: str, where: str, remedy: str) -> str:
    text = f"{where}: {what}" if where else what
    return f"{text}. {remedy}." if remedy else f"{text}."


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]}..."


def _rebuild(cls: type[MempaGymError], args: tuple[Any, ...], state: dict[str, Any]) -> MempaGymError:
    return cls._restored(args, state)
