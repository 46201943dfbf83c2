"""Tables and progress on the terminal; plain text where the output is none."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from mempa_gym.runs.runner import Progress as Report
from mempa_gym.scoring.figures import Figure
from mempa_gym.scoring.scores import Scores

__all__ = ["console", "print_json", "progress_bar", "score_table", "shown"]

_DIGITS = 10


def console() -> Console:
    """Returns the console that commands print on."""
    plain = Console(highlight=False)
    return plain if plain.is_terminal else Console(highlight=False, width=120)


def print_json(body: Mapping[str, Any]) -> None:
    """Prints JSON with sorted keys; what floating-point sums leave behind the tenth decimal is not shown."""
    typer.echo(json.dumps(_rounded(body), indent=2, sort_keys=True))


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        # Adding zero turns -0.0 into 0.0.
        return round(value, _DIGITS) + 0.0
    if isinstance(value, Mapping):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(item) for item in value]
    return value


def shown(figure: Figure, digits: int = 1) -> str:
    """Returns a figure as "mean ± sd", or N/A."""
    if figure.mean is None:
        return "N/A"
    spread = "" if figure.sd is None else f" ± {figure.sd:.{digits}f}"
    return f"{figure.mean:.{digits}f}{spread}"


def score_table(rows: dict[str, Scores], title: str) -> Table:
    """Returns the table of several conditions: PSA, CS and PET in percent, BRS from 1 to 5."""
    table = Table(title=escape(title), title_justify="left")
    for name in ("memory", "PSA", "CS", "PET", "BRS", "floors", "incomplete"):
        table.add_column(name, justify="left" if name == "memory" else "right")
    for name, scores in rows.items():
        table.add_row(
            escape(name),
            shown(scores.psa),
            shown(scores.cs),
            shown(scores.pet),
            shown(scores.brs, 2),
            str(sum(scores.floors.values())),
            str(len(scores.incomplete)),
        )
    return table


@contextmanager
def progress_bar(text: str) -> Iterator[Report]:
    """Yields a progress function: a bar on a terminal, nothing elsewhere."""
    err = Console(stderr=True)
    if not err.is_terminal:
        yield lambda done, total: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=err, transient=True) as bar:
        task = bar.add_task(text, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
