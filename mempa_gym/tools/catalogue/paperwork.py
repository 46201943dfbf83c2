"""Reimbursement, conference registration and grade submission: three small domains of two tools each.

No packaged world holds such records yet, so the tools are offered, as the paper offers all tools to every user, and
answer that they are not available.
"""

from __future__ import annotations

from typing import Annotated

from mempa_gym.tools.arguments import Amount, Arguments, Day, Id, Name, Query, Text
from mempa_gym.tools.catalogue._common import acting, reading, says

__all__ = ["TOOLS"]


class SubmissionRead(Arguments):
    submission_id: Annotated[Id | None, says("Id of the submission. Leave out to list them.")] = None
    query: Query = None


class ReimbursementCreate(Arguments):
    purpose: Annotated[Text, says("What the money was spent on.")]
    amount: Annotated[Amount, says("How much.")]
    date: Annotated[Day, says("Day of the expense, YYYY-MM-DD.")]


class RegistrationRead(Arguments):
    registration_id: Annotated[Id | None, says("Id of the registration. Leave out to list them.")] = None
    query: Query = None


class RegistrationCreate(Arguments):
    conference: Annotated[Name, says("Name of the conference.")]
    attendee: Annotated[Name, says("Full name of who takes part.")]


class GradeCreate(Arguments):
    course: Annotated[Name, says("Name of the course.")]
    student: Annotated[Name, says("Full name of the student.")]
    grade: Annotated[Name, says("The grade.")]


_MONEY, _CONFERENCE, _GRADES = "Reimbursement", "Conference registration", "Grade submission"

TOOLS = (
    reading(_MONEY)("reimbursement_submission_read", "Reads expense claims.", SubmissionRead, available=False),
    acting(_MONEY)(
        "reimbursement_submission_create", "Submits an expense claim.", ReimbursementCreate, available=False
    ),
    reading(_CONFERENCE)(
        "conference_registration_read", "Reads registrations for conferences.", RegistrationRead, available=False
    ),
    acting(_CONFERENCE)(
        "conference_registration_create", "Registers someone for a conference.", RegistrationCreate, available=False
    ),
    reading(_GRADES)("grade_submission_read", "Reads submitted grades.", SubmissionRead, available=False),
    acting(_GRADES)("grade_submission_create", "Submits a grade.", GradeCreate, available=False),
)
