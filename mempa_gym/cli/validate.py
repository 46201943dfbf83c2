"""``validate``: viability of every packaged script, under every setting."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from mempa_gym.cli.console import console, progress_bar
from mempa_gym.runs.viability import check_persona
from mempa_gym.timeline import scripted_personas

__all__ = ["validate"]


def validate(
    persona: Annotated[str | None, typer.Option(help="Only this user.")] = None,
    only: Annotated[list[str] | None, typer.Option("--script", help="Only these scripts; may be repeated.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON with a schema field.")] = False,
) -> None:
    """Check every script under every setting of its attribute, and print what fails and where."""
    problems = []
    count = 0
    for name in (persona,) if persona else scripted_personas():
        with progress_bar(name) as report:
            checked, found = check_persona(name, only=tuple(only or ()), progress=report)
        count += checked
        problems.extend(found)
    if as_json:
        body = {"schema": "mempa_gym.validate/1", "scripts": count, "problems": [item.to_json() for item in problems]}
        typer.echo(json.dumps(body, indent=2, ensure_ascii=False))
    else:
        screen = console()
        for item in problems:
            screen.print(item.text(), markup=False)
        screen.print(f"{count} scripts checked, {len(problems)} problems")
    if problems:
        raise typer.Exit(1)
