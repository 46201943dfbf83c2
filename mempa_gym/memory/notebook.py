"""MEMORY.md as the offline consolidator writes it: lines it owns, between lines it must not touch.

The file belongs to whoever edits it. A line is taken for our own only if it stands under our heading and is,
character for character, what we would write; every other line is a note of somebody else and is kept verbatim, in its
place. The form:

    # <name of an attribute>
    - [YYYY-MM-DD] IX_<attribute> <Setting> | about: word word ... | user: "message" | user: "message"

    # People and facts
    - <Name>: <n> mentions, last on YYYY-MM-DD

    # Latest session
    - [YYYY-MM-DD] about: word word ... | chosen: <attribute> <attribute>

Entries of an attribute stand newest last. The latest session is noted because a session can be cut in two by a
consolidation: its second part goes on with the entries that the first part began.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache

from mempa_gym.frozen import FrozenDict
from mempa_gym.memory.render import one_line
from mempa_gym.taxonomy import attribute_ids, attributes

__all__ = ["LATEST_HEADING", "PEOPLE_HEADING", "Entry", "Latest", "Notebook", "Person", "quoted"]

PEOPLE_HEADING = "# People and facts"
LATEST_HEADING = "# Latest session"

_HEADING = re.compile(r"##? ")
_ENTRY = re.compile(r"- \[(\d{4}-\d{2}-\d{2})\] IX_([a-z_]+) ([^|]+?)(?: \| (.*))?", re.ASCII)
_PERSON = re.compile(r"- (\S+): (\d{1,9}) mentions, last on (\d{4}-\d{2}-\d{2})", re.ASCII)
_LATEST = re.compile(r"- \[(\d{4}-\d{2}-\d{2})\] about: ([^|]*?)(?: ?\| chosen: ([a-z_ ]+))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Entry:
    """One selection and what the user said after it.

    Attributes:
        date: story date of the selection.
        attribute: attribute id.
        setting: label of the selected setting.
        about: telling words of the session's user messages.
        user: user messages that followed in the session, without quotation marks and bars.
    """

    date: str
    attribute: str
    setting: str
    about: tuple[str, ...]
    user: tuple[str, ...]

    def text(self) -> str:
        """Returns the entry as a line."""
        parts = [f"- [{self.date}] IX_{self.attribute} {self.setting}"]
        if self.about:
            parts.append("about: " + " ".join(self.about))
        parts.extend(f'user: "{message}"' for message in self.user)
        return " | ".join(parts)


@dataclass(frozen=True, slots=True)
class Person:
    """A recurring name."""

    name: str
    mentions: int
    last: str

    def text(self) -> str:
        """Returns the name as a line."""
        return f"- {self.name}: {self.mentions} mentions, last on {self.last}"


@dataclass(frozen=True, slots=True)
class Latest:
    """The session that was consolidated last: it may go on in the next chunk."""

    date: str
    about: tuple[str, ...]
    chosen: tuple[str, ...]

    def text(self) -> str:
        """Returns the session as a line."""
        line = f"- [{self.date}] about: {' '.join(self.about)}".rstrip()
        return f"{line} | chosen: {' '.join(self.chosen)}" if self.chosen else line


@dataclass(slots=True)
class Notebook:
    """A parsed MEMORY.md; a working value inside one consolidation.

    Attributes:
        foreign: everything outside our sections, in order.
        entries: attribute id to its entries, newest last.
        people: recurring names.
        latest: the session that was consolidated last, if any.
        notes: heading of ours to the lines of others that stand under it.
    """

    foreign: list[str] = field(default_factory=list)
    entries: dict[str, list[Entry]] = field(default_factory=dict)
    people: list[Person] = field(default_factory=list)
    latest: Latest | None = None
    notes: dict[str, list[str]] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str) -> Notebook:
        """Reads a MEMORY.md, whoever wrote it."""
        book = cls()
        attribute_of = _headings()
        ours = ""
        for line in text.split("\n"):
            if _HEADING.match(line):
                known = line in attribute_of or line in (PEOPLE_HEADING, LATEST_HEADING)
                ours = line if known else ""
                if known:
                    continue
            if not ours:
                book.foreign.append(line)
            elif not book._take(ours, line) and line.strip():
                book.notes.setdefault(ours, []).append(line)
        while book.foreign and not book.foreign[-1].strip():
            book.foreign.pop()
        return book

    def text(self) -> str:
        """Returns the file: the notes of others, then our sections in published order."""
        parts = ["\n".join(self.foreign)] if self.foreign else []
        for heading, attribute in _headings().items():
            parts.append(self._section(heading, (entry.text() for entry in self.entries.get(attribute, ()))))
        parts.append(self._section(PEOPLE_HEADING, (person.text() for person in self.people)))
        parts.append(self._section(LATEST_HEADING, [self.latest.text()] if self.latest else ()))
        return "\n\n".join(part for part in parts if part)

    def _section(self, heading: str, lines: Iterable[str]) -> str:
        body = [*self.notes.get(heading, ()), *lines]
        return "\n".join([heading, *body]) if body else ""

    def _take(self, heading: str, line: str) -> bool:
        if heading == PEOPLE_HEADING:
            person = _person(line)
            if person is not None:
                self.people.append(person)
            return person is not None
        if heading == LATEST_HEADING:
            latest = _latest(line)
            if latest is None or self.latest is not None:
                return False
            self.latest = latest
            return True
        entry = _entry(line)
        if entry is None or entry.attribute != _headings()[heading]:
            return False
        self.entries.setdefault(entry.attribute, []).append(entry)
        return True


def quoted(message: str, longest: int) -> str:
    """Returns a message as it stands between quotation marks: cut at a word's end, without marks that end it early."""
    text = one_line(message).replace('"', "'").replace("|", "/")
    if len(text) <= longest:
        return text
    cut = text[: longest + 1].rfind(" ")
    return text[: cut if cut > 0 else longest].rstrip()


@cache
def _headings() -> Mapping[str, str]:
    return FrozenDict({f"# {attribute.name}": attribute.id for attribute in attributes()})


@cache
def _labels() -> Mapping[str, tuple[str, ...]]:
    return FrozenDict({attribute.id: attribute.labels for attribute in attributes()})


@lru_cache(maxsize=512)
def _entry(line: str) -> Entry | None:
    found = _ENTRY.fullmatch(line)
    if found is None:
        return None
    date, attribute, setting, rest = found.groups()
    if setting not in _labels().get(attribute, ()):
        return None
    about: tuple[str, ...] = ()
    user = []
    for part in rest.split(" | ") if rest else ():
        if part.startswith("about: "):
            about = tuple(part[7:].split())
        elif part.startswith('user: "') and part.endswith('"') and len(part) >= 8:
            user.append(part[7:-1])
        else:
            return None
    entry = Entry(date, attribute, setting, about, tuple(user))
    return entry if entry.text() == line else None


def _person(line: str) -> Person | None:
    found = _PERSON.fullmatch(line)
    return Person(found[1], int(found[2]), found[3]) if found else None


def _latest(line: str) -> Latest | None:
    found = _LATEST.fullmatch(line)
    if found is None:
        return None
    chosen = tuple((found[3] or "").split())
    if any(attribute not in attribute_ids() for attribute in chosen):
        return None
    latest = Latest(found[1], tuple(found[2].split()), chosen)
    return latest if latest.text() == line else None
