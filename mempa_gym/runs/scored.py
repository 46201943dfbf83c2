"""Scores of stored runs: which may be pooled, which may serve as reference, and what comes out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mempa_gym.errors import RunError
from mempa_gym.factories.names import PERSONA_SETS
from mempa_gym.runs.codec import outcome_of
from mempa_gym.runs.config import RunConfig
from mempa_gym.runs.store import RunStore
from mempa_gym.scoring.metrics import Outcome
from mempa_gym.scoring.scores import Scores, score_outcomes

__all__ = ["load_outcomes", "score_run"]

_REFERENCES = ("none", "oracle")
# In what the runs of a pool may differ, and in what a reference may besides.
_LIVES = frozenset({"persona", "seed"})
_OF_A_CONDITION = frozenset({"memory", "memory_options", "judge", "repeats"})


def load_outcomes(directory: Path) -> list[Outcome]:
    """Returns the probe outcomes of a stored run.

    Raises:
        RunError: no run, a damaged one, or one that is not complete.
    """
    with RunStore.open(directory) as store:
        if not store.complete:
            raise RunError(
                f"the run is not complete: {len(store)} of {store.places} slots are recorded",
                where=str(directory),
                remedy="Start it again with the same command; it goes on where it stopped",
            )
        identity = store.identity
        if identity.get("part", "run") != "run":
            raise RunError(
                "this is the history that a run without memory starts from, it has no probes",
                where=str(directory),
                remedy="Score the run that it belongs to",
            )
        config = identity["config"]
        probes = [record for record in store.records() if record["kind"] == "probe"]
        return [outcome_of(config["persona"], record, config["seed"]) for record in probes]


def _config_of(directory: Path) -> dict[str, Any]:
    """Returns what a run's scores depend on: its configuration, the package's version and the data."""
    with RunStore.open(directory) as store:
        identity = store.identity
    config = RunConfig.from_json(identity["config"]).to_json()
    return {**config, **{key: value for key, value in identity.items() if key != "config"}}


def _check_alike(
    first: tuple[Path, Mapping[str, Any]], other: tuple[Path, Mapping[str, Any]], free: frozenset[str], use: str
) -> None:
    differing = [
        f"{name} {first[1].get(name)!r} and {other[1].get(name)!r}"
        for name in sorted({*first[1], *other[1]} - free)
        if first[1].get(name) != other[1].get(name)
    ]
    if differing:
        raise RunError(
            f"it cannot be {use} {first[0]}, the two differ: {'; '.join(differing)}",
            where=str(other[0]),
            remedy="Score runs of different conditions one by one",
        )


def _check_pool(configs: Mapping[Path, Mapping[str, Any]]) -> None:
    """Refuses to pool what is not one condition, or the same run twice."""
    (first, *others) = configs.items()
    for other in others:
        _check_alike(first, other, _LIVES, "pooled with")
    seen: dict[tuple[str, int], Path] = {}
    for path, config in configs.items():
        life = (config["persona"], config["seed"])
        if life in seen:
            raise RunError(
                f"it is of the same user and seed as {seen[life]}, so pooling would count its probes twice",
                where=str(path),
                remedy="Give each run once",
            )
        seen[life] = path


def _check_references(
    configs: Mapping[Path, Mapping[str, Any]], references: Mapping[str, Mapping[Path, Mapping[str, Any]]]
) -> None:
    """Refuses references of another agent, or of other users, than the runs'."""
    first = next(iter(configs.items()))
    users = _users(configs)
    for name, found in references.items():
        if not found:
            continue
        _check_pool(found)
        for other in found.items():
            _check_alike(first, other, _LIVES | _OF_A_CONDITION, "a reference of")
        if _users(found) != users:
            raise RunError(
                f"the {name} reference is of {', '.join(_users(found))}, the scored runs are of {', '.join(users)}",
                where=", ".join(map(str, found)),
                remedy="Give reference runs of the same users",
            )


def _users(configs: Mapping[Path, Mapping[str, Any]]) -> list[str]:
    """Returns whose runs these are; a drawn persona or matrix is another with another seed."""
    found = set()
    for config in configs.values():
        drawn = config["matrix"] == "permuted" or config["persona"] in PERSONA_SETS
        found.add(f"{config['persona']} of seed {config['seed']}" if drawn else config["persona"])
    return sorted(found)


def score_run(*paths: str | Path, reference: list[str | Path] | tuple[str | Path, ...] | None = None) -> Scores:
    """Scores stored runs, pooled (paper 000, F.2).

    Args:
        *paths: directories of complete runs of one condition, of different users or seeds. None and oracle runs among
            runs of another memory are not pooled with them but taken as their references.
        reference: directories of the none and oracle runs of the same user and agent, for carry-over and the normalised
            score.

    Raises:
        RunError: a directory is no complete run, the runs are not of one condition, or a reference does not belong to
            them.
    """
    if not paths:
        raise RunError("no run was given", where="score_run", remedy="Give at least one run directory")
    given = [Path(path) for path in paths]
    configs = {path: _config_of(path) for path in given}
    if len(configs) < len(given):
        raise RunError("a run was given twice", where="score_run", remedy="Give each run once")
    references: dict[str, dict[Path, dict[str, Any]]] = {name: {} for name in _REFERENCES}
    if any(config["memory"] not in _REFERENCES for config in configs.values()):
        for path in given:
            memory = configs[path]["memory"]
            if memory in references:
                references[memory][path] = configs.pop(path)
    for path in map(Path, reference or ()):
        config = _config_of(path)
        if config["memory"] not in references:
            raise RunError(
                f"a reference run must be of memory none or oracle, this one is of {config['memory']!r}",
                where=str(path),
                remedy="Give it without --reference to score it",
            )
        references[config["memory"]][path] = config
    _check_pool(configs)
    _check_references(configs, references)
    none, oracle = ([item for path in references[name] for item in load_outcomes(path)] for name in _REFERENCES)
    outcomes = [item for path in configs for item in load_outcomes(path)]
    return score_outcomes(outcomes, none=none or None, oracle=oracle or None)
