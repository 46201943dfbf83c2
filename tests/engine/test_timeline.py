"""A whole timeline in play: order, rollback, isolation, checkpoints."""

from __future__ import annotations

import json
import pickle
import re
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mempa_gym.agents import BackboneSelector, PlannedPA, RandomSelector
from mempa_gym.engine import EndReason, EngineConfig, Phase, Term, TimelineEngine, play, play_out
from mempa_gym.errors import InvalidOptionError, PolicyError
from mempa_gym.interaction.policies import Reply, ToolUse
from mempa_gym.interaction.views import PAView, TurnRecord
from mempa_gym.personas import load_persona
from mempa_gym.timeline import SlotKind, load_library
from tests.engine.games import alone, fixed, script_of, whole


def test_slots_are_played_in_story_order_and_final_probes_last() -> None:
    game = play_out(whole("full"), fixed())
    story = [r for r in game.results if not r.final]
    assert [r.at for r in story] == sorted(r.at for r in story)
    assert [r.final for r in game.results] == sorted(r.final for r in game.results)
    assert game.end_reason is EndReason.TIMELINE_ENDED
    assert not [r for r in game.results if r.invalid or r.floor]


def test_a_change_event_moves_its_cell_and_no_other() -> None:
    game = whole()
    persona = load_persona("user_b")
    events = [slot for slot in game.timeline.slots if slot.kind is SlotKind.EVENT]
    assert len(events) == len(load_library("user_b").events) >= 3
    before = {slot.cell: slot.target for slot in game.timeline.slots if slot.kind is SlotKind.PROBE and not slot.final}
    final = {slot.cell: slot.target for slot in game.timeline.slots if slot.final}
    changed = {slot.cell for slot in events}
    assert set(before) == changed
    for cell, target in final.items():
        if cell in changed:
            assert target != before[cell]
        else:
            assert target == persona.initial[cell]


def test_a_pre_event_probe_runs_an_hour_before_its_event() -> None:
    slots = whole().timeline.slots
    for number, slot in enumerate(slots):
        if slot.kind is SlotKind.EVENT:
            assert slots[number - 1].kind is SlotKind.PROBE
            assert slots[number - 1].cell == slot.cell
            assert slots[number - 1].at[:11] == slot.at[:11]
            assert int(slot.at[11:13]) - int(slots[number - 1].at[11:13]) == 1


def test_sessions_change_the_world_and_probes_do_not() -> None:
    game = whole("file")
    policy = fixed()
    hashes: list[tuple[str, str, str]] = []
    told = None
    while not game.done:
        slot = game.slot
        assert slot is not None
        before, place = game.world.state_hash(), game.position
        told = play(game, policy, stop=lambda g, place=place: g.position != place, started=told)
        hashes.append((slot.kind.value, before, game.world.state_hash()))
    assert all(before == after for kind, before, after in hashes if kind == "probe")
    assert sum(before != after for kind, before, after in hashes if kind == "accumulation") > 20
    assert all(before != after for kind, before, after in hashes if kind == "event")


def test_probes_leave_no_trace_in_what_comes_after() -> None:
    with_probes = play_out(whole("file", repeats=3), PlannedPA(RandomSelector()))
    without = play_out(whole("file", probes=False), PlannedPA(RandomSelector()))
    live = [r for r in with_probes.results if r.kind != "probe"]
    assert [(r.slot, r.state_hash, r.turns) for r in live] == [(r.slot, r.state_hash, r.turns) for r in without.results]
    assert with_probes.memory.dump(with_probes.memory.get_state()) == without.memory.dump(without.memory.get_state())


def test_repeats_differ_only_by_their_own_randomness() -> None:
    game = play_out(whole(repeats=3), fixed())
    by_slot: dict[str, list[object]] = {}
    for r in game.results:
        if r.kind == "probe":
            by_slot.setdefault(r.slot, []).append((r.turns, r.selection))
    assert all(len(rows) == 3 and rows[0] == rows[1] == rows[2] for rows in by_slot.values())
    drawn = play_out(whole(repeats=3), PlannedPA(RandomSelector()))
    picks: dict[str, list[str | None]] = {}
    for r in drawn.results:
        if r.kind == "probe":
            picks.setdefault(r.slot, []).append(r.selection)
    assert any(len(set(row)) > 1 for row in picks.values())


def test_acting_out_of_turn_is_an_error_that_changes_nothing() -> None:
    game = whole()
    assert game.phase is Phase.SPEAK
    with pytest.raises(PolicyError, match="waits for 'speak'"):
        game.do_pa(Reply("hello"))
    assert game.phase is Phase.SPEAK


@settings(max_examples=25, deadline=None)
@given(stop=st.integers(0, 1200), wander=st.integers(1, 60), seed=st.integers(0, 3))
def test_checkpoint_branch_and_discard(stop: int, wander: int, seed: int) -> None:
    """Whatever a branch does, the game goes on from its checkpoint as if it had not been."""
    game = whole("file", seed=seed)
    policy = PlannedPA(BackboneSelector("gpt-5.6-sol"))
    count = 0

    def enough(limit: int) -> Callable[[TimelineEngine], bool]:
        def check(_: TimelineEngine) -> bool:
            nonlocal count
            count += 1
            return count > limit

        return check

    told = play(game, policy, stop=enough(stop))
    saved, saved_policy, world = game.checkpoint(), policy.get_state(), game.world.state_hash()
    held = game.session.world.state_hash() if game.session else ""
    count = 0
    play(game, policy, stop=enough(wander), started=told)
    game.restore(saved)
    policy.set_state(saved_policy)
    assert game.world.state_hash() == world
    assert (game.session.world.state_hash() if game.session else "") == held
    play(game, policy, started=told)
    straight = play_out(whole("file", seed=seed), PlannedPA(BackboneSelector("gpt-5.6-sol")))
    assert game.results == straight.results


def test_a_checkpoint_survives_pickling_in_the_middle_of_a_held_action() -> None:
    session = script_of("autonomy_level", context="work")
    game = alone(session, "Reactive")
    policy = fixed({"autonomy_level": "Reactive"})
    told = play(game, policy, stop=lambda g: bool(g.session and g.session.wrapper.held and g.phase is Phase.WRITE))
    assert game.session is not None
    assert game.session.wrapper.held
    copy, copied_policy = pickle.loads(pickle.dumps((game, policy)))
    play(game, policy, started=told)
    play(copy, copied_policy, started=told)
    assert game.results == copy.results


def test_a_checkpoint_in_the_middle_of_an_event_keeps_its_log() -> None:
    game, policy = whole("full", probes=False), fixed()
    told = play(game, policy, stop=lambda g: bool(g.slot and g.slot.event and g._event_world.log))
    saved, saved_policy = game.checkpoint(), policy.get_state()
    game.restore(saved)
    policy.set_state(saved_policy)
    play(game, policy, started=told)
    assert game.results == play_out(whole("full", probes=False), fixed()).results


class _Silent:
    """Never calls an interaction tool."""

    name = "silent"
    uses_plan = False

    def begin_session(self, rng: np.random.Generator) -> None:
        pass

    def act(self, view: PAView) -> Reply:
        return Reply("Noted.")

    def get_state(self) -> None:
        return None

    def set_state(self, state: object) -> None:
        pass


def test_a_probe_without_a_selection_is_run_three_times_and_floored() -> None:
    game = play_out(alone(script_of("verbosity", "probe"), "Terse", attempts=3), _Silent())
    (result,) = game.results
    assert result.floor == "selection_missing"
    assert result.attempt == 2
    assert not result.correct
    assert result.invalid is None


def test_a_session_without_a_selection_is_rolled_back_and_incomplete() -> None:
    game = alone(script_of("verbosity"), "Terse", memory="full", attempts=2)
    start = game.world.state_hash()
    play_out(game, _Silent())
    (result,) = game.results
    assert result.invalid == "selection_missing"
    assert result.floor is None
    assert game.world.state_hash() == start
    assert game.memory.dump(game.memory.get_state()) == whole("full").memory.dump(whole("full").memory.get_state())


class _Endless(_Silent):
    """Calls a read for ever."""

    def act(self, view: PAView) -> ToolUse:  # type: ignore[override]
        return ToolUse("contact_search", {})


def test_a_turn_ends_at_the_call_limit() -> None:
    game = alone(script_of("verbosity"), "Terse", max_calls=7)
    play(game, _Endless(), stop=lambda g: g.phase is Phase.WRITE)
    assert game.session is not None
    assert len(game.session.turns[0].steps) == 7
    assert game.session.turns[0].reply


def test_a_reminder_comes_once_and_names_the_tool() -> None:
    game = alone(script_of("verbosity", "probe"), "Terse")
    reminders: list[str] = []

    class Watching(_Silent):
        def act(self, view: PAView) -> Reply:
            if view.reminder:
                reminders.append(view.reminder)
            return Reply("Noted.")

    play_out(game, Watching())
    assert len(reminders) == 1
    assert "IX_verbosity" in reminders[0]


def test_bad_calls_are_error_results_that_write_nothing() -> None:
    game = alone(script_of("verbosity"), "Terse")
    play(game, None)
    assert game.session is not None
    start = game.session.world.state_hash()
    bad = [
        ToolUse("message_send", '{"to": "con_renee", "text": '),
        ToolUse("message_sent", {"to": "con_renee", "text": "x"}),
        ToolUse("message_send", {"to": 7, "text": "x"}),
        ToolUse("message_send", {"to": "con_nobody", "text": "x"}),
        ToolUse("IX_verbosity", {"setting": "Terse"}),
        ToolUse("IX_tone_formality", {"payload": {"rationale": "x"}}),
        ToolUse("IX_release", {"item_id": "h1"}),
        ToolUse("", {}),
    ]
    for action in bad:
        game.do_pa(action)
        step = game.pa_view().steps[-1]
        assert not step.ok
        assert step.text.startswith("Error")
    assert game.session.world.state_hash() == start


def test_a_second_selection_and_a_foreign_payload_change_nothing() -> None:
    session = script_of("verbosity", "probe")
    game = alone(session, "Terse")
    play(game, None, stop=lambda g: bool(g.phase is Phase.ACT and g.pa_view().offered))
    game.do_pa(ToolUse("IX_verbosity", {"setting": "Terse"}))
    game.do_pa(ToolUse("IX_verbosity", {"setting": "Detailed"}))
    game.do_pa(ToolUse("IX_verbosity", {"payload": {"rationale": "x"}}))
    view = game.pa_view()
    assert view.selected == {"verbosity": "Terse"}
    assert [step.ok for step in view.steps] == [True, False, False]


class _Selecting(_Silent):
    """Selects as told and sends no payload but the one given."""

    def __init__(self, attribute: str, setting: str, payload: dict[str, object] | None = None) -> None:
        self.tool = f"IX_{attribute}"
        self.setting = setting
        self.payload = payload

    def act(self, view: PAView) -> Reply | ToolUse:  # type: ignore[override]
        if view.offered:
            return ToolUse(self.tool, {"setting": self.setting})
        if view.selected and self.payload and not any("payload" in step.arguments for step in view.steps):
            return ToolUse(self.tool, {"payload": self.payload})
        return Reply("Noted.")


@pytest.mark.parametrize("kind", ["probe", "accumulation"])
def test_a_right_selection_in_a_run_that_failed_pays_nothing(kind: str) -> None:
    """Otherwise leaving the payload out twice would pay a selection three times."""
    game = alone(script_of("reasoning_visibility", kind), "Show", attempts=3)
    play_out(game, _Selecting("reasoning_visibility", "Show"))
    (result,) = game.results
    assert "payload_missing" in (result.floor, result.invalid)
    assert result.attempt == 2
    assert sum(item.amount for item in game.drain() if item.term is Term.SELECTION) == 0.0


def test_a_question_about_manner_counts_wherever_the_user_reads_it() -> None:
    question = "How would you like me to handle this kind of thing?"
    game = alone(script_of("information_elicitation"), "Infer")
    play_out(game, _Selecting("information_elicitation", "Structured", {"questions": [question]}))
    (result,) = game.results
    asks = sum(question in turn.reply for turn in result.turns)
    assert asks > 0
    assert result.asked == asks
    assert sum(item.amount for item in game.drain() if item.term is Term.ASK) == asks


def _records(game: TimelineEngine) -> list[TurnRecord]:
    found: list[TurnRecord] = []
    write = game.memory.write

    def watched(record: TurnRecord) -> None:
        found.append(record)
        write(record)

    game.memory.write = watched  # type: ignore[method-assign]
    play_out(game, fixed())
    return found


def test_turn_ids_tell_neither_a_place_nor_a_probe() -> None:
    ids = [record.turn_id for record in _records(whole("full", repeats=2))]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch("[0-9a-f]{16}", found) for found in ids)


def test_a_memory_reads_a_selection_alike_in_an_event_and_in_a_session() -> None:
    game = whole("full", probes=False)
    records = _records(game)
    times = {slot.at for slot in game.timeline.slots if slot.kind is SlotKind.EVENT}
    keys: dict[bool, set[tuple[str, ...]]] = {True: set(), False: set()}
    for record in records:
        for step in record.steps:
            if step.tool in ("IX_autonomy_level", "IX_topic_management") and "setting" in step.arguments:
                keys[record.at in times].add((step.tool, *sorted(json.loads(step.text))))
    assert keys[True]
    assert keys[True] == keys[False]


def test_a_stopped_game_keeps_nothing_of_the_session_in_play() -> None:
    game = alone(script_of("verbosity"), "Terse", memory="full")
    play(game, fixed(), stop=lambda g: bool(g.session and g.session.turns and g.phase is Phase.SPEAK))
    assert game.memory.stats()["turns"]
    game.stop(EndReason.STEP_LIMIT)
    assert not game.memory.stats()["turns"]
    assert game.position == 0


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("repeats", 0),
        ("attempts", True),
        ("max_calls", 2.0),
        ("answer_asks", "no"),
        ("told_context", 1),
        ("start_session", True),
        ("start_session", -1),
        ("end_session", 0),
    ],
)
def test_a_setting_that_cannot_be_used_is_refused_by_name(name: str, value: object) -> None:
    with pytest.raises(InvalidOptionError, match=name):
        EngineConfig(**{name: value})  # type: ignore[arg-type]
