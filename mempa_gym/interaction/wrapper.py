"""The IX wrapper: carries out what an agent selected, without learning what the user wants (paper 000, E.1 to E.4).

One wrapper is the state of one session. It takes in selections, payloads and proposed calls, and gives out which calls
run, which wait, and the one text that the user is shown. There is no argument by which a target could reach it, so it
cannot correct a wrong choice. All inner values are immutable: a checkpoint is a handful of references.

A turn, as the engine drives it::

    wrapper.begin_turn(event)
    outcome = wrapper.use("IX_autonomy_level", arguments)      # an interaction call
    gate = wrapper.gate(tool, arguments, action_class)         # every world call; after it ran:
    wrapper.note_result(tool, arguments, action_class, ok)
    wrapper.missing()                                          # what to remind the agent of, before delivery
    delivered = wrapper.deliver(reply)
    memory.write(... wrapper.record_steps(steps) ...)
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal, TypeAlias

from mempa_gym.errors import ArgumentError, MempaGymError, UnknownNameError, unknown
from mempa_gym.frozen import FrozenDict
from mempa_gym.interaction.arguments import read_object
from mempa_gym.interaction.floors import FloorCause
from mempa_gym.interaction.held import HeldItem, HeldState, call_key
from mempa_gym.interaction.leaks import contains_interaction_text
from mempa_gym.interaction.records import record_steps
from mempa_gym.interaction.rules import RULES, Ran, Rendering, Turn
from mempa_gym.interaction.tools import PREFIX, RELEASE, attribute_of, parse_call, parse_release
from mempa_gym.interaction.views import Step
from mempa_gym.taxonomy import attribute as get_attribute

__all__ = [
    "Delivered",
    "Gate",
    "IXWrapper",
    "Missing",
    "Outcome",
    "UseError",
    "Withheld",
    "WrapperState",
]

WrapperState: TypeAlias = tuple[Any, ...]


class UseError(StrEnum):
    """Why an interaction call was not accepted. It then had no effect."""

    UNKNOWN_TOOL = "unknown_tool"
    BAD_ARGUMENTS = "bad_arguments"
    NOT_OFFERED = "not_offered"
    ALREADY_SELECTED = "already_selected"
    NOT_SELECTED = "not_selected"
    NOT_NOW = "not_now"
    UNKNOWN_ITEM = "unknown_item"
    NOT_CONSENTED = "not_consented"
    DENIED = "denied"
    ALREADY_RELEASED = "already_released"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an interaction call came to.

    Attributes:
        ok: whether it was accepted.
        text: the result the agent reads; of a release that is to run, empty until the world has answered.
        arguments: its arguments as a plain object; empty when they could not be read.
        error: why it was not accepted, else None.
        release: the held item that the engine must run now, once; its result is the result of this call.
    """

    ok: bool
    text: str
    arguments: Mapping[str, Any]
    error: UseError | None = None
    release: HeldItem | None = None


@dataclass(frozen=True, slots=True)
class Gate:
    """What to do with a world call.

    Attributes:
        verdict: "run" it; or answer it with ``text`` and do not run it: "hold" (not an error) or "refuse" (an error).
        text: the result the agent reads when it does not run.
        item: the held item of a held call.
    """

    verdict: Literal["run", "hold", "refuse"]
    text: str = ""
    item: HeldItem | None = None


@dataclass(frozen=True, slots=True)
class Missing:
    """What an agent has left out of a turn.

    Attributes:
        attribute: attribute id.
        cause: the floor it leads to when it stays missing. None for a selection that was tried with an invalid value: a
            reply without a valid selection is incorrect and is not floored.
        text: the reminder.
    """

    attribute: str
    cause: FloorCause | None
    text: str


@dataclass(frozen=True, slots=True)
class Withheld:
    """A part of a payload that the user was not given; it belongs in the separate record and nowhere else."""

    attribute: str
    part: str
    text: str


@dataclass(frozen=True, slots=True)
class Delivered:
    """A rendered turn.

    Attributes:
        text: what the user is shown; the agent's reply unchanged where nothing is rendered.
        withheld: what the user was not given.
        missing: what was still missing.
    """

    text: str
    withheld: tuple[Withheld, ...] = field(default=(), repr=False)
    missing: tuple[Missing, ...] = ()


_RUN = Gate("run")
_LEAK = Gate(
    "refuse",
    "Error: the arguments hold text of an interaction tool. Interaction tools are called as tools, never written into "
    "a task. Nothing was done.",
)
_HELD_NOTE = "held, and not run: ask the user to approve it; once the user has, call IX_release with this item_id"
_REMINDERS = {
    FloorCause.PAYLOAD_MISSING: "You have not sent this turn's payload yet. Call {tool} with its payload, then reply.",
    FloorCause.HELD_UNASKED: (
        "You proposed an action that is held and have not asked the user to approve it. Call {tool} with a payload "
        "that asks, then reply."
    ),
    FloorCause.NO_OUTREACH_DECISION: (
        "You have not decided yet whether the user is told of this event. Call {tool} with the decision 'send' or "
        "'suppress' as payload, then reply."
    ),
}
_UNSELECTED = "You have not called {tool} yet. Call it once with one of its settings, then reply."


class IXWrapper:
    """The interaction state of one session.

    Args:
        offered: attribute ids whose interaction tool is offered from the start.
    """

    __slots__ = ("_active", "_controls", "_floors", "_items", "_selected", "_tried", "_turn")

    def __init__(self, offered: Iterable[str] = ()) -> None:
        self._active: tuple[str, ...] = ()
        self._selected: FrozenDict[str, str] = FrozenDict()
        self._tried: frozenset[str] = frozenset()
        self._items: tuple[HeldItem, ...] = ()
        self._floors: tuple[FloorCause, ...] = ()
        self._turn = Turn()
        # Derived from the selections: those that control execution, in published order.
        self._controls: tuple[str, ...] = ()
        for attribute in offered:
            self.offer(attribute)

    # What an agent may know.

    @property
    def offered(self) -> tuple[str, ...]:
        """Attribute ids whose tool is offered and not yet used, in the order they were offered."""
        if not self._selected:
            return self._active
        return tuple([name for name in self._active if name not in self._selected])

    @property
    def selected(self) -> Mapping[str, str]:
        """Attribute id to the selected setting."""
        return self._selected

    @property
    def held(self) -> tuple[HeldItem, ...]:
        """Items neither released nor denied, in the order they were held."""
        return tuple([item for item in self._items if item.pending]) if self._items else ()

    # What the engine and the separate record need.

    @property
    def items(self) -> tuple[HeldItem, ...]:
        """All items of the session in all states."""
        return self._items

    @property
    def held_now(self) -> tuple[HeldItem, ...]:
        """The items that were held in this turn."""
        return tuple([item for item in self._items if item.id in self._turn.held]) if self._items else ()

    @property
    def floors(self) -> tuple[FloorCause, ...]:
        """Floor causes that have already occurred and that no later call can mend."""
        return self._floors

    # A session and its turns.

    def offer(self, attribute: str) -> None:
        """Offers the interaction tool of an attribute from now on; offering it again changes nothing.

        Raises:
            UnknownNameError: There is no attribute with this id.
        """
        name = get_attribute(attribute).id
        if name not in self._active:
            self._active = (*self._active, name)

    def begin_turn(self, event: str | None = None) -> None:
        """Starts a turn; ``event`` is the text of the world event that opened it, None when the user spoke."""
        self._turn = Turn(event)

    def apply_consent(self, decisions: Mapping[str, bool]) -> None:
        """Takes over the user's private decisions on held items: True consents, False denies.

        A decision holds for exactly the item it names. One on an item that was released or denied before changes
        nothing, so that a repeated yes adds nothing; a consent can be taken back until the item is released.

        Raises:
            UnknownNameError: There is no item with this id. No decision is applied then.
            ArgumentError: A decision is neither True nor False. No decision is applied then.
        """
        ids = [item.id for item in self._items]
        for item_id, decision in decisions.items():
            if item_id not in ids:
                raise unknown("held item", item_id, ids)
            if not isinstance(decision, bool):
                raise ArgumentError(item_id, decision, "a decision on a held item is True or False")
        for item in self._items:
            if item.pending and item.id in decisions:
                self._put(item.with_state(HeldState.CONSENTED if decisions[item.id] else HeldState.DENIED))

    # The agent's calls.

    def use(self, tool: str, arguments: Mapping[str, Any] | str) -> Outcome:
        """Takes an interaction call: a selection, a payload or a release. A bad one is an error without effect."""
        if tool == RELEASE:
            outcome = self._release(arguments)
            self._turn.releases = (*self._turn.releases, outcome.release.id if outcome.release else None)
            return outcome
        try:
            attribute = attribute_of(tool)
        except UnknownNameError as error:
            return _refused(UseError.UNKNOWN_TOOL, str(error), _readable(arguments))
        try:
            said, given = parse_call(attribute, arguments)
        except MempaGymError as error:
            sent = _readable(arguments)
            if "payload" not in sent:
                self._tried |= {attribute}
            return _refused(UseError.BAD_ARGUMENTS, str(error), sent)
        if attribute not in self._active:
            return _refused(UseError.NOT_OFFERED, f"{tool} is not offered at this point.", given)
        if isinstance(said, str):
            return self._select(attribute, said, given)
        setting = self._selected.get(attribute)
        if setting is None:
            text = f"call {tool} with a setting before you send a payload."
            return _refused(UseError.NOT_SELECTED, text, given)
        objection = RULES[attribute].objection(setting, self._turn, said)
        if objection is not None:
            return _refused(UseError.NOT_NOW, f"{objection}.", given)
        self._turn.payloads = {**self._turn.payloads, attribute: said}
        return Outcome(True, '{"status": "accepted"}', given)

    def gate(self, tool: str, arguments: Mapping[str, Any], action_class: str) -> Gate:
        """Returns what to do with a world call before it is run.

        Args:
            tool: name of the world tool.
            arguments: its checked arguments.
            action_class: its class, see `action_classes.classify`.
        """
        if contains_interaction_text(arguments):
            if FloorCause.INTERACTION_TEXT not in self._floors:
                self._floors = (*self._floors, FloorCause.INTERACTION_TEXT)
            return _LEAK
        hold = False
        for name in self._controls:
            verdict = RULES[name].gate(self._selected[name], self._turn, tool, action_class)
            if verdict.kind == "refuse":
                return Gate("refuse", verdict.text)
            hold = hold or verdict.kind == "hold"
        return self._hold(tool, arguments, action_class) if hold else _RUN

    def note_result(self, tool: str, arguments: Mapping[str, Any], action_class: str, ok: bool) -> None:
        """Takes note of a world call that was carried out or refused by the world; of a released one as well."""
        self._turn.ran = (*self._turn.ran, Ran(tool, action_class, ok))

    # Delivery.

    def missing(self) -> tuple[Missing, ...]:
        """Returns what the agent has left out of this turn, if it were delivered now."""
        found = []
        for name in self._active:
            setting = self._selected.get(name)
            if setting is None:
                cause: FloorCause | None = None if name in self._tried else FloorCause.SELECTION_MISSING
                found.append(Missing(name, cause, _UNSELECTED.format(tool=PREFIX + name)))
            else:
                cause = RULES[name].missing(setting, self._turn)
                if cause is not None:
                    found.append(Missing(name, cause, _REMINDERS[cause].format(tool=PREFIX + name)))
        return tuple(found)

    def deliver(self, reply: str) -> Delivered:
        """Returns what the user is shown of a reply and of this turn's payloads. Nothing is changed by it.

        Several attributes compose in published order: paragraphs ahead of the reply, the reply as it is, paragraphs
        behind.
        """
        before: list[str] = []
        after: list[str] = []
        withheld: list[Withheld] = []
        for name, rendering in self._renderings():
            before.extend(rendering.before)
            after.extend(rendering.after)
            withheld.extend(Withheld(name, part, text) for part, text in rendering.withheld)
        text = reply
        if before or after:
            text = "\n\n".join((*before, *((reply,) if reply.strip() else ()), *after))
        return Delivered(text, tuple(withheld), self.missing())

    def record_steps(self, steps: Iterable[Step]) -> tuple[Step, ...]:
        """Returns this turn's calls as a memory may keep them, see `records.record_steps`."""
        delivered = {name: rendering.delivered for name, rendering in self._renderings()}
        return record_steps(steps, delivered, [self._item(name) for name in self._turn.releases])

    # Checkpoints.

    def copy(self) -> IXWrapper:
        """Returns an independent copy."""
        other = IXWrapper()
        other.set_state(self.get_state())
        return other

    def get_state(self) -> WrapperState:
        """Returns an opaque value that later calls do not change."""
        return (
            self._active,
            self._selected,
            self._tried,
            self._items,
            self._floors,
            self._turn.copy(),
            self._controls,
        )

    def set_state(self, state: WrapperState) -> None:
        """Takes back a value of `get_state`; the value stays usable."""
        (
            self._active,
            self._selected,
            self._tried,
            self._items,
            self._floors,
            turn,
            self._controls,
        ) = state
        self._turn = turn.copy()

    def _select(self, attribute: str, label: str, given: Mapping[str, Any]) -> Outcome:
        if attribute in self._selected:
            text = "a setting was selected already and holds until the conversation ends."
            return _refused(UseError.ALREADY_SELECTED, text, given)
        self._selected = FrozenDict({**self._selected, attribute: label})
        self._turn.selected_at = {**self._turn.selected_at, attribute: len(self._turn.ran)}
        self._controls = tuple(name for name, rule in RULES.items() if rule.controls and name in self._selected)
        result = {"status": "selected", "setting": label}
        if RULES[attribute].note:
            result["note"] = RULES[attribute].note
        return Outcome(True, json.dumps(result, ensure_ascii=False), given)

    def _hold(self, tool: str, arguments: Mapping[str, Any], action_class: str) -> Gate:
        key = call_key(arguments)
        item = next((item for item in self._items if item.pending and item.tool == tool and item.key == key), None)
        if item is None:
            item = HeldItem.of(f"h{len(self._items) + 1}", tool, arguments, key, action_class)
            self._items = (*self._items, item)
            self._turn.held = (*self._turn.held, item.id)
        return Gate("hold", json.dumps({"status": "held", "item_id": item.id, "note": _HELD_NOTE}), item)

    def _release(self, arguments: Mapping[str, Any] | str) -> Outcome:
        try:
            item_id, given = parse_release(arguments)
        except MempaGymError as error:
            return _refused(UseError.BAD_ARGUMENTS, str(error), _readable(arguments))
        item = self._item(item_id)
        if item is None:
            text = str(unknown("held item", item_id, [item.id for item in self.held]))
            return _refused(UseError.UNKNOWN_ITEM, text, given)
        if item.state is not HeldState.CONSENTED:
            why, text = _NOT_FREE[item.state]
            return _refused(why, f"{item.id} {text}", given)
        for name in self._controls:
            verdict = RULES[name].gate(self._selected[name], self._turn, item.tool, item.action_class)
            if verdict.kind == "refuse":
                return Outcome(False, verdict.text, given, UseError.NOT_NOW)
        # Spent before it runs: whatever happens to the run, it cannot happen twice.
        item = item.with_state(HeldState.RELEASED)
        self._put(item)
        return Outcome(True, "", given, None, item)

    def _renderings(self) -> list[tuple[str, Rendering]]:
        payloads = self._turn.payloads
        if not payloads:
            return []
        return [
            (name, rule.render(self._selected[name], payloads[name]))
            for name, rule in RULES.items()
            if name in payloads
        ]

    def _item(self, item_id: str | None) -> HeldItem | None:
        return next((item for item in self._items if item.id == item_id), None)

    def _put(self, changed: HeldItem) -> None:
        self._items = tuple(changed if item.id == changed.id else item for item in self._items)


_NOT_FREE = {
    HeldState.HELD: (UseError.NOT_CONSENTED, "has no approval from the user yet. Ask for it."),
    HeldState.DENIED: (UseError.DENIED, "was turned down by the user. A changed action has to be proposed anew."),
    HeldState.RELEASED: (UseError.ALREADY_RELEASED, "was released already. It is not run a second time."),
}


def _refused(error: UseError, text: str, given: Mapping[str, Any]) -> Outcome:
    return Outcome(False, f"Error: {text} Nothing was done.", given, error)


def _readable(arguments: Mapping[str, Any] | str) -> Mapping[str, Any]:
    try:
        return read_object(arguments)
    except MempaGymError:
        return {}
