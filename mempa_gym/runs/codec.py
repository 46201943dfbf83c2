"""Records of a run as canonical JSON: sorted keys, no wall clock, the same bytes for the same game."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, is_dataclass
from typing import Any

from mempa_gym.engine import SlotResult
from mempa_gym.errors import DataError
from mempa_gym.interaction.policies import PAAction, Reply, ToolUse
from mempa_gym.interaction.views import PublicTurn
from mempa_gym.scoring.metrics import Outcome
from mempa_gym.taxonomy import Cell

__all__ = ["action_from_json", "action_to_json", "canonical", "outcome_of", "result_to_json"]


def canonical(value: Any) -> str:
    """Returns the one JSON text of a value, in ASCII, so that it can hold whatever a model may write."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def action_to_json(action: PAAction) -> dict[str, Any]:
    """Returns a PA action as plain data."""
    if isinstance(action, Reply):
        return {"reply": action.text}
    arguments = action.arguments if isinstance(action.arguments, str) else dict(action.arguments)
    return {"tool": action.tool, "arguments": arguments}


def action_from_json(data: Mapping[str, Any]) -> PAAction:
    """Reads a PA action back; raises DataError when it is none."""
    if set(data) == {"reply"} and isinstance(data["reply"], str):
        return Reply(data["reply"])
    if (
        set(data) == {"tool", "arguments"}
        and isinstance(data["tool"], str)
        and isinstance(data["arguments"], dict | str)
    ):
        return ToolUse(data["tool"], data["arguments"])
    raise DataError("run record", "actions", f"not a recorded action: {data!r}")


def _turn(turn: PublicTurn) -> dict[str, Any]:
    steps = [
        {"tool": s.tool, "arguments": plain(s.arguments), "ok": s.ok, "text": s.text, "ran": s.ran} for s in turn.steps
    ]
    return {"at": turn.at, "user": turn.user, "event": turn.event, "steps": steps, "reply": turn.reply}


def plain(value: Any) -> Any:
    """Returns a value with mappings as dicts, sequences as lists and dataclasses as dicts."""
    if is_dataclass(value) and not isinstance(value, type):
        return plain(asdict(value))
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [plain(item) for item in value]
    return value


def result_to_json(result: SlotResult) -> dict[str, Any]:
    """Returns a slot's result as plain data."""
    return {
        "slot": result.slot,
        "kind": result.kind,
        "final": result.final,
        "context": result.cell.context,
        "attribute": result.cell.attribute,
        "at": result.at,
        "repeat": result.repeat,
        "attempt": result.attempt,
        "target": result.target,
        "selection": result.selection,
        "correct": result.correct,
        "floor": result.floor,
        "invalid": result.invalid,
        "asked": result.asked,
        "shown": result.shown,
        "realization": result.realization,
        "evidence": result.evidence,
        "exchange": plain(result.exchange),
        "turns": [_turn(turn) for turn in result.turns],
        "private": plain(result.private),
        "log": plain(result.log),
        "state_hash": result.state_hash,
    }


def outcome_of(user: str, record: Mapping[str, Any], history: int = 0) -> Outcome:
    """Returns a recorded probe's outcome for scoring; ``history`` tells runs of one user apart."""
    return Outcome(
        user=user,
        history=history,
        cell=Cell(record["context"], record["attribute"]),
        final=record["final"],
        repeat=record["repeat"],
        target=record["target"],
        selection=record["selection"],
        correct=record["correct"],
        floor=record["floor"],
        invalid=record["invalid"],
        realization=record["realization"],
    )
