"""Reading the hand-scored exchanges and spreading their shorthand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mempa_gym.resources import parse_yaml

__all__ = ["band", "exchange_of", "load_cases", "shown_of"]

HERE = Path(__file__).parent


def load_cases(name: str) -> list[dict[str, Any]]:
    """Returns the cases of a file beside this module."""
    path = HERE / name
    cases: list[dict[str, Any]] = parse_yaml(path.read_text(encoding="utf-8"), path.name)
    return cases


def exchange_of(case: dict[str, Any]) -> dict[str, Any]:
    """Returns the exchange of a case in the documented form."""
    turns = case.get("turns") or [case]
    return {
        "user_message": case.get("user") or "",
        "event": case.get("event"),
        "task": case.get("task"),
        "turns": [_turn(turn) for turn in turns],
    }


def shown_of(case: dict[str, Any]) -> set[str | None]:
    """Returns the settings that may be reported as shown."""
    shown = case["shown"]
    return set(shown) if isinstance(shown, list) else {shown}


def band(score: int) -> range:
    """Returns the scores that agree with a hand-given one: a clear verdict stays on its side of the middle."""
    return {1: range(1, 3), 2: range(1, 4), 3: range(2, 5), 4: range(3, 6), 5: range(4, 6)}[score]


def _turn(turn: dict[str, Any]) -> dict[str, Any]:
    return {
        "reply": (turn.get("reply") or "").strip(),
        "executed": [_call(text) for text in turn.get("calls") or []],
        "held": list(turn.get("held") or []),
        "user_next": turn.get("next"),
    }


def _call(text: str) -> dict[str, Any]:
    kind, _, rest = text.partition(" ")
    tool, _, summary = rest.partition(" ")
    return {"tool": tool.rstrip("!"), "kind": kind, "args_summary": summary, "ok": not tool.endswith("!")}
