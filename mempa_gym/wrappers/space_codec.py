"""Spaces as JSON, and back: a record describes what its observations and actions are elements of."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from mempa_gym.envs.spaces import AnyText, JsonText
from mempa_gym.errors import DataError

__all__ = ["space_from_json", "space_to_json"]


def space_to_json(space: spaces.Space[Any]) -> dict[str, Any]:
    """Returns a space as plain data.

    Raises:
        TypeError: no environment of this project has such a space.
    """
    if isinstance(space, JsonText):
        return {"kind": "json_text"}
    if isinstance(space, AnyText):
        return {"kind": "any_text"}
    if isinstance(space, spaces.Dict):
        return {"kind": "dict", "spaces": {key: space_to_json(inner) for key, inner in space.items()}}
    if isinstance(space, spaces.Discrete):
        return {"kind": "discrete", "n": int(space.n), "start": int(space.start)}
    if isinstance(space, spaces.Box):
        low, high = (_bounds(bound) for bound in (space.low, space.high))
        return {"kind": "box", "low": low, "high": high, "shape": list(space.shape), "dtype": str(space.dtype)}
    if isinstance(space, spaces.MultiDiscrete):
        return {"kind": "multi_discrete", "nvec": space.nvec.tolist()}
    if isinstance(space, spaces.MultiBinary):
        return {"kind": "multi_binary", "n": space.n if isinstance(space.n, int) else list(space.n)}
    raise TypeError(f"a {type(space).__name__} space cannot be recorded")


def space_from_json(data: Any, file: str = "recording") -> spaces.Space[Any]:
    """Returns the space of a record.

    Raises:
        DataError: it describes no space that is known.
    """
    try:
        kind = data["kind"]
        if kind == "json_text":
            return JsonText()
        if kind == "any_text":
            return AnyText()
        if kind == "dict":
            return spaces.Dict({key: space_from_json(inner, file) for key, inner in data["spaces"].items()})
        if kind == "discrete":
            return spaces.Discrete(data["n"], start=data["start"])
        if kind == "box":
            shape, dtype = tuple(data["shape"]), np.dtype(data["dtype"])
            low, high = (np.broadcast_to(np.array(data[key], dtype), shape) for key in ("low", "high"))
            return spaces.Box(low, high, shape, dtype.type)
        if kind == "multi_discrete":
            return spaces.MultiDiscrete(np.array(data["nvec"]))
        if kind == "multi_binary":
            return spaces.MultiBinary(data["n"])
    except (KeyError, TypeError, ValueError, AttributeError, AssertionError) as error:
        raise DataError(file, "spaces", f"it describes no space: {error}") from None
    raise DataError(file, "spaces", f"unknown kind of space {kind!r}")


def _bounds(bound: np.ndarray[Any, Any]) -> Any:
    # One number where all are the same, which is nearly always.
    return bound.flat[0].item() if bound.size and (bound == bound.flat[0]).all() else bound.ravel().tolist()
