"""The commands, and what they share: one error form, one exit code for each kind of end.

Exit codes: 0 done, 1 the check found something, 2 a bad call or an unusable file.
"""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

import mempa_gym
from mempa_gym.cli import demo as demo_command
from mempa_gym.cli import play as play_command
from mempa_gym.cli import run as run_command
from mempa_gym.cli import stored as stored_command
from mempa_gym.cli import validate as validate_command
from mempa_gym.errors import MempaGymError

__all__ = ["app", "error_line", "main"]

app = typer.Typer(
    name="mempa-gym",
    help="Environments for personal agents that must learn, remember and follow a user's interaction preferences.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(mempa_gym.__version__)
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Holds options that stand before the command."""


app.command("demo")(demo_command.demo)
app.command("run")(run_command.run)
app.command("score")(run_command.score)
app.command("replay")(stored_command.replay)
app.command("export")(stored_command.export)
app.command("validate")(validate_command.validate)
app.command("play")(play_command.play)


def error_line(error: MempaGymError) -> str:
    """Returns what is printed of an error: its message, without the place when the message begins with it anyway."""
    text, place = str(error), f"{error.where}: "
    return text.removeprefix(place) if text.startswith(f"{place}{error.where} ") else text


def main() -> None:
    """Runs the command line; an error of this package is one line on standard error and exit code 2."""
    try:
        app()
    except MempaGymError as error:
        print(f"mempa-gym: {error_line(error)}", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:
        # The reader of our output has left; nothing is wrong here.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
