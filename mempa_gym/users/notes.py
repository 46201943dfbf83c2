"""What a user remembers of her assistant: notes after each conversation, and lasting impressions.

Paper 000, D.3: after a session the simulator writes two to four sentences in the first person on what it asked for,
how the assistant handled it, what it decided and what is open, without task detail, and it keeps a record of
lasting impressions. Nobody but the user sees them. They are immutable: a checkpoint keeps a reference, a probe
starts from empty ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

__all__ = ["Impression", "Note", "UserNotes"]


@dataclass(frozen=True, slots=True)
class Note:
    """One entry of a user's own notes, dated in story time."""

    at: str
    text: str


@dataclass(frozen=True, slots=True)
class Impression:
    """How often the assistant met or missed what she wants on one attribute.

    Attributes:
        attribute: attribute id.
        direction: label of what she wanted: a preference that changes starts a count of its own.
        followed: how often she accepted.
        corrected: how often she corrected.
        last: label of what was shown when it was last corrected, or None.
    """

    attribute: str
    direction: str
    followed: int = 0
    corrected: int = 0
    last: str | None = None


@dataclass(frozen=True, slots=True)
class UserNotes:
    """A user's memory of her assistant.

    Attributes:
        entries: notes in the order in which they were written.
        impressions: one for each attribute and direction that came up, in the order of first occurrence.
    """

    entries: tuple[Note, ...] = ()
    impressions: tuple[Impression, ...] = ()

    def impression(self, attribute: str, direction: str) -> Impression:
        """Returns her impression on an attribute and direction; an empty one when it never came up."""
        for item in self.impressions:
            if item.attribute == attribute and item.direction == direction:
                return item
        return Impression(attribute, direction)

    def corrections(self, attribute: str, direction: str) -> int:
        """Returns how often she has made the same correction before."""
        return self.impression(attribute, direction).corrected

    def add_note(self, text: str, at: str) -> UserNotes:
        """Returns the notes with one entry more; used for the note of a change event."""
        return replace(self, entries=(*self.entries, Note(at, text.strip())))

    def with_reaction(self, attribute: str, direction: str, shown: str) -> UserNotes:
        """Returns the notes after a reaction to what was shown."""
        old = self.impression(attribute, direction)
        if shown == direction:
            new = replace(old, followed=old.followed + 1)
        else:
            new = replace(old, corrected=old.corrected + 1, last=shown)
        if old in self.impressions:
            return replace(self, impressions=tuple(new if item == old else item for item in self.impressions))
        return replace(self, impressions=(*self.impressions, new))

    def lines(self) -> Iterator[str]:
        """Yields the notes as dated lines, for a prompt."""
        for entry in self.entries:
            yield f"[{entry.at}] {entry.text}"
