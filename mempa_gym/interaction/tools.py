"""The interaction tools: IX_<attribute> for each attribute, and IX_release (paper 000, 3.4 and E.2).

One tool serves two kinds of call: the first states the setting, later ones carry a turn's payload. Their descriptions
come from the taxonomy, so that an agent is told exactly what the judge looks for.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Any, Literal

from pydantic import BaseModel, create_model

from mempa_gym.errors import ArgumentError, unknown
from mempa_gym.frozen import frozen
from mempa_gym.interaction.arguments import read_object
from mempa_gym.interaction.payloads import Payload
from mempa_gym.interaction.rules import RULES
from mempa_gym.taxonomy import attribute as get_attribute
from mempa_gym.taxonomy import attribute_ids
from mempa_gym.tools.arguments import Arguments
from mempa_gym.tools.parsing import parse_arguments

__all__ = [
    "PREFIX",
    "RELEASE",
    "attribute_of",
    "interaction_schemas",
    "is_interaction_tool",
    "parse_call",
    "parse_release",
    "release_schema",
    "tool_name",
    "tool_schema",
]

PREFIX = "IX_"
RELEASE = "IX_release"

Phase = Literal["select", "payload", "any"]
_PHASES: tuple[str, ...] = ("select", "payload", "any")


def tool_name(attribute: str) -> str:
    """Returns the name of an attribute's interaction tool.

    Raises:
        UnknownNameError: There is no attribute with this id.
    """
    return PREFIX + get_attribute(attribute).id


def is_interaction_tool(tool: str) -> bool:
    """Returns whether a name is meant as an interaction tool's, known or not; such a call never reaches the world."""
    return tool.startswith(PREFIX)


def attribute_of(tool: str) -> str:
    """Returns the attribute id of an interaction tool.

    Raises:
        UnknownNameError: There is no such interaction tool.
    """
    try:
        return _by_tool()[tool]
    except KeyError:
        raise unknown("interaction tool", tool, (*_by_tool(), RELEASE)) from None


def parse_call(attribute: str, arguments: Mapping[str, Any] | str) -> tuple[str | Payload, Mapping[str, Any]]:
    """Checks a call of an attribute's interaction tool.

    Args:
        attribute: an attribute id.
        arguments: an object, or its JSON text.

    Returns:
        The setting's label for a selection or the payload for a payload call, and the arguments as an immutable object.

    Raises:
        ArgumentError: The arguments are not one JSON object with either ``setting`` or ``payload``, or the payload does
            not follow the attribute's schema.
        UnknownNameError: The attribute has no such setting.
    """
    if isinstance(arguments, str):
        return _read_call(attribute, arguments)
    return _checked_call(attribute, read_object(arguments))


@lru_cache(maxsize=1024)
def _read_call(attribute: str, text: str) -> tuple[str | Payload, Mapping[str, Any]]:
    return _checked_call(attribute, read_object(text))


def _checked_call(attribute: str, given: dict[str, Any]) -> tuple[str | Payload, Mapping[str, Any]]:
    if given.keys() == {"setting"}:
        label = given["setting"]
        if not isinstance(label, str):
            raise ArgumentError("setting", label, "expected the label of a setting")
        get_attribute(attribute).index(label)
        return label, frozen(given)
    if given.keys() == {"payload"}:
        return _payload(attribute, given), frozen(given)
    raise ArgumentError(
        "arguments",
        sorted(given),
        "expected either setting (in the first call) or payload (in later calls), and nothing else",
        f"Call {PREFIX}{attribute} with one of the two",
    )


def parse_release(arguments: Mapping[str, Any] | str) -> tuple[str, dict[str, Any]]:
    """Returns the item id of a release call, and its arguments as a plain object.

    Raises:
        ArgumentError: The arguments are not one JSON object with an ``item_id``.
    """
    given = read_object(arguments)
    return parse_arguments(_Release, given)["item_id"], given


def tool_schema(attribute: str, phase: Phase = "any") -> dict[str, Any]:
    """Returns the function-calling schema of an attribute's interaction tool, as a fresh dict.

    Args:
        attribute: an attribute id.
        phase: "select" for the selection alone, "payload" for the payload alone, "any" for a client whose list of tools
            stays the same during a turn.

    Raises:
        UnknownNameError: There is no attribute with this id, or no such phase.
        ArgumentError: The payload's schema is asked for, and the attribute has none.
    """
    if phase not in _PHASES:
        raise unknown("phase of an interaction tool", phase, _PHASES)
    schema: dict[str, Any] = json.loads(_tool_schema(get_attribute(attribute).id, phase))
    return schema


def release_schema() -> dict[str, Any]:
    """Returns the function-calling schema of IX_release, as a fresh dict."""
    description = (
        "Runs one held action after the user has agreed to it. It runs exactly as it was proposed, once; a changed "
        "action has to be proposed anew."
    )
    item = {"type": "string", "description": "The item_id that the held call was answered with."}
    return _function(RELEASE, description, {"item_id": item}, ["item_id"])


def interaction_schemas(offered: Iterable[str], selected: Iterable[str], held: bool) -> list[dict[str, Any]]:
    """Returns the schemas of the interaction tools that make sense now, for the next model call.

    Args:
        offered: ids of the attributes still to be selected.
        selected: ids of the attributes selected in this session.
        held: whether any item is held.
    """
    schemas = [tool_schema(attribute, "select") for attribute in offered]
    schemas.extend(tool_schema(name, "payload") for name in selected if RULES[name].payload is not None)
    if held:
        schemas.append(release_schema())
    return schemas


class _Release(Arguments):
    item_id: str


@cache
def _by_tool() -> Mapping[str, str]:
    return MappingProxyType({PREFIX + name: name for name in attribute_ids()})


def _payload(attribute: str, given: Mapping[str, Any]) -> Payload:
    model = _call_model(attribute)
    if model is None:
        raise ArgumentError(
            "payload",
            given["payload"],
            "this attribute takes no payload: your own wording and actions carry it out",
            "Leave the call out",
        )
    try:
        payload: Payload = parse_arguments(model, given)["payload"]
    except ArgumentError:
        owner = _owner(given["payload"])
        if owner is None or owner == attribute:
            raise
        raise ArgumentError(
            "payload",
            sorted(given["payload"]),
            f"these are the fields of another tool's payload, {PREFIX}{owner}",
            f"Send the payload of {PREFIX}{attribute}",
        ) from None
    except KeyError:  # a null payload counts as left out
        raise ArgumentError("payload", None, "expected an object") from None
    return payload


@cache
def _call_model(attribute: str) -> type[BaseModel] | None:
    payload = RULES[attribute].payload
    return None if payload is None else create_model("Call", __base__=Arguments, payload=(payload, ...))


def _owner(payload: object) -> str | None:
    if not isinstance(payload, Mapping) or not payload:
        return None
    for name, rule in RULES.items():
        if rule.payload is not None and payload.keys() <= rule.payload.model_fields.keys():
            return name
    return None


@cache
def _tool_schema(attribute_id: str, phase: Phase) -> str:
    attribute, rule = get_attribute(attribute_id), RULES[attribute_id]
    selection = {
        "type": "string",
        "enum": list(attribute.labels),
        "description": "The setting to act by for the rest of this conversation.",
    }
    lines = [attribute.question]
    if phase != "payload":
        lines.append("State once how you will interact on this, by what you take the user to want here. Settings:")
        lines.extend(f"- {setting.label}: {setting.behaviour}" for setting in attribute.settings)
    if rule.payload is None:
        if phase == "payload":
            raise ArgumentError("phase", phase, f"{attribute_id} takes no payload", "Ask for the phase 'select'")
        lines.append("Then act by the setting; nothing else is to be sent.")
        parameters = {"setting": selection}
    else:
        lines.append(rule.note)
        payload = _inlined(rule.payload.model_json_schema())
        parameters = {"setting": selection, "payload": payload}
        if phase == "any":
            lines.append("Call it first with setting alone, later with payload alone.")
        else:
            parameters = {"setting": selection} if phase == "select" else {"payload": payload}
    required = list(parameters) if len(parameters) == 1 else []
    return json.dumps(_function(PREFIX + attribute_id, "\n".join(lines), parameters, required), ensure_ascii=False)


def _function(name: str, description: str, properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    parameters = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    return {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}


def _inlined(schema: dict[str, Any]) -> dict[str, Any]:
    # Not every client resolves references, and pydantic's titles only cost tokens.
    definitions = schema.pop("$defs", {})

    def walk(node: Any, names: bool = False) -> Any:
        if isinstance(node, list):
            return [walk(item) for item in node]
        if not isinstance(node, dict):
            return node
        if "$ref" in node:
            return walk(definitions[node["$ref"].rsplit("/", 1)[-1]])
        variants = [variant for variant in node.get("anyOf", ()) if variant != {"type": "null"}]
        if len(variants) == 1:
            kept = {key: value for key, value in node.items() if key not in ("anyOf", "default")}
            return walk(variants[0] | kept)
        skipped = () if names else ("title", "description") if "properties" in node else ("title",)
        return {key: walk(value, names=key == "properties") for key, value in node.items() if key not in skipped}

    result: dict[str, Any] = walk(schema)
    return result
