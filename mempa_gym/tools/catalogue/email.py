"""Email: six tools."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from mempa_gym.tools.arguments import Arguments, Id, Query, Text
from mempa_gym.tools.catalogue._common import After, Before, acting, reading, says, writing

__all__ = ["TOOLS"]

_Recipients = Annotated[
    list[Id],
    Field(
        min_length=1,
        max_length=50,
        description="Recipients: contact ids, or e-mail addresses that occur in the user's records.",
    ),
]


class EmailSearch(Arguments):
    query: Query = None
    folder: Annotated[Literal["inbox", "sent", "draft"] | None, says("Only this folder.")] = None
    after: After = None
    before: Before = None


class EmailRead(Arguments):
    email_id: Annotated[Id, says("Id of the e-mail.")]


class DraftRead(Arguments):
    email_id: Annotated[Id | None, says("Id of the draft. Leave out to list drafts.")] = None
    query: Query = None


class SentRead(Arguments):
    email_id: Annotated[Id | None, says("Id of the sent e-mail. Leave out to list sent e-mails.")] = None
    query: Query = None


class DraftCreate(Arguments):
    to: _Recipients
    subject: Annotated[Text, says("Subject line.")]
    body: Annotated[Text, says("Text of the e-mail.")]


class EmailSend(Arguments):
    to: _Recipients | None = None
    subject: Annotated[Text | None, says("Subject line.")] = None
    body: Annotated[Text | None, says("Text of the e-mail.")] = None
    draft_id: Annotated[Id | None, says("Id of a draft to send as it is, instead of to, subject and body.")] = None

    @model_validator(mode="after")
    def _one_way(self) -> EmailSend:
        content = (self.to, self.subject, self.body)
        if self.draft_id is not None:
            sound = content == (None, None, None)
        else:
            sound = None not in content
        if not sound:
            raise ValueError("give either to, subject and body, or draft_id alone")
        return self


_read, _write, _act = reading("Email"), writing("Email"), acting("Email")

TOOLS = (
    _read("email_message_search", "Searches the user's e-mails in all folders.", EmailSearch),
    _read("email_message_read", "Reads one e-mail in full.", EmailRead),
    _read("email_draft_read", "Reads one draft, or lists the drafts.", DraftRead),
    _read("email_sent_read", "Reads one sent e-mail, or lists the sent ones.", SentRead),
    _write("email_draft_create", "Saves an e-mail as a draft without sending it.", DraftCreate),
    _act("email_message_send", "Sends an e-mail: a new one, or a saved draft.", EmailSend),
)
