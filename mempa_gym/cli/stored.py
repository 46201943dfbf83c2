"""``replay`` plays a stored run again; ``export`` takes one out as JSON Lines."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, TextIO

import typer

from mempa_gym.cli.console import console, print_json, progress_bar
from mempa_gym.errors import InvalidOptionError, RunError
from mempa_gym.runs import RunStore
from mempa_gym.runs.export import canonical_lines, chat_lines
from mempa_gym.runs.replay import check_replay

__all__ = ["export", "replay"]

_RUN = typer.Argument(help="Directory of a run.")


def replay(
    run: Annotated[Path, _RUN],
    check: Annotated[bool, typer.Option("--check", help="Play it again and compare every slot.")] = False,
    slot: Annotated[str | None, typer.Option(help="Print this slot's conversation only, for instance acc_001.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="With --check: print JSON with a schema field.")] = False,
) -> None:
    """Print a run's conversations, or check that it replays as it was recorded."""
    if not check:
        _print(run, slot)
        return
    if slot is not None:
        raise InvalidOptionError("--slot is for printing; --check looks at all slots", where="replay")
    with progress_bar("replay") as report:
        found = check_replay(run, report)
    if as_json:
        difference = None if found.difference is None else str(found.difference)
        body = {"slots": found.slots, "recorded": found.recorded, "places": found.places, "difference": difference}
        print_json({"schema": "mempa_gym/replay/1", **body, "other": list(found.other)})
    else:
        for line in found.other:
            typer.echo(f"recorded under other conditions: {line}")
        if found.difference is None:
            rest = "" if found.recorded == found.places else f"; the run has {found.places} when it is complete"
            typer.echo(f"{found.slots} slots replay as recorded{rest}")
        else:
            typer.echo(f"{found.slots} slots replay as recorded, then: {found.difference}")
    if found.difference is not None:
        raise typer.Exit(1)


def _print(run: Path, slot: str | None) -> None:
    screen = console()
    known: list[str] = []
    printed = False
    with RunStore.open(run) as store:
        for record in store.records():
            known.append(record["slot"])
            if slot is not None and record["slot"] != slot:
                continue
            printed = True
            screen.rule(f"{record['slot']} {record['at']} (repeat {record['repeat']})", style="dim")
            for turn in record["turns"]:
                if turn["event"] is not None:
                    screen.print(f"EVENT: {turn['event']}", markup=False)
                if turn["user"]:
                    screen.print(f"USER:  {turn['user']}", markup=False)
                for step in turn["steps"]:
                    state = "" if step["ok"] else " (error)"
                    screen.print(f"  {step['tool']}{state}", markup=False, style="dim")
                screen.print(f"PA:    {turn['reply']}", markup=False)
    if slot is not None and not printed:
        raise RunError(
            f"the run has no slot {slot!r}",
            where=str(run),
            remedy=f"It has {', '.join(dict.fromkeys(known)) or 'none yet'}",
        )


def export(
    run: Annotated[Path, _RUN],
    canonical: Annotated[
        bool, typer.Option("--canonical", help="Records and actions with sorted keys, without wall-clock fields.")
    ] = False,
    chat: Annotated[bool, typer.Option("--chat", help="Conversations for fine-tuning, a turn a line.")] = False,
    only_right: Annotated[
        bool, typer.Option("--only-right", help="With --chat: only where the right setting was selected.")
    ] = False,
    out: Annotated[Path | None, typer.Option(help="File to write; standard output when left out.")] = None,
) -> None:
    """Take a run out as JSON Lines."""
    if canonical == chat:
        raise InvalidOptionError("give one of --canonical and --chat", where="export")
    if only_right and not chat:
        raise InvalidOptionError("--only-right goes with --chat", where="export")
    lines = chat_lines(run, only_right=only_right) if chat else canonical_lines(run)
    if out is None:
        _write(lines, sys.stdout)
        return
    # What is not whole must not stand under the name that was asked for.
    unfinished = out.with_name(f"{out.name}.new")
    try:
        with unfinished.open("w", encoding="utf-8", newline="\n") as target:
            count = _write(lines, target)
        unfinished.replace(out)
    except OSError as error:
        raise InvalidOptionError(f"it cannot be written: {error.strerror}", where=str(out)) from None
    finally:
        unfinished.unlink(missing_ok=True)
    console().print(f"{count} lines in {out}", markup=False, soft_wrap=True)


def _write(lines: Iterable[str], target: TextIO) -> int:
    count = 0
    for line in lines:
        target.write(f"{line}\n")
        count += 1
    return count
