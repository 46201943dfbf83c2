"""A PA that follows the script's plan: every task done well, the manner chosen by a selector.

It stands in for a language model where none is at hand. The plan is a privileged channel (``PAView.plan``) that holds
the same steps for every setting of the offered attribute and neither a target nor a label of the cell, so the only
thing that can go wrong is the choice. Real models also choose one manner and then act in another (paper 000, G.4);
``slips`` makes the planned PA do just that, and the slip is real: the user sees the other behaviour.

How a slip gets past the wrapper: what the wrapper would withhold is put into the reply's own words, what it would
hold is done before the choice is made, what it would run is left undone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from mempa_gym.agents.by_hand import SlippedTurn, slipped_turn
from mempa_gym.agents.selectors import Selector
from mempa_gym.errors import InvalidOptionError, PolicyError
from mempa_gym.frozen import FrozenDict
from mempa_gym.interaction.policies import PAAction, Reply, ToolUse
from mempa_gym.interaction.views import PAView
from mempa_gym.taxonomy import attribute as get_attribute
from mempa_gym.tools.plan import PlannedCall, PlanView, Realisation

__all__ = ["PlannedPA", "check_slips"]

_PAYLOAD_FIRST = frozenset({"information_elicitation"})


def check_slips(slips: Mapping[str, float]) -> Mapping[str, float]:
    """Checks slip rates keyed "attribute/Setting" and returns them immutable.

    Raises:
        UnknownNameError: no such attribute or setting.
        InvalidOptionError: no mapping, or a rate that is not between 0 and 1.
    """
    if not isinstance(slips, Mapping):
        raise InvalidOptionError(f"slips map attribute/Setting to a rate, got {slips!r}", where="slips")
    for key, rate in slips.items():
        name, _, label = str(key).partition("/")
        get_attribute(name).setting(label)
        if isinstance(rate, bool) or not isinstance(rate, int | float) or not 0.0 <= rate <= 1.0:
            raise InvalidOptionError(f"the slip rate of {key} must lie between 0 and 1, got {rate!r}", where="slips")
    return FrozenDict(dict(slips))


@dataclass(frozen=True, slots=True)
class _State:
    rng: Any
    queue: tuple[PAAction, ...] | None
    turns: int
    chosen: Mapping[str, str]
    acted: Mapping[str, str]
    put_off: tuple[PlannedCall, ...]


class PlannedPA:
    """Plays each task from the script's plan under the setting its selector chooses.

    Args:
        selector: chooses the setting at each decision point.
        slips: "attribute/Setting" to the probability of showing another setting's behaviour after choosing it.
        name: how runs and tables call it.

    A Reactive slip can only be had by acting before choosing, a Low outreach slip by writing to the user on the event
    turn.
    """

    uses_plan = True

    def __init__(self, selector: Selector, *, slips: Mapping[str, float] | None = None, name: str = "planned") -> None:
        if not callable(getattr(selector, "choose", None)):
            raise InvalidOptionError(
                f"a selector has a method choose(view, attribute, rng), {type(selector).__name__} has none",
                where="PlannedPA",
                remedy="Take one of agents.selectors, or give the agent's name to what makes environments and runs",
            )
        self.name = name
        self.selector = selector
        self.slips = check_slips(slips or {})
        self._fresh(np.random.Generator(np.random.PCG64(0)))

    def _fresh(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._queue: tuple[PAAction, ...] | None = None
        self._turns = -1
        self._chosen: dict[str, str] = {}
        self._acted: dict[str, str] = {}
        self._put_off: tuple[PlannedCall, ...] = ()

    def begin_session(self, rng: np.random.Generator) -> None:
        """Forgets the last session; ``rng`` serves this one."""
        self._fresh(rng)

    def get_state(self) -> Any:
        """Returns a copy of what the policy remembers within the session."""
        rng = self._rng.bit_generator.state
        return _State(rng, self._queue, self._turns, dict(self._chosen), dict(self._acted), self._put_off)

    def set_state(self, state: Any) -> None:
        """Puts the policy back to a state of ``get_state``."""
        generator = np.random.PCG64(0)
        generator.state = state.rng
        self._rng = np.random.Generator(generator)
        self._queue, self._turns = state.queue, state.turns
        self._chosen, self._acted, self._put_off = dict(state.chosen), dict(state.acted), state.put_off

    def act(self, view: PAView) -> PAAction:
        """Returns the next call of this turn's plan, or the reply that ends it.

        Raises:
            PolicyError: the view carries no plan.
        """
        if len(view.turns) != self._turns or not view.steps:
            if view.reminder is None or self._queue is None:
                self._queue = self._turn(view)
            self._turns = len(view.turns)
        if not self._queue:
            return Reply("")
        action, self._queue = self._queue[0], self._queue[1:]
        return action

    def _turn(self, view: PAView) -> tuple[PAAction, ...]:
        plan = view.plan
        if plan is None:
            raise PolicyError(
                "a planned PA needs the script's plan and got none",
                where="PlannedPA.act",
                remedy="Let the engine or runner hand it over (uses_plan), or use a PA that reads",
            )
        before = [_use(call) for call in plan.before]
        if view.offered:
            return self._decide(view, plan, before)
        if plan.attribute is None:
            assert plan.common is not None
            attribute = next(iter(view.selected), None)
            return (*before, *_actions(plan.common, attribute, view))
        return (*before, *self._carry_on(view, plan))

    def _decide(self, view: PAView, plan: PlanView, before: list[PAAction]) -> tuple[PAAction, ...]:
        attribute = view.offered[0]
        chosen = self.selector.choose(view, attribute, self._rng)
        shown = self._slip(attribute, chosen)
        self._chosen[attribute], self._acted[attribute] = chosen, shown
        select: PAAction = ToolUse(f"IX_{attribute}", {"setting": chosen})
        if plan.attribute is None:
            # The choice was put off by a question and the beat has moved on: choose now, go on with the plan.
            assert plan.common is not None
            return (*before, select, *_actions(plan.common, attribute, view))
        if shown == chosen:
            return (*before, select, *_actions(plan.by_setting[chosen], attribute, view))
        turn = slipped_turn(attribute, chosen, plan.by_setting)[shown]
        self._put_off = turn.put_off
        return (*before, *map(_use, turn.early), select, *_slipped(attribute, turn))

    def _carry_on(self, view: PAView, plan: PlanView) -> list[PAAction]:
        attribute = plan.attribute
        assert attribute is not None
        chosen, shown = self._chosen.get(attribute), self._acted.get(attribute)
        if chosen is None or shown is None:
            chosen = shown = next(iter(plan.by_setting))
        realisation = plan.by_setting[shown]
        if shown == chosen:
            return _actions(realisation, attribute, view)
        if realisation.release:
            put_off, self._put_off = self._put_off, ()
            return [*map(_use, put_off), *_actions(realisation, attribute, view)]
        return _slipped(attribute, slipped_turn(attribute, chosen, plan.by_setting, later=True)[shown])

    def _slip(self, attribute: str, chosen: str) -> str:
        rate = self.slips.get(f"{attribute}/{chosen}", 0.0)
        if rate <= 0.0 or self._rng.random() >= rate:
            return chosen
        others = [label for label in get_attribute(attribute).labels if label != chosen]
        return others[int(self._rng.integers(len(others)))]


def _use(call: PlannedCall) -> PAAction:
    return ToolUse(call.tool, call.arguments)


def _payload(attribute: str, payload: Mapping[str, Any]) -> PAAction:
    return ToolUse(f"IX_{attribute}", {"payload": dict(payload)})


def _actions(realisation: Realisation, attribute: str | None, view: PAView) -> list[PAAction]:
    actions: list[PAAction] = []
    if realisation.release:
        actions.extend(ToolUse("IX_release", {"item_id": item.item_id}) for item in view.held)
    calls = [_use(call) for call in realisation.calls]
    if realisation.payload is None or attribute is None:
        actions.extend(calls)
    elif attribute in _PAYLOAD_FIRST:
        actions.extend([_payload(attribute, realisation.payload), *calls])
    else:
        actions.extend([*calls, _payload(attribute, realisation.payload)])
    actions.append(Reply(realisation.reply))
    return actions


def _slipped(attribute: str, turn: SlippedTurn) -> list[PAAction]:
    actions: list[PAAction] = []
    if turn.payload is not None and attribute in _PAYLOAD_FIRST:
        actions.append(_payload(attribute, turn.payload))
    actions.extend(map(_use, turn.calls))
    if turn.payload is not None and attribute not in _PAYLOAD_FIRST:
        actions.append(_payload(attribute, turn.payload))
    actions.append(Reply(turn.reply))
    return actions
