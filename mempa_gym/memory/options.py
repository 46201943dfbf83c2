"""Checks that several memories make on the options they are built with."""

from __future__ import annotations

from mempa_gym.errors import InvalidOptionError

__all__ = ["require_flag", "require_positive"]


def require_positive(option: str, value: object) -> None:
    """Checks an option that counts something.

    Raises:
        InvalidOptionError: The value is not a whole number of at least 1.
    """
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise InvalidOptionError(f"got {value!r}", where=option, remedy="Give a whole number of at least 1")


def require_flag(option: str, value: object) -> None:
    """Checks an option that is on or off; a text such as "false" would count as on.

    Raises:
        InvalidOptionError: The value is not True or False.
    """
    if not isinstance(value, bool):
        raise InvalidOptionError(f"got {value!r}", where=option, remedy="Give True or False")
