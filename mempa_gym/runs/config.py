"""What makes a run: everything that, changed, would make it another run."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

import mempa_gym
from mempa_gym import resources
from mempa_gym.errors import InvalidOptionError, RunError, unknown

__all__ = ["RunConfig", "code_hash", "data_hash", "identity"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunConfig:
    """The configuration of a run; every field is JSON-able.

    Attributes:
        persona: packaged user.
        memory: none, oracle, full or file.
        agent: built-in PA policy.
        seed: root of all randomness.
        repeats: how often each probe is played.
        matrix: written, permuted or final.
        judge: rule or none.
        memory_options: options of the memory.
        slips: slip rates of the planned PA.
        answer_asks: whether the user answers direct questions about manner.
        told_context: whether the PA is told if a session is work or personal.
        max_calls: model calls a user turn.
    """

    persona: str
    memory: str = "file"
    agent: str = "reader"
    seed: int = 0
    repeats: int = 3
    matrix: str = "written"
    judge: str = "rule"
    memory_options: Mapping[str, Any] = field(default_factory=dict)
    slips: Mapping[str, float] = field(default_factory=dict)
    answer_asks: bool = True
    told_context: bool = False
    max_calls: int = 40

    def __post_init__(self) -> None:
        if isinstance(self.seed, bool) or not isinstance(self.seed, int) or self.seed < 0:
            raise InvalidOptionError(f"a seed is a whole number of 0 or more, got {self.seed!r}", where="seed")

    def to_json(self) -> dict[str, Any]:
        """Returns plain data."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> RunConfig:
        """Reads plain data back; raises UnknownNameError or RunError for what does not fit."""
        names = [item.name for item in fields(cls)]
        for name in data:
            if name not in names:
                raise unknown("field of a run's configuration", name, names)
        if "persona" not in data:
            raise RunError("the run's configuration names no persona", where="config")
        return cls(**data)


def _walk(folder: Traversable, prefix: str, code: bool) -> list[tuple[str, Traversable]]:
    found: list[tuple[str, Traversable]] = []
    for entry in sorted(folder.iterdir(), key=lambda item: item.name):
        name = f"{prefix}{entry.name}"
        if entry.is_dir():
            found.extend(_walk(entry, f"{name}/", code))
        elif entry.name.endswith(".py") if code else not entry.name.startswith(".") and ".py" not in entry.name:
            found.append((name, entry))
    return found


def _hash(entries: list[tuple[str, Traversable]]) -> str:
    digest = hashlib.sha256()
    for name, entry in entries:
        content = entry.read_bytes()
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()[:16]


@cache
def data_hash() -> str:
    """Returns the hash of all packaged data: names and contents, in order of name."""
    return _hash(_walk(resources.data_path("."), "", code=False))


@cache
def code_hash() -> str:
    """Returns the hash of the package's source: a reader or a rule that changes gives other scores on the same data."""
    return _hash(_walk(files("mempa_gym"), "", code=True))


def identity(config: RunConfig, policy: object = None, part: str = "run") -> dict[str, Any]:
    """Returns what a run directory is compared by when it is continued.

    Keys: config, version, data, code; pa, what a PA says of itself (its ``fingerprint``: model, endpoint, hash of
    its prompt), None for one that is code alone; part, "run", or "accumulation" for the history that a run without
    memory starts its probes from.
    """
    return {
        "config": config.to_json(),
        "version": mempa_gym.__version__,
        "data": data_hash(),
        "code": code_hash(),
        "pa": getattr(policy, "fingerprint", None),
        "part": part,
    }
