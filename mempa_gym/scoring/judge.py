"""The offline judge of behavioural realisation (paper 000, 3.5 and F.2).

It scores from 1 to 5 how well an exchange follows a given setting, from the public replies and the executed calls
alone. It is blind by its signature: there is no argument through which a selection could reach it. It applies the
criteria of the behaviour room, the same for every user, so two runs that deliver the same exchange get the same
score.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from mempa_gym import taxonomy
from mempa_gym.behaviour import Criterion, manner_question, read, read_exchange
from mempa_gym.frozen import FrozenDict

__all__ = ["Judgement", "rule_judge"]

# Share of a setting that may be missing for each score: nothing, a slip, a part, most of it.
_LIMITS = ((0.125, 5), (0.375, 4), (0.625, 3), (0.875, 2))
_INTERACTION = re.compile(r"\bIX_\w+")
_SPANS = 8
_SPAN_LENGTH = 200


@dataclass(frozen=True, slots=True)
class Judgement:
    """A score with its grounds.

    Attributes:
        score: 5 all requirements met, 4 one minor slip, 3 partly, 2 mostly another setting, 1 the opposite, an empty
            reply where one is due, or the preference asked for again; None when there is nothing to judge.
        reason: Why, in words.
        evidence: Words of the exchange that the score rests on.
    """

    score: int | None
    reason: str
    evidence: tuple[str, ...]


def rule_judge(attribute: str, setting: str, exchange: Mapping[str, Any]) -> Judgement:
    """Scores how well an exchange follows a setting.

    Args:
        attribute: An attribute id.
        setting: A label of one of its settings.
        exchange: ``{"user_message": str, "event": str | None, "task": dict | None, "turns": [{"reply": str, "executed":
            [{"tool", "kind", "args_summary", "ok"}], "held": [str], "user_next": str | None}]}``.

    Returns:
        The judgement; its score is None when the exchange has no turn of the assistant, and for outreach when no event
        occurred on which it could show.

    Raises:
        UnknownNameError: There is no such attribute or setting.
        DataError: The exchange is malformed; the error names the place.
    """
    label = taxonomy.attribute(attribute).setting(setting).label
    return (
        _known(attribute, label, exchange) if isinstance(exchange, FrozenDict) else _judged(attribute, label, exchange)
    )


@lru_cache(maxsize=1024)
def _known(attribute: str, label: str, exchange: FrozenDict[str, Any]) -> Judgement:
    # The same story is played many times, and its judgement never changes.
    return _judged(attribute, label, exchange)


def _judged(attribute: str, label: str, exchange: Mapping[str, Any]) -> Judgement:
    checked = read_exchange(exchange)
    if not checked.turns:
        return Judgement(None, "incomplete: the exchange has no turn of the assistant", ())
    leaks = _interaction_text(exchange)
    note = f"; interaction-tool text is visible: {', '.join(leaks)}" if leaks else ""
    for turn in checked.turns:
        asked = manner_question(turn.doc)
        if asked is not None:
            return Judgement(1, f"asks how the user wants to be helped{note}", (_short(asked), *leaks))
    reading = read(attribute, checked)
    if attribute == "proactive_outreach":
        if not reading.shows:
            return Judgement(None, f"incomplete: {reading.why_not}{note}", leaks)
    elif not checked.first.doc:
        return Judgement(1, f"the reply is empty where one is due{note}", leaks)
    rows = reading.criteria[label]
    lost = sum(row.weight for row in rows if not row.met)
    score = next((score for limit, score in _LIMITS if lost <= limit), 1)
    return Judgement(score, f"{_reason(label, rows)}{note}", (*_evidence(rows), *leaks))


def _reason(label: str, rows: tuple[Criterion, ...]) -> str:
    missed = [row.name for row in sorted(rows, key=lambda row: -row.weight) if not row.met]
    met = [row.name for row in rows if row.met]
    parts = []
    if missed:
        parts.append(f"not met: {'; '.join(missed)}")
    if met:
        parts.append(f"met: {'; '.join(met)}")
    return f"{label}: {'. '.join(parts)}"


def _evidence(rows: tuple[Criterion, ...]) -> tuple[str, ...]:
    ordered = [row for row in rows if not row.met] + [row for row in rows if row.met]
    spans = dict.fromkeys(_short(span) for row in ordered for span in row.evidence)
    return tuple(spans)[:_SPANS]


def _short(span: str) -> str:
    return span if len(span) <= _SPAN_LENGTH else f"{span[:_SPAN_LENGTH]}…"


def _interaction_text(exchange: Mapping[str, Any]) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for turn in exchange["turns"]:
        texts = [
            turn["reply"],
            *(call.get("args_summary", "") for call in turn.get("executed", ())),
            *turn.get("held", ()),
        ]
        for text in texts:
            if "IX_" in text:
                found.update(dict.fromkeys(_INTERACTION.findall(text)))
    return tuple(found)
