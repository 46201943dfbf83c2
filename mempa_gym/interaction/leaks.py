"""Finding interaction-tool text where it must not stand: in the arguments of a task tool.

The judge reads executed calls and is blind to the selection (paper 000, F.2). An agent that writes its interaction call
into a message or a document would show it, so such a call is found before it runs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from mempa_gym.interaction.rules import RULES

__all__ = ["contains_interaction_text"]


def contains_interaction_text(arguments: Mapping[str, Any] | str) -> bool:
    """Returns whether arguments hold an interaction tool's name or the JSON of one of its calls or payloads.

    Args:
        arguments: checked arguments of a world tool, or any text.
    """
    return _found(arguments)


def _found(value: object) -> bool:
    if isinstance(value, str):
        # All needles are rare in what people write; nearly every text is done with here.
        return ("{" in value or "X_" in value or "x_" in value) and _pattern().search(value) is not None
    if isinstance(value, dict | Mapping):
        for key, item in value.items():
            if _found(key) or _found(item):
                return True
    elif isinstance(value, list | tuple):
        for item in value:
            if _found(item):
                return True
    return False


@cache
def _pattern() -> re.Pattern[str]:
    fields = {"setting", "payload", "item_id"}
    for rule in RULES.values():
        if rule.payload is not None:
            fields.update(rule.payload.model_fields)
    fields.discard("text")  # says nothing by itself
    names = "|".join(["release", *RULES])
    # A known tool's name in any case, any name with the prefix as it is spelt, or an object that opens with a field.
    return re.compile(
        rf"(?<![A-Za-z0-9])(?:(?i:IX_(?:{names}))(?![A-Za-z0-9_])|IX_[a-z])"
        rf"|\{{\s*\\*[\"'](?:{'|'.join(sorted(fields))})\\*[\"']\s*:"
    )
