"""The one module that builds what each component may see (paper 000, Table 9).

Everything a component learns passes through one of these functions, so the whole information boundary can be read on
one page. None is handed the engine itself, and only the acting sheet of the user reads the target.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mempa_gym.engine.turn import SessionState, TurnState
from mempa_gym.interaction.exchange import build_exchange
from mempa_gym.interaction.views import MemoryQuery, PAView, PublicTurn, TurnRecord
from mempa_gym.taxonomy import attribute as get_attribute
from mempa_gym.tools.plan import PlanView
from mempa_gym.users import Heard

__all__ = ["heard", "judge_exchange", "memory_query", "pa_view", "turn_record", "user_brief"]


def pa_view(session: SessionState, turn: TurnState, *, with_plan: bool) -> PAView:
    """Returns the PA's view of the current turn."""
    wrapper = session.wrapper
    plan: PlanView | None = turn.plan if with_plan else None
    return PAView(
        now=session.world.now,
        turns=session.turns,
        user=turn.user,
        event=turn.event,
        evidence=turn.evidence,
        offered=wrapper.offered,
        selected=wrapper.selected,
        steps=turn.steps,
        held=tuple([item.notice() for item in wrapper.held]) if wrapper.items else (),
        reminder=turn.reminder,
        plan=plan,
    )


def memory_query(now: str, turn: TurnState) -> MemoryQuery:
    """Returns what the memory is asked with: the message, or the event's text on an event turn."""
    return MemoryQuery(now, turn.user or turn.event or "")


def turn_record(session: SessionState, turn: PublicTurn, turn_id: str) -> TurnRecord:
    """Returns what the memory is given after a turn: what the PA saw, without anything the wrapper withheld."""
    steps = session.wrapper.record_steps(turn.steps)
    return TurnRecord(turn_id, turn.at, turn.user, turn.event, steps, turn.reply, new_session=not session.turns[:-1])


def heard(session: SessionState) -> Heard | None:
    """Returns what the user has heard since she last spoke; None before the first reply.

    She reads the public reply, what actually ran and what waits for her answer; never a selection or withheld text.
    """
    if not session.turns:
        return None
    last = session.judged_turns[-1]
    return Heard(
        reply=session.turns[-1].reply,
        exchange=judge_exchange(session),
        executed=tuple(call["tool"] for call in last["executed"] if call["ok"]),
        held=tuple((item.id, item.tool, item.description) for item in session.wrapper.held),
    )


def user_brief(session: SessionState, beat_id: str) -> dict[str, str]:
    """Returns the acting sheet of a user who is played from outside; her setting stands in it while its beat lasts."""
    script = session.session
    number = next(index for index, beat in enumerate(script.beats) if beat.id == beat_id)
    found = {"life": script.life, "goal": script.beats[number].goal}
    if script.decision <= number <= script.decision + 1:
        behaviour = get_attribute(script.attribute).setting(session.target).behaviour
        found.update(attribute=script.attribute, setting=session.target, behaviour=behaviour)
    return found


def judge_exchange(session: SessionState) -> Mapping[str, Any]:
    """Returns the exchange from the decision turn on (or the last turn before it), as user and judge read it."""
    return build_exchange(session.judged_user, session.judged_event, session.session.task, session.judged_turns)
