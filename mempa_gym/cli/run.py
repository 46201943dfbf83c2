"""``run`` plays a condition and stores it; ``score`` scores stored runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from mempa_gym.cli.console import console, print_json, progress_bar, score_table
from mempa_gym.cli.names import AGENT_HELP, MEMORY_HELP, PERSONA_HELP, check_persona, ignores_memory, played_matrix
from mempa_gym.errors import InvalidOptionError
from mempa_gym.runs import RunConfig, RunStore, play_run, score_run
from mempa_gym.runs.codec import outcome_of
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


def _own_reference(scores: Scores, memory: str) -> Scores:
    """Returns the scores of a run, which are not said to lack the run itself where that is a reference."""
    if memory not in _REFERENCES:
        return scores
    (other,) = (name for name in _REFERENCES if name != memory)
    changes = {}
    if memory == "none" and scores.carry_over.mean is None:
        changes["carry_over"] = replace(scores.carry_over, reason="the none run is what carry-over is measured against")
    if scores.normalised.mean is None:
        reason = f"of the two reference runs this is {memory}; {other} is another row"
        changes["normalised"] = replace(scores.normalised, reason=reason)
    return replace(scores, **changes)


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
    with progress_bar(f"{persona}, {memory}") as report:
        records = play_run(config, out, progress=report)
    outcomes = [outcome_of(persona, record) for record in records if record["kind"] == "probe"]
    title = f"{persona}, {played_matrix(persona, matrix)} matrix, PA {agent}, seed {seed}"
    screen = console()
    screen.print(score_table({memory: score_outcomes(outcomes)}, title))
    if ignores_memory(agent):
        screen.print(f"PA {agent} does not read its memory: the scores say nothing about {memory}.")
    screen.print(f"stored in {out}", markup=False)


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
    scores = _own_reference(score_run(*runs, reference=list(reference or ())), _memory(scored[0]))
    if as_json:
        print_json(scores.to_json())
        return
    screen = console()
    screen.print(score_table({" + ".join(map(_name, scored)): scores}, "scores"))
    if references:
        screen.print(f"references: {', '.join(map(_name, references))}", markup=False)
    for name, figure, form in (
        ("carry-over", scores.carry_over, "{:.1f}%"),
        ("normalised", scores.normalised, "{:.2f}"),
    ):
        # Adding zero turns a rounded -0.0 into 0.0.
        value = form.format(round(figure.mean, 2) + 0.0) if figure.mean is not None else f"N/A ({figure.reason})"
        screen.print(f"{name}: {value}", markup=False)
