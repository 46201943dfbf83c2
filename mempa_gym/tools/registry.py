"""All tools by name, in published order.

The catalogue is built when it is first asked for: pydantic models cost more to create than a light import may take.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from types import MappingProxyType

from mempa_gym.errors import unknown
from mempa_gym.tools.spec import ToolSpec

__all__ = ["spec", "specs"]

# One module a domain or a group of small neighbouring domains, in the order of paper 000, Table 7.
_MODULES = (
    "email",
    "messages",
    "calendar",
    "documents",
    "contacts",
    "phone",
    "places",
    "weather",
    "shopping",
    "shipping",
    "finance",
    "appointments",
    "restaurants",
    "rooms",
    "hotels",
    "paperwork",
    "flights",
    "papers",
    "recipes",
    "comics",
    "cinema",
    "exhibitions",
    "transcoding",
    "household",
)


@cache
def specs() -> Mapping[str, ToolSpec]:
    """Returns all tools by name, in published order."""
    modules = (import_module(f"mempa_gym.tools.catalogue.{name}") for name in _MODULES)
    return MappingProxyType({tool.name: tool for module in modules for tool in module.TOOLS})


def spec(name: str) -> ToolSpec:
    """Returns one tool by its published name.

    Raises:
        UnknownNameError: There is no such tool.
    """
    found = specs().get(name) if isinstance(name, str) else None
    if found is None:
        raise unknown("tool", name, specs())
    return found
