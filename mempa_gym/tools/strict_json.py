"""The one reader of argument texts: JSON that means the same to whoever reads it.

Task tools and interaction tools take their arguments as JSON text from a model. Both read it here, so that what one of
them refuses the other does not let pass.
"""

from __future__ import annotations

import json
from typing import Any

from mempa_gym.errors import ArgumentError

__all__ = ["WHOLE", "strict_json"]

WHOLE = "arguments"
"""How errors name the arguments as a whole."""


def strict_json(text: str) -> Any:
    """Returns the value of a JSON text.

    Raises:
        ArgumentError: It is no JSON, gives a key twice, holds NaN or an infinity, or is nested too deeply.
    """
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    except ArgumentError:
        raise
    except RecursionError:
        raise ArgumentError(WHOLE, "a nested value", "nested too deeply for arguments") from None
    except ValueError as error:
        raise ArgumentError(WHOLE, text, f"not a JSON object: {error}") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in pairs:
        if key in result:
            raise ArgumentError(key.encode("ascii", "backslashreplace").decode(), value, "given twice")
        result[key] = value
    return result


def _no_constant(name: str) -> Any:
    raise ArgumentError(WHOLE, name, "not a JSON number")
