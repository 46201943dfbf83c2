"""The shape of a voice file and of the skills file: checked with pydantic when they are read, never while playing."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["InsistModel", "NotesModel", "SkillModel", "SkillsFile", "VoiceFile"]

Text = Annotated[str, Field(min_length=1)]
Lines = Annotated[tuple[Text, ...], Field(min_length=1)]
BySetting = dict[str, dict[str, Lines]]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class InsistModel(_Model):
    """Lines said before a correction that came up once, twice or more often before."""

    once: Lines
    twice: Lines
    often: Lines


class ImpressionModel(_Model):
    """Templates of lasting impressions; ``{handled}`` stands for what the assistant does."""

    learned: Text
    stubborn: Text


class NotesModel(_Model):
    """Templates of the user's own notes."""

    asked: dict[str, Lines]
    asked_else: dict[str, Lines]
    handled: dict[str, dict[str, Text]]
    did: Lines
    plain: Lines
    accepted: Lines
    corrected: Lines
    insisted: Lines
    asked_me: Lines
    open: Lines
    closed: Lines


class VoiceFile(_Model):
    """A voice: what a user says around her scripts."""

    persona: Text
    insist: InsistModel
    deflect: Lines
    brush_off: Lines
    spent: Lines
    turn_back: Lines
    shrug: Lines
    resume: Lines
    grant: Lines
    deny: Lines
    mixed: Lines
    close: Lines
    answers: BySetting
    notes: NotesModel
    impressions: ImpressionModel


class SkillModel(_Model):
    """A preference skill (paper 000, D.2)."""

    production: Text
    follows: Text
    against: Text
    move: Text


class SkillsFile(_Model):
    """All skills: attribute id to setting label to skill."""

    skills: dict[str, dict[str, SkillModel]]
