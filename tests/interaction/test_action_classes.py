from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from mempa_gym.errors import UnknownNameError
from mempa_gym.interaction.action_classes import _OWN_RECORDS, ACTION_CLASSES, classify
from mempa_gym.tools import specs

RECORDS: Mapping[str, Mapping[str, Any]] = {
    "ev_alone": {"id": "ev_alone", "attendees": []},
    "ev_shared": {"id": "ev_shared", "attendees": ["con_x"]},
    "ev_rota": {"id": "ev_rota", "attendees": [], "shared": True},
    "notes/own.md": {"id": "doc_own", "shared_with": []},
    "notes/team.md": {"id": "doc_team", "shared_with": ["con_x"]},
    "doc_team": {"id": "doc_team", "shared_with": ["con_x"]},
}


@pytest.mark.parametrize(
    ("tool", "arguments", "expected"),
    [
        ("email_message_read", {"email_id": "em_1"}, "read"),
        ("place_search", {}, "read"),
        ("email_draft_create", {"to": ["con_x"], "subject": "a", "body": "b"}, "draft"),
        ("document_create", {"path": "drafts/letter.md", "title": "a", "text": "b"}, "draft"),
        ("document_create", {"path": "notes/letter.md", "title": "a", "text": "b"}, "routine_record"),
        ("document_create", {"path": "drafts", "title": "a", "text": "b"}, "routine_record"),
        ("document_create", {"path": "my_drafts/letter.md", "title": "a", "text": "b"}, "routine_record"),
        ("document_create", {"path": "drafts/../notes/letter.md", "title": "a", "text": "b"}, "routine_record"),
        ("calendar_event_create", {"title": "a"}, "routine_record"),
        ("calendar_event_create", {"title": "a", "attendees": []}, "routine_record"),
        ("calendar_event_create", {"title": "a", "attendees": ["con_x"]}, "key_record"),
        ("calendar_event_update", {"event_id": "ev_alone", "title": "a"}, "routine_record"),
        ("calendar_event_update", {"event_id": "ev_alone", "attendees": ["con_x"]}, "key_record"),
        ("calendar_event_update", {"event_id": "ev_shared", "title": "a"}, "key_record"),
        ("calendar_event_update", {"event_id": "ev_rota", "title": "a"}, "key_record"),
        ("calendar_event_update", {"event_id": "ev_unknown", "title": "a"}, "routine_record"),
        ("document_update", {"path": "notes/own.md", "heading": "a", "text": "b"}, "routine_record"),
        ("document_update", {"path": "notes/team.md", "heading": "a", "text": "b"}, "key_record"),
        ("document_update", {"path": "doc_team", "heading": "a", "text": "b"}, "key_record"),
        ("document_delete", {"path": "notes/own.md"}, "key_record"),
        ("contact_create", {"name": "a"}, "routine_record"),
        ("contact_update", {"contact_id": "con_x", "notes": "a"}, "routine_record"),
        ("message_send", {"to": "con_x", "text": "a"}, "outward"),
        ("bill_payment_create", {"bill_id": "bill_1"}, "outward"),
    ],
)
def test_the_class_follows_from_tool_arguments_and_record(tool: str, arguments: dict[str, Any], expected: str) -> None:
    assert classify(tool, arguments, RECORDS.get) == expected


def test_the_published_counts_hold() -> None:
    counts = Counter(classify(name, {}, RECORDS.get) for name in specs())
    assert counts["read"] == 51
    assert counts["outward"] == 24
    assert set(counts) <= set(ACTION_CLASSES)


def test_the_table_names_every_write_on_own_records() -> None:
    own = {name for name, spec in specs().items() if spec.kind == "write" and not spec.outward}
    assert own == set(_OWN_RECORDS)


def test_a_class_needs_a_known_tool() -> None:
    with pytest.raises(UnknownNameError, match="message_send"):
        classify("mesage_send", {}, RECORDS.get)
