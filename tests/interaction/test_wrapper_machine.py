"""Random play against a wrapper, beside a model that knows only the promises."""

from __future__ import annotations

import itertools
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, precondition, rule

from mempa_gym.interaction.floors import FloorCause
from mempa_gym.interaction.held import HeldState, call_key
from mempa_gym.interaction.wrapper import IXWrapper
from mempa_gym.taxonomy import attribute, attribute_ids

TOOLS = {
    "message_read": "read",
    "place_search": "read",
    "email_draft_create": "draft",
    "contact_update": "routine_record",
    "document_delete": "key_record",
    "message_send": "outward",
}
HOLDS = {
    "Reactive": {"draft", "routine_record", "key_record", "outward"},
    "Self-directed": {"key_record", "outward"},
    "Autonomous": set(),
}


class Promises(RuleBasedStateMachine):
    copies = Bundle("copies")

    def __init__(self) -> None:
        super().__init__()
        self.wrapper = IXWrapper()
        self.marks = itertools.count()
        self.selected: dict[str, str] = {}
        self.payloads: dict[str, tuple[str, ...]] = {}  # marks of the last accepted payload of this turn
        self.consented: set[str] = set()
        self.ran: list[str] = []  # ids of held items that ran
        self.calls: dict[str, tuple[str, str]] = {}  # item id to tool and key

    @initialize(
        names=st.lists(st.sampled_from(attribute_ids()), max_size=3, unique=True),
        chosen=st.sampled_from([None, "Reactive", "Self-directed", "Self-directed", "Autonomous"]),
    )
    def offer(self, names: list[str], chosen: str | None) -> None:
        self.names = list(dict.fromkeys([*names, "autonomy_level"]))
        for name in self.names:
            self.wrapper.offer(name)
        if chosen is not None:
            assert self.wrapper.use("IX_autonomy_level", {"setting": chosen}).ok
            self.selected["autonomy_level"] = chosen

    def mark(self) -> str:
        return f"Mark{next(self.marks)}end."

    @rule(event=st.sampled_from([None, None, "It rains."]))
    def begin(self, event: str | None) -> None:
        self.wrapper.begin_turn(event)
        self.payloads = {}

    @precondition(lambda self: self.wrapper.items)
    @rule(data=st.data(), yes=st.sampled_from([True, True, False]))
    def decide(self, data: st.DataObject, yes: bool) -> None:
        chosen = data.draw(st.sampled_from([item.id for item in self.wrapper.items]))
        before = {item.id: item.state for item in self.wrapper.items}
        self.wrapper.apply_consent({chosen: yes})
        for item in self.wrapper.items:
            if item.id != chosen or before[item.id] in (HeldState.RELEASED, HeldState.DENIED):
                assert item.state is before[item.id]
            elif yes:
                self.consented.add(item.id)
            else:
                self.consented.discard(item.id)

    @rule(data=st.data())
    def select(self, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from(self.names))
        label = data.draw(st.sampled_from([*attribute(name).labels, "Nonsense"]))
        outcome = self.wrapper.use(f"IX_{name}", {"setting": label})
        assert outcome.ok == (name not in self.selected and label != "Nonsense")
        if outcome.ok:
            self.selected[name] = label

    @rule(data=st.data(), count=st.integers(0, 3))
    def send(self, data: st.DataObject, count: int) -> None:
        name = data.draw(st.sampled_from(self.names))
        marks = tuple(self.mark() for _ in range(count + 1))
        payloads: dict[str, dict[str, Any]] = {
            "reasoning_visibility": {"rationale": marks[0]},
            "uncertainty_expression": {"statements": [{"claim": text, "confidence": "low"} for text in marks]},
            "process_visibility": {"opening": marks[0], "notices": list(marks[1:])},
            "autonomy_level": {"confirm": marks[0]},
            "proactive_outreach": {"decision": ("send", "suppress")[count % 2], "text": marks[0]},
            "capability_boundary": {"limit": marks[0], "next_step": marks[-1]},
            "information_elicitation": {"questions": list(marks[:count])},
            "topic_management": {"topics": [{"label": f"L{n}", "text": text} for n, text in enumerate(marks)]},
        }
        payload = payloads.get(name, {})
        outcome = self.wrapper.use(f"IX_{name}", {"payload": payload})
        assert not (outcome.ok and name not in self.selected)
        if outcome.ok:
            self.payloads[name] = tuple(mark for mark in marks if mark in repr(payload))

    @rule(
        tool=st.sampled_from([*sorted(TOOLS), "message_send", "message_send"]),
        value=st.integers(0, 1),
        ok=st.booleans(),
    )
    def propose(self, tool: str, value: int, ok: bool) -> None:
        arguments = {"to": f"con_{value}"}
        call = (tool, call_key(arguments))
        pending = {(item.tool, item.key): item.id for item in self.wrapper.held}
        gate = self.wrapper.gate(tool, arguments, TOOLS[tool])
        if not self.selected:
            assert gate.verdict == "run", "before the selection everything passes"
        if TOOLS[tool] in HOLDS.get(self.selected.get("autonomy_level", ""), set()):
            assert gate.verdict != "run", "a call that needs approval never runs by itself"
        if gate.verdict == "run":
            self.wrapper.note_result(tool, arguments, TOOLS[tool], ok)
        elif gate.verdict == "hold":
            assert gate.item is not None
            assert pending.get(call, gate.item.id) == gate.item.id, "one pending item for one call"
            assert self.calls.setdefault(gate.item.id, call) == call, "an item is one call for good"
            assert gate.item.id not in self.ran
        else:
            assert gate.text.startswith("Error")
            assert "information_elicitation" in self.selected or "capability_boundary" in self.selected

    @precondition(lambda self: self.wrapper.items)
    @rule(data=st.data(), ok=st.booleans())
    def release(self, data: st.DataObject, ok: bool) -> None:
        item_id = data.draw(st.sampled_from([*(item.id for item in self.wrapper.items), "h99"]))
        outcome = self.wrapper.use("IX_release", {"item_id": item_id})
        if outcome.release is None:
            assert not outcome.ok
            return
        assert outcome.release.id == item_id
        assert item_id in self.consented, "nothing runs without consent"
        assert item_id not in self.ran, "nothing runs twice"
        assert (outcome.release.tool, call_key(outcome.release.arguments)) == self.calls[item_id]
        self.ran.append(item_id)
        self.wrapper.note_result(outcome.release.tool, outcome.release.arguments, outcome.release.action_class, ok)

    @rule()
    def deliver(self) -> None:
        reply = "  The reply.\n"
        before = self.wrapper.get_state()
        delivered = self.wrapper.deliver(reply)
        assert self.wrapper.get_state() == before
        assert reply in delivered.text
        if not self.payloads:
            assert delivered.text == reply
        for row in delivered.withheld:
            assert row.text not in delivered.text
            assert row.attribute in self.payloads
        sent = {mark for marks in self.payloads.values() for mark in marks}
        for number in range(next(self.marks)):
            mark = f"Mark{number}end."
            shown = mark in delivered.text
            held_back = any(mark in row.text for row in delivered.withheld)
            assert not (shown and held_back)
            assert (shown or held_back) == (mark in sent), "what was sent is shown or withheld, and nothing else is"
        for missing in delivered.missing:
            assert missing.cause is None or isinstance(missing.cause, FloorCause)
            assert f"IX_{missing.attribute}" in missing.text

    @rule(target=copies)
    def branch(self) -> tuple[IXWrapper, Any]:
        return self.wrapper.copy(), self.wrapper.get_state()

    @rule(pair=copies)
    def branches_stay_as_they_were(self, pair: tuple[IXWrapper, Any]) -> None:
        other, state = pair
        assert other.get_state() == state

    @invariant()
    def one_selection_each(self) -> None:
        assert dict(self.wrapper.selected) == self.selected
        assert set(self.wrapper.offered).isdisjoint(self.selected)

    @invariant()
    def items_are_numbered_and_pending_or_done(self) -> None:
        items = self.wrapper.items
        assert [item.id for item in items] == [f"h{number}" for number in range(1, len(items) + 1)]
        assert [item.id for item in items if item.state is HeldState.RELEASED] == sorted(
            self.ran, key=lambda item_id: int(item_id[1:])
        )
        calls = [(item.tool, item.key) for item in items if item.pending]
        assert len(set(calls)) == len(calls)


Promises.TestCase.settings = settings(
    max_examples=250, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)
)
TestPromises = Promises.TestCase
