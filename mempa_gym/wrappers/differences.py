"""Where two values first differ: what replays say when something did not come out as recorded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

__all__ = ["first_difference"]


def first_difference(recorded: Any, found: Any, path: str = "") -> tuple[str, Any, Any] | None:
    """Returns where two values first differ, in the order of the first one, and both parts; None if they are equal.

    Values are plain data and arrays. Types count, so that 1 is not True; NaN equals itself here.

    Args:
        recorded: what is held to be right.
        found: what is compared with it.
        path: what stands before the place, as in ``turns[2].reply``.
    """
    if isinstance(recorded, Mapping) and isinstance(found, Mapping):
        for key in [*recorded, *(key for key in found if key not in recorded)]:
            inner = f"{path}.{key}" if path else str(key)
            if key not in recorded or key not in found:
                return inner, recorded.get(key, "nothing"), found.get(key, "nothing")
            if (difference := first_difference(recorded[key], found[key], inner)) is not None:
                return difference
        return None
    if type(recorded) is not type(found):
        return path, recorded, found
    if isinstance(recorded, np.ndarray):
        same = recorded.dtype == found.dtype and recorded.shape == found.shape
        same = same and np.array_equal(recorded, found, equal_nan=recorded.dtype.kind == "f")
        return None if same else (path, recorded, found)
    if isinstance(recorded, list | tuple):
        for index, (left, right) in enumerate(zip(recorded, found, strict=False)):
            if (difference := first_difference(left, right, f"{path}[{index}]")) is not None:
                return difference
        return None if len(recorded) == len(found) else (path, f"{len(recorded)} entries", f"{len(found)} entries")
    same = bool(recorded == found or (recorded != recorded and found != found))
    return None if same else (path, recorded, found)
