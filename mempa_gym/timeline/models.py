"""The shape of session scripts and change events as they stand in data files.

Pydantic at the edge: a malformed script is refused with its file, key and reason before anything plays. What plays is
the compiled form of ``script.py``. Terms follow paper 000, Appendix C.3 and C.4: a script is made of beats, one beat
is the decision point, the beat after it carries the user's reaction.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from mempa_gym.taxonomy import attribute as get_attribute

__all__ = [
    "BeatModel",
    "CallModel",
    "EventModel",
    "EventTurnModel",
    "FactModel",
    "LockModel",
    "PlanModel",
    "RealisationModel",
    "ScriptModel",
    "TaskModel",
]

StoryTime = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$")]
Text = Annotated[str, Field(min_length=1)]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class CallModel(_Model):
    """One tool call of a plan. ``fails``: the world is expected to refuse it."""

    tool: Text
    args: dict[str, Any] = Field(default_factory=dict)
    fails: bool = False


class RealisationModel(_Model):
    """What the planned PA does and says in one turn under one setting."""

    calls: tuple[CallModel, ...] = ()
    reply: str = ""
    payload: dict[str, Any] | None = None
    release: bool = False


class PlanModel(_Model):
    """The plan of one beat: either one way (``calls`` and ``reply``) or one realisation per setting."""

    before: tuple[CallModel, ...] = ()
    calls: tuple[CallModel, ...] = ()
    reply: str = ""
    payload: dict[str, Any] | None = None
    release: bool = False
    settings: dict[str, RealisationModel] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _one_way(self) -> PlanModel:
        if self.settings and (self.calls or self.reply or self.payload is not None or self.release):
            raise ValueError("a plan has either `settings` or calls/reply/payload/release of its own, not both")
        return self


class FactModel(_Model):
    """A task fact that only the user holds: the beat before which it stays unsaid, and the strings that betray it."""

    beat: Text
    marks: tuple[Text, ...] = Field(min_length=1)


class LockModel(_Model):
    """A write lock: calls of ``tool`` with the arguments of ``match`` wait until all facts of ``until`` are said."""

    tool: Text
    match: dict[str, Any] = Field(default_factory=dict)
    until: tuple[Text, ...] = Field(min_length=1)


class FieldModel(_Model):
    """A missing field of an underspecified request and key words with which a question asks for it."""

    name: Text
    ask: tuple[Text, ...] = Field(min_length=1)


class TopicModel(_Model):
    """One of several topics raised in a turn: its label, telling words, and the tools that its task calls use."""

    label: Text
    words: tuple[Text, ...] = Field(min_length=1)
    tools: tuple[Text, ...] = ()


class TaskModel(_Model):
    """What behaviour detection and the judge may know of the task (paper 000, Table 9, note d)."""

    goal: Text
    named: tuple[Text, ...] = ()
    feeling: tuple[Text, ...] = ()
    terms: tuple[Text, ...] = ()
    evidence: tuple[Text, ...] = ()
    answer: tuple[Text, ...] = ()
    claims: tuple[Text, ...] = ()
    about: tuple[Text, ...] = ()
    options: tuple[Text, ...] = ()
    blocked: str | None = None
    fields: tuple[FieldModel, ...] = ()
    topics: tuple[TopicModel, ...] = ()
    calls: int | None = None


class BeatModel(_Model):
    """One step of a session from the user's side, with the PA's plan for it."""

    id: Text
    goal: str = ""
    say: str | dict[str, str] = ""
    event: str | None = None
    needs: tuple[Text, ...] = ()
    nudge: str | None = None
    decision: bool = False
    reaction: bool = False
    react: dict[str, dict[str, Text]] = Field(default_factory=dict)
    again: dict[str, Text] = Field(default_factory=dict)
    consent: Literal["grant", "deny", "none"] = "none"
    pa: PlanModel

    @model_validator(mode="after")
    def _sound(self) -> BeatModel:
        if self.needs and not self.nudge:
            raise ValueError(f"beat {self.id}: `needs` without a `nudge`")
        if self.react and not self.reaction:
            raise ValueError(f"beat {self.id}: `react` on a beat that is not the reaction beat")
        if not self.say and self.event is None:
            raise ValueError(f"beat {self.id}: neither `say` nor `event`")
        return self


class ScriptModel(_Model):
    """An accumulation session or a probe (paper 000, C.3)."""

    id: Text
    kind: Literal["accumulation", "probe"]
    context: Literal["work", "personal"]
    attribute: Text
    at: StoryTime
    scenario: Text
    title: Text
    life: Text
    records: tuple[Text, ...] = ()
    facts: dict[str, FactModel] = Field(default_factory=dict)
    lock: LockModel | None = None
    task: TaskModel
    beats: tuple[BeatModel, ...] = Field(min_length=1)
    before_event: str | None = None

    @model_validator(mode="after")
    def _sound(self) -> ScriptModel:
        attribute = get_attribute(self.attribute)
        labels = set(attribute.labels)
        ids = [beat.id for beat in self.beats]
        if len(set(ids)) != len(ids):
            raise ValueError("beat ids repeat")
        decisions = [index for index, beat in enumerate(self.beats) if beat.decision]
        if len(decisions) != 1:
            raise ValueError(f"exactly one decision beat is needed, found {len(decisions)}")
        decision = decisions[0]
        if set(self.beats[decision].pa.settings) != labels:
            raise ValueError(f"the decision beat's plan needs exactly the settings {sorted(labels)}")
        for index, beat in enumerate(self.beats):
            if beat.pa.settings and set(beat.pa.settings) != labels:
                raise ValueError(f"beat {beat.id}: plan settings must be exactly {sorted(labels)}")
            if index < decision and beat.pa.settings:
                raise ValueError(f"beat {beat.id}: a plan per setting before the decision beat")
            if isinstance(beat.say, dict):
                if index <= decision:
                    raise ValueError(f"beat {beat.id}: `say` per setting is allowed only after the decision beat")
                if set(beat.say) != labels:
                    raise ValueError(f"beat {beat.id}: `say` must have exactly the settings {sorted(labels)}")
        reactions = [index for index, beat in enumerate(self.beats) if beat.reaction]
        if self.kind == "accumulation":
            if reactions != [decision + 1]:
                raise ValueError(
                    "an accumulation session needs exactly one reaction beat, right after the decision beat"
                )
            react = self.beats[decision + 1].react
            if set(react) != labels or any(set(row) != labels for row in react.values()):
                raise ValueError("`react` needs every target and, for each, every shown setting")
        elif reactions:
            raise ValueError("a probe has no reaction beat: the user gives no feedback on manner")
        for name, fact in self.facts.items():
            if fact.beat not in ids:
                raise ValueError(f"fact {name}: unknown beat {fact.beat}")
        if attribute.write_lock and self.lock is None:
            raise ValueError(f"{self.attribute} needs a write lock (paper 000, C.3)")
        if not attribute.write_lock and self.lock is not None:
            raise ValueError(f"{self.attribute} has no write lock (paper 000, C.3)")
        if self.lock is not None:
            unknown = [name for name in self.lock.until if name not in self.facts]
            if unknown:
                raise ValueError(f"lock waits for unknown facts {unknown}")
        return self


class EventStepModel(_Model):
    """One call of a change event's fixed transcript."""

    tool: Text
    args: dict[str, Any] = Field(default_factory=dict)


class EventTurnModel(_Model):
    """One fixed exchange of a change event."""

    user: Text
    steps: tuple[EventStepModel, ...] = ()
    reply: Text


class EventModel(_Model):
    """A change event (paper 000, C.4): a fixed transcript with the old setting, its consequence and the new rule."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    id: Text
    context: Literal["work", "personal"]
    attribute: Text
    at: StoryTime
    order: int
    before: Text = Field(alias="from")
    after: Text = Field(alias="to")
    title: Text
    life: Text
    records: tuple[Text, ...] = ()
    turns: tuple[EventTurnModel, ...] = Field(min_length=2)
    note: Text

    @model_validator(mode="after")
    def _sound(self) -> EventModel:
        labels = get_attribute(self.attribute).labels
        for label in (self.before, self.after):
            if label not in labels:
                raise ValueError(f"{label!r} is no setting of {self.attribute}; its settings are {list(labels)}")
        picks = [
            s for turn in self.turns for s in turn.steps if s.tool == f"IX_{self.attribute}" and "setting" in s.args
        ]
        if len(picks) != 1 or picks[0].args["setting"] != self.before:
            raise ValueError(
                f"the transcript needs exactly one selection call of IX_{self.attribute}, with the old setting"
            )
        return self
