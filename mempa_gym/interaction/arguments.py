"""Reading the arguments of an interaction tool, as strictly as the world reads those of a task tool.

Payloads are nested, so everything that would make a call mean two things (a key given twice, half a character, a value
that is not JSON) is looked for at every depth. What comes out is a copy: nothing of the caller's is kept.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from mempa_gym.errors import ArgumentError

__all__ = ["read_object"]

_WHOLE = "arguments"
_DEEPEST = 8


def read_object(arguments: Mapping[str, Any] | str) -> dict[str, Any]:
    """Returns arguments as a fresh plain object.

    Args:
        arguments: an object, or its JSON text.

    Raises:
        ArgumentError: The text is not one JSON object, gives a key twice, or a value is not JSON.
    """
    value: object = arguments
    if isinstance(arguments, str):
        try:
            value = json.loads(arguments, object_pairs_hook=_unique, parse_constant=_no_constant)
        except RecursionError:
            raise ArgumentError(_WHOLE, "a nested value", "nested too deeply") from None
        except ArgumentError:
            raise
        except ValueError as error:
            raise ArgumentError(_WHOLE, arguments, f"not a JSON object: {error}") from None
    if not isinstance(value, Mapping):
        raise ArgumentError(_WHOLE, value, "expected an object or its JSON text")
    plain: dict[str, Any] = _plain(value, _WHOLE, 0)
    return plain


def _plain(value: object, field: str, depth: int) -> Any:
    if depth > _DEEPEST:
        raise ArgumentError(field, "a nested value", "nested too deeply")
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, str):
        return _characters(value, field)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ArgumentError(field, value, "not a JSON number")
        return value
    if isinstance(value, Mapping):
        result = {}
        for key, item in value.items():
            if not isinstance(key, str):
                raise ArgumentError(field, key, "the names in an object are strings")
            name = _characters(key, field)
            result[name] = _plain(item, name if field == _WHOLE else f"{field}.{name}", depth + 1)
        return result
    if isinstance(value, list | tuple):
        return [_plain(item, f"{field}.{place}", depth + 1) for place, item in enumerate(value)]
    raise ArgumentError(field, type(value).__name__, "not a JSON value")


def _characters(text: str, field: str) -> str:
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            raise ArgumentError(field, text, "holds half of a surrogate pair, which is no character") from None
    return text


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in pairs:
        if key in result:
            raise ArgumentError(key.encode("ascii", "backslashreplace").decode(), value, "given twice")
        result[key] = value
    return result


def _no_constant(name: str) -> Any:
    raise ArgumentError(_WHOLE, name, "not a JSON number")
