"""The published shape of a timeline, and texts that are too much alike: both must be found where they are wrong."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from mempa_gym.personas import load_persona
from mempa_gym.taxonomy import attribute_ids
from mempa_gym.timeline import ChangeEvent, Library, Session, load_library
from mempa_gym.timeline.distinct import KINDS, THRESHOLD, nearest_pairs
from mempa_gym.timeline.shape import check_shape

PERSONA = load_persona("user_b")
KNOWN = load_library("user_b")


def at(day: int, minutes: int = 0) -> str:
    start = datetime.fromisoformat("2026-02-01T09:00")
    return (start + timedelta(days=day - 1, minutes=minutes)).isoformat(timespec="minutes")


def whole() -> Library:
    """Returns a library of the published shape, made of one session, one probe and one event told again and again."""
    session, probe, told = KNOWN.sessions[0], KNOWN.probes[0], KNOWN.events[0]
    events: list[ChangeEvent] = []
    probes: list[Session] = []
    for number, change in enumerate(PERSONA.changes):
        day = 20 * (number + 1)
        event = replace(
            told,
            id=f"event_{number}",
            context=change.context,
            attribute=change.attribute,
            before=change.before,
            after=change.after,
            at=at(day, 180),
        )
        events.append(event)
        probes.append(
            replace(
                probe,
                id=f"before_{number}",
                context=change.context,
                attribute=change.attribute,
                at=at(day, 120),
                before_event=event.id,
            )
        )
    changing = {(event.context, event.attribute): event.at for event in events}
    sessions: list[Session] = []
    for context in ("work", "personal"):
        for attribute in attribute_ids():
            probes.append(replace(probe, id=f"{context}_{attribute}", context=context, attribute=attribute, at=at(120)))
            changed = changing.get((context, attribute))
            times = [1, 2, 3] if changed is None else [1, 2, 3, 115, 117]
            for day in times:
                number = len(sessions)
                sessions.append(
                    replace(
                        session,
                        id=f"s{number}",
                        context=context,
                        attribute=attribute,
                        at=at(day, number),
                    )
                )
    sessions.sort(key=lambda item: item.at)
    return Library("user_b", tuple(sessions), tuple(probes), tuple(events))


def reasons(library: Library) -> list[str]:
    return [f"{problem.where}: {problem.reason}" for problem in check_shape(library, PERSONA)]


def test_the_published_shape_has_no_problem() -> None:
    library = whole()
    assert (len(library.sessions), len(library.events), len(library.probes)) == (94, 5, 33)
    assert reasons(library) == []


def test_what_is_missing_is_counted() -> None:
    library = whole()
    gone = library.sessions[0]
    found = reasons(Library("user_b", library.sessions[1:], library.probes[1:], library.events))
    assert "sessions: 93 of 94" in found
    assert "probes: 32 of 33" in found
    assert [text for text in found if text.startswith(f"{gone.context}/{gone.attribute}: 2 ")]


def test_a_session_on_the_wrong_side_of_its_change_is_found() -> None:
    library = whole()
    event = library.events[0]
    moved = tuple(
        replace(s, at=at(118, 400)) if s.cell == event.cell and s.at < event.at and s.at < at(2) else s
        for s in library.sessions
    )
    assert any("2 sessions before its change and 3 after" in text for text in reasons(_with(library, sessions=moved)))


def test_events_out_of_order_and_probes_at_the_wrong_hour_are_found() -> None:
    library = whole()
    turned = (library.events[3], *library.events[1:3], library.events[0], library.events[4])
    assert any("three at work" in text for text in reasons(_with(library, events=turned)))
    early = (replace(library.probes[0], at=at(20)), *library.probes[1:])
    assert any("not one hour before" in text for text in reasons(_with(library, probes=early)))


def test_two_at_one_time_and_a_short_story_are_found() -> None:
    library = whole()
    first, second, *rest = library.sessions
    assert any(
        f"2 at {first.at}" in text
        for text in reasons(_with(library, sessions=(first, replace(second, at=first.at), *rest)))
    )
    assert any(
        "not four months" in text
        for text in reasons(_with(library, sessions=tuple(replace(s, at=min(s.at, at(40))) for s in library.sessions)))
    )


def _with(
    library: Library,
    *,
    sessions: tuple[Session, ...] | None = None,
    probes: tuple[Session, ...] | None = None,
    events: tuple[ChangeEvent, ...] | None = None,
) -> Library:
    return Library("user_b", sessions or library.sessions, probes or library.probes, events or library.events)


@pytest.mark.parametrize("kind", KINDS)
def test_a_script_told_again_is_nearest_to_itself(kind: str) -> None:
    copied = next(session for session in KNOWN.sessions if session.beats[0].event is None)
    again = replace(copied, id="again")
    (nearest, *_) = nearest_pairs((*KNOWN.sessions, again), kind, 1)  # type: ignore[arg-type]
    assert {nearest.first, nearest.second} == {copied.id, "again"}
    assert nearest.alike == pytest.approx(1.0)


@pytest.mark.parametrize("kind", KINDS)
def test_the_packaged_scripts_are_about_different_things(kind: str) -> None:
    pairs = nearest_pairs((*KNOWN.sessions, *KNOWN.probes), kind, 5)  # type: ignore[arg-type]
    assert len(pairs) == 5
    assert all(pair.first != pair.second and 0.0 < pair.alike < THRESHOLD for pair in pairs)
    assert [pair.alike for pair in pairs] == sorted((pair.alike for pair in pairs), reverse=True)
