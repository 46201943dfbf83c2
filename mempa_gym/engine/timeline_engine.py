"""One timeline, played turn by turn.

The engine is a synchronous state machine: it always waits for exactly one role (the user speaks, the memory recalls,
the PA makes a model call, the memory writes) and moves on when that role has acted. There are no threads and no
callbacks, so a game can be stopped, copied, restored and continued at any step, and the PettingZoo environment is a
thin cover over it.

The order of a turn is that of paper 000, 3.1 and 3.4: the user's message, the memory's evidence, the PA's calls one
by one, the wrapper's delivery, the memory's write. A probe is played on a branch of the checkpoint and leaves nothing
behind; a session or probe that fails is rolled back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

import numpy as np

from mempa_gym.behaviour import asks_preference
from mempa_gym.engine import views
from mempa_gym.engine.config import EngineConfig
from mempa_gym.engine.randomness import Stream, child, child_seed, opaque_id
from mempa_gym.engine.records import EndReason, Occurrence, SlotResult, Term
from mempa_gym.engine.turn import SessionState, TurnState
from mempa_gym.errors import DataError, MempaGymError, PolicyError
from mempa_gym.frozen import FrozenDict, frozen
from mempa_gym.interaction.action_classes import classify
from mempa_gym.interaction.exchange import exchange_turn, executed_call
from mempa_gym.interaction.policies import PAAction, Reply, ToolUse
from mempa_gym.interaction.views import MemoryQuery, PAView, PublicTurn, Step, TurnRecord
from mempa_gym.interaction.wrapper import IXWrapper
from mempa_gym.memory import MemorySystem
from mempa_gym.memory.bounds import OracleMemory
from mempa_gym.memory.kept import KeptMemory
from mempa_gym.timeline import ChangeEvent, Slot, SlotKind, Timeline
from mempa_gym.tools import ToolResult, ToolSpec
from mempa_gym.tools import specs as tool_specs
from mempa_gym.users import UserNotes, UserSimulator, UserTurn
from mempa_gym.users.checks import check_message
from mempa_gym.world import Lock, World

__all__ = ["Checkpoint", "Judge", "Phase", "TimelineEngine", "lay_out"]

LIMIT_REPLY = "I could not finish this within the calls I am allowed for one turn."
ILLEGAL_NAME = "Error: there is no tool named {name!r}. Nothing was written."


class Judge(Protocol):
    """Scores an exchange against a setting; returns 1 to 5, or None where it cannot tell."""

    def __call__(self, attribute: str, setting: str, exchange: Mapping[str, Any]) -> float | None:
        """Returns the score of an exchange (see ``interaction.exchange``) against a setting."""
        ...


class Phase(StrEnum):
    """Whom the engine waits for."""

    SPEAK = "speak"
    RECALL = "recall"
    ACT = "act"
    WRITE = "write"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A frozen copy of a timeline in progress; restoring it any number of times gives the same game."""

    fields: Mapping[str, Any]


def lay_out(timeline: Timeline, config: EngineConfig) -> tuple[tuple[int, int], ...]:
    """Returns what is played of a timeline, in order: the slot's index and the repeat, 0 but for probes."""
    places: list[tuple[int, int]] = []
    story = 0

    def inside() -> bool:
        end = config.end_session
        return config.start_session <= story and (end is None or story < end)

    for index, slot in enumerate(timeline.slots):
        if slot.kind is SlotKind.PROBE:
            played = config.probes and (slot.final or inside())
            places.extend((index, repeat) for repeat in range(config.repeats) if played)
            continue
        if config.accumulate and inside():
            places.append((index, 0))
        story += 1
    return tuple(places)


class TimelineEngine:
    """A timeline in play.

    Args:
        timeline: the slots and their targets.
        world: the world at the start; it is branched, never changed.
        memory: the memory under test; it belongs to this engine alone.
        user: the simulated user.
        seed: the root of all randomness (see ``randomness``).
        config: limits and modes.
        judge: scores each finished session's exchange against its target; None leaves realization out.
        worlds: for a run without accumulation: slot index to the world at that probe's checkpoint.
    """

    def __init__(
        self,
        timeline: Timeline,
        world: World,
        memory: MemorySystem,
        user: UserSimulator,
        *,
        seed: int,
        config: EngineConfig | None = None,
        judge: Judge | None = None,
        worlds: Mapping[int, World] | None = None,
    ) -> None:
        self.timeline = timeline
        self.config = config or EngineConfig()
        self.seed = seed
        self.memory = memory
        self.results: list[SlotResult] = []
        self.end_reason = EndReason.RUNNING
        self.phase = Phase.DONE
        self._user = user
        self._judge = judge
        self._worlds = worlds
        self._world = world.branch()
        self._notes = UserNotes()
        self._places = lay_out(timeline, self.config)
        self._position = -1
        self._attempt = 0
        self._session: SessionState | None = None
        self._turn: TurnState | None = None
        self._proposed: tuple[Any, UserTurn] | None = None
        self._event_turns: tuple[PublicTurn, ...] = ()
        self._event_world = self._world
        self._record: TurnRecord | None = None
        self._occurrences: list[Occurrence] = []
        self._memory_version = 0
        self._probe_memory: tuple[int, Any] | None = None
        self._next_place()

    # -- where the game stands -------------------------------------------------------------------------------------

    @property
    def done(self) -> bool:
        """Whether the timeline has ended."""
        return self.phase is Phase.DONE

    @property
    def slot(self) -> Slot | None:
        """The slot in play, None once the timeline has ended. Holds a target: not for policies."""
        return None if self.done else self.timeline.slots[self._places[self._position][0]]

    @property
    def session_key(self) -> tuple[int, int, int]:
        """Slot, repeat and attempt in play: a policy is given fresh state whenever this changes. Not for policies."""
        index, repeat = self._places[self._position]
        return index, repeat, self._attempt

    @property
    def places(self) -> int:
        """How many slots are played in all, each repeat of a probe counted."""
        return len(self._places)

    @property
    def position(self) -> int:
        """How many slots have been finished."""
        return self._position

    @property
    def world(self) -> World:
        """The world as committed so far. Not for policies."""
        return self._world

    @property
    def session(self) -> SessionState | None:
        """The session in play, None in an event. Holds private parts: for tests, recorders and tools."""
        return self._session

    @property
    def turn(self) -> TurnState | None:
        """The user turn in play, None between turns."""
        return self._turn

    def notebook_text(self) -> str:
        """Returns all that the memory holds as text, where it is a notebook; else an empty text."""
        return self.memory.text if isinstance(self.memory, KeptMemory) else ""

    def stop(self, reason: EndReason) -> None:
        """Ends the game before its time; nothing of the session in play is kept."""
        if self._session is not None:
            self.memory.set_state(self._session.memory_before)
        self.phase = Phase.DONE
        self.end_reason = reason
        self._session = self._turn = self._proposed = self._record = None

    def skip(self) -> None:
        """Passes over the session or probe in play: it leaves neither a result nor a change."""
        session = self._live()
        self.memory.set_state(session.memory_before)
        self._leave()

    def pa_generator(self) -> np.random.Generator:
        """Returns the generator that the PA's policy gets for the session in play."""
        return child(self.seed, Stream.PA, *self.session_key)

    def drain(self) -> tuple[Occurrence, ...]:
        """Returns what has happened since the last call that a reward may be paid for."""
        if not self._occurrences:
            return ()
        found, self._occurrences = tuple(self._occurrences), []
        return found

    # -- what each role sees ---------------------------------------------------------------------------------------

    def pa_view(self, *, with_plan: bool = False) -> PAView:
        """Returns the PA's view. Raises PolicyError when it is not the PA's turn."""
        self._expect(Phase.ACT)
        session, turn = self._acting()
        return views.pa_view(session, turn, with_plan=with_plan)

    def memory_query(self) -> MemoryQuery:
        """Returns what the memory is asked. Raises PolicyError when it is not time to recall."""
        self._expect(Phase.RECALL)
        session, turn = self._acting()
        return views.memory_query(session.world.now, turn)

    def turn_record(self) -> TurnRecord:
        """Returns what the memory is given to write. Raises PolicyError when it is not time to write."""
        self._expect(Phase.WRITE)
        assert self._record is not None
        return self._record

    def user_proposal(self) -> UserTurn:
        """Returns the turn that the script's user is about to take. Raises PolicyError when it is not her turn."""
        self._expect(Phase.SPEAK)
        assert self._proposed is not None
        return self._proposed[1]

    def user_brief(self) -> dict[str, str]:
        """Returns what a user played from outside may know beyond the dialogue.

        Paper 000, Table 9: profile, settings and script are hers to see. Keys: life, goal; on the decision beat and
        the one after it also attribute, setting and behaviour of what she wants.
        """
        self._expect(Phase.SPEAK)
        return views.user_brief(self._live(), self.user_proposal().beat)

    # -- what each role does ---------------------------------------------------------------------------------------

    def do_user(self, message: str | None = None) -> list[str]:
        """Lets the user speak: the script's message, or ``message`` in its place.

        Returns:
            What is wrong with a message that was not delivered; it may be rewritten up to three times, then the session
            is invalid (paper 000, D.4). Empty when it was delivered.
        """
        self._expect(Phase.SPEAK)
        session = self._live()
        assert self._proposed is not None
        state, turn = self._proposed
        text = turn.message if message is None or not message.strip() else message
        if text:
            last = session.turns[-1].reply if session.turns else ""
            found = check_message(text, "probe" if session.session.is_probe else "accumulation", last)
            if found:
                session.rejected += 1
                if message is None or session.rejected > 3:
                    self._fail(f"user message rejected: {found[0].why}", rerun=False, floor=False)
                return [f"{item.kind}: {item.why} ({item.span!r})" for item in found]
        session.rejected = 0
        self._open_turn(session, state, turn, text)
        return []

    def do_recall(self, evidence: str | None = None) -> None:
        """Gives the PA its evidence: the memory's own, or ``evidence`` in its place."""
        self._expect(Phase.RECALL)
        session, turn = self._acting()
        text = self.memory.recall(self.memory_query()) if evidence is None else evidence
        if self.config.told_context:
            text = f"{text}\nThis session belongs to the user's {session.session.context} life.".lstrip()
        turn.evidence = text
        if turn.decision and not session.decision_evidence:
            session.decision_evidence = text
        self.phase = Phase.ACT

    def do_pa(self, action: PAAction) -> None:
        """Takes one model call of the PA: a tool use, or the reply that ends the turn."""
        self._expect(Phase.ACT)
        if not isinstance(action, ToolUse | Reply):
            raise PolicyError(f"an action must be a ToolUse or a Reply, got {type(action).__name__}", where="PA policy")
        words = action.text if isinstance(action, Reply) else action.tool
        if not isinstance(words, str):
            raise PolicyError(f"a reply's text and a tool's name are strings, got {words!r}", where="PA policy")
        session, turn = self._acting()
        turn.calls += 1
        if isinstance(action, Reply):
            self._deliver(session, turn, action.text)
            return
        if action.tool.startswith("IX_"):
            self._interact(session, turn, action)
        else:
            self._use_tool(session, turn, action)
        if turn.calls >= self.config.max_calls and self.phase is Phase.ACT and self._turn is turn:
            turn.reminded = True
            self._deliver(session, turn, LIMIT_REPLY)

    def do_write(self, keep: str | None = None) -> None:
        """Lets the memory store the turn; a memory that a policy fills keeps ``keep`` instead."""
        self._expect(Phase.WRITE)
        record = self._record
        assert record is not None
        probe = self._session is not None and self._session.session.is_probe
        if keep is None:
            self.memory.write(record)
        elif isinstance(self.memory, KeptMemory):
            self.memory.keep(keep, record.at)
        else:
            raise PolicyError(
                f"the memory {self.memory.name!r} decides for itself what it keeps",
                where="do_write",
                remedy="Play memory_0 from outside, which gives the game a KeptMemory",
            )
        stored = 1.0 if keep is None or keep else 0.0
        if stored:
            self._happened(Term.WRITE, stored, probe)
        if not probe:
            self._memory_version += 1
        self._record = None
        if self._session is None:
            self._play_event()
        else:
            self._turn = None
            self._propose(self._session)

    # -- checkpoints -----------------------------------------------------------------------------------------------

    _COPIED = (
        "end_reason",
        "phase",
        "_notes",
        "_position",
        "_attempt",
        "_proposed",
        "_event_turns",
        "_record",
        "_memory_version",
        "_probe_memory",
    )

    def checkpoint(self) -> Checkpoint:
        """Returns a frozen copy of the game, at a cost that depends on neither its length nor the world's size."""
        fields: dict[str, Any] = {name: getattr(self, name) for name in self._COPIED}
        fields["_world"] = self._world.branch()
        fields["_event_world"] = self._event_world.copy()
        fields["memory"] = self.memory.get_state()
        fields["results"] = tuple(self.results)
        fields["_occurrences"] = tuple(self._occurrences)
        fields["_session"] = self._session.copy() if self._session is not None else None
        fields["_turn"] = self._turn.copy() if self._turn is not None else None
        return Checkpoint(fields)

    def restore(self, checkpoint: Checkpoint) -> None:
        """Puts the game back to a checkpoint of this engine, or of one built alike."""
        fields = checkpoint.fields
        for name in self._COPIED:
            setattr(self, name, fields[name])
        self._world = fields["_world"].branch()
        self._event_world = fields["_event_world"].copy()
        self.memory.set_state(fields["memory"])
        self.results = list(fields["results"])
        self._occurrences = list(fields["_occurrences"])
        self._session = fields["_session"].copy() if fields["_session"] is not None else None
        self._turn = fields["_turn"].copy() if fields["_turn"] is not None else None

    # -- slots -----------------------------------------------------------------------------------------------------

    def _next_place(self) -> None:
        self._position += 1
        self._attempt = 0
        if self._position >= len(self._places):
            self.phase = Phase.DONE
            self.end_reason = EndReason.TIMELINE_ENDED
            return
        self._begin_slot()

    def _begin_slot(self) -> None:
        index, repeat = self._places[self._position]
        slot = self.timeline.slots[index]
        if slot.event is not None:
            self._session = None
            self._event_turns = ()
            self._event_world = self._world.branch()
            self._event_world.now = slot.at
            self._play_event()
            return
        assert slot.session is not None
        script = slot.session
        base = self._worlds[index] if self._worlds is not None else self._world
        work = base.branch()
        work.now = script.at
        work.set_locks((Lock("lock", script.lock.tool, dict(script.lock.match)),) if script.lock else ())
        before = self.memory.get_state()
        if script.is_probe:
            self._enter_probe_memory(script.at, before)
            if isinstance(self.memory, OracleMemory):
                self.memory.reveal(script.attribute, slot.target)
        user = self._user.begin(
            script,
            slot.target,
            UserNotes() if script.is_probe else self._notes,
            probe=script.is_probe,
            seed=child_seed(self.seed, Stream.USER, index, repeat, self._attempt),
        )
        self._session = SessionState(
            session=script,
            target=slot.target,
            final=slot.final,
            repeat=repeat,
            attempt=self._attempt,
            world=work,
            wrapper=IXWrapper(),
            user=user,
            memory_before=before,
        )
        self._propose(self._session)

    def _enter_probe_memory(self, now: str, before: Any) -> None:
        # The branch of one checkpoint is the same for every probe and repeat there: flushing once is enough.
        if self._probe_memory is not None and self._probe_memory[0] == self._memory_version:
            self.memory.set_state(self._probe_memory[1])
            return
        self.memory.prepare_checkpoint(now)
        self.memory.without_conversation()
        self._probe_memory = (self._memory_version, self.memory.get_state())

    def _propose(self, session: SessionState) -> None:
        state, turn = self._user.speak(session.user, views.heard(session))
        if turn.ended:
            session.user = state
            session.private = (*session.private, turn.private)
            if turn.shown is not None and session.shown is None:
                session.shown = turn.shown
            self._end_session(session)
            return
        self._proposed = (state, turn)
        self.phase = Phase.SPEAK

    def _open_turn(self, session: SessionState, state: Any, turn: UserTurn, text: str) -> None:
        script = session.session
        session.user = state
        self._proposed = None
        session.private = (*session.private, turn.private)
        if turn.shown is not None and session.shown is None:
            session.shown = turn.shown
        if session.judged_turns:
            last = FrozenDict({**session.judged_turns[-1], "user_next": text})
            session.judged_turns = (*session.judged_turns[:-1], last)
        beat = next(beat for beat in script.beats if beat.id == turn.beat)
        said = frozenset(name for name, fact in script.facts.items() if fact.spoken_in(text))
        if said - session.spoken:
            session.spoken = session.spoken | said
            if script.lock is not None and session.spoken.issuperset(script.lock.until):
                session.world.open_lock("lock")
        decision = beat.decision or session.deferred
        session.deferred = False
        if decision and session.decided_at < 0:
            session.decided_at = len(session.turns)
            session.wrapper.offer(script.attribute)
        if session.decided_at < 0 or session.decided_at == len(session.turns):
            session.judged_turns = ()
            session.judged_user, session.judged_event = text, turn.event
        session.wrapper.begin_turn(turn.event)
        consent = turn.private.get("consent_decisions") or {}
        if consent:
            session.wrapper.apply_consent(consent)
        self._turn = TurnState(text, turn.event, beat.plan, decision)
        self.phase = Phase.RECALL

    # -- the PA's turn ---------------------------------------------------------------------------------------------

    def _interact(self, session: SessionState, turn: TurnState, action: ToolUse) -> None:
        wrapper = session.wrapper
        before = len(wrapper.selected)
        outcome = wrapper.use(action.tool, action.arguments)
        text, ok, ran = outcome.text, outcome.ok, False
        if outcome.release is not None:
            item = outcome.release
            checked = item.arguments
            result = self._run(session, turn, tool_specs()[item.tool], checked, frozen(checked), item.action_class)
            text, ok, ran = result.text(), result.ok, True
        turn.steps = (*turn.steps, Step(action.tool, frozen(outcome.arguments), ok, text, ran))
        probe = session.session.is_probe
        if len(wrapper.selected) > before:
            correct = wrapper.selected.get(session.session.attribute) == session.target
            self._happened(Term.SELECTION, 1.0 if correct else 0.0, probe)
        elif not outcome.ok:
            self._happened(Term.INVALID, 1.0, probe)

    def _use_tool(self, session: SessionState, turn: TurnState, action: ToolUse) -> None:
        spec = tool_specs().get(action.tool)
        if spec is None:
            self._refuse(session, turn, action.tool, ILLEGAL_NAME.format(name=action.tool))
            return
        try:
            checked = spec.parse(action.arguments)
        except MempaGymError as error:
            self._refuse(session, turn, action.tool, f"Error: {error}")
            return
        arguments = frozen(checked)
        kind = classify(action.tool, arguments, session.world.record)
        gate = session.wrapper.gate(action.tool, arguments, kind)
        if session.wrapper.floors:
            cause = session.wrapper.floors[0]
            self._fail(cause.value, rerun=cause.rerun)
        elif gate.verdict == "run":
            result = self._run(session, turn, spec, checked, arguments, kind)
            turn.steps = (*turn.steps, Step(action.tool, arguments, result.ok, result.text(), True))
        else:
            held = gate.verdict == "hold"
            turn.steps = (*turn.steps, Step(action.tool, arguments, held, gate.text, False))

    def _refuse(self, session: SessionState, turn: TurnState, tool: str, text: str) -> None:
        turn.steps = (*turn.steps, Step(tool, {}, False, text, False))
        self._happened(Term.INVALID, 1.0, session.session.is_probe)

    def _run(
        self,
        session: SessionState,
        turn: TurnState,
        spec: ToolSpec,
        checked: dict[str, Any],
        arguments: Mapping[str, Any],
        kind: str,
    ) -> ToolResult:
        result = session.world.run(spec, checked)
        session.wrapper.note_result(spec.name, arguments, kind, result.ok)
        turn.executed = (*turn.executed, executed_call(spec.name, kind, arguments, result.ok))
        return result

    def _deliver(self, session: SessionState, turn: TurnState, reply: str) -> None:
        wrapper = session.wrapper
        delivered = wrapper.deliver(reply)
        shown = delivered.text
        # A question counts wherever the user reads it: in the reply, or in a payload that is rendered.
        asked = asks_preference(shown) is not None
        missing = delivered.missing
        if missing and asked and wrapper.offered and not session.put_off:
            # A question in place of a choice: the choice is due on the turn that follows the answer.
            session.deferred = session.put_off = True
            missing = ()
        if missing:
            if not turn.reminded:
                turn.reminded = True
                turn.reminder = " ".join(item.text for item in missing)
                return
            # A selection that was tried and is not valid leaves the answer incorrect, not floored (paper 000, F.2).
            causes = [item.cause for item in missing if item.cause is not None]
            if causes:
                self._fail(causes[0].value, rerun=causes[0].rerun)
                return
        if asked:
            session.asked += 1
            self._happened(Term.ASK, 1.0, session.session.is_probe)
        self._happened(Term.TOKENS, float(len(shown)), session.session.is_probe)
        if delivered.withheld:
            session.private = (
                *session.private,
                {"withheld": [[item.attribute, item.part, item.text] for item in delivered.withheld]},
            )
        entry = exchange_turn(shown, turn.executed, wrapper.held_now)
        session.judged_turns = (*session.judged_turns, entry)
        public = PublicTurn(session.world.now, turn.user, turn.event, turn.steps, shown)
        session.turns = (*session.turns, public)
        turn_id = opaque_id(self.seed, *self.session_key, len(session.turns))
        self._record = views.turn_record(session, public, turn_id)
        self.phase = Phase.WRITE

    # -- ends ------------------------------------------------------------------------------------------------------

    def _end_session(self, session: SessionState) -> None:
        script = session.session
        selection = session.wrapper.selected.get(script.attribute)
        score: float | None = None
        exchange: Mapping[str, Any] | None = None
        if session.decided_at >= 0:
            exchange = views.judge_exchange(session)
            if self._judge is not None:
                score = self._judge(script.attribute, session.target, exchange)
                if score is not None:
                    # The judge reads from the decision turn on; a question put earlier costs the same.
                    score = 1.0 if session.asked else score
                    self._happened(Term.REALIZATION, score, script.is_probe)
        self._record_result(session, selection, selection == session.target, None, None, score, exchange)
        if script.is_probe:
            self.memory.set_state(session.memory_before)
        else:
            self._world = session.world
            self._world.set_locks(())
            self._notes = self._user.close(session.user, self._notes, script.at)
            self.memory.end_session(script.at)
            self._memory_version += 1
        self._leave()

    def _fail(self, cause: str, *, rerun: bool, floor: bool = True) -> None:
        session = self._live()
        script = session.session
        self.memory.set_state(session.memory_before)
        if not script.is_probe:
            self._memory_version += 1
        selection = session.wrapper.selected.get(script.attribute)
        if selection is not None and selection == session.target:
            # Taken back: a run that failed scores nothing, whatever was selected in it (paper 000, F.2).
            self._happened(Term.SELECTION, -1.0, script.is_probe)
        if rerun and self._attempt + 1 < self.config.attempts:
            self._attempt += 1
            self._turn = self._proposed = self._record = None
            self._begin_slot()
            return
        floored = script.is_probe and floor
        score = 1.0 if floored and self._judge is not None else None
        if score is not None:
            self._happened(Term.REALIZATION, score, script.is_probe)
        exchange = views.judge_exchange(session) if session.decided_at >= 0 and session.judged_turns else None
        self._record_result(
            session, selection, False, cause if floored else None, None if floored else cause, score, exchange
        )
        self._leave()

    def _leave(self) -> None:
        self._session = self._turn = self._proposed = self._record = None
        self._next_place()

    def _record_result(
        self,
        session: SessionState,
        selection: str | None,
        correct: bool,
        floor: str | None,
        invalid: str | None,
        score: float | None,
        exchange: Mapping[str, Any] | None,
    ) -> None:
        script = session.session
        self.results.append(
            SlotResult(
                slot=script.id,
                kind=script.kind,
                final=session.final,
                cell=script.cell,
                at=script.at,
                repeat=session.repeat,
                attempt=session.attempt,
                target=session.target,
                selection=selection,
                correct=correct,
                floor=floor,
                invalid=invalid,
                asked=session.asked,
                shown=session.shown,
                realization=score,
                evidence=session.decision_evidence,
                exchange=exchange,
                turns=session.turns,
                private=session.private,
                log=session.world.log,
                state_hash=session.world.state_hash(),
            )
        )

    # -- change events ---------------------------------------------------------------------------------------------

    def _play_event(self) -> None:
        """Replays the next turn of a change event, or ends it: the PA generates nothing (paper 000, C.4)."""
        index, _ = self._places[self._position]
        slot = self.timeline.slots[index]
        event = slot.event
        assert event is not None
        number = len(self._event_turns)
        if number == len(event.turns):
            self._world = self._event_world
            self._notes = self._notes.add_note(event.note, event.at)
            self.memory.end_session(event.at)
            self._memory_version += 1
            self.results.append(
                SlotResult(
                    slot=event.id,
                    kind=SlotKind.EVENT.value,
                    final=False,
                    cell=event.cell,
                    at=event.at,
                    repeat=0,
                    attempt=0,
                    target=event.after,
                    selection=None,
                    correct=False,
                    floor=None,
                    invalid=None,
                    asked=0,
                    shown=None,
                    realization=None,
                    evidence="",
                    exchange=None,
                    turns=self._event_turns,
                    private=(),
                    log=self._world.log,
                    state_hash=self._world.state_hash(),
                )
            )
            self._leave()
            return
        turn = event.turns[number]
        wrapper = self._event_wrapper(event, number)
        steps: list[Step] = []
        for call in turn.steps:
            if call.tool.startswith("IX_"):
                outcome = wrapper.use(call.tool, call.arguments)
                ok, text, ran = outcome.ok, outcome.text, False
            else:
                result = self._event_world.call(call.tool, dict(call.arguments))
                ok, text, ran = result.ok, result.text(), True
            if not ok:
                raise DataError(event.id, f"turns.{number}", f"{call.tool} was refused: {text}")
            steps.append(Step(call.tool, call.arguments, True, text, ran))
        public = PublicTurn(event.at, turn.user, None, tuple(steps), turn.reply)
        self._event_turns = (*self._event_turns, public)
        turn_id = opaque_id(self.seed, *self.session_key, number + 1)
        kept = wrapper.record_steps(steps)
        self._record = TurnRecord(turn_id, event.at, turn.user, None, kept, turn.reply, number == 0)
        self.phase = Phase.WRITE

    @staticmethod
    def _event_wrapper(event: ChangeEvent, number: int) -> IXWrapper:
        """Returns the wrapper as it stands at a turn, so that a memory reads in an event what it reads in a session."""
        wrapper = IXWrapper((event.attribute,))
        for turn in event.turns[:number]:
            for call in turn.steps:
                if call.tool.startswith("IX_"):
                    wrapper.use(call.tool, call.arguments)
        wrapper.begin_turn()
        return wrapper

    # -- helpers ---------------------------------------------------------------------------------------------------

    def _expect(self, phase: Phase) -> None:
        if self.phase is not phase:
            raise PolicyError(
                f"the timeline waits for {self.phase.value!r}, not for {phase.value!r}",
                where="engine",
                remedy="Look at `phase` before acting",
            )

    def _live(self) -> SessionState:
        assert self._session is not None
        return self._session

    def _acting(self) -> tuple[SessionState, TurnState]:
        assert self._turn is not None
        return self._live(), self._turn

    def _happened(self, term: Term, amount: float, probe: bool) -> None:
        self._occurrences.append(Occurrence(term, amount, probe))
