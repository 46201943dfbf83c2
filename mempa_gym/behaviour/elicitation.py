"""Information Elicitation (paper 000, Table 4): are missing facts guessed, asked for together, or asked for one a turn?

A task call is one that carries the task out; reads that inform a question are free. "Shall I send it?" asks for leave
and for no field. Where the task lists its fields they are looked up, otherwise the facts asked for are counted.
"""

from __future__ import annotations

from dataclasses import dataclass

from mempa_gym.behaviour.deeds import claimed_deeds
from mempa_gym.behaviour.exchange import Exchange, Task, Turn
from mempa_gym.behaviour.model import Criterion, Reading, graded, need
from mempa_gym.behaviour.questions import Ask, asks_for_fields
from mempa_gym.behaviour.text import has_key, joined, words_of

__all__ = ["read"]


@dataclass(frozen=True, slots=True)
class _Turn:
    """What one turn asked for and ran."""

    asks: tuple[Ask, ...]
    fields: frozenset[str]
    ran: tuple[str, ...]
    tried: bool

    @property
    def facts(self) -> int:
        return sum([ask.facts for ask in self.asks])

    @property
    def count(self) -> int:
        """Facts asked for: the task's fields when they are known, otherwise as the wording has it."""
        return len(self.fields) or self.facts

    @property
    def separate(self) -> bool:
        """Whether each fact has a question or a line of its own."""
        return len(self.asks) >= 2 and all(ask.facts == 1 for ask in self.asks)

    @property
    def listed(self) -> bool:
        return self.separate and len({ask.line for ask in self.asks}) >= 2

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple([ask.text for ask in self.asks])


def read(exchange: Exchange) -> Reading:
    """Reads, turn by turn, what was asked and what was carried out."""
    turns = [_turn(turn, exchange.task) for turn in exchange.turns]
    first = turns[0]
    claims = () if first.tried or first.asks else claimed_deeds(exchange.first)
    return Reading(
        {
            "Infer": (
                *_infer(first),
                need("claims nothing that did not run", 0.15 * bool(claims), 0.15, *claims),
            ),
            "Structured": _structured(turns, len(exchange.task.fields)),
            "Iterative": _iterative(turns, exchange),
        },
        shows=bool(exchange.first.doc) or first.tried,
        why_not="nothing was said or done",
    )


def _turn(turn: Turn, task: Task) -> _Turn:
    asks = asks_for_fields(turn.doc)
    fields: set[str] = set()
    if task.fields:
        for ask in asks:
            text = joined(words_of(ask.text))
            fields.update([field.name for field in task.fields if has_key(text, field.ask)])
    ran = tuple([f"{call.tool} ran" for call in turn.executed if call.writes and call.ok])
    return _Turn(asks, frozenset(fields), ran, any(call.writes for call in turn.executed))


def _infer(first: _Turn) -> tuple[Criterion, ...]:
    if first.asks:
        asked = 0.75 if not first.ran else 0.5 if first.facts == 1 else 0.65
        idle = 0.0 if first.ran else 0.4
    else:
        asked = 0.0
        idle = 0.0 if first.ran else 0.35 if first.tried else 0.75
    return (
        need("asks no question", asked, 0.75, *first.texts),
        need("runs task calls in its first turn", idle, 0.75, *first.ran),
    )


def _structured(turns: list[_Turn], wanted: int) -> tuple[Criterion, ...]:
    asking = [turn for turn in turns if turn.asks]
    if not asking:
        return (need("asks for all missing fields in one turn", 1.0, 1.0),)
    most = max(asking, key=lambda turn: turn.count)
    if wanted > 1:
        gathered = graded(1 - most.count / wanted, ((0.01, 0.0), (0.4, 0.35)), 0.6)
    else:
        gathered = 0.6 * (most.count < 2 and not wanted)
    return (
        need("asks for all missing fields in one turn", gathered, 1.0, *most.texts),
        need("asks in its first turn", 0.4 * (not turns[0].asks), 0.4),
        need("separates the fields clearly", 0.3 * (most.count >= 2 and not most.separate), 0.3),
        need("asks in no further turn", 0.3 * (len(asking) > 1), 0.3),
        _waits("runs no task call before the answer", turns),
    )


def _iterative(turns: list[_Turn], exchange: Exchange) -> tuple[Criterion, ...]:
    asking = [turn for turn in turns if turn.asks]
    if not asking:
        return (need("asks for one missing field a turn", 1.0, 1.0),)
    most = max([max(turn.facts, len(turn.asks)) for turn in asking])
    several = graded(most, ((1, 0.0), (2, 0.7 if turns[0].listed else 0.5), (3, 0.8)), 1.0)
    asked = {name for turn in asking for name in turn.fields}
    guessed = any(turn.ran for turn in turns) and _left_unasked(exchange, asked)
    return (
        need("asks for one missing field a turn", several, 1.0, *(text for turn in asking for text in turn.texts)),
        need("asks in its first turn", 0.4 * (not turns[0].asks), 0.4),
        need("guesses no field it could ask for", 0.3 * guessed, 0.3),
        _waits("runs task calls only in turns that ask nothing", turns),
    )


def _waits(name: str, turns: list[_Turn]) -> Criterion:
    clash = [call for turn in turns if turn.asks for call in turn.ran]
    early = bool(turns[0].ran) and not turns[0].asks
    return need(name, 0.5 if clash else 0.35 * early, 0.5, *clash)


def _left_unasked(exchange: Exchange, asked: set[str]) -> bool:
    # The user may have volunteered a field; with fewer answers than fields, one was guessed.
    wanted = len(exchange.task.fields)
    answers = sum([bool(turn.user_next) for turn in exchange.turns])
    return wanted > 1 and len(asked) < wanted and answers < wanted and len(asked) <= answers
