"""Checking an exchange once and giving it names.

An exchange comes as plain JSON-able data: from the engine, from a recorded run, or from a caller outside the project.
It is checked here, so that every detector can rely on its shape and a mistake is reported with its place instead of
as a failure somewhere inside a rule.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mempa_gym.behaviour.text import EMPTY, Doc, normalised, parse, words_of
from mempa_gym.errors import DataError, unknown

__all__ = ["KINDS", "Call", "Exchange", "Field", "Task", "Topic", "Turn", "read_exchange"]

KINDS: tuple[str, ...] = ("read", "draft", "routine_record", "key_record", "outward")
_KINDS = frozenset(KINDS)


@dataclass(frozen=True, slots=True)
class Call:
    """A call that was executed: tool, action class, a summary of its arguments, and whether it succeeded."""

    tool: str
    kind: str
    summary: str
    ok: bool

    @property
    def writes(self) -> bool:
        """Whether the call carries the task out rather than informing it."""
        return self.kind != "read"


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn of the assistant and what the user said next, with the reply taken apart."""

    doc: Doc
    reply: str
    executed: tuple[Call, ...]
    held: tuple[str, ...]
    user_next: str | None


@dataclass(frozen=True, slots=True)
class Field:
    """A missing field of the request; ``ask`` are key words of a question for it."""

    name: str
    ask: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Topic:
    """A raised topic: its label, telling words, and the tools of its task calls."""

    label: str
    words: tuple[str, ...]
    tools: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Task:
    """What is known of the task; every part may be empty."""

    named: tuple[str, ...] = ()
    feeling: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    answer: tuple[str, ...] = ()
    claims: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    blocked: str | None = None
    fields: tuple[Field, ...] = ()
    topics: tuple[Topic, ...] = ()
    given: bool = False


@dataclass(frozen=True, slots=True)
class Exchange:
    """A decision turn and what followed it.

    ``user_words`` is everything the user said, as `normalised` gives it.
    """

    user_message: str
    event: str | None
    task: Task
    turns: tuple[Turn, ...]
    user_words: str

    @property
    def first(self) -> Turn:
        """The decision turn."""
        return self.turns[0]


_NO_TASK = Task()


def read_exchange(raw: Mapping[str, Any]) -> Exchange:
    """Checks an exchange and returns it with names.

    Raises:
        DataError: A part is missing or has the wrong type; the error names its place, for example
            ``turns[0].executed[1].kind``.
    """
    if not isinstance(raw, Mapping):
        raise _bad("", f"an object with user_message, event, task and turns is expected, not {type(raw).__name__}")
    user_message = raw.get("user_message")
    if not isinstance(user_message, str):
        raise _missing(raw, "user_message", "user_message", "text")
    event = raw.get("event")
    if event is not None and not isinstance(event, str):
        raise _bad("event", f"text or null is expected, not {type(event).__name__}")
    rows = raw.get("turns")
    if not isinstance(rows, Sequence) or isinstance(rows, str):
        raise _missing(raw, "turns", "turns", "a list of turns")
    nexts = []
    for i, row in enumerate(rows):
        if not isinstance(row, Mapping):
            raise _bad(f"turns[{i}]", f"an object is expected, not {type(row).__name__}")
        said = row.get("user_next")
        if said is not None and not isinstance(said, str):
            raise _bad(f"turns[{i}].user_next", f"text or null is expected, not {type(said).__name__}")
        nexts.append(said)
    heard = normalised(user_message) + (normalised(event) if event else "")
    turns: list[Turn] = []
    for i, row in enumerate(rows):
        turns.append(_turn(row, i, heard))
        said = nexts[i]
        if said:
            heard += normalised(said)
    task = raw.get("task")
    if task is not None and not isinstance(task, Mapping):
        raise _bad("task", f"an object or null is expected, not {type(task).__name__}")
    return Exchange(
        user_message,
        event,
        _task(task) if task else _NO_TASK,
        tuple(turns),
        heard,
    )


def _turn(row: Mapping[str, Any], i: int, heard: str) -> Turn:
    reply = row.get("reply")
    if not isinstance(reply, str):
        raise _missing(row, "reply", f"turns[{i}].reply", "text")
    executed = row.get("executed", ())
    if executed is None or not isinstance(executed, Sequence) or isinstance(executed, str):
        raise _bad(f"turns[{i}].executed", f"a list of calls is expected, not {type(executed).__name__}")
    held = row.get("held", ())
    if not isinstance(held, Sequence) or isinstance(held, str) or not all(isinstance(item, str) for item in held):
        raise _bad(f"turns[{i}].held", "a list of texts is expected")
    calls: list[Call] = []
    for j, call in enumerate(executed):
        place = f"turns[{i}].executed[{j}]"
        if not isinstance(call, Mapping):
            raise _bad(place, f"an object is expected, not {type(call).__name__}")
        tool, kind = call.get("tool"), call.get("kind")
        if not isinstance(tool, str):
            raise _missing(call, "tool", f"{place}.tool", "the name of a tool")
        if kind not in _KINDS:
            if not isinstance(kind, str):
                raise _missing(call, "kind", f"{place}.kind", f"one of {', '.join(KINDS)}")
            hint = unknown("action class", kind, KINDS)
            raise _bad(f"{place}.kind", f"unknown action class {kind!r}", hint.remedy)
        ok = call.get("ok", True)
        if not isinstance(ok, bool):
            raise _bad(f"{place}.ok", f"true or false is expected, not {type(ok).__name__}")
        summary = call.get("args_summary", "")
        if not isinstance(summary, str):
            raise _bad(f"{place}.args_summary", f"text is expected, not {type(summary).__name__}")
        # A call of an interaction tool carries no task out and would tell what was selected.
        if not tool.startswith("IX_"):
            calls.append(Call(tool.removeprefix("mcp_state_"), kind, summary, ok))
    doc = parse(reply, heard) if reply else EMPTY
    return Turn(doc, reply, tuple(calls), tuple(held), row.get("user_next"))


def _task(raw: Mapping[str, Any]) -> Task:
    blocked = raw.get("blocked")
    if blocked is not None and not isinstance(blocked, str):
        raise _bad("task.blocked", f"the name of a tool is expected, not {type(blocked).__name__}")
    return Task(
        named=_texts(raw, "named"),
        feeling=_keys(raw, "feeling"),
        terms=_keys(raw, "terms"),
        evidence=_keys(raw, "evidence"),
        answer=_keys(raw, "answer"),
        claims=_keys(raw, "claims"),
        about=_keys(raw, "about"),
        options=_keys(raw, "options"),
        blocked=blocked,
        fields=tuple(_field(item, i) for i, item in enumerate(_items(raw, "fields"))),
        topics=tuple(_topic(item, i) for i, item in enumerate(_items(raw, "topics"))),
        given=True,
    )


def _field(item: Any, i: int) -> Field:
    if isinstance(item, str):
        return Field(item, _split_keys((item,)))
    if not isinstance(item, Mapping) or not isinstance(item.get("name"), str):
        raise _bad(f"task.fields[{i}]", "an object with a name and key words under ask is expected")
    return Field(item["name"], _keys(item, "ask", f"task.fields[{i}].") or _split_keys((item["name"],)))


def _topic(item: Any, i: int) -> Topic:
    if isinstance(item, str):
        return Topic(item, _split_keys((item,)), ())
    if not isinstance(item, Mapping) or not isinstance(item.get("label"), str):
        raise _bad(f"task.topics[{i}]", "an object with a label, words and tools is expected")
    place = f"task.topics[{i}]."
    return Topic(
        item["label"],
        _keys(item, "words", place) or _split_keys((item["label"],)),
        _texts(item, "tools", place),
    )


def _items(raw: Mapping[str, Any], key: str) -> Sequence[Any]:
    value = raw.get(key)
    if value is None:
        return ()
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise _bad(f"task.{key}", f"a list is expected, not {type(value).__name__}")
    return value


def _texts(raw: Mapping[str, Any], key: str, place: str = "task.") -> tuple[str, ...]:
    value = raw.get(key)
    if value is None:
        return ()
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, Sequence) or not all(isinstance(item, str) for item in value):
        raise _bad(f"{place}{key}", "a list of texts is expected")
    return tuple(value)


def _keys(raw: Mapping[str, Any], key: str, place: str = "task.") -> tuple[str, ...]:
    # Key words are looked for in `normalised` texts: a blank before makes them begin a word, and only short ones must
    # also end it, so that "deposit" finds "deposits" and "tea" does not find "team".
    return _split_keys(_texts(raw, key, place))


def _split_keys(texts: Sequence[str]) -> tuple[str, ...]:
    keys = (" ".join(words_of(text.replace("’", "'"))) for text in texts)
    return tuple(f" {key} " if len(key) < 4 else f" {key}" for key in keys if key)


def _missing(row: Mapping[str, Any], key: str, place: str, wanted: str) -> DataError:
    if key not in row:
        return _bad(place, f"it is missing; {wanted} is expected")
    return _bad(place, f"{wanted} is expected, not {type(row[key]).__name__}")


def _bad(key: str, reason: str, remedy: str = "") -> DataError:
    return DataError("exchange", key, reason, remedy or "Give the exchange in the documented form")
