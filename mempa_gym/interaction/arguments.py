"""Reading the arguments of an interaction tool, as strictly as the world reads those of a task tool.

Payloads are nested, so everything that would make a call mean two things (a key given twice, half a character, a value
that is not JSON) is looked for at every depth. What comes out is a copy: nothing of the caller's is kept.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from mempa_gym.errors import ArgumentError
from mempa_gym.tools.strict_json import WHOLE, strict_json

__all__ = ["read_object"]

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
        value = strict_json(arguments)
    if not isinstance(value, Mapping):
        raise ArgumentError(WHOLE, value, "expected an object or its JSON text")
    plain: dict[str, Any] = _plain(value, WHOLE, 0)
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
            result[name] = _plain(item, name if field == WHOLE else f"{field}.{name}", depth + 1)
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
