"""The 83 world tools: names, kinds, argument checks, schemas and results (paper 000, C.2 and Table 7).

What a call does to the records is the world's business; see ``mempa_gym.world``.
"""

from __future__ import annotations

from mempa_gym.tools.registry import spec, specs
from mempa_gym.tools.spec import ToolKind, ToolResult, ToolSpec

__all__ = ["ToolKind", "ToolResult", "ToolSpec", "spec", "specs"]
