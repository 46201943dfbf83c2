"""A consolidator without a model: rules that note what was selected and what the user said next.

It stands in for the language model of paper 000's File memory, so that a whole timeline plays offline in about a
second and is the same everywhere. It notes evidence and draws no conclusion: which setting a reaction speaks for is
left to the reader of MEMORY.md, as it is with a model's notes. It knows nothing of contexts or targets; the telling
words of a session are what a reader can tell work from personal life by.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from mempa_gym.memory.answers import ConsolidationResult, Outcome
from mempa_gym.memory.notebook import Entry, Latest, Notebook, Person, quoted
from mempa_gym.memory.options import require_positive
from mempa_gym.memory.render import CONTINUED, parse_line, parse_selection
from mempa_gym.memory.tokens import LineCounter
from mempa_gym.memory.words import names, telling_words
from mempa_gym.taxonomy import attribute_ids, attributes

__all__ = ["OfflineConsolidator"]

_ABOUT_WORDS = 8
_SUMMARY_WORDS = 3
_MESSAGES = 3
_LONGEST_MESSAGE = 240
_SHORT_MESSAGE = 160
_PEOPLE = 20


@dataclass(slots=True)
class _Session:
    """A session, or the part of it that a chunk holds: messages and selections (attribute, setting) in order."""

    date: str
    goes_on: bool
    messages: list[tuple[str, str]] = field(default_factory=list)
    moves: list[tuple[str, str | tuple[str, str]]] = field(default_factory=list)
    about: tuple[str, ...] = ()


class OfflineConsolidator:
    """Writes one line a selection, grouped by attribute, newest last; see `notebook` for the form.

    Args:
        keep: most lines an attribute; the oldest go first.
        size: most tokens of all those lines together. Beyond it the oldest lines are shortened first, then dropped,
            down to the newest line of each attribute.

    Raises:
        InvalidOptionError: An argument is not a positive whole number.
    """

    def __init__(self, keep: int = 6, size: int = 6_000) -> None:
        require_positive("keep", keep)
        require_positive("size", size)
        self.keep = keep
        self.size = size
        self.name = f"offline(keep={keep}, size={size})"

    def propose(self, memory_text: str, lines: tuple[str, ...], now: str) -> Outcome:
        """Proposes the notes with what the chunk adds to them; never fails."""
        return _proposed(self.keep, self.size, memory_text, lines)


@lru_cache(maxsize=64)
def _proposed(keep: int, size: int, memory_text: str, lines: tuple[str, ...]) -> ConsolidationResult:
    # A story that is played again comes to the same notes again.
    sessions = list(_sessions(lines))
    if not sessions:
        return ConsolidationResult("Nothing was said.", memory_text)
    book = Notebook.parse(memory_text)
    for session in sessions:
        _learn(book, session)
    _count_names(book, sessions)
    for entries in book.entries.values():
        del entries[:-keep]
    _fit(book, size, LineCounter())
    # The rules lose old lines by design; a reader of the history should know why a memory became shorter.
    return ConsolidationResult(_summary(sessions), book.text(), "only the newest entries are kept")


def _sessions(lines: Sequence[str]) -> Iterator[_Session]:
    goes_on = bool(lines) and lines[0] == CONTINUED
    session: _Session | None = None
    for text in lines:
        if not text:
            if session is not None:
                yield session
            session = None
            continue
        line = parse_line(text)
        if line is None:
            continue
        if session is None:
            session = _Session(line.at[:10], goes_on)
            goes_on = False
        if line.role == "USER":
            session.messages.append((line.at[:10], line.text))
            session.moves.append((line.at[:10], line.text))
        elif line.role == "CALL" and (selection := parse_selection(line.text)) and _exists(*selection):
            session.moves.append((line.at[:10], selection))
    if session is not None:
        yield session


def _learn(book: Notebook, session: _Session) -> None:
    about = session.about = telling_words((text for _, text in session.messages), _ABOUT_WORDS)
    start, chosen = session.date, []
    latest = book.latest
    if session.goes_on and latest is not None:
        about = tuple(dict.fromkeys((*latest.about, *about)))[:_ABOUT_WORDS]
        start = latest.date
        for attribute in latest.chosen:
            # The entry may be gone: somebody edited the file.
            entries = book.entries.get(attribute)
            if entries and entries[-1].date >= start:
                chosen.append(attribute)
    for date, move in session.moves:
        if isinstance(move, str):
            for attribute in chosen:
                entry = book.entries[attribute][-1]
                if len(entry.user) < _MESSAGES:
                    user = (*entry.user, quoted(move, _LONGEST_MESSAGE))
                    book.entries[attribute][-1] = replace(entry, user=user)
        elif move[0] not in chosen:
            attribute, setting = move
            book.entries.setdefault(attribute, []).append(Entry(date, attribute, setting, about, ()))
            chosen.append(attribute)
    for attribute in chosen:
        book.entries[attribute][-1] = replace(book.entries[attribute][-1], about=about)
    book.latest = Latest(start, about, tuple(chosen))


def _count_names(book: Notebook, sessions: Sequence[_Session]) -> None:
    known = {person.name: person for person in book.people}
    found: dict[str, list[str]] = {}
    for session in sessions:
        for date, text in session.messages:
            for name in names(text):
                found.setdefault(name, []).append(date)
    for name, dates in found.items():
        if name in known:
            known[name] = replace(known[name], mentions=known[name].mentions + len(dates), last=dates[-1])
        elif len(dates) > 1:
            known[name] = Person(name, len(dates), dates[-1])
    newest = sorted(known.values(), key=lambda person: person.name)
    newest.sort(key=lambda person: (person.mentions, person.last), reverse=True)
    book.people = newest[:_PEOPLE]


def _fit(book: Notebook, size: int, lines: LineCounter) -> None:
    """Shortens and then drops the oldest entries until all of them fit."""
    places = [(a, i) for a in attribute_ids() for i in range(len(book.entries.get(a, ())))]
    total = lines.count([book.entries[a][i].text() for a, i in places]) + 1
    places.sort(key=lambda place: book.entries[place[0]][place[1]].date)
    for shorter in (_with_one_message, _with_short_message):
        for attribute, index in places:
            if total <= size:
                return
            entry = book.entries[attribute][index]
            book.entries[attribute][index] = short = shorter(entry)
            if short != entry:
                total -= lines.of(entry.text()) - lines.of(short.text())
    dropped = set()
    for attribute, index in places:
        if total <= size:
            break
        if index < len(book.entries[attribute]) - 1:
            dropped.add((attribute, index))
            total -= lines.of(book.entries[attribute][index].text()) + 1
    for attribute, entries in book.entries.items():
        book.entries[attribute] = [e for i, e in enumerate(entries) if (attribute, i) not in dropped]


def _with_one_message(entry: Entry) -> Entry:
    # The first message after a selection is the reaction to it.
    return replace(entry, user=entry.user[:1])


def _with_short_message(entry: Entry) -> Entry:
    return replace(entry, user=tuple(quoted(message, _SHORT_MESSAGE) for message in entry.user[:1]))


def _exists(attribute: str, setting: str) -> bool:
    return any(known.id == attribute and setting in known.labels for known in attributes())


def _summary(sessions: Sequence[_Session]) -> str:
    messages = sum(len(session.messages) for session in sessions)
    about = dict.fromkeys(word for session in sessions for word in session.about[:_SUMMARY_WORDS])
    chosen = [f"IX_{m[0]} {m[1]}" for session in sessions for _, m in session.moves if not isinstance(m, str)]
    dates = dict.fromkeys((sessions[0].date, sessions[-1].date))
    parts = [f"{' to '.join(dates)}: {messages} messages in {len(sessions)} conversations"]
    if about:
        parts.append("about " + ", ".join(about))
    if chosen:
        parts.append("selected " + ", ".join(chosen))
    return "; ".join(parts) + "."
