"""How a run went, apart from its scores: what was played, what failed, what it took."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from mempa_gym.runs.store import RunStore

__all__ = ["Health", "health_of"]


@dataclass(frozen=True, slots=True)
class Health:
    """A run in numbers.

    Attributes:
        slots: slots recorded.
        places: slots the run has when it is complete.
        sessions: accumulation sessions recorded.
        events: change events recorded.
        probes: probes recorded, repeats counted.
        invalid: sessions and probes without a score, by cause.
        floors: floored probes, by cause.
        reruns: sessions and probes that were played more than once before one counted.
        asks: direct questions about manner.
        refused: calls that were answered with an error.
        calls: calls in all.
        seconds: time it took to play.
        usage: what the PA used, by its own count; empty for one that counts nothing.
    """

    slots: int
    places: int
    sessions: int
    events: int
    probes: int
    invalid: Mapping[str, int]
    floors: Mapping[str, int]
    reruns: int
    asks: int
    refused: int
    calls: int
    seconds: float
    usage: Mapping[str, int]

    def to_json(self) -> dict[str, Any]:
        """Returns plain data."""
        return asdict(self)

    def lines(self) -> list[str]:
        """Returns what a person wants to read after a run."""
        played = f"{self.slots} of {self.places} slots: {self.sessions} sessions, {self.events} events"
        found = [
            f"{played}, {self.probes} probes in {self.seconds:.1f} s",
            f"{self.calls} calls, {self.refused} refused, {self.asks} questions about manner, {self.reruns} reruns",
        ]
        for what, causes in (("floored", self.floors), ("without a score", self.invalid)):
            if causes:
                found.append(f"{what}: {', '.join(f'{count} x {cause}' for cause, count in sorted(causes.items()))}")
        if any(self.usage.values()):
            found.append("used: " + ", ".join(f"{amount} {name}" for name, amount in sorted(self.usage.items())))
        return found


def health_of(directory: Path) -> Health:
    """Returns the health of a stored run, complete or not.

    Raises:
        RunError: no run, or a damaged one.
    """
    with RunStore.open(directory) as store:
        records = list(store.records())
        seconds, usage = store.spent()
        places = store.places
    kinds = Counter(record["kind"] for record in records)
    steps = [step for record in records for turn in record["turns"] for step in turn["steps"]]
    return Health(
        slots=len(records),
        places=places,
        sessions=kinds["accumulation"],
        events=kinds["event"],
        probes=kinds["probe"],
        invalid=dict(Counter(record["invalid"] for record in records if record["invalid"])),
        floors=dict(Counter(record["floor"] for record in records if record["floor"])),
        reruns=sum(record["attempt"] > 0 for record in records),
        asks=sum(record["asked"] for record in records),
        refused=sum(not step["ok"] for step in steps),
        calls=len(steps),
        seconds=seconds,
        usage=usage,
    )
