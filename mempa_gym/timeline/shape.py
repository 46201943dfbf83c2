"""The shape of a whole timeline as published (paper 000, 3.3, C.1 and C.4): how many of what, and in which order.

94 accumulation sessions (23 stable cells three times; five changing ones three times before their change and twice
after), five change events (three at work, then two in private life), and 33 probes (28 at the end, one an hour before
each event). A user is packaged whole or not at all, so what is missing is a problem like any other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta

from mempa_gym.personas import Persona
from mempa_gym.taxonomy import attribute_ids
from mempa_gym.timeline.load import Library
from mempa_gym.timeline.viability import Problem

__all__ = ["check_shape"]

_STABLE = 3
_BEFORE, _AFTER = 3, 2
_EVENTS = ("work", "work", "work", "personal", "personal")
_FINALS = 28
_STORY = timedelta(days=110), timedelta(days=125)  # four months, from the first session to the last


def check_shape(library: Library, persona: Persona) -> list[Problem]:
    """Returns in what a user's scripts differ from the published shape, and from the persona's own changes."""
    return [Problem(library.persona, "form", where, reason) for where, reason in _found(library, persona)]


def _found(library: Library, persona: Persona) -> Iterator[tuple[str, str]]:
    for what, count, wanted in (
        ("sessions", len(library.sessions), 94),
        ("events", len(library.events), len(_EVENTS)),
        ("probes", len(library.probes), _FINALS + len(_EVENTS)),
    ):
        if count != wanted:
            yield what, f"{count} of {wanted}"
    if tuple(event.context for event in library.events) != _EVENTS[: len(library.events)]:
        yield "events", "not three at work and then two in private life"
    written = [(c.context, c.attribute, c.before, c.after) for c in persona.changes]
    played = [(e.context, e.attribute, e.before, e.after) for e in library.events]
    if played != written:
        yield "events", f"not the persona's changes in their order: {written}"
    at_of = {(event.context, event.attribute): event.at for event in library.events}
    stable: Counter[tuple[str, str]] = Counter()
    before: Counter[tuple[str, str]] = Counter()
    for session in library.sessions:
        cell = (session.context, session.attribute)
        stable[cell] += 1
        before[cell] += session.at < at_of.get(cell, "")
    for context in ("work", "personal"):
        for attribute in attribute_ids():
            cell = (context, attribute)
            if cell not in at_of:
                if stable[cell] != _STABLE:
                    yield f"{context}/{attribute}", f"{stable[cell]} sessions of {_STABLE}"
                continue
            found = (before[cell], stable[cell] - before[cell])
            if found != (_BEFORE, _AFTER):
                yield (
                    f"{context}/{attribute}",
                    f"{found[0]} sessions before its change and {found[1]} after, not 3 and 2",
                )
    hour = timedelta(hours=1)
    for event in library.events:
        times = [p.at for p in library.probes if p.before_event == event.id]
        if times and datetime.fromisoformat(times[0]) != datetime.fromisoformat(event.at) - hour:
            yield event.id, f"its probe is at {times[0]}, not one hour before {event.at}"
    story = [*(s.at for s in library.sessions), *(e.at for e in library.events)]
    for at, count in Counter(story).items():
        if count > 1:
            yield "sessions", f"{count} at {at}"
    if story:
        length = datetime.fromisoformat(max(story)) - datetime.fromisoformat(min(story))
        if not _STORY[0] <= length <= _STORY[1]:
            yield "sessions", f"the story lasts {length.days} days, not four months"
