"""How one chooses a setting and shows another: the turn of a slip, attribute by attribute.

The wrapper carries a choice out as far as it can, so a slip has to go where the wrapper does not reach: the reply's own
words pass unchanged, calls made before the choice run freely, and what the PA leaves undone nobody does for it (paper
000, E.1 and the examples of G.4).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mempa_gym.interaction.action_classes import classify
from mempa_gym.tools.plan import PlannedCall, Realisation

__all__ = ["SlippedTurn", "slipped_turn"]


@dataclass(frozen=True, slots=True)
class SlippedTurn:
    """What a slip does in one turn: calls before and after the choice, payload, words, and calls put off."""

    early: tuple[PlannedCall, ...]
    calls: tuple[PlannedCall, ...]
    payload: Mapping[str, Any] | None
    reply: str
    put_off: tuple[PlannedCall, ...] = ()


def slipped_turn(
    attribute: str, chosen: str, by_setting: Mapping[str, Realisation], *, later: bool = False
) -> Mapping[str, SlippedTurn]:
    """Returns, for every other setting, the turn that chooses ``chosen`` and shows that setting.

    Args:
        attribute: the attribute in question.
        chosen: the selected label.
        by_setting: the plan's realisations of this turn.
        later: whether the choice was made in an earlier turn, so that nothing can be done before it any more.
    """
    rule = _RULES.get(attribute, _in_words)
    return {
        shown: rule(chosen, shown, realisation, later) for shown, realisation in by_setting.items() if shown != chosen
    }


def _lines(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part)


def _in_words(chosen: str, shown: str, plan: Realisation, later: bool) -> SlippedTurn:
    return SlippedTurn((), plan.calls, None, plan.reply)


def _reasoning(chosen: str, shown: str, plan: Realisation, later: bool) -> SlippedTurn:
    rationale = (plan.payload or {}).get("rationale", "")
    if shown == "Show":
        payload = plan.payload
        return SlippedTurn((), plan.calls, payload, _lines(rationale, plan.reply))
    return SlippedTurn((), plan.calls, {"rationale": ""} if plan.payload else None, plan.reply)


def _uncertainty(chosen: str, shown: str, plan: Realisation, later: bool) -> SlippedTurn:
    statements = (plan.payload or {}).get("statements", [])
    if shown == "Express":
        marks = "\n".join(f"- {item['claim']} (confidence: {item['confidence']})" for item in statements)
        return SlippedTurn((), plan.calls, plan.payload, _lines(plan.reply, marks))
    return SlippedTurn((), plan.calls, {"statements": []} if plan.payload else None, plan.reply)


def _process(chosen: str, shown: str, plan: Realisation, later: bool) -> SlippedTurn:
    given = plan.payload or {}
    opening, closing = given.get("opening", ""), given.get("closing", "")
    notices = " ".join(given.get("notices", ()))
    words = {
        "Silent": plan.reply,
        "Bookend": _lines(opening, plan.reply, closing),
        "Full narration": _lines(notices, plan.reply, closing),
    }[shown]
    return SlippedTurn((), plan.calls, {} if plan.payload is not None else None, words)


def _topics(chosen: str, shown: str, plan: Realisation, later: bool) -> SlippedTurn:
    topics = (plan.payload or {}).get("topics", [])
    if not topics:
        return SlippedTurn((), plan.calls, plan.payload, plan.reply)
    if shown == "Organize":
        words = [f"{topic['label']}: {topic['text']}" for topic in topics]
    else:
        waiting = [topic["label"] for topic in topics[1:]]
        words = [f"{topics[0]['label']}: {topics[0]['text']}"]
        if waiting:
            words.append(f"Still waiting: {', '.join(waiting)}. Shall I go on with {waiting[0]}?")
    return SlippedTurn((), plan.calls, {"topics": []}, _lines(plan.reply, *words))


def _elicitation(chosen: str, shown: str, plan: Realisation, later: bool) -> SlippedTurn:
    questions = list((plan.payload or {}).get("questions", ()))
    asked = questions[:1] if shown == "Iterative" else questions if shown == "Structured" else []
    numbered = [f"{number}. {text}" for number, text in enumerate(asked, 1)] if len(asked) > 1 else asked
    payload: dict[str, Any] | None = {"questions": []} if plan.payload is not None else None
    return SlippedTurn((), plan.calls, payload, _lines(plan.reply, "\n".join(numbered)))


_FREE = {
    "Reactive": frozenset({"read"}),
    "Self-directed": frozenset({"read", "draft", "routine_record"}),
    "Autonomous": frozenset({"read", "draft", "routine_record", "key_record", "outward"}),
}


def _nothing_known(record_id: str) -> None:
    return None


def _autonomy(chosen: str, shown: str, plan: Realisation, later: bool) -> SlippedTurn:
    if later:
        return SlippedTurn((), plan.calls, None, plan.reply)
    classes = [(call, classify(call.tool, call.arguments, _nothing_known)) for call in plan.calls]
    early = tuple(call for call, kind in classes if kind in _FREE[shown] and kind not in _FREE[chosen])
    put_off = tuple(call for call, kind in classes if kind in _FREE[chosen] and kind not in _FREE[shown])
    rest = tuple(call for call in plan.calls if call not in early and call not in put_off)
    held = any(kind not in _FREE[chosen] for call, kind in classes if call in rest)
    confirm = (plan.payload or {}).get("confirm", "")
    if held:
        return SlippedTurn(early, rest, {"confirm": confirm or "Shall I go ahead?"}, plan.reply, put_off)
    return SlippedTurn(early, rest, None, _lines(plan.reply, confirm), put_off)


def _outreach(chosen: str, shown: str, plan: Realisation, later: bool) -> SlippedTurn:
    if plan.payload is None:
        return SlippedTurn((), plan.calls, None, plan.reply)
    text = plan.payload.get("text") or ""
    words = _lines(text, plan.reply) if shown == "High" else ""
    return SlippedTurn((), plan.calls, {"decision": "suppress"}, words)


def _capability(chosen: str, shown: str, plan: Realisation, later: bool) -> SlippedTurn:
    if shown == "Suggest alternatives" and not later:
        return SlippedTurn(plan.calls, (), plan.payload, plan.reply)
    return SlippedTurn((), plan.calls, plan.payload, plan.reply)


_RULES = {
    "reasoning_visibility": _reasoning,
    "uncertainty_expression": _uncertainty,
    "process_visibility": _process,
    "topic_management": _topics,
    "information_elicitation": _elicitation,
    "autonomy_level": _autonomy,
    "proactive_outreach": _outreach,
    "capability_boundary": _capability,
}
