"""Information Elicitation (paper 000, Table 4): are missing facts guessed, asked for together, or asked for one a turn?

A task call is one that carries the task out; reads that inform a question are free. "Shall I send it?" asks for leave and for no
field. Where the task lists its fields they are looked up, otherwise the facts asked for are counted.
"""

from __future__ import annotations

from dataclasses import dataclass

from mempa_gym.behaviour.deeds import claimed_deeds
from mempa_gym.behaviour.exchange import Exchange, Task, Turn
from mempa_gym.behaviour.model import Reading, need
from mempa_gym.behaviour.speech import Ask, asks_for_fields, has_key, joined
from mempa_gym.behaviour.text import words_of

__all__ = ["read"]


@dataclass(frozen=True, slots=True)
class _Asked:
    asks: tuple[Ask, ...]
    facts: int
    fields: frozenset[str]
    separate: bool
    ran: tuple[str, ...]
    tried: bool

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(ask.text for ask in self.asks)


def _asked(turn: Turn, task: Task) -> _Asked:
    asks = asks_for_fields(turn.doc, task)
    facts = sum(ask.facts for ask in asks)
    fields: set[str] = set()
    if task.fields and asks:
        for ask in asks:
            text = joined(words_of(ask.text))
            fields |= {field.name for field in task.fields if has_key(text, field.ask)}
    # One fact a question, or one a line, is clearly separated; several run together in a sentence are not.
    separate = len(asks) >= 2 and all(ask.facts <= 1 for ask in asks)
    ran = tuple(f"{call.tool} ran" for call in turn.executed if call.writes and call.ok)
    tried = any(call.writes for call in turn.executed)
    return _Asked(asks, facts, frozenset(fields), separate, ran, tried)


def read(exchange: Exchange) -> Reading:
    """Reads, turn by turn, what was asked and what was carried out."""
    task = exchange.task
    turns = [_asked(turn, task) for turn in exchange.turns]
    first = turns[0]
    wanted = len(task.fields)
    facts = max(first.facts, len(first.fields)) if first.asks else 0
    if wanted and first.fields and first.facts > len(first.fields):
        facts = max(len(first.fields), sum(1 for ask in first.asks))
    asking = [turn for turn in turns if turn.asks]
    clash = [turn for turn in asking if turn.ran]
    clashes = tuple(name for turn in clash for name in turn.ran)
    texts = first.texts

    # Infer: act at once on defaults.
    if not first.asks:
        acted = 0.0 if first.ran else 0.35 if first.tried else 0.75
    else:
        acted = 0.0 if first.ran else 0.4
    claims = () if first.tried else claimed_deeds(exchange.first)
    questions = 0.0 if not facts else (0.5 if facts == 1 else 0.65) if first.ran else 0.75
    infer = (
        need("asks no question", questions, 0.75, *texts),
        need("runs task calls in its first turn", acted, 0.75, *first.ran),
        need("claims nothing that did not run", 0.15 if claims and not first.asks else 0.0, 0.15, *claims),
    )

    # Structured: everything at once, then act.
    most = max(turns, key=lambda turn: len(turn.fields) or turn.facts) if asking else first
    count = (len(most.fields) or most.facts) if asking else 0
    if not asking:
        gathered = 1.0
    elif wanted:
        share = len(most.fields) / wanted if most.fields else min(1.0, most.facts / wanted)
        gathered = 0.0 if share >= 0.99 else 0.35 if share >= 0.6 else 0.6
        if wanted == 1:
            gathered = 0.0
    else:
        gathered = 0.6 if count < 2 else 0.0
    rounds = len(asking)
    structured = (
        need("asks for all missing fields in one turn", gathered, 1.0, *most.texts),
        need("asks in its first turn", 0.4 if asking and not first.asks else 0.0, 0.4),
        need("separates the fields clearly", 0.3 if count >= 2 and not most.separate else 0.0, 0.3),
        need("asks in no further turn", 0.0 if rounds <= 1 else 0.3, 0.3),
        need(
            "runs no task call before the answer",
            0.5 if clash else 0.35 if not first.asks and first.ran and asking else 0.0,
            0.5,
            *clashes,
        ),
    )

    # Iterative: one at a time, act only in turns that ask nothing.
    worst = max((max(turn.facts, len(turn.asks)) for turn in asking), default=0)
    if not asking:
        single = 1.0
    else:
        single = 0.0 if worst == 1 else 0.5 if worst == 2 else 0.8 if worst == 3 else 1.0
        if worst == 2 and any(turn.separate and turn is first and _listed(turn) for turn in asking):
            single = 0.7
    asked_fields = {name for turn in asking for name in turn.fields}
    skipped = bool(
        wanted > 1
        and asking
        and len(asked_fields) < wanted
        and any(turn.ran for turn in turns)
        and _all_silent_on(exchange, asked_fields)
    )
    iterative = (
        need("asks for one missing field a turn", single, 1.0, *(text for turn in asking for text in turn.texts)),
        need("asks in its first turn", 0.4 if asking and not first.asks else 0.0, 0.4),
        need("guesses no field it could ask for", 0.3 if skipped else 0.0, 0.3),
        need(
            "runs task calls only in turns that ask nothing",
            0.5 if clash else 0.35 if not first.asks and first.ran and asking else 0.0,
            0.5,
            *clashes,
        ),
    )
    shows = bool(exchange.first.doc) or first.tried
    return Reading(
        {"Infer": infer, "Structured": structured, "Iterative": iterative},
        shows=shows,
        why_not="nothing was said or done",
    )


def _listed(turn: _Asked) -> bool:
    return len({ask.line for ask in turn.asks}) >= 2


def _all_silent_on(exchange: Exchange, asked: set[str]) -> bool:
    # A field that the user volunteered need not be asked for; with fewer answers than fields left one was guessed.
    answers = sum(1 for turn in exchange.turns if turn.user_next)
    return answers < len(exchange.task.fields) and len(asked) <= answers
