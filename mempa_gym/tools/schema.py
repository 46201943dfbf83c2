"""From an argument model to the function-calling schema, without the noise that pydantic adds for its own use.

Models pay for every token of 83 schemas. Titles say nothing that names do not, and a null variant of an optional
argument is an invitation to send it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pydantic import BaseModel

__all__ = ["function_schema"]

_NULL = {"type": "null"}


def function_schema(name: str, description: str, model: type[BaseModel]) -> dict[str, Any]:
    """Returns the function-calling schema of one tool."""
    raw = model.model_json_schema()
    parameters: dict[str, Any] = {
        "type": "object",
        "properties": {key: _clean(value) for key, value in raw.get("properties", {}).items()},
        "required": raw.get("required", []),
        "additionalProperties": False,
    }
    return {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}


def _clean(node: dict[str, Any]) -> dict[str, Any]:
    kept = {key: value for key, value in node.items() if key != "title" and not (key == "default" and value is None)}
    variants = [variant for variant in kept.pop("anyOf", []) if variant != _NULL]
    if len(variants) == 1:
        kept = _clean(variants[0]) | kept
    elif variants:
        kept["anyOf"] = [_clean(variant) for variant in variants]
    if isinstance(kept.get("items"), dict):
        kept["items"] = _clean(kept["items"])
    return kept
