"""The compiled form of scripts: what the engine, the user and the validators read while a session plays.

Pydantic models are checked once when a file is read; here the same content stands as frozen dataclasses with the plan
already split into the views a planned PA is handed, so that playing a beat allocates nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mempa_gym.frozen import FrozenDict, frozen
from mempa_gym.taxonomy import Cell
from mempa_gym.timeline.models import CallModel, EventModel, PlanModel, ScriptModel
from mempa_gym.tools.plan import PlannedCall, PlanView, Realisation

__all__ = ["Beat", "ChangeEvent", "EventTurn", "Fact", "LockRule", "Session", "compile_event", "compile_script"]


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact only the user holds, unsaid before beat number ``beat``; a message with one of ``marks`` gives it away."""

    name: str
    beat: int
    marks: tuple[str, ...]

    def spoken_in(self, text: str) -> bool:
        """Returns whether a message gives the fact away."""
        low = text.lower()
        return any(mark in low for mark in self.marks)


@dataclass(frozen=True, slots=True)
class LockRule:
    """A write lock of a session (paper 000, C.3): which call waits for which facts."""

    tool: str
    match: Mapping[str, Any]
    until: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Beat:
    """One step of a session from the user's side (paper 000, C.3), with the plan for the PA's turn that answers it."""

    id: str
    goal: str
    say: str | Mapping[str, str]
    event: str | None
    needs: tuple[str, ...]
    nudge: str | None
    decision: bool
    reaction: bool
    react: Mapping[str, Mapping[str, str]]
    again: Mapping[str, str]
    consent: str
    plan: PlanView

    def text(self, shown: str) -> str:
        """Returns the task part of the message; ``shown`` matters only after the decision point."""
        return self.say if isinstance(self.say, str) else self.say[shown]


@dataclass(frozen=True, slots=True)
class Session:
    """An accumulation session or a probe, ready to play.

    ``task`` is JSON-able and is all that behaviour detection and the judge learn of the task.
    """

    id: str
    kind: str
    context: str
    attribute: str
    at: str
    scenario: str
    title: str
    life: str
    records: tuple[str, ...]
    facts: Mapping[str, Fact]
    lock: LockRule | None
    task: Mapping[str, Any]
    beats: tuple[Beat, ...]
    decision: int
    before_event: str | None

    @property
    def cell(self) -> Cell:
        """The tested cell."""
        return Cell(self.context, self.attribute)

    @property
    def is_probe(self) -> bool:
        """Whether the session is a probe."""
        return self.kind == "probe"


@dataclass(frozen=True, slots=True)
class EventTurn:
    """A fixed exchange of a change event: message, calls in order, delivered reply."""

    user: str
    steps: tuple[PlannedCall, ...]
    reply: str


@dataclass(frozen=True, slots=True)
class ChangeEvent:
    """A change event (paper 000, C.4)."""

    id: str
    context: str
    attribute: str
    at: str
    order: int
    before: str
    after: str
    title: str
    turns: tuple[EventTurn, ...]
    note: str
    records: tuple[str, ...]

    @property
    def cell(self) -> Cell:
        """The cell that changes."""
        return Cell(self.context, self.attribute)


def _call(model: CallModel) -> PlannedCall:
    return PlannedCall(model.tool, frozen(model.args), model.fails)


def _plan(attribute: str, model: PlanModel) -> PlanView:
    before = tuple(_call(call) for call in model.before)
    if not model.settings:
        common = Realisation(
            tuple(_call(c) for c in model.calls), model.reply.strip(), frozen(model.payload), model.release
        )
        return PlanView(None, before, common, FrozenDict({}))
    by_setting = {
        label: Realisation(tuple(_call(c) for c in r.calls), r.reply.strip(), frozen(r.payload), r.release)
        for label, r in model.settings.items()
    }
    return PlanView(attribute, before, None, FrozenDict(by_setting))


def compile_script(model: ScriptModel) -> Session:
    """Returns the playable form of a checked script."""
    index = {beat.id: number for number, beat in enumerate(model.beats)}
    beats = tuple(
        Beat(
            id=beat.id,
            goal=beat.goal,
            say=beat.say.strip() if isinstance(beat.say, str) else frozen({k: v.strip() for k, v in beat.say.items()}),
            event=beat.event.strip() if beat.event else None,
            needs=beat.needs,
            nudge=beat.nudge,
            decision=beat.decision,
            reaction=beat.reaction,
            react=frozen(
                {target: frozen({k: v.strip() for k, v in row.items()}) for target, row in beat.react.items()}
            ),
            again=frozen(beat.again),
            consent=beat.consent,
            plan=_plan(model.attribute, beat.pa),
        )
        for beat in model.beats
    )
    facts = {
        name: Fact(name, index[fact.beat], tuple(mark.lower() for mark in fact.marks))
        for name, fact in model.facts.items()
    }
    lock = LockRule(model.lock.tool, frozen(model.lock.match), model.lock.until) if model.lock else None
    return Session(
        id=model.id,
        kind=model.kind,
        context=model.context,
        attribute=model.attribute,
        at=model.at,
        scenario=model.scenario,
        title=model.title,
        life=model.life,
        records=model.records,
        facts=frozen(facts),
        lock=lock,
        task=frozen(model.task.model_dump(mode="json", exclude_defaults=True)),
        beats=beats,
        decision=next(number for number, beat in enumerate(model.beats) if beat.decision),
        before_event=model.before_event,
    )


def compile_event(model: EventModel) -> ChangeEvent:
    """Returns the playable form of a checked change event."""
    turns = tuple(
        EventTurn(turn.user.strip(), tuple(PlannedCall(s.tool, frozen(s.args)) for s in turn.steps), turn.reply.strip())
        for turn in model.turns
    )
    return ChangeEvent(
        model.id,
        model.context,
        model.attribute,
        model.at,
        model.order,
        model.before,
        model.after,
        model.title,
        turns,
        model.note.strip(),
        model.records,
    )
