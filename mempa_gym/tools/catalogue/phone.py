"""Phone: two tools."""

from __future__ import annotations

from typing import Annotated

from mempa_gym.tools.arguments import Arguments, Id, Query, Text
from mempa_gym.tools.catalogue._common import acting, reading, says

__all__ = ["TOOLS"]


class CallRead(Arguments):
    call_id: Annotated[Id | None, says("Id of the call. Leave out to list calls.")] = None
    query: Query = None
    contact_id: Annotated[Id | None, says("Only calls with this contact (id).")] = None


class CallDial(Arguments):
    contact_id: Annotated[Id, says("Id of the contact to call.")]
    message: Annotated[Text, says("What is to be said on the phone.")]


_read, _act = reading("Phone"), acting("Phone")

TOOLS = (
    _read("phone_call_read", "Reads the record of one phone call, or lists calls.", CallRead),
    _act("phone_call_dial", "Calls a contact on the user's behalf and says a message.", CallDial),
)
