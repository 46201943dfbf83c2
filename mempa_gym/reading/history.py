"""Parsing evidence: the text in which memories hand a user's past to a PA.

The forms are fixed by the memories (``mempa_gym.memory.render`` and its neighbours) and read here, so that a reader
works from text alone and never from a memory's internals:

    [YYYY-MM-DDTHH:MM] USER: text                                one message
    [YYYY-MM-DDTHH:MM] EVENT: text                               a world event
    [YYYY-MM-DDTHH:MM] CALL IX_<attribute> {"setting": "<label>"} -> ok
    [YYYY-MM-DDTHH:MM] CALL <tool> <arguments> -> <result>
    [YYYY-MM-DDTHH:MM] PA: text                                  a reply
    (blank line)                                                 between sessions, or between retrieved records
    - [YYYY-MM-DD] IX_<attribute> <label> | about: <words> | user: "<message>" | user: "<later message>"
    The user wants IX_<attribute> set to "<label>": <definition>     the oracle

Records with the same time stamp belong to one session, in whatever order a search returned them. Any other line of
some length is kept as a note of unknown origin. Histories grow by appending, so every part is parsed once and
remembered; the memory of it is bounded.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from mempa_gym.reading.context import logit_of_work
from mempa_gym.reading.features import key
from mempa_gym.reading.lexicon import EMPTY, stem, words
from mempa_gym.reading.model import model

__all__ = ["HASHED", "Past", "Said", "Selection", "oracle_setting", "parts", "terms"]

HASHED = 4096

_STAMPED = re.compile(r"\[(\d{4}-\d{2}-\d{2}T\d{2}:\d{2})\] (USER: |EVENT: |PA: |CALL )(.*)", re.ASCII)
_SELECTED = re.compile(r"IX_([a-z_]+) (\{.*?\}) -> (.*)", re.ASCII)
_NOTED = re.compile(r"- \[(\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2})?)\] IX_([a-z_]+) ([^|]+?) \|(.*)", re.ASCII)
_ORACLE = re.compile(r'^The user wants IX_([a-z_]+) set to "([^"\n]+)"', re.ASCII | re.MULTILINE)
_FEWEST_WORDS = 4
_FRAMING = ("#", "[", "(", "The user wants IX_")  # what begins like this frames the notes and is none itself


@dataclass(frozen=True, slots=True)
class Selection:
    """A setting that an assistant selected: attribute, label, and how many of the part's messages came before it.

    ``asked`` says that the assistant's reply before it was a question.
    """

    attribute: str
    setting: str
    before: int
    asked: bool


@dataclass(frozen=True, slots=True)
class Said:
    """The words of a session or record: those of the user's own, as places in a table, and the log-odds of work."""

    own: NDArray[np.intp]
    work: float


@dataclass(frozen=True, slots=True)
class Past:
    """One part of the evidence: a session, a retrieved record, a line of notes.

    Attributes:
        at: story time or date; "" when unknown.
        messages: the user's messages in order.
        selections: what was selected in it.
        said: its words.
        loose: True for a note of unknown origin.
    """

    at: str
    messages: tuple[str, ...]
    selections: tuple[Selection, ...]
    said: Said
    loose: bool


def oracle_setting(evidence: str, attribute: str) -> str | None:
    """Returns the label that an oracle's line names for an attribute, else None."""
    if "The user wants IX_" not in evidence:
        return None
    for found, label in _ORACLE.findall(evidence):
        if found == attribute:
            return str(label)
    return None


def parts(evidence: str) -> Iterator[Past]:
    """Yields the parts of an evidence text in the order in which they stand."""
    for block in evidence.split("\n\n"):
        if block:
            yield from _block(block)


@lru_cache(maxsize=1024)
def _block(block: str) -> tuple[Past, ...]:
    found: list[Past] = []
    at = ""
    messages: list[str] = []
    topical: list[str] = []
    selections: list[Selection] = []
    asked = False

    def close() -> None:
        if at:
            said = terms(" \n".join(messages), " \n".join(topical))
            found.append(Past(at, tuple(messages), tuple(selections), said, False))

    for line in block.split("\n"):
        stamped = _STAMPED.match(line)
        if stamped is None:
            other = _line(line)
            if other is not None:
                found.append(other)
            continue
        stamp, role, text = stamped.groups()
        if stamp != at:
            close()
            at, asked = stamp, False
            messages, topical, selections = [], [], []
        if role == "USER: ":
            messages.append(text)
        elif role == "CALL ":
            if text.startswith("IX_"):
                picked = _picked(text)
                if picked is not None:
                    selections.append(Selection(picked[0], picked[1], len(messages), asked))
            else:
                # Whom and what a call is about: its arguments, not its result, which may hold anything.
                topical.append(text.split(" -> ", 1)[0].partition(" ")[2])
        else:
            topical.append(text)
            if role == "PA: ":
                asked = "?" in text
    close()
    return tuple(found)


def _picked(text: str) -> tuple[str, str] | None:
    match = _SELECTED.match(text)
    if match is None or match[3].startswith("Error"):
        return None
    try:
        setting = json.loads(match[2]).get("setting")
    except ValueError:
        return None
    return (match[1], setting) if isinstance(setting, str) else None


@lru_cache(maxsize=2048)
def _line(line: str) -> Past | None:
    noted = _NOTED.match(line)
    if noted is None:
        text = line.lstrip("-* ").strip()
        if text.startswith(_FRAMING) or " mentions, last on " in text or len(text.split()) < _FEWEST_WORDS:
            return None
        return Past("", (text,), (), terms(text), True)
    at, attribute, setting, rest = noted.groups()
    about, *spoken = f" |{rest}".split(" | user: ")
    messages = tuple(_unquoted(text) for text in spoken)
    about = about.split("about:", 1)[-1].strip(" |")
    said = terms(" \n".join((about, *messages)))
    return Past(at, messages, (Selection(attribute, setting, 0, False),), said, False)


def _unquoted(text: str) -> str:
    text = text.strip()
    if len(text) > 1 and text[0] == text[-1] == '"':
        try:
            found = json.loads(text)
        except ValueError:
            return text[1:-1]
        return found if isinstance(found, str) else text[1:-1]
    return text


@lru_cache(maxsize=1024)
def terms(text: str, more: str = "") -> Said:
    """Returns the words of a text that the general model does not know, and its log-odds of work.

    Args:
        text: what the user said: it decides on the log-odds.
        more: what else was said and done. An assistant always sounds like work, so only unknown words are taken from
            it.
    """
    places = sorted({key(word) % HASHED for word in _unknown(f"{text}\n{more}" if more else text)})
    own = np.array(places, dtype=np.intp)
    own.setflags(write=False)
    return Said(own, logit_of_work(text))


def _unknown(text: str) -> Iterator[str]:
    # What the general model cannot know: people, places, things of this user's own, also inside the ids of records.
    known = model().context.rows
    for word in words(text.replace("_", " ")):
        if len(word) > 2 and word.isalpha() and word not in EMPTY:
            folded = stem(word)
            if key(f"c {folded}") not in known:
                yield folded
