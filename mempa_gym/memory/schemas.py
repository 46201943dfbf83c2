"""How much of a prompt the schemas of the tools take, for those who count them as part of it."""

from __future__ import annotations

import json
from functools import cache

from mempa_gym.memory.tokens import count_tokens

__all__ = ["tool_schema_tokens"]


@cache
def tool_schema_tokens() -> int:
    """Returns the tokens of the schemas of all world tools, as they are sent to a model."""
    # Building all schemas takes pydantic and a moment; the default does not count them.
    from mempa_gym.tools import specs

    return sum(count_tokens(json.dumps(spec.schema(), ensure_ascii=False)) for spec in specs().values())
