"""``run`` plays a condition and stores it; ``score`` scores stored runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from mempa_gym.cli.console import console, progress_bar, score_table
from mempa_gym.errors import InvalidOptionError
from mempa_gym.runs import RunConfig, play_run, score_run
from mempa_gym.runs.codec import outcome_of
from mempa_gym.scoring.scores import score_outcomes

__all__ = ["run", "score"]


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


def run(
    out: Annotated[Path, typer.Option("--out", help="Directory of the run; a stopped run there goes on.")],
    persona: Annotated[str, typer.Option(help="Packaged user.")] = "user_b",
    memory: Annotated[str, typer.Option(help="none, oracle, full or file.")] = "file",
    agent: Annotated[
        str, typer.Option(help="Built-in PA: reader, random, or a published backbone's habits.")
    ] = "reader",
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
    with progress_bar(f"{persona}, {memory}") as report:
        records = play_run(config, out, progress=report)
    outcomes = [outcome_of(persona, record) for record in records if record["kind"] == "probe"]
    screen = console()
    screen.print(score_table({memory: score_outcomes(outcomes)}, f"{persona}, {agent}, seed {seed}"))
    screen.print(f"stored in {out}")


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
    scores = score_run(*runs, reference=list(reference or ()))
    if as_json:
        typer.echo(json.dumps(scores.to_json(), indent=2, sort_keys=True))
        return
    screen = console()
    screen.print(score_table({" + ".join(path.name for path in runs): scores}, "scores"))
    for name in ("carry_over", "normalised"):
        figure = getattr(scores, name)
        value = f"{figure.mean:.3g}" if figure.mean is not None else f"N/A ({figure.reason})"
        screen.print(f"{name}: {value}")
