"""The turn-level payloads of the interaction tools (paper 000, E.2): what an agent hands over for rendering.

The published schemas are not available; these are this project's own. Each separates what one setting shows from what
another withholds, so that the same payload can be sent under every setting and only the wrapper's rendering differs.

A payload that is required may still be empty where its schema allows it: the agent then says that it has nothing to
show. The wrapper standardises how a choice is carried out and does not correct it; the judge sees what is missing.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field, StringConstraints, model_validator
from pydantic_core import PydanticCustomError

from mempa_gym.tools.arguments import Arguments

__all__ = [
    "CapabilityPayload",
    "ConfirmPayload",
    "OutreachPayload",
    "Payload",
    "ProcessPayload",
    "QuestionsPayload",
    "RationalePayload",
    "StatementsPayload",
    "Text",
    "TopicsPayload",
]

_LONGEST = 20_000
_MOST = 50

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=_LONGEST)]
"""Text that says something."""

_Words = Annotated[str, StringConstraints(strip_whitespace=True, max_length=_LONGEST)]
_Maybe = _Words | None
_Texts = Annotated[tuple[Text, ...], Field(strict=False, max_length=_MOST)]


class Payload(Arguments):
    """Base of all payloads: nothing undeclared, nothing converted, immutable."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class RationalePayload(Payload):
    """Reasoning Visibility."""

    rationale: _Words = Field(description="A paragraph that names the evidence and what decided.")


class Statement(Payload):
    """A key claim and how sure the agent is of it."""

    claim: Text = Field(description="The claim, in one sentence.")
    confidence: Literal["high", "medium", "low"] = Field(description="How well its evidence bears it.")


class StatementsPayload(Payload):
    """Uncertainty Expression."""

    statements: Annotated[tuple[Statement, ...], Field(strict=False, max_length=_MOST)] = Field(
        description="The key claims of the reply."
    )


class ProcessPayload(Payload):
    """Process Visibility; every part may be left out."""

    opening: _Maybe = Field(default=None, description="One sentence that says what the job is.")
    notices: _Texts = Field(default=(), description="One sentence for each executed task call, in call order.")
    closing: _Maybe = Field(default=None, description="One sentence that says the job is finished.")


class Topic(Payload):
    """One of the matters the user raised."""

    label: Text = Field(description="A short heading.")
    text: Text = Field(description="What there is to say on it.")


class TopicsPayload(Payload):
    """Topic Management: the matters that are still open, the next one first."""

    topics: Annotated[tuple[Topic, ...], Field(strict=False, max_length=_MOST)] = Field(
        description="The matters still open, in the order to take them up."
    )


class QuestionsPayload(Payload):
    """Information Elicitation; an empty list says that nothing is missing now."""

    questions: _Texts = Field(description="One question for each missing fact; empty when nothing is missing now.")


class OutreachPayload(Payload):
    """Proactive Outreach: what becomes of a world event."""

    decision: Literal["send", "suppress"] = Field(description="Whether the user is told of the event.")
    text: _Maybe = Field(default=None, description="What to tell the user; needed to send.")

    @model_validator(mode="after")
    def _says_something(self) -> OutreachPayload:
        if self.decision == "send" and not self.text:
            raise PydanticCustomError("format", "the decision 'send' needs a text that says what changed")
        return self


class ConfirmPayload(Payload):
    """Autonomy Level: the question that goes with held actions."""

    confirm: Text = Field(description="A question that names each held action and asks the user to approve it.")


class CapabilityPayload(Payload):
    """Capability Boundary: what could not be done."""

    limit: Text = Field(description="A sentence that says what could not be done and why.")
    next_step: _Maybe = Field(default=None, description="What the user can do now.")
