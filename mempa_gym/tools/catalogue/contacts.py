"""Contacts: four tools."""

from __future__ import annotations

from typing import Annotated

from mempa_gym.tools.arguments import Arguments, Id, Name, Query, Text
from mempa_gym.tools.catalogue._common import reading, says, writing

__all__ = ["TOOLS"]


class ContactSearch(Arguments):
    query: Query = None


class ContactRead(Arguments):
    contact_id: Annotated[Id, says("Id of the contact.")]


class ContactCreate(Arguments):
    name: Annotated[Name, says("Full name.")]
    relation: Annotated[Name | None, says("Who this is to the user, in a few words.")] = None
    phone: Annotated[Name | None, says("Phone number.")] = None
    email: Annotated[Name | None, says("E-mail address.")] = None
    notes: Annotated[Text | None, says("Notes for the user.")] = None


class ContactUpdate(Arguments):
    contact_id: Annotated[Id, says("Id of the contact to change.")]
    name: Annotated[Name | None, says("New name.")] = None
    relation: Annotated[Name | None, says("New relation to the user.")] = None
    phone: Annotated[Name | None, says("New phone number.")] = None
    email: Annotated[Name | None, says("New e-mail address.")] = None
    notes: Annotated[Text | None, says("New notes; replace the old ones.")] = None


_read, _write = reading("Contacts"), writing("Contacts")

TOOLS = (
    _read("contact_search", "Searches the user's contacts.", ContactSearch),
    _read("contact_read", "Reads one contact in full.", ContactRead),
    _write("contact_create", "Adds a contact.", ContactCreate),
    _write("contact_update", "Changes a contact.", ContactUpdate),
)
