"""Who sees what (paper 000, Table 9): canaries in everything private are searched for everywhere else."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from mempa_gym.agents import PlannedPA, ReaderSelector
from mempa_gym.engine import Phase, TimelineEngine, play
from mempa_gym.envs import observations
from mempa_gym.interaction.policies import PAAction, Reply, ToolUse
from mempa_gym.interaction.views import PAView
from mempa_gym.taxonomy import attribute, attribute_ids
from mempa_gym.timeline import Session
from tests.engine.games import alone, fixed, script_of, whole

LIFE, GOAL, TITLE, SCENARIO, WITHHELD = (
    "CANARY-LIFE",
    "CANARY-GOAL",
    "CANARY-TITLE",
    "CANARY-SCENARIO",
    "CANARY-WITHHELD",
)


def planted(session: Session) -> Session:
    """Returns the script with canaries in what only the user or nobody may know."""
    beats = tuple(replace(beat, goal=GOAL) for beat in session.beats)
    return replace(session, life=LIFE, title=TITLE, scenario=SCENARIO, beats=beats, id="CANARY-ID")


class Watcher:
    """Plays another policy's moves and keeps every view."""

    uses_plan = True

    def __init__(self, inner: PlannedPA) -> None:
        self.inner = inner
        self.name = inner.name
        self.views: list[PAView] = []

    def begin_session(self, rng: Any) -> None:
        self.inner.begin_session(rng)

    def act(self, view: PAView) -> PAAction:
        self.views.append(view)
        return self.inner.act(view)

    def get_state(self) -> Any:
        return self.inner.get_state()

    def set_state(self, state: Any) -> None:
        self.inner.set_state(state)


def everything_outside(game: TimelineEngine, watcher: Watcher) -> list[str]:
    """Returns all that PA and memory got: views, evidence, the memory's whole store, tool results."""
    seen = [repr(replace(view, plan=None)) for view in watcher.views]
    seen.extend(json.dumps(observations.pa_observation(view), default=repr) for view in watcher.views)
    seen.append(json.dumps(game.memory.dump(game.memory.get_state())))
    return seen


@pytest.mark.parametrize("name", attribute_ids())
@pytest.mark.parametrize("kind", ["accumulation", "probe"])
@pytest.mark.parametrize("memory", ["full", "file"])
def test_private_text_reaches_neither_pa_nor_memory(name: str, kind: str, memory: str) -> None:
    session = planted(script_of(name, kind))
    for target in attribute(name).labels:
        game = alone(session, target, memory=memory)
        watcher = Watcher(fixed())
        play(game, watcher)
        for text in everything_outside(game, watcher):
            for canary in (LIFE, GOAL, TITLE, SCENARIO, "CANARY-ID"):
                assert canary not in text


@pytest.mark.parametrize("name", attribute_ids())
def test_what_pa_and_memory_see_before_the_reaction_does_not_depend_on_the_target(name: str) -> None:
    for kind in ("accumulation", "probe"):
        session = script_of(name, kind)
        seen = []
        for target in attribute(name).labels:
            game = alone(session, target, memory="full")
            watcher = Watcher(fixed())

            def reacting(g: TimelineEngine, session: Session = session) -> bool:
                return g.session is not None and g.phase is Phase.SPEAK and len(g.session.turns) > session.decision

            play(game, watcher, stop=reacting)
            seen.append(everything_outside(game, watcher))
        assert all(row == seen[0] for row in seen)


@pytest.mark.parametrize("name", attribute_ids())
def test_a_probe_is_the_same_whatever_the_target(name: str) -> None:
    """In a probe the user gives no feedback, so nothing at all may depend on what she wants."""
    session = script_of(name, "probe")
    seen = []
    for target in attribute(name).labels:
        game = alone(session, target, memory="full")
        watcher = Watcher(fixed())
        play(game, watcher)
        seen.append(everything_outside(game, watcher))
    assert all(row == seen[0] for row in seen)


WITHHOLDING = {
    "reasoning_visibility": ("Hide", {"rationale": WITHHELD}),
    "uncertainty_expression": ("Hide", {"statements": [{"claim": WITHHELD, "confidence": "low"}]}),
    "process_visibility": ("Silent", {"opening": WITHHELD, "notices": [WITHHELD], "closing": WITHHELD}),
    "information_elicitation": ("Infer", {"questions": [WITHHELD]}),
}


@pytest.mark.parametrize("name", sorted(WITHHOLDING))
def test_withheld_text_reaches_neither_user_nor_memory_nor_judge(name: str) -> None:
    setting, payload = WITHHOLDING[name]
    session = script_of(name)
    game = alone(session, setting, memory="full")
    play(game, None, stop=lambda g: bool(g.phase is Phase.ACT and g.pa_view().offered))
    while game.phase is not Phase.ACT or not game.pa_view().offered:
        if game.phase is Phase.ACT:
            game.do_pa(Reply("Noted."))
        play(game, None)
    game.do_pa(ToolUse(f"IX_{name}", {"setting": setting}))
    game.do_pa(ToolUse(f"IX_{name}", {"payload": payload}))
    game.do_pa(Reply("Here is the result."))
    record = game.turn_record()
    assert WITHHELD not in repr(record)
    game.do_write()
    assert game.session is not None
    assert WITHHELD in json.dumps(game.session.private)
    assert WITHHELD not in json.dumps(game.memory.dump(game.memory.get_state()))
    assert WITHHELD not in repr(game.session.judged_turns)
    assert WITHHELD not in repr(game.session.user)


def test_held_content_waits_outside_memory_until_it_is_released() -> None:
    session = script_of("autonomy_level", context="work")
    game = alone(session, "Reactive", memory="full")
    policy = fixed({"autonomy_level": "Reactive"})
    told = play(game, policy, stop=lambda g: bool(g.session and g.session.wrapper.held and g.phase is Phase.WRITE))
    record = game.turn_record()
    assert game.session is not None
    held = game.session.wrapper.held
    assert held
    calls = [step for step in record.steps if not step.ran and step.tool == held[-1].tool]
    assert calls
    assert all(not step.arguments for step in calls)
    play(game, policy, started=told)
    (result,) = game.results
    assert [entry.tool for entry in result.log].count(held[-1].tool) == 1


def test_the_users_view_has_no_selection() -> None:
    session = script_of("verbosity")
    game = alone(session, "Terse", memory="none")
    play(game, fixed(), stop=lambda g: bool(g.session and len(g.session.turns) > session.decision))
    from mempa_gym.engine import views

    assert game.session is not None
    heard = views.heard(game.session)
    assert "IX_" not in repr(heard)


def test_evidence_never_holds_the_session_in_play_and_a_probe_no_raw_conversation() -> None:
    game = whole("file")
    watcher = Watcher(PlannedPA(ReaderSelector()))
    play(game, watcher)
    for result in game.results:
        if result.kind == "probe":
            assert "USER:" not in result.evidence
        for turn in result.turns:
            assert turn.user not in result.evidence or len(turn.user) < 20


def test_no_id_or_record_tells_the_cell() -> None:
    """Ids of records, paths and tools that a PA meets carry no attribute, setting or kind of session."""
    from mempa_gym.world.check import check_fixtures

    assert check_fixtures("user_b") == []
    game = whole("none")
    watcher = Watcher(fixed())
    play(game, watcher)
    names = [name.replace("_", " ") for name in attribute_ids()]
    for view in watcher.views:
        words = f"{view.user} {view.event or ''}".lower()
        assert not any(name in words for name in names)
