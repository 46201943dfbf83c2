"""A score over repeats, or the reason why there is none.

Every figure that the project prints goes through here, so that a missing figure is never a zero and a single repeat
never has a spread.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["Figure", "figure"]


@dataclass(frozen=True, slots=True)
class Figure:
    """A score.

    Attributes:
        mean: mean over the repeats that have a value, or None where there is none.
        sd: sample standard deviation over repeats (paper 000, equation 3), None below two repeats.
        per_repeat: one value a repeat, in order; None for a repeat without eligible items.
        n: eligible items over all repeats.
        reason: why there is no mean; empty otherwise.
    """

    mean: float | None
    sd: float | None
    per_repeat: tuple[float | None, ...]
    n: int
    reason: str = ""

    def to_json(self) -> dict[str, Any]:
        """Returns plain data: the figure, or null parts with the reason."""
        found: dict[str, Any] = {"mean": self.mean, "sd": self.sd, "per_repeat": list(self.per_repeat), "n": self.n}
        if self.mean is None:
            found["reason"] = self.reason
        return found


def figure(per_repeat: Sequence[float | None], n: int, reason: str) -> Figure:
    """Returns the figure of some repeats' values; ``reason`` is kept when none has one."""
    values = [value for value in per_repeat if value is not None]
    if not values:
        return Figure(None, None, tuple(per_repeat), n, reason)
    mean = math.fsum(values) / len(values)
    sd = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)) if len(values) > 1 else None
    return Figure(mean, sd, tuple(per_repeat), n)
