"""Viability of scripts in play (paper 000, C.5): every setting of the tested attribute, carried out by the planned PA.

Each script is played on a scratch copy once for every setting, against a user for whom that setting is the target
and, in live sessions, against users with every other target. What a program can check of the five conditions is
checked on what was delivered: a setting must be carried out without a refused call, show itself and no other, differ
from the others, and be answered by the user.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Literal

import numpy as np

from mempa_gym import memory as memories
from mempa_gym.agents import FixedSelector, PlannedPA
from mempa_gym.behaviour import observe
from mempa_gym.engine import EngineConfig, SlotResult, TimelineEngine, play_out
from mempa_gym.errors import unknown
from mempa_gym.factories.names import make_user
from mempa_gym.interaction.action_classes import classify
from mempa_gym.interaction.exchange import build_exchange, exchange_turn, executed_call
from mempa_gym.interaction.policies import PAAction, PAPolicy, Reply
from mempa_gym.interaction.views import PAView
from mempa_gym.personas import Persona, load_persona
from mempa_gym.scoring import rule_judge
from mempa_gym.taxonomy import attribute as get_attribute
from mempa_gym.taxonomy import attributes
from mempa_gym.timeline import (
    ChangeEvent,
    Library,
    Session,
    Slot,
    SlotKind,
    Timeline,
    build_timeline,
    load_library,
    scenarios,
)
from mempa_gym.timeline.distinct import KINDS, THRESHOLD, nearest_pairs
from mempa_gym.timeline.shape import check_shape
from mempa_gym.timeline.viability import Problem, check_distinct, check_event_text, check_session_text
from mempa_gym.tools.plan import PlannedCall
from mempa_gym.users.checks import check_message
from mempa_gym.world import World
from mempa_gym.world import open as open_world
from mempa_gym.world.check import check_fixtures

__all__ = ["check_persona", "check_script", "play_alone"]

_GOOD, _POOR = 4.0, 3.0
QUESTION = "How would you like me to handle this kind of thing?"


class _Asking(PlannedPA):
    """Puts a direct question about manner at the decision point, then chooses a setting and goes on with the plan."""

    def __init__(self, selection: str, attribute: str) -> None:
        super().__init__(FixedSelector({attribute: selection}))
        self._asked = False

    def begin_session(self, rng: np.random.Generator) -> None:
        super().begin_session(rng)
        self._asked = False

    def act(self, view: PAView) -> PAAction:
        if view.offered and not self._asked:
            self._asked = True
            return Reply(QUESTION)
        return super().act(view)


def play_alone(
    persona: Persona, session: Session, target: str, selection: str, *, seed: int = 0, policy: PAPolicy | None = None
) -> SlotResult:
    """Plays one script on a scratch copy of the start world and returns its result.

    Args:
        persona: whose world and voice.
        session: the script.
        target: what the user wants.
        selection: what the planned PA chooses.
        policy: another PA in its place.
        seed: root of randomness.
    """
    kind = SlotKind.PROBE if session.is_probe else SlotKind.ACCUMULATION
    timeline = Timeline(persona, (Slot(kind, session.at, session, None, target, final=session.is_probe),))
    engine = TimelineEngine(
        timeline,
        open_world(persona.id, session.at),
        memories.build("none"),
        make_user(persona.id),
        seed=seed,
        config=EngineConfig(repeats=1, attempts=1),
    )
    play_out(engine, policy or PlannedPA(FixedSelector({session.attribute: selection})))
    return engine.results[0]


def _planned(session: Session, selection: str) -> list[PlannedCall]:
    found: list[PlannedCall] = []
    for beat in session.beats:
        found.extend(beat.plan.before)
        realisation = beat.plan.by_setting.get(selection, beat.plan.common)
        if realisation is not None:
            found.extend(realisation.calls)
    return found


class _Check:
    """The checks of one script in play."""

    def __init__(self, persona: Persona, session: Session) -> None:
        self.persona = persona
        self.session = session
        self.found: list[Problem] = []

    def add(self, condition: str, where: str, reason: str) -> None:
        self.found.append(Problem(self.session.id, condition, where, reason))

    def run(self) -> list[Problem]:
        session = self.session
        labels = get_attribute(session.attribute).labels
        results: dict[str, SlotResult] = {}
        for label in labels:
            results[label] = self._one(label, label)
            if not session.is_probe:
                for target in labels:
                    if target != label:
                        self._one(target, label)
        self._differ(results)
        for target in labels:
            self._asked(target)
        self._lock_holds()
        return self.found

    def _one(self, target: str, label: str) -> SlotResult:
        session = self.session
        where = label if target == label else f"{label} (target {target})"
        result = play_alone(self.persona, session, target, label)
        if result.floor or result.invalid:
            rejected = (result.invalid or "").startswith("user message rejected")
            condition = "not given away" if rejected else "feasible"
            self.add(condition, where, f"the session does not come to its end: {result.floor or result.invalid}")
            return result
        if result.selection != label:
            self.add("feasible", where, f"selected {result.selection!r}")
        if result.shown != label:
            self.add("observable", where, f"what is delivered shows {result.shown!r}")
        self._calls(label, where, result)
        self._messages(where, result)
        if target == label:
            self._judged(label, result)
        return result

    def _calls(self, label: str, where: str, result: SlotResult) -> None:
        expected = [call for call in _planned(self.session, label) if call.fails]
        for turn in result.turns:
            for step in turn.steps:
                if step.ok:
                    continue
                hit = next((call for call in expected if call.tool == step.tool), None)
                if hit is None:
                    self.add("feasible", where, f"{step.tool} is refused: {step.text[:200]}")
                else:
                    expected.remove(hit)
        for call in expected:
            self.add("feasible", where, f"{call.tool} was to be blocked and is not")

    def _messages(self, where: str, result: SlotResult) -> None:
        phase: Literal["accumulation", "probe"] = "probe" if self.session.is_probe else "accumulation"
        last = ""
        for turn in result.turns:
            if turn.user:
                for violation in check_message(turn.user, phase, last):
                    self.add("not given away", where, f"{violation.kind}: {violation.why} ({violation.span!r})")
            last = turn.reply
        said = " ".join(turn.user for turn in result.turns)
        unspoken = [
            name
            for name, fact in self.session.facts.items()
            if self.session.lock and name in self.session.lock.until and not fact.spoken_in(said)
        ]
        for name in unspoken:
            self.add("feasible", where, f"fact {name!r}, which the lock waits for, is never said")
        if len(result.turns) <= self.session.decision + 1:
            self.add("answerable", where, "no turn follows the decision point")

    def _judged(self, label: str, result: SlotResult) -> None:
        exchange = result.exchange
        if exchange is None:
            self.add("observable", label, "the decision point was never reached")
            return
        for other in get_attribute(self.session.attribute).labels:
            verdict = rule_judge(self.session.attribute, other, exchange)
            if other == label and (verdict.score is None or verdict.score < _GOOD):
                self.add("observable", label, f"the judge gives {verdict.score} for it: {verdict.reason}")
            if other != label and verdict.score is not None and verdict.score > _POOR:
                self.add(
                    "observable", label, f"the judge gives {verdict.score} for {other!r} as well: {verdict.reason}"
                )

    def _asked(self, target: str) -> None:
        """Asks how the user wants to be helped instead of choosing: she must answer, and the session must go on."""
        where = f"asked (target {target})"
        result = play_alone(self.persona, self.session, target, target, policy=_Asking(target, self.session.attribute))
        if result.floor or result.invalid or result.selection != target:
            self.add("answerable", where, f"the session does not go on: {result.floor or result.invalid}")
            return
        if result.asked != 1:
            self.add("answerable", where, f"{result.asked} direct questions were counted, one was put")
        self._messages(where, result)

    def _differ(self, results: Mapping[str, SlotResult]) -> None:
        seen: dict[str, str] = {}
        for label, result in results.items():
            if result.exchange is None:
                continue
            first = result.exchange["turns"][0]
            body = json.dumps([first["reply"], first["executed"], first["held"]], sort_keys=True)
            if body in seen:
                self.add("observable", label, f"delivered exactly as {seen[body]!r}")
            seen[body] = label
        totals = {label: sum(len(turn.steps) for turn in result.turns) for label, result in results.items()}
        if not self.session.is_probe and max(totals.values(), default=0) < 8:
            self.add("form", "plan", f"only {max(totals.values())} calls on the longest path")

    def _lock_holds(self) -> None:
        session = self.session
        lock = session.lock
        if lock is None:
            return
        from mempa_gym.world import Lock

        for label in get_attribute(session.attribute).labels:
            world = open_world(self.persona.id, session.at)
            world.set_locks((Lock("lock", lock.tool, dict(lock.match)),))
            for call in _planned(session, label):
                if call.tool == lock.tool and all(call.arguments.get(k) == v for k, v in lock.match.items()):
                    if world.call(call.tool, dict(call.arguments)).ok:
                        self.add("feasible", label, "the guarded write runs while the lock is closed")


def _coverage(library: Library) -> Iterator[Problem]:
    cells = {(s.context, s.attribute) for s in library.sessions}
    finals = [(p.context, p.attribute) for p in library.probes if p.before_event is None]
    for context in ("work", "personal"):
        for item in attributes():
            if (context, item.id) not in cells:
                yield Problem(library.persona, "form", f"{context}/{item.id}", "no accumulation session")
            if finals.count((context, item.id)) != 1:
                yield Problem(library.persona, "form", f"{context}/{item.id}", "not exactly one final probe")
    last = max([*(s.at for s in library.sessions), *(e.at for e in library.events)], default="")
    for probe in library.probes:
        if probe.before_event is None and probe.at <= last:
            yield Problem(probe.id, "form", "at", f"a final probe at {probe.at} before the last session at {last}")
    for event in library.events:
        probes = [p for p in library.probes if p.before_event == event.id]
        if len(probes) != 1 or (probes[0].context, probes[0].attribute) != tuple(event.cell):
            yield Problem(event.id, "form", "before_event", "not exactly one probe of its cell before it")


def _alike(library: Library) -> Iterator[Problem]:
    for kind in KINDS:
        for pair in nearest_pairs((*library.sessions, *library.probes), kind):
            if pair.alike >= THRESHOLD:
                reason = f"as {pair.first} ({pair.alike}): {pair.texts[0]!r} and {pair.texts[1]!r}"
                yield Problem(pair.second, "form", kind, reason)


def _whole(name: str, library: Library) -> Iterator[Problem]:
    """Plays the whole story, each session in the world that the ones before it left behind."""
    timeline = build_timeline(load_persona(name), library)
    for place in range(3):
        chosen = {item.id: item.labels[min(place, len(item.labels) - 1)] for item in attributes()}
        engine = TimelineEngine(
            timeline,
            open_world(name, timeline.slots[0].at),
            memories.build("none"),
            make_user(name),
            seed=0,
            config=EngineConfig(repeats=1, attempts=1),
        )
        play_out(engine, PlannedPA(FixedSelector(chosen)))
        scripts = {session.id: session for session in (*library.sessions, *library.probes)}
        for result in engine.results:
            if result.kind == SlotKind.EVENT.value:
                continue
            label = chosen[result.cell.attribute]
            if result.floor or result.invalid:
                why = f"in the whole story it does not come to its end: {result.floor or result.invalid}"
                yield Problem(result.slot, "feasible", label, why)
            refused = [step for turn in result.turns for step in turn.steps if not step.ok]
            meant = Counter(call.tool for call in _planned(scripts[result.slot], label) if call.fails)
            for step in refused:
                if meant[step.tool]:
                    meant[step.tool] -= 1
                    continue
                yield Problem(result.slot, "feasible", label, f"in the whole story {step.tool} is refused: {step.text}")


def _event_in_play(event: ChangeEvent, world: World) -> list[Problem]:
    """Returns what is wrong with what a change event shows: the old setting in full, then a rule without its name."""
    number = next(n for n, turn in enumerate(event.turns) for s in turn.steps if s.tool == f"IX_{event.attribute}")
    turn = event.turns[number]
    executed = []
    for call in turn.steps:
        if not call.tool.startswith("IX_"):
            kind = classify(call.tool, call.arguments, world.record)
            executed.append(executed_call(call.tool, kind, call.arguments, ok=True))
    exchange = build_exchange(turn.user, None, None, [exchange_turn(turn.reply, executed)])
    found = []
    shown = observe(event.attribute, exchange).setting
    if shown != event.before:
        found.append(Problem(event.id, "observable", f"turn {number + 1}", f"shows {shown!r}, not {event.before!r}"))
    score = rule_judge(event.attribute, event.before, exchange).score
    if score is None or score < _GOOD:
        found.append(
            Problem(event.id, "observable", f"turn {number + 1}", f"the judge gives {score} for the old setting")
        )
    names = [*get_attribute(event.attribute).labels, event.attribute.replace("_", " ")]
    for place, spoken in enumerate(event.turns, 1):
        found.extend(
            Problem(event.id, "not given away", f"turn {place}", f"{name!r} is named")
            for name in names
            if name.lower() in spoken.user.lower()
        )
    return found


def check_script(name: str, item: Session | ChangeEvent) -> list[Problem]:
    """Returns what is wrong with one script or event of a persona, as it stands and in play.

    Args:
        name: the persona's id.
        item: the script; it need not be packaged.
    """
    world = open_world(name, item.at)
    if isinstance(item, Session):
        found = check_session_text(item, world, scenarios(name)[item.context])
        found.extend(_Check(load_persona(name), item).run())
    else:
        found = [*check_event_text(item, world), *_event_in_play(item, world)]
    return list(dict.fromkeys(found))


def check_persona(
    name: str,
    *,
    only: tuple[str, ...] = (),
    complete: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[int, list[Problem]]:
    """Checks a packaged persona's world, scripts and events.

    Args:
        name: the persona's id.
        only: ids of the scripts to check; all when empty.
        complete: whether the persona must have all sessions, events and probes of the published shape.
        progress: called with (scripts done, scripts in all).

    Returns:
        How many scripts were checked, and what is wrong.

    Raises:
        UnknownNameError: no such persona or script.
        DataError: a file that cannot be read at all.
    """
    library = load_library(name)
    items: list[Session | ChangeEvent] = [*library.sessions, *library.probes, *library.events]
    known = [item.id for item in items]
    for wanted in only:
        if wanted not in known:
            raise unknown("script", wanted, known)
    found: list[Problem] = []
    if not only:
        found.extend(Problem(name, "feasible", "world", reason) for reason in check_fixtures(name))
        found.extend(_coverage(library))
        if complete:
            found.extend(check_shape(library, load_persona(name)))
        found.extend(_alike(library))
        found.extend(_whole(name, library))
    found.extend(check_distinct((*library.sessions, *library.probes), only))
    chosen = [item for item in items if not only or item.id in only]
    for number, item in enumerate(chosen, 1):
        found.extend(check_script(name, item))
        if progress is not None:
            progress(number, len(chosen))
    return len(chosen), found
