"""``validate``: viability of every packaged script, under every setting."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Annotated

import typer

from mempa_gym.cli.console import console, progress_bar
from mempa_gym.cli.names import SCRIPTED_HELP, unknown_script
from mempa_gym.cli.names import check_persona as check_name
from mempa_gym.errors import InvalidOptionError
from mempa_gym.runs.viability import check_persona
from mempa_gym.timeline import load_library, scripted_personas

__all__ = ["validate"]


def _chosen(personas: Iterable[str], only: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Returns the personas to check, each with those of the wanted scripts that it has; no ids stand for all."""
    if not only:
        return dict.fromkeys(personas, ())
    known: dict[str, list[str]] = {}
    for name in personas:
        library = load_library(name)
        scripts = (item.id for item in (*library.sessions, *library.probes))
        known[name] = [*scripts, *(item.id for item in library.events)]
    for wanted in only:
        if not any(wanted in ids for ids in known.values()):
            raise unknown_script(wanted, sorted({item for ids in known.values() for item in ids}))
    found = {name: tuple(wanted for wanted in only if wanted in ids) for name, ids in known.items()}
    return {name: ids for name, ids in found.items() if ids}


def validate(
    persona: Annotated[str | None, typer.Option(help=SCRIPTED_HELP)] = None,
    only: Annotated[list[str] | None, typer.Option("--script", help="Only these scripts; may be repeated.")] = None,
    complete: Annotated[
        bool, typer.Option("--complete", help="Also ask for all sessions, events and probes of the published shape.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON with a schema field.")] = False,
) -> None:
    """Check every script under every setting of its attribute, and print what fails and where."""
    if complete and only:
        raise InvalidOptionError("--complete looks at a whole persona", where="validate", remedy="Leave --script out")
    if persona is not None:
        check_name(persona, sets=())
    problems = []
    count = 0
    for name, ids in _chosen((persona,) if persona is not None else scripted_personas(), only or []).items():
        with progress_bar(name) as report:
            checked, found = check_persona(name, only=ids, complete=complete, progress=report)
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
