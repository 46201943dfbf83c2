"""``demo``: the main job, offline, in under a minute."""

from __future__ import annotations

from typing import Annotated

import typer

from mempa_gym.cli.console import console, print_json, progress_bar, score_table
from mempa_gym.cli.names import AGENT_HELP, PERSONA_HELP, check_persona, ignores_memory, played_matrix
from mempa_gym.runs import References, RunConfig, data_hash, play_run
from mempa_gym.runs.codec import outcome_of
from mempa_gym.scoring.scores import Scores, score_outcomes

__all__ = ["CONDITIONS", "demo", "demo_scores"]

CONDITIONS = ("none", "oracle", "full", "file")


def demo_scores(persona: str, *, agent: str, repeats: int, seed: int, matrix: str = "written") -> dict[str, Scores]:
    """Returns the scores of a user under the four conditions that need no model."""
    references = References()
    outcomes = {}
    with progress_bar(persona) as report:
        for memory in CONDITIONS:
            config = RunConfig(persona=persona, memory=memory, agent=agent, repeats=repeats, seed=seed, matrix=matrix)
            records = play_run(config, references=references, progress=report)
            outcomes[memory] = [outcome_of(persona, record) for record in records if record["kind"] == "probe"]
    none, oracle = outcomes["none"], outcomes["oracle"]
    return {memory: score_outcomes(found, none=none, oracle=oracle) for memory, found in outcomes.items()}


def demo(
    persona: Annotated[str, typer.Option(help=PERSONA_HELP)] = "user_b",
    agent: Annotated[str, typer.Option(help=AGENT_HELP)] = "reader",
    repeats: Annotated[int, typer.Option(min=1, help="How often each probe is played.")] = 3,
    seed: Annotated[int, typer.Option(min=0, help="Root of all randomness.")] = 0,
    matrix: Annotated[str, typer.Option(help="written, permuted (a counterfactual) or final.")] = "written",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON with a schema field.")] = False,
) -> None:
    """Play a packaged user under no memory, an oracle, the full history and a memory file, and print the scores."""
    check_persona(persona)
    rows = demo_scores(persona, agent=agent, repeats=repeats, seed=seed, matrix=matrix)
    if as_json:
        print_json({"schema": "mempa_gym.demo/1", "scores": {name: scores.to_json() for name, scores in rows.items()}})
        return
    played = played_matrix(persona, matrix)
    screen = console()
    screen.print(
        score_table(rows, f"{persona}, {played} matrix, PA {agent}, seed {seed}, {repeats} repeats, data {data_hash()}")
    )
    screen.print("PSA, CS, PET in percent; BRS from 1 to 5 by the rule-based judge.")
    if ignores_memory(agent):
        screen.print(f"PA {agent} does not read memory: its scores say nothing about the memory.")
