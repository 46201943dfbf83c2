"""What a tool is: its published name and kind, what it takes, and what it answers.

The specification knows nothing of the world behind it, so that the world, the interaction layer and the other
benchmark can share it. Checking arguments is part of it: a value is refused before anything is read (paper 000, C.2).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Literal

from mempa_gym.tools.parsing import parse_arguments
from mempa_gym.tools.schema import function_schema

if TYPE_CHECKING:
    from pydantic import BaseModel

__all__ = ["ToolKind", "ToolResult", "ToolSpec"]

ToolKind = Literal["read", "write"]
_ENCODE = json.JSONEncoder(ensure_ascii=False).encode


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """One world tool (paper 000, Table 7).

    Attributes:
        name: published name, without a server's prefix.
        domain: published domain, for example "Room booking".
        kind: "read" when it changes nothing, else "write".
        outward: it acts toward other people or services (marked with a dagger in the paper).
        description: what a model reads about it.
        arguments: the pydantic model of its arguments.
        available: False when no world holds the records it needs yet; such a tool answers every call with an error.
    """

    name: str
    domain: str
    kind: ToolKind
    outward: bool
    description: str
    arguments: type[BaseModel]
    available: bool = True

    def parse(self, arguments: Mapping[str, Any] | str) -> dict[str, Any]:
        """Checks arguments and returns them as a fresh plain dict, defaults filled in, left-out ones absent.

        Args:
            arguments: an object, or its JSON text.

        Raises:
            ArgumentError: One argument is undeclared, missing, given twice, of another type or in another format.
        """
        if isinstance(arguments, str):
            # A story that is played again makes the same calls. Objects are not remembered: True would pass for 1.
            return _own(_parsed(self.arguments, arguments))
        return parse_arguments(self.arguments, arguments)

    def schema(self) -> dict[str, Any]:
        """Returns the tool in the function-calling form that chat interfaces take, as a fresh dict."""
        result: dict[str, Any] = json.loads(_schema_text(self))
        return result


@lru_cache(maxsize=4096)
def _parsed(model: type[BaseModel], text: str) -> dict[str, Any]:
    return parse_arguments(model, text)


def _own(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a copy that shares nothing changeable; arguments hold values and lists of values."""
    return {name: value.copy() if isinstance(value, list) else value for name, value in arguments.items()}


@cache
def _schema_text(spec: ToolSpec) -> str:
    return json.dumps(function_schema(spec.name, spec.description, spec.arguments))


class ToolResult:
    """What a call came to. Results are equal when all three attributes are.

    Attributes:
        ok: False when the call was refused; then nothing was written.
        value: the answer as plain data of the caller's own, None on an error.
        error: text that begins with "Error" and says which value failed and why, None on success.
    """

    __slots__ = ("_text", "_value", "error", "ok")

    def __init__(self, ok: bool, value: Any = None, error: str | None = None) -> None:
        self.ok = ok
        self.error = error
        self._value = value
        self._text = error

    @classmethod
    def of_text(cls, text: str) -> ToolResult:
        """Returns a successful result whose answer is known as JSON text; it is read when it is asked for."""
        result = cls(True)
        result._text = text
        return result

    @property
    def value(self) -> Any:
        """The answer."""
        if self._value is None and self.ok and self._text is not None:
            self._value = json.loads(self._text)
        return self._value

    def text(self) -> str:
        """Returns what an agent reads: the answer as JSON, or the error's text."""
        if self._text is None:
            self._text = _ENCODE(self._value)
        return self._text

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ToolResult):
            return NotImplemented
        return (self.ok, self.value, self.error) == (other.ok, other.value, other.error)

    __hash__ = None  # type: ignore[assignment]  # an answer may be changed by whoever got it

    def __repr__(self) -> str:
        return f"ToolResult(ok={self.ok!r}, value={self.value!r}, error={self.error!r})"
