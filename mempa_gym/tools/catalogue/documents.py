"""Documents: six tools."""

from __future__ import annotations

from typing import Annotated, Literal

from mempa_gym.tools.arguments import Arguments, DocumentPath, Id, Name, People, Query, Text
from mempa_gym.tools.catalogue._common import acting, reading, says, writing

__all__ = ["TOOLS"]


class EntitlementRead(Arguments):
    entitlement_id: Annotated[Id | None, says("Id of the entitlement. Leave out to list.")] = None
    query: Query = None


class DocumentRead(Arguments):
    path: Annotated[DocumentPath | None, says("Path or id of the document. Leave out to list documents.")] = None
    query: Query = None


class ReportSubmit(Arguments):
    title: Annotated[Text, says("Title of the report.")]
    period: Annotated[Text, says("Period it covers, in words.")]
    text: Annotated[Text, says("Text of the report.")]


class DocumentCreate(Arguments):
    path: Annotated[DocumentPath, says("Path of the new document, with '/' between folders; drafts go under drafts/.")]
    title: Annotated[Text, says("Title of the document.")]
    text: Annotated[Text, says("Its text.")]
    heading: Annotated[Name | None, says("Heading of the text's section; the title when left out.")] = None
    shared_with: Annotated[People | None, says("Contact ids of the people it is shared with.")] = None


class DocumentUpdate(Arguments):
    path: Annotated[DocumentPath, says("Path or id of the document.")]
    heading: Annotated[Name, says("Heading of the section to change; an unknown one adds a section at the end.")]
    text: Annotated[Text, says("Text of the section.")]
    mode: Annotated[Literal["replace", "append"], says("Replace the section's text or add to it.")] = "replace"


class DocumentDelete(Arguments):
    path: Annotated[DocumentPath, says("Path or id of the document to delete for good.")]


_read, _write, _act = reading("Documents"), writing("Documents"), acting("Documents")

TOOLS = (
    _read("copier_entitlement_read", "Reads who may use which copier.", EntitlementRead, available=False),
    _read("document_read", "Reads one of the user's documents, or lists them.", DocumentRead),
    _act("corporate_reporting_submit", "Submits a report to the company's reporting.", ReportSubmit, available=False),
    _write("document_create", "Creates a document.", DocumentCreate),
    _write("document_update", "Writes a section of a document.", DocumentUpdate),
    _write("document_delete", "Deletes a document. This cannot be undone.", DocumentDelete),
)
