"""``run`` plays a condition and stores it; ``score`` scores stored runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from mempa_gym.cli.console import console, print_json, progress_bar, score_table
from mempa_gym.cli.names import AGENT_HELP, MEMORY_HELP, PERSONA_HELP, check_persona, ignores_memory, played_matrix
from mempa_gym.cli.stop import stoppable
from mempa_gym.errors import InvalidOptionError
from mempa_gym.runs import RunConfig, RunStore, play_run, score_run
from mempa_gym.runs.codec import outcome_of
from mempa_gym.runs.health import health_of
from mempa_gym.scoring.scores import Scores, score_outcomes

__all__ = ["run", "score"]

_REFERENCES = ("none", "oracle")


def _slips(values: list[str]) -> dict[str, float]:
    found = {}
    for value in values:
        key, _, rate = value.rpartition("=")
        try:
            found[key] = float(rate)
        except ValueError:
            raise InvalidOptionError(
                f"a slip is given as attribute/Setting=rate, got {value!r}", where="--slip"
            ) from None
    return found


def _memory(directory: Path) -> str:
    with RunStore.open(directory) as store:
        return RunConfig.from_json(store.identity["config"]).memory


def _name(directory: Path) -> str:
    return directory.name or directory.resolve().name


def _parted(runs: Sequence[Path]) -> tuple[list[Path], list[Path]]:
    """Returns which of the given runs are scored and which are references, as `score_run` takes them."""
    memories = {path: _memory(path) for path in runs}
    scored = [path for path in runs if memories[path] not in _REFERENCES]
    return (scored, [path for path in runs if path not in scored]) if scored else (list(runs), [])


def _scores(scored: Sequence[Path], references: Sequence[Path]) -> Scores:
    """Returns the scores; a none or oracle run is its own reference, and is not said to lack itself."""
    memory = _memory(scored[0])
    given = {_memory(path) for path in references}
    if memory not in _REFERENCES:
        return score_run(*scored, reference=list(references))
    itself = [] if memory in given else scored
    scores = score_run(*scored, reference=[*references, *itself])
    (other,) = (name for name in _REFERENCES if name != memory)
    if other in given:
        return scores
    reason = f"needs the {other} run of the same user and agent as reference"
    return replace(scores, normalised=replace(scores.normalised, reason=reason))


def run(
    out: Annotated[Path, typer.Option("--out", help="Directory of the run; a stopped run there goes on.")],
    persona: Annotated[str, typer.Option(help=PERSONA_HELP)] = "user_b",
    memory: Annotated[str, typer.Option(help=MEMORY_HELP)] = "file",
    agent: Annotated[str, typer.Option(help=AGENT_HELP)] = "reader",
    repeats: Annotated[int, typer.Option(min=1, help="How often each probe is played.")] = 3,
    seed: Annotated[int, typer.Option(min=0, help="Root of all randomness.")] = 0,
    matrix: Annotated[
        str, typer.Option(help="written, permuted (a counterfactual) or final (after all changes).")
    ] = "written",
    judge: Annotated[str, typer.Option(help="rule, or none.")] = "rule",
    told_context: Annotated[bool, typer.Option(help="Tell the PA whether a session is work or personal.")] = False,
    answer_asks: Annotated[bool, typer.Option(help="Whether the user answers direct questions about manner.")] = True,
    slip: Annotated[list[str] | None, typer.Option(help="Slip rate: attribute/Setting=rate; may be repeated.")] = None,
) -> None:
    """Play one user under one memory, store it, and print its scores."""
    check_persona(persona)
    config = RunConfig(
        persona=persona,
        memory=memory,
        agent=agent,
        repeats=repeats,
        seed=seed,
        matrix=matrix,
        judge=judge,
        told_context=told_context,
        answer_asks=answer_asks,
        slips=_slips(slip or []),
    )
    again = "The same command goes on where it stopped."
    with stoppable(again), progress_bar(f"{persona}, {memory}") as report:
        records = play_run(config, out, progress=report)
    outcomes = [outcome_of(persona, record) for record in records if record["kind"] == "probe"]
    title = f"{persona}, {played_matrix(persona, matrix)} matrix, PA {agent}, seed {seed}"
    screen = console()
    screen.print(score_table({memory: score_outcomes(outcomes)}, title))
    if ignores_memory(agent):
        screen.print(f"PA {agent} does not read memory: its scores say nothing about the memory.")
    for line in health_of(out).lines():
        screen.print(line, markup=False, soft_wrap=True)
    screen.print(f"stored in {out}", markup=False, soft_wrap=True)


def score(
    runs: Annotated[
        list[Path],
        typer.Argument(help="Complete runs of one condition, pooled; none and oracle runs among them are references."),
    ],
    reference: Annotated[
        list[Path] | None, typer.Option(help="The none and oracle runs, for carry-over and normalised.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON with a schema field.")] = False,
) -> None:
    """Score stored runs; CS and PET pool over all that are given."""
    scored, references = _parted(runs)
    references = [*references, *(reference or [])]
    scores = _scores(scored, references)
    if as_json:
        print_json(scores.to_json())
        return
    screen = console()
    screen.print(score_table({" + ".join(map(_name, scored)): scores}, "scores"))
    if references:
        screen.print(f"references: {', '.join(map(_name, references))}", markup=False, soft_wrap=True)
    carried, normalised = scores.carry_over, scores.normalised
    # "z": what rounds to nothing has no sign.
    for name, value in (
        ("carry-over", f"N/A ({carried.reason})" if carried.mean is None else f"{carried.mean:z.1f}%"),
        ("normalised", f"N/A ({normalised.reason})" if normalised.mean is None else f"{normalised.mean:z.2f}"),
    ):
        screen.print(f"{name}: {value}", markup=False)
