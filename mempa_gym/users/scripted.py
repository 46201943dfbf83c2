"""The scripted user: plays a session's beats, reacts to what she is shown, and never needs a language model.

She is a pure function of her state and of what she hears, and all wording comes from data: the script, her voice,
or the train bank. What she does in a turn, in this order (paper 000, C.3, D.1 and D.2):

1. A question about how she wants things done is answered once, in task terms, after the decision point has opened;
before
   that it is brushed off, and in a probe it is turned back. Then she says again what she needs, unless the
   assistant did it.
2. A tool that the beat needed and that did not run is asked for once; then she moves on. 3. Otherwise she speaks
the next beat. The first message after the assistant's manner showed carries her position on it.
   Until then no word of hers depends on what she would prefer.
"""

from __future__ import annotations

from typing import Any

from mempa_gym.behaviour import asks_preference, observe
from mempa_gym.frozen import FrozenDict
from mempa_gym.taxonomy import attribute as get_attribute
from mempa_gym.timeline import Beat, Session
from mempa_gym.users.consent import decide, words_of
from mempa_gym.users.diary import write_note
from mempa_gym.users.notes import UserNotes
from mempa_gym.users.protocol import Heard, UserState, UserTurn
from mempa_gym.users.reactions import Bank, answer, reaction
from mempa_gym.users.voice import Voice, pick

__all__ = ["ScriptedUser"]

MOST_EXTRA = 2  # turns a beat may last beyond its first
_DID_MORE = 25  # words beside a question about manner from which on the assistant has done something as well


class ScriptedUser:
    """A user who follows a script (paper 000, Appendix D), offline and deterministic.

    Args:
        voice: how she talks around the script. bank: where her reactions and answers come from: ``"script"``, or
        the train bank. answer_asks: whether she answers a direct question about manner; False restores the paper,
        where it yields nothing.
    """

    def __init__(self, voice: Voice, bank: Bank = "script", *, answer_asks: bool = True) -> None:
        self.voice = voice
        self.bank = bank
        self.answer_asks = answer_asks

    def begin(self, session: Session, target: str, notes: UserNotes, *, probe: bool, seed: int) -> UserState:
        """Returns the state at the start of a session or probe; in a probe she has never met the assistant."""
        return UserState(session, target, UserNotes() if probe else notes, probe, seed)

    def speak(self, state: UserState, heard: Heard | None) -> tuple[UserState, UserTurn]:
        """Returns the next state and turn. The same state and words heard always give the same turn."""
        if state.ended:
            return state, self._nothing(state)
        if heard is None or state.beat < 0:
            first = state._replace(beat=0, turns=1)
            beat = state.session.beats[0]
            text = beat.text(_label(first))
            return first, UserTurn(text, beat.event, beat.id, False, _private(beat, (), {}, moved=True))
        if not state.executed.issuperset(heard.executed):
            state = state._replace(executed=state.executed.union(heard.executed))
        asked = asks_preference(heard.reply)
        acted = asked is None or len(heard.reply.replace(asked, " ").split()) >= _DID_MORE
        state = self._watch(state, heard, acted)
        prefix, state, answered = self._to_question(state, heard, asked)
        if asked is not None and not acted and state.extra < MOST_EXTRA:
            return self._again(state, heard, prefix, answered)
        beat = state.session.beats[state.beat]
        unmet = tuple(tool for tool in beat.needs if tool not in state.executed)
        if unmet and not state.nudged and state.extra < MOST_EXTRA and beat.nudge:
            state = state._replace(nudged=True, extra=state.extra + 1)
            return self._turn(state, heard, beat, prefix, "", beat.nudge, answered, unmet, moved=False)
        if unmet:
            state = state._replace(missed=True)
        if state.beat + 1 == len(state.session.beats):
            return self._end(state, heard, prefix, answered)
        return self._next(state, heard, prefix, answered, unmet)

    def close(self, state: UserState, notes: UserNotes, at: str) -> UserNotes:
        """Returns the notes with her entry on the conversation."""
        return write_note(self.voice, state, notes, at)

    # -- what she takes from the assistant's turn ------------------------------------------------------------------

    def _watch(self, state: UserState, heard: Heard, acted: bool) -> UserState:
        """Notices which setting the exchange shows, once the decision point has opened."""
        if state.shown is not None or state.beat < state.session.decision:
            return state
        turns = heard.exchange["turns"]
        if not acted:
            return state._replace(skipped=len(turns))
        exchange = heard.exchange
        if state.skipped:
            exchange = FrozenDict({**exchange, "turns": turns[state.skipped :] or turns[-1:]})
        return state._replace(shown=observe(state.session.attribute, exchange).setting)

    def _to_question(self, state: UserState, heard: Heard, asked: str | None) -> tuple[str, UserState, bool]:
        """Returns what she says to a question that the script does not foresee, and whether it is an answer."""
        key = (state.seed, state.session.id, state.turns)
        if asked is None:
            if self._too_early(state, heard.reply):
                return pick(self.voice.deflect, *key, "deflect"), state, False
            return "", state, False
        state = state._replace(asked=state.asked + 1)
        if state.probe:
            return pick(self.voice.turn_back, *key, "turn back"), state, False
        if not self.answer_asks:
            return pick(self.voice.shrug, *key, "shrug"), state, False
        if state.beat < state.session.decision:
            return pick(self.voice.brush_off, *key, "brush off"), state, False
        if state.answered:
            return pick(self.voice.spent, *key, "spent"), state, False
        return answer(self.voice, self.bank, state), state._replace(answered=True), True

    def _too_early(self, state: UserState, reply: str) -> bool:
        """Whether the assistant asks for a fact that she only gives in a later beat than the next."""
        session = state.session
        following = state.beat + 1
        if "?" not in reply or following > session.decision:
            return False
        later = [fact.name for fact in session.facts.values() if fact.beat > following]
        if not later:
            return False
        low = reply.lower()
        questions = [part.rsplit(".", 1)[-1] for part in low.split("?")[:-1]]
        keys = {word for field in session.task.get("fields", ()) for word in field.get("ask", ())}
        keys.update(word for name in later for word in name.lower().split("_") if len(word) > 3)
        return any(key in question for question in questions for key in sorted(keys))

    # -- what she says ---------------------------------------------------------------------------------------------

    def _again(self, state: UserState, heard: Heard, prefix: str, answered: bool) -> tuple[UserState, UserTurn]:
        """Stays on the beat: her word on the question, and once more what she needs."""
        beat = state.session.beats[state.beat]
        state = state._replace(extra=state.extra + 1)
        text = beat.text(_label(state))
        if text:
            text = f"{pick(self.voice.resume, state.seed, state.session.id, state.turns, 'resume')} {text}"
        # A beat that opened with an event has no message to repeat: the event still stands, so it is shown again.
        return self._turn(state, heard, beat, prefix, "", text, answered, (), moved=False, event=beat.event)

    def _next(
        self, state: UserState, heard: Heard, prefix: str, answered: bool, unmet: tuple[str, ...]
    ) -> tuple[UserState, UserTurn]:
        number = state.beat + 1
        beat = state.session.beats[number]
        position = ""
        if state.shown is not None and state.corrected is None and not state.probe:
            position = reaction(self.voice, self.bank, state, state.shown)
            state = state._replace(corrected=state.shown != state.target)
        reacts = bool(position)
        state = state._replace(beat=number, extra=0, nudged=False, executed=frozenset())
        return self._turn(
            state, heard, beat, prefix, position, beat.text(_label(state)), answered, unmet,
            moved=True, event=beat.event, reacts=reacts,
        )  # fmt: skip

    def _end(self, state: UserState, heard: Heard, prefix: str, answered: bool) -> tuple[UserState, UserTurn]:
        """After the last beat: nothing more, unless her position, an answer or a decision is still due."""
        beat = state.session.beats[-1]
        due = [item for item in heard.held if item[0] not in state.decided]
        owes = state.shown is not None and state.corrected is None and not state.probe
        if state.extra < MOST_EXTRA and (owes or answered or due):
            position = ""
            if owes and state.shown is not None:
                position = reaction(self.voice, self.bank, state, state.shown)
                state = state._replace(corrected=state.shown != state.target)
            state = state._replace(extra=state.extra + 1)
            closing = pick(self.voice.close, state.seed, state.session.id, state.turns, "close") if not due else ""
            return self._turn(state, heard, beat, prefix, position, closing, answered, (), moved=False, reacts=owes)
        state = state._replace(ended=True)
        return state, self._nothing(state)

    def _turn(
        self,
        state: UserState,
        heard: Heard,
        beat: Beat,
        prefix: str,
        position: str,
        text: str,
        answered: bool,
        unmet: tuple[str, ...],
        *,
        moved: bool,
        event: str | None = None,
        reacts: bool = False,
    ) -> tuple[UserState, UserTurn]:
        due = tuple(item for item in heard.held if item[0] not in state.decided)
        foreseen = beat.consent if moved else "none"
        decisions = decide(state.session, foreseen, due)
        said = _joined(prefix, position, text)
        # A script that foresees the decision says it in its own words; an unforeseen one is put into words here.
        consent = words_of(
            self.voice, due, decisions, text if foreseen != "none" else "", (state.seed, state.session.id, state.turns)
        )
        message = _joined(prefix, position, consent, text) if consent else said
        state = state._replace(turns=state.turns + 1, decided=state.decided | frozenset(decisions))
        turn = UserTurn(
            message=message,
            event=event,
            beat=beat.id,
            ended=False,
            private=_private(beat, unmet, decisions, moved=moved),
            shown=state.shown,
            answered_preference=answered,
            corrected=state.corrected if reacts else None,
        )
        return state, turn

    def _nothing(self, state: UserState) -> UserTurn:
        beat = state.session.beats[state.beat]
        return UserTurn("", None, beat.id, True, _private(beat, (), {}, moved=True), shown=state.shown)


def _label(state: UserState) -> str:
    # Before anything showed, the task part of the first setting stands for all: a script may only vary it afterwards.
    return state.shown if state.shown is not None else get_attribute(state.session.attribute).labels[0]


def _joined(*pieces: str) -> str:
    return " ".join(piece.strip() for piece in pieces if piece and piece.strip())


def _private(beat: Beat, unmet: tuple[str, ...], decisions: dict[str, bool], *, moved: bool) -> dict[str, Any]:
    return {
        "factual_check": {"missing": list(unmet)},
        "turn_assessment": {"beat": beat.id, "goal_met": moved and not unmet},
        "consent_decisions": dict(decisions),
    }
