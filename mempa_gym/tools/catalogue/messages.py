"""Messages: three tools."""

from __future__ import annotations

from typing import Annotated

from mempa_gym.tools.arguments import Arguments, Id, Query, Text
from mempa_gym.tools.catalogue._common import After, Before, acting, reading, says

__all__ = ["TOOLS"]


class MessageSearch(Arguments):
    query: Query = None
    contact_id: Annotated[Id | None, says("Only the thread with this contact (id).")] = None
    after: After = None
    before: Before = None


class MessageRead(Arguments):
    message_id: Annotated[Id, says("Id of the message.")]


class MessageSend(Arguments):
    to: Annotated[Id, says("Id of the contact who gets the message.")]
    text: Annotated[Text, says("Text of the message.")]


_read, _act = reading("Messages"), acting("Messages")

TOOLS = (
    _read("message_search", "Searches the user's text messages.", MessageSearch),
    _read("message_read", "Reads one text message.", MessageRead),
    _act("message_send", "Sends a text message to a contact.", MessageSend),
)
