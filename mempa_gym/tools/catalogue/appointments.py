"""Appointments: four tools."""

from __future__ import annotations

from typing import Annotated, Literal

from mempa_gym.tools.arguments import Arguments, Id, Name, Query, Text
from mempa_gym.tools.catalogue._common import After, Before, OnDay, acting, reading, says

__all__ = ["TOOLS"]


class AppointmentSearch(Arguments):
    query: Query = None
    provider: Annotated[Name | None, says("Only this provider.")] = None
    date: OnDay = None
    after: After = None
    before: Before = None


class AppointmentRead(Arguments):
    appointment_id: Annotated[Id, says("Id of an appointment or of an open slot.")]


class AppointmentCreate(Arguments):
    slot_id: Annotated[Id, says("Id of the open slot to book.")]
    notes: Annotated[Text | None, says("Notes for the provider.")] = None


class AppointmentUpdate(Arguments):
    appointment_id: Annotated[Id, says("Id of the appointment.")]
    slot_id: Annotated[Id | None, says("Id of the open slot to move it to.")] = None
    status: Annotated[Literal["confirmed", "cancelled"] | None, says("New status.")] = None
    notes: Annotated[Text | None, says("New notes; replace the old ones.")] = None


_read, _act = reading("Appointments"), acting("Appointments")

TOOLS = (
    _read("appointment_search", "Searches the user's appointments and open slots.", AppointmentSearch),
    _read("appointment_read", "Reads one appointment or open slot in full.", AppointmentRead),
    _act("appointment_create", "Books an appointment in an open slot.", AppointmentCreate),
    _act("appointment_update", "Moves, confirms, cancels or annotates an appointment.", AppointmentUpdate),
)
