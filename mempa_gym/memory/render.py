"""How a stored turn reads: the one text form of history, parsed by `mempa_gym.reading` and by the consolidators.

Every memory renders a record once, here, so that no condition can store more than another. The form:

    [YYYY-MM-DDTHH:MM] USER: the user's message
    [YYYY-MM-DDTHH:MM] EVENT: text of the world event that opened the turn
    [YYYY-MM-DDTHH:MM] CALL <tool> <arguments as JSON> -> <result, cut to 16,000 characters>
    [YYYY-MM-DDTHH:MM] PA: the delivered reply

- One line a message, in the order in which things happened; a line that would be empty is left out. Line breaks
  inside a text become a space, so a text can never start a line of its own. Sessions are separated by a blank line.
- A world call that did not run shows its tool and what became of it, never its arguments: `CALL <tool> -> held`, or
  `CALL <tool> -> Error...` for a refusal. What the wrapper held back must not reach a memory (paper 000, E.4).
- An interaction tool shows the setting it selected: `CALL IX_verbosity {"setting": "Terse"} -> ok`. A payload is
  shown as `{"payload": {}}`: what was rendered stands in the PA line, and what was withheld must not stand anywhere.
  A call that was not accepted is `CALL IX_verbosity {} -> Error`.
- In a chunk for a consolidator, a first line `CONTINUED` says that earlier turns of the first session are stored
  already.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, cast

from mempa_gym.errors import ArgumentError
from mempa_gym.interaction.views import Step, TurnRecord

__all__ = [
    "CONTINUED",
    "LONGEST_RESULT",
    "Line",
    "clean",
    "one_line",
    "parse_line",
    "parse_selection",
    "render_record",
    "require_story_time",
]

LONGEST_RESULT = 16_000
CONTINUED = "(the session goes on)"

Role = Literal["USER", "EVENT", "CALL", "PA"]

_STORY_TIME = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}", re.ASCII)
_LINE = re.compile(r"\[(\d{4}-\d{2}-\d{2}T\d{2}:\d{2})\] (?:(USER|EVENT|PA): |(CALL) )(.*)", re.ASCII)
_SELECTION = re.compile(r"IX_([a-z_]+) (\{.*?\}) -> (.*)", re.ASCII)


class Line(NamedTuple):
    """One line of history, taken apart.

    Attributes:
        at: story time.
        role: who or what the line is about.
        text: the message, or what follows `CALL `.
    """

    at: str
    role: Role
    text: str


def render_record(record: TurnRecord) -> str:
    """Returns a turn as lines joined by line breaks; empty for a turn in which nothing was said or done.

    Raises:
        ArgumentError: The record's time is not a story time.
    """
    require_story_time(record.at, "at")
    stamp = f"[{record.at}] "
    lines = []
    if user := one_line(record.user):
        lines.append(f"{stamp}USER: {user}")
    if record.event is not None and (event := one_line(record.event)):
        lines.append(f"{stamp}EVENT: {event}")
    for step in record.steps:
        lines.append(f"{stamp}CALL {_call(step)}")
    if reply := one_line(record.reply):
        lines.append(f"{stamp}PA: {reply}")
    return clean("\n".join(lines))


def parse_line(line: str) -> Line | None:
    """Returns a line of history taken apart, or None for anything else (a heading, a blank line)."""
    found = _LINE.fullmatch(line)
    if found is None:
        return None
    at, speaker, call, text = found.groups()
    return Line(at, cast(Role, speaker or call), text)


def parse_selection(text: str) -> tuple[str, str] | None:
    """Returns attribute id and setting label of an accepted selection, from the text of a CALL line; else None."""
    if not text.startswith("IX_"):
        return None
    found = _SELECTION.fullmatch(text)
    if found is None or found[3].startswith("Error"):
        return None
    try:
        setting = json.loads(found[2]).get("setting")
    except ValueError:
        return None
    return (found[1], setting) if isinstance(setting, str) else None


def one_line(text: str) -> str:
    """Returns a text without line breaks of any kind and without space at its ends."""
    return " ".join(text.splitlines()).strip()


def clean(text: str) -> str:
    """Returns a text that can be written as UTF-8: lone surrogates become question marks."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def require_story_time(value: str, field: str = "at") -> None:
    """Checks the form of a story time; `field` names it in the error.

    Raises:
        ArgumentError: The value is not of the form YYYY-MM-DDTHH:MM.
    """
    if _STORY_TIME.fullmatch(value) is None:
        raise ArgumentError(field, value, "not a story time", "Give it as YYYY-MM-DDTHH:MM, without seconds or a zone")


def _call(step: Step) -> str:
    if step.tool.startswith("IX_"):
        return _interaction(step)
    if not step.ran:
        outcome = "held" if step.ok else one_line(step.text[:LONGEST_RESULT]) or "Error"
        return f"{one_line(step.tool)} -> {outcome}"
    return f"{step.tool} {_arguments(step.arguments)} -> {one_line(step.text[:LONGEST_RESULT])}"


def _interaction(step: Step) -> str:
    tool = one_line(step.tool)
    if not step.ok:
        return f"{tool} {{}} -> Error"
    setting, item = step.arguments.get("setting"), step.arguments.get("item_id")
    if isinstance(setting, str):
        return f"{tool} {_arguments({'setting': setting})} -> ok"
    if isinstance(item, str):
        # A released item has run: its result is public.
        result = one_line(step.text[:LONGEST_RESULT]) or "ok"
        return f"{tool} {_arguments({'item_id': item})} -> {result}"
    return f'{tool} {{"payload": {{}}}} -> ok'


def _arguments(arguments: Mapping[str, Any]) -> str:
    return one_line(_encode(arguments)[:LONGEST_RESULT])


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    return f"<{type(value).__name__}>"


_encode = json.JSONEncoder(ensure_ascii=False, default=_plain).encode
