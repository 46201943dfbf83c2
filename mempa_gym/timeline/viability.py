"""What a program can decide about a script without playing it (paper 000, Table 8, the rows "Rules").

Everything here reads one script and the world at its time. What needs a game (that each setting can be carried out
and shows) stands in ``runs.viability``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from mempa_gym import resources
from mempa_gym.taxonomy import attribute as get_attribute
from mempa_gym.timeline.script import Beat, ChangeEvent, Session
from mempa_gym.tools import specs
from mempa_gym.tools.plan import PlanView
from mempa_gym.world import World

__all__ = ["Problem", "check_distinct", "check_event_text", "check_session_text", "plan_texts"]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with a script.

    Attributes:
        script: id of the script.
        condition: which condition of viability fails: feasible, reasonable, not given away, observable, answerable,
            or form.
        where: beat, key or setting.
        reason: what is wrong there.
    """

    script: str
    condition: str
    where: str
    reason: str

    def text(self) -> str:
        """Returns the problem on one line."""
        return f"{self.script} [{self.condition}] {self.where}: {self.reason}"

    def to_json(self) -> dict[str, str]:
        """Returns plain data."""
        return {"script": self.script, "condition": self.condition, "where": self.where, "reason": self.reason}


@cache
def _cues() -> Mapping[str, tuple[re.Pattern[str], ...]]:
    raw = resources.read_yaml("cues.yaml")
    return {name: tuple(re.compile(item, re.IGNORECASE) for item in patterns) for name, patterns in raw.items()}


def plan_texts(plan: PlanView) -> Iterator[tuple[str, str]]:
    """Yields (where, text) for every text that a plan lets the PA say or write."""
    found = [("plan", plan.common)] if plan.common is not None else []
    found.extend((f"plan/{label}", realisation) for label, realisation in plan.by_setting.items())
    for call in plan.before:
        yield "before", " ".join(_strings(call.arguments))
    for where, realisation in found:
        assert realisation is not None
        yield where, realisation.reply
        yield where, " ".join(_strings(realisation.payload or {}))
        for call in realisation.calls:
            yield where, " ".join(_strings(call.arguments))


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _strings(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _strings(item)


def check_session_text(session: Session, world: World, scenario_types: Mapping[str, str]) -> list[Problem]:
    """Returns what is wrong with a script as it stands.

    Args:
        session: the script.
        world: the persona's world at the session's time.
        scenario_types: the scenario types of the session's context.
    """
    found: list[Problem] = []

    def add(condition: str, where: str, reason: str) -> None:
        found.append(Problem(session.id, condition, where, reason))

    if session.scenario not in scenario_types:
        add("form", "scenario", f"{session.scenario!r} is no scenario type; they are {', '.join(scenario_types)}")
    for record in session.records:
        if world.record(record) is None:
            add("feasible", "records", f"{record!r} does not exist or is not visible at {session.at}")
    if not session.records:
        add("feasible", "records", "no record is bound")
    _check_facts(session, world, add)
    _check_lock(session, add)
    _check_cues(session, add)
    _check_reactions(session, add)
    _check_needs(session, add)
    check = _STRUCTURE.get(session.attribute)
    if check is not None:
        check(session, add)
    return found


Add = Callable[[str, str, str], None]


def _messages(beat: Beat) -> list[str]:
    texts = [beat.say] if isinstance(beat.say, str) else list(beat.say.values())
    return [*texts, beat.event or "", beat.nudge or ""]


def _check_facts(session: Session, world: World, add: Add) -> None:
    for name, fact in session.facts.items():
        for number, beat in enumerate(session.beats):
            if number < fact.beat:
                for text in _messages(beat):
                    if fact.spoken_in(text):
                        add("feasible", beat.id, f"fact {name!r} is said before its beat: {text[:80]!r}")
            # The PA cannot know the fact before the user has said it, so no earlier plan may hold it.
            if number < fact.beat:
                for where, text in plan_texts(beat.plan):
                    if fact.spoken_in(text):
                        add("feasible", f"{beat.id}/{where}", f"fact {name!r} stands in an earlier plan: {text[:80]!r}")
        spoken = [
            beat.id
            for beat in session.beats[fact.beat :]
            if any(fact.spoken_in(text) for text in _messages(beat) if text)
        ]
        reactions = [text for beat in session.beats for row in beat.react.values() for text in row.values()]
        if not spoken and not any(fact.spoken_in(text) for text in reactions):
            add("feasible", "facts", f"fact {name!r} is never said")
        for record in session.records:
            content = world.record(record)
            if content is not None and fact.spoken_in(" ".join(_strings(content))):
                add("feasible", "facts", f"fact {name!r} can be read in record {record!r}")


def _check_lock(session: Session, add: Add) -> None:
    lock = session.lock
    if lock is None:
        return
    spec = specs().get(lock.tool)
    if spec is None or spec.kind != "write":
        add("feasible", "lock", f"{lock.tool!r} is no write tool")
        return
    guarded = 0
    for number, beat in enumerate(session.beats):
        plan = beat.plan
        groups = [plan.common] if plan.common is not None else list(plan.by_setting.values())
        for realisation in groups:
            for call in realisation.calls:
                if call.tool == lock.tool and all(call.arguments.get(k) == v for k, v in lock.match.items()):
                    guarded += 1
                    if number < session.decision:
                        add("feasible", beat.id, "the guarded write stands before the decision point")
    if not guarded:
        add("feasible", "lock", "no plan ever makes the guarded write")


def _check_cues(session: Session, add: Add) -> None:
    patterns = (*_cues()["any"], *_cues().get(session.attribute, ()))
    for beat in session.beats[: session.decision + 1]:
        for text in _messages(beat):
            for pattern in patterns:
                hit = pattern.search(text)
                if hit is not None:
                    add("not given away", beat.id, f"{hit.group(0)!r} cues a setting: {text[:90]!r}")


def _check_reactions(session: Session, add: Add) -> None:
    labels = get_attribute(session.attribute).labels
    if session.is_probe:
        if len(session.beats) <= session.decision + 1:
            add("answerable", "beats", "no beat follows the decision point")
        return
    beat = session.beats[session.decision + 1]
    seen: dict[str, str] = {}
    for target in labels:
        for shown in labels:
            text = beat.react[target][shown]
            if text in seen:
                add("answerable", beat.id, f"the reaction to {shown!r} for {target!r} repeats that of {seen[text]}")
            seen[text] = f"{target}/{shown}"
            if not 4 <= len(text.split()) <= 60:
                add("answerable", beat.id, f"a reaction of {len(text.split())} words ({target}/{shown})")
    for target in labels:
        if target not in beat.again:
            add("answerable", beat.id, f"no sharper correction (`again`) for {target!r}")


def _check_needs(session: Session, add: Add) -> None:
    for beat in session.beats:
        planned = {call.tool for call in beat.plan.before}
        groups = [beat.plan.common] if beat.plan.common is not None else list(beat.plan.by_setting.values())
        for tool in beat.needs:
            if tool not in specs():
                add("form", beat.id, f"`needs` names an unknown tool {tool!r}")
            elif not any(tool in planned | {call.tool for call in r.calls} for r in groups if r is not None):
                add("form", beat.id, f"`needs` {tool!r} is in no plan of the beat")


def _decision_plan(session: Session) -> PlanView:
    return session.beats[session.decision].plan


def _process(session: Session, add: Add) -> None:
    plan = _decision_plan(session)
    for label, realisation in plan.by_setting.items():
        calls = len(plan.before) + len(realisation.calls)
        notices = len((realisation.payload or {}).get("notices", ()))
        if calls < 2:
            add("observable", label, f"{calls} task calls in the decision turn; two are needed to narrate")
        if notices != calls:
            add("observable", label, f"{notices} notices for {calls} executed calls")


def _breadth(session: Session, add: Add) -> None:
    if len(session.task.get("options", ())) < 2:
        add("feasible", "task.options", "fewer than two viable options")


def _capability(session: Session, add: Add) -> None:
    if not any(call.fails for call in _decision_plan(session).before):
        add("feasible", "before", "no call is blocked at the decision point")
    if not session.task.get("blocked"):
        add("observable", "task.blocked", "the blocked tool is not named")


def _elicitation(session: Session, add: Add) -> None:
    if len(session.task.get("fields", ())) < 2:
        add("feasible", "task.fields", "fewer than two missing fields")
    for label, realisation in _decision_plan(session).by_setting.items():
        writes = [call.tool for call in realisation.calls if specs()[call.tool].kind == "write"]
        if label == "Infer" and not writes:
            add("observable", label, "no task call in the first turn")
        if label != "Infer" and writes:
            add("observable", label, f"task calls in a turn that asks: {writes}")


def _topics(session: Session, add: Add) -> None:
    if len(session.task.get("topics", ())) < 2:
        add("feasible", "task.topics", "fewer than two topics")


def _outreach(session: Session, add: Add) -> None:
    beat = session.beats[session.decision]
    if beat.event is None or beat.say:
        add("feasible", beat.id, "the decision beat must be an event without a message of the user")


def _expansion(session: Session, add: Add) -> None:
    plan = _decision_plan(session).by_setting
    writes = {label: [c for c in r.calls if specs()[c.tool].kind == "write"] for label, r in plan.items()}
    if len(writes["High"]) <= len(writes["Low"]):
        add("observable", "High", "no write beyond those of Low")


_STRUCTURE: Mapping[str, Callable[[Session, Add], None]] = {
    "process_visibility": _process,
    "solution_breadth": _breadth,
    "capability_boundary": _capability,
    "information_elicitation": _elicitation,
    "topic_management": _topics,
    "proactive_outreach": _outreach,
    "task_expansion": _expansion,
}


SHARED_RUN = 7


def _texts(session: Session) -> Iterator[tuple[str, str]]:
    for beat in session.beats:
        said = [beat.say] if isinstance(beat.say, str) else list(beat.say.values())
        for text in (*said, *(text for row in beat.react.values() for text in row.values()), *beat.again.values()):
            yield beat.id, text


def check_distinct(sessions: Iterable[Session], only: Container[str] = ()) -> list[Problem]:
    """Returns where two scripts share a run of words: no two sessions of a user are about one thing (paper 000, C.1).

    Args:
        sessions: all scripts of a user.
        only: ids of the scripts to report; all when empty.
    """
    seen: dict[tuple[str, ...], str] = {}
    found: dict[tuple[str, str], Problem] = {}
    for session in sessions:
        for beat, text in _texts(session):
            words = text.lower().split()
            for start in range(len(words) - SHARED_RUN + 1):
                run = tuple(words[start : start + SHARED_RUN])
                other = seen.setdefault(run, session.id)
                if other != session.id and (not only or session.id in only or other in only):
                    reason = f"says the same as {other}: {' '.join(run)!r}"
                    found.setdefault((other, session.id), Problem(session.id, "form", beat, reason))
    return list(found.values())


def check_event_text(event: ChangeEvent, world: World) -> list[Problem]:
    """Returns what is wrong with a change event: its records, and its tool calls on a scratch copy."""
    found = [
        Problem(event.id, "feasible", "records", f"{record!r} does not exist or is not visible at {event.at}")
        for record in event.records
        if world.record(record) is None
    ]
    scratch = world.branch()
    for number, turn in enumerate(event.turns):
        for call in turn.steps:
            if call.tool.startswith("IX_"):
                continue
            result = scratch.call(call.tool, dict(call.arguments))
            if not result.ok:
                found.append(Problem(event.id, "feasible", f"turn {number + 1}", f"{call.tool}: {result.error}"))
    return found
