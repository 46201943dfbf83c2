"""What a consolidator may answer, and the checks an answer passes before it touches a memory.

A full-rewrite memory is one bad answer away from being lost: a model that runs into its output limit, or returns an
object where a text was asked for, would overwrite months of notes. Every answer, whoever gives it, passes the same
checks, and what does not pass is a typed failure that can be counted and tried again, never an empty memory.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol, runtime_checkable

from mempa_gym.memory.render import clean

__all__ = [
    "HISTORY_FIELD",
    "LONGEST_TEXT",
    "MEMORY_FIELD",
    "REASON_FIELD",
    "SMALLEST_SHARE",
    "ConsolidationFailure",
    "ConsolidationResult",
    "Consolidator",
    "Outcome",
    "answer_schema",
    "checked_result",
    "parse_answer",
]

HISTORY_FIELD = "history_entry"
MEMORY_FIELD = "memory_update"
REASON_FIELD = "shorter_because"

# A new memory below this share of the old one needs a stated reason.
SMALLEST_SHARE = 0.2
# Ten times the consolidation target; a longer text is an accident.
LONGEST_TEXT = 200_000

FailureKind = Literal["no answer", "cut off", "not an object", "not text", "empty", "too long", "shrunk", "error"]


@dataclass(frozen=True, slots=True)
class ConsolidationResult:
    """A consolidator's proposal.

    Attributes:
        history_entry: a paragraph on the chunk, for HISTORY.md.
        memory_text: the whole new MEMORY.md; the old text when there is nothing to change.
        reason: why the new memory is much shorter than the old one; needed only then.
    """

    history_entry: str
    memory_text: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ConsolidationFailure:
    """Why there is no usable proposal. The chunk stays where it is and is tried again."""

    kind: FailureKind
    detail: str


Outcome = ConsolidationResult | ConsolidationFailure


@runtime_checkable
class Consolidator(Protocol):
    """Turns the oldest stretch of conversation into notes (paper 000, section 4, Memory Systems).

    Attributes:
        name: identifies the consolidator and its options; a saved memory can only be read under the same name.
    """

    name: str

    def propose(self, memory_text: str, lines: tuple[str, ...], now: str) -> Outcome:
        """Proposes a new memory for a chunk of history.

        Args:
            memory_text: the present MEMORY.md.
            lines: the chunk in the form of `render`: blank lines between sessions, `CONTINUED` first when earlier turns
                of the first session are stored already.
            now: story time.
        """
        ...


def answer_schema() -> dict[str, Any]:
    """Returns the JSON schema of the tool that a model is made to call; `parse_answer` reads the same fields."""
    text = {"type": "string"}
    return {
        "type": "object",
        "properties": {HISTORY_FIELD: text, MEMORY_FIELD: dict(text), REASON_FIELD: dict(text)},
        "required": [HISTORY_FIELD, MEMORY_FIELD],
        "additionalProperties": False,
    }


def parse_answer(answer: object, finish_reason: str | None, memory_text: str) -> Outcome:
    """Reads a model's answer.

    Args:
        answer: the arguments of the model's tool call, as an object or as JSON text; None when it called nothing.
        finish_reason: what the endpoint gave as the reason for stopping.
        memory_text: the present MEMORY.md.
    """
    if finish_reason in ("length", "content_filter"):
        return ConsolidationFailure("cut off", f"the model stopped with finish reason {finish_reason!r}")
    if answer is None or answer == "":
        return ConsolidationFailure("no answer", "the model did not call the tool")
    if isinstance(answer, str):
        if len(answer) > 4 * LONGEST_TEXT:
            return ConsolidationFailure("too long", f"{len(answer)} characters")
        try:
            answer = json.loads(answer)
        except (ValueError, RecursionError) as error:
            return ConsolidationFailure("not an object", f"not JSON: {error}")
    if not isinstance(answer, Mapping):
        return ConsolidationFailure("not an object", f"got {type(answer).__name__}")
    values = (answer.get(HISTORY_FIELD), answer.get(MEMORY_FIELD), answer.get(REASON_FIELD, ""))
    return _checked(*values, memory_text)


def checked_result(result: object, memory_text: str) -> Outcome:
    """Returns what a consolidator gave back if it can be applied to the present MEMORY.md, else a failure."""
    if isinstance(result, ConsolidationFailure):
        return result
    if not isinstance(result, ConsolidationResult):
        return ConsolidationFailure("not an object", f"got {type(result).__name__}")
    return _checked(result.history_entry, result.memory_text, result.reason, memory_text)


def _checked(entry: object, memory: object, reason: object, old: str) -> Outcome:
    for field, value in ((HISTORY_FIELD, entry), (MEMORY_FIELD, memory), (REASON_FIELD, reason)):
        if not isinstance(value, str):
            return ConsolidationFailure("not text", f"{field} is {type(value).__name__}")
        if len(value) > LONGEST_TEXT:
            return ConsolidationFailure("too long", f"{field} has {len(value)} characters")
    assert isinstance(entry, str)
    assert isinstance(memory, str)
    assert isinstance(reason, str)
    if not entry.strip():
        return ConsolidationFailure("empty", f"{HISTORY_FIELD} is blank")
    if not memory.strip() and old.strip():
        return ConsolidationFailure("empty", f"{MEMORY_FIELD} is blank and would erase the memory")
    if len(memory.strip()) < SMALLEST_SHARE * len(old.strip()) and not reason.strip():
        return ConsolidationFailure("shrunk", f"{len(memory)} characters for {len(old)}, and no {REASON_FIELD}")
    return ConsolidationResult(clean(entry), clean(memory), clean(reason))
