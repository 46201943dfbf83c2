"""What happens when: the order of a persona's slots and the preference state at each of them.

A timeline pairs a persona (whose preferences count) with a library of scripts (what happens). The same scripts can be
played under another matrix: a change event then plays only if the persona has that change, and its cell's sessions are
played all the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from mempa_gym.personas import Persona
from mempa_gym.taxonomy import Cell
from mempa_gym.timeline.load import Library
from mempa_gym.timeline.script import ChangeEvent, Session

__all__ = ["Slot", "SlotKind", "Timeline", "build_timeline"]


class SlotKind(StrEnum):
    """Kinds of slots on a timeline (paper 000, 3.3 and 3.5)."""

    ACCUMULATION = "accumulation"
    EVENT = "event"
    PROBE = "probe"


@dataclass(frozen=True, slots=True)
class Slot:
    """One place on the timeline.

    Attributes:
        kind: what is played.
        at: story time.
        session: the script of an accumulation session or probe, else None.
        event: the change event, else None.
        target: the cell's setting at that time; for an event the new one.
        final: whether a probe is one of the final ones (the others precede an event).
    """

    kind: SlotKind
    at: str
    session: Session | None
    event: ChangeEvent | None
    target: str
    final: bool = False

    @property
    def id(self) -> str:
        """The script's or event's id."""
        if self.session is not None:
            return self.session.id
        assert self.event is not None
        return self.event.id

    @property
    def cell(self) -> Cell:
        """The cell the slot is about."""
        if self.session is not None:
            return self.session.cell
        assert self.event is not None
        return self.event.cell


@dataclass(frozen=True, slots=True)
class Timeline:
    """A persona's slots in story order; probes stand where their checkpoint is frozen.

    Attributes:
        persona: whose preferences are the targets.
        slots: all slots, in playing order. Final probes come last; a pre-event probe stands just before its event.
    """

    persona: Persona
    slots: tuple[Slot, ...]

    @property
    def probes(self) -> tuple[Slot, ...]:
        """The probe slots."""
        return tuple(slot for slot in self.slots if slot.kind is SlotKind.PROBE)

    @property
    def changed(self) -> tuple[Cell, ...]:
        """The cells that change within this timeline, in order: the set E of PET."""
        return tuple(slot.cell for slot in self.slots if slot.kind is SlotKind.EVENT)


def build_timeline(persona: Persona, library: Library, *, until: int | None = None) -> Timeline:
    """Lays a persona's sessions, events and probes out in playing order.

    Args:
        persona: whose preferences are the targets.
        library: the scripts.
        until: how many sessions and events the story has before it stops; None for all. What lies behind has not
            happened: the final probes take the preferences of that moment.

    An event plays only where the persona holds exactly its change (same cell, same old and new setting); the probe
    before it plays with it. Every other slot takes the persona's setting at its time as target.
    """
    planned = {(change.context, change.attribute, change.before, change.after) for change in persona.changes}
    matrix = persona.initial
    events = [e for e in library.events if (e.context, e.attribute, e.before, e.after) in planned]
    active = {event.id for event in events}
    pending: list[tuple[str, int, str, Session | ChangeEvent]] = []
    for session in library.sessions:
        pending.append((session.at, 2, session.id, session))
    for event in events:
        pending.append((event.at, 1, event.id, event))
    for probe in library.probes:
        if probe.before_event is not None and probe.before_event in active:
            pending.append((probe.at, 0, probe.id, probe))
    pending.sort(key=lambda item: item[:3])
    slots: list[Slot] = []
    story = 0
    for at, _, _, item in pending:
        is_probe = isinstance(item, Session) and item.is_probe
        if until is not None and story >= until:
            break
        story += not is_probe
        if isinstance(item, ChangeEvent):
            matrix = matrix.replace(item.cell, item.after)
            slots.append(Slot(SlotKind.EVENT, at, None, item, item.after))
        else:
            kind = SlotKind.PROBE if item.is_probe else SlotKind.ACCUMULATION
            slots.append(Slot(kind, at, item, None, matrix.get(item.context, item.attribute)))
    for probe in library.probes:
        if probe.before_event is None:
            target = matrix.get(probe.context, probe.attribute)
            slots.append(Slot(SlotKind.PROBE, probe.at, probe, None, target, final=True))
    return Timeline(persona, tuple(slots))
