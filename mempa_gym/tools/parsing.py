"""Reading the arguments of a call strictly, so that a call means the same wherever it is read.

JSON in the wild is lenient where a benchmark must not be: a key given twice silently keeps its last value, a lone
surrogate cannot be stored as UTF-8, NaN equals nothing. Each of them would make a replayed call differ from the live
one, so each is refused here with a message that a model can act on.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from mempa_gym.errors import ArgumentError
from mempa_gym.tools.strict_json import WHOLE, strict_json

if TYPE_CHECKING:
    from pydantic import BaseModel

__all__ = ["parse_arguments"]

_TOO_DEEP = "nested too deeply for arguments"


def parse_arguments(model: type[BaseModel], arguments: Mapping[str, Any] | str) -> dict[str, Any]:
    """Checks arguments against a model and returns them as a fresh plain dict without the left-out ones.

    Raises:
        ArgumentError: Something is not as declared; the first such field is named.
    """
    given = _decode(arguments) if isinstance(arguments, str) else _plain(arguments)
    try:
        checked = model.__pydantic_validator__.validate_python(given)
    except RecursionError:
        raise ArgumentError(WHOLE, "a nested value", _TOO_DEEP) from None
    except ValueError as error:
        raise _first_problem(error, given) from None
    return {key: value for key, value in checked.__dict__.items() if value is not None}


def _decode(text: str) -> dict[str, Any]:
    value = strict_json(text)
    if not isinstance(value, dict):
        raise ArgumentError(WHOLE, text, "expected a JSON object")
    return _plain(value)


def _plain(arguments: Mapping[str, Any]) -> dict[str, Any]:
    if not isinstance(arguments, Mapping):
        raise ArgumentError(WHOLE, type(arguments).__name__, "expected an object or its JSON text")
    plain: dict[str, Any] = {}
    for key, value in arguments.items():
        if not isinstance(key, str):
            raise ArgumentError(WHOLE, type(key).__name__, "the names of arguments are strings")
        _no_surrogate(key, key)
        if isinstance(value, str):
            _no_surrogate(key, value)
        elif isinstance(value, list | tuple):
            # Frozen plans hold tuples where JSON has arrays.
            value = list(value)
            for item in value:
                if isinstance(item, str):
                    _no_surrogate(key, item)
        plain[key] = value
    return plain


def _no_surrogate(field: str, text: str) -> None:
    if text.isascii():
        return
    try:
        text.encode()
    except UnicodeEncodeError:
        name = field.encode("ascii", "backslashreplace").decode()
        raise ArgumentError(name, text, "holds half of a surrogate pair, which is no character") from None


def _first_problem(error: ValueError, given: Mapping[str, Any]) -> ArgumentError:
    from pydantic import ValidationError

    if not isinstance(error, ValidationError):
        raise error
    problems = error.errors(include_url=False, include_context=False)
    # A misspelt name shows as two problems, one undeclared and one missing: the misspelling is the cause.
    problem = next((entry for entry in problems if entry["type"] == "extra_forbidden"), problems[0])
    field = ".".join(str(part) for part in problem["loc"]) or WHOLE
    if problem["type"] == "extra_forbidden":
        return ArgumentError(field, problem["input"], "no such argument is declared")
    if problem["type"] == "missing":
        return ArgumentError(field, "nothing", "this argument is required")
    reason = _reason(problem["msg"])
    try:
        return ArgumentError(field, problem["input"] if problem["loc"] else dict(given), reason)
    except RecursionError:
        return ArgumentError(field, "a nested value", _TOO_DEEP)


def _reason(message: str) -> str:
    message = message.removeprefix("Value error, ")
    for prefix in ("Input should be a valid ", "Input should be ", "String should ", "List should "):
        if message.startswith(prefix):
            rest = message.removeprefix(prefix)
            return f"should {rest}" if prefix.endswith("should ") else f"expected {rest}"
    return message
