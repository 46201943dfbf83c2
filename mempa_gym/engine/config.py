"""Settings of one played timeline that are neither the user's nor a policy's."""

from __future__ import annotations

from dataclasses import dataclass

from mempa_gym.errors import InvalidOptionError

__all__ = ["EngineConfig"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineConfig:
    """How a timeline is played. Every field is JSON-able, since a run records it.

    Attributes:
        repeats: how often each probe is played from its checkpoint (paper 000, 3.5: three).
        attempts: runs in all of a probe or session whose required interaction call is left out, before it is floored
            (paper 000, F.2: at least three).
        max_calls: model calls a user turn (paper 000, section 4: 40).
        accumulate: play sessions and events; False plays probes only, from the worlds of a reference run.
        answer_asks: whether the user answers a direct question about manner.
        told_context: tell the PA, in its evidence, whether a session is work or personal. Such a run has a column of
            its own.
        probes: play probes; False plays sessions and events only.
        start_session: first slot of the story to play, counted over sessions and events.
        end_session: slot before which the story stops, or None for all.
    """

    repeats: int = 3
    attempts: int = 3
    max_calls: int = 40
    accumulate: bool = True
    answer_asks: bool = True
    told_context: bool = False
    probes: bool = True
    start_session: int = 0
    end_session: int | None = None

    def __post_init__(self) -> None:
        for name in ("repeats", "attempts", "max_calls"):
            value = getattr(self, name)
            if not _whole(value) or value < 1:
                raise InvalidOptionError(f"{name} must be a whole number of at least 1, got {value!r}", where=name)
        for name in ("accumulate", "answer_asks", "told_context", "probes"):
            if not isinstance(getattr(self, name), bool):
                raise InvalidOptionError(f"{name} must be True or False, got {getattr(self, name)!r}", where=name)
        if not _whole(self.start_session) or self.start_session < 0:
            raise InvalidOptionError(
                f"start_session must be 0 or more, got {self.start_session!r}", where="start_session"
            )
        if self.end_session is not None and (not _whole(self.end_session) or self.end_session <= self.start_session):
            raise InvalidOptionError(
                f"end_session must lie after start_session ({self.start_session}), got {self.end_session!r}",
                where="end_session",
            )


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
