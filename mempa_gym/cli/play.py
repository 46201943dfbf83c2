"""``play``: a person is the PA, in the terminal."""

from __future__ import annotations

import json
import sys
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console
from rich.markup import escape

from mempa_gym.cli.console import console
from mempa_gym.engine import play as play_game
from mempa_gym.factories.timeline import one_session_game
from mempa_gym.interaction.policies import PAAction, Reply, ToolUse
from mempa_gym.interaction.views import PAView
from mempa_gym.taxonomy import attribute as get_attribute

__all__ = ["HumanPA", "play"]

_HELP = """Type the reply to the user, or a command:
  /tools [word]            list tools
  /call TOOL {json}        call a world tool
  /pick N                  choose setting N of the offered interaction tool
  /payload ATTRIBUTE {json}   send a payload
  /release ITEM            release an approved item
  /quit                    stop"""


class HumanPA:
    """A person at the keyboard as PA."""

    name = "human"
    uses_plan = False

    def __init__(self, screen: Console) -> None:
        self.screen = screen
        self._seen: tuple[int, int] = (-1, 0)

    def begin_session(self, rng: np.random.Generator) -> None:
        """Forgets what was shown."""
        self._seen = (-1, 0)

    def get_state(self) -> Any:
        """Returns what was shown so far."""
        return self._seen

    def set_state(self, state: Any) -> None:
        """Puts that back."""
        self._seen = state

    def act(self, view: PAView) -> PAAction:
        """Shows what is new and asks for the next call."""
        self._show(view)
        while True:
            try:
                line = input("pa> ").strip()
            except EOFError:
                raise typer.Exit(0) from None
            action = self._read(line, view)
            if action is not None:
                return action

    def _show(self, view: PAView) -> None:
        say = self.screen.print
        if self._seen[0] != len(view.turns):
            say(f"\n[dim]{view.now}[/dim]")
            if view.evidence:
                say(f"[dim]memory: {escape(view.evidence[-1500:])}[/dim]")
            if view.event:
                say(f"[yellow]event:[/yellow] {escape(view.event)}")
            if view.user:
                say(f"[bold]user:[/bold] {escape(view.user)}")
            self._seen = (len(view.turns), 0)
        for step in view.steps[self._seen[1] :]:
            say(f"[dim]{escape(step.tool)} -> {escape(step.text[:800])}[/dim]")
        self._seen = (len(view.turns), len(view.steps))
        if view.reminder:
            say(f"[red]{escape(view.reminder)}[/red]")
        for name in view.offered:
            labels = get_attribute(name).labels
            say(f"[cyan]IX_{name}:[/cyan] " + ", ".join(f"{n} {label}" for n, label in enumerate(labels, 1)))
        for item in view.held:
            say(f"[magenta]held {item.item_id}:[/magenta] {escape(item.description)}")

    def _read(self, line: str, view: PAView) -> PAAction | None:
        if not line.startswith("/"):
            return Reply(line)
        command, _, rest = line.partition(" ")
        if command == "/quit":
            raise typer.Exit(0)
        if command == "/tools":
            from mempa_gym.tools import specs

            for name, spec in specs().items():
                if rest in name:
                    fields = ", ".join(spec.arguments.model_fields)
                    self.screen.print(f"{name}({fields})  [dim]{escape(spec.description)}[/dim]")
            return None
        if command == "/call" and rest:
            tool, _, arguments = rest.partition(" ")
            return ToolUse(tool, arguments or "{}")
        if command == "/pick" and rest.isdecimal() and view.offered:
            labels = get_attribute(view.offered[0]).labels
            if 1 <= int(rest) <= len(labels):
                return ToolUse(f"IX_{view.offered[0]}", {"setting": labels[int(rest) - 1]})
        if command == "/payload" and rest:
            name, _, payload = rest.partition(" ")
            try:
                return ToolUse(f"IX_{name}", {"payload": json.loads(payload or "{}")})
            except json.JSONDecodeError as error:
                self.screen.print(f"[red]not JSON: {error}[/red]")
                return None
        if command == "/release" and rest:
            return ToolUse("IX_release", {"item_id": rest})
        self.screen.print(_HELP)
        return None


def play(
    persona: Annotated[str, typer.Option(help="Packaged user.")] = "user_b",
    session: Annotated[int | None, typer.Option(help="Which slot of the story; drawn when left out.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Root of all randomness.")] = 0,
) -> None:
    """Be the personal agent of one session, in the terminal."""
    screen = console()
    engine = one_session_game(persona, session, seed)
    screen.print(_HELP)
    play_game(engine, HumanPA(screen))
    result = engine.results[-1] if engine.results else None
    if result is None:
        sys.exit(1)
    verdict = "right" if result.correct else f"not what the user wants, which is {result.target}"
    screen.print(f"\nThe session has ended. {result.cell.attribute}: you chose {result.selection}; that is {verdict}.")
    if result.realization is not None:
        screen.print(f"The judge gives the delivered behaviour {result.realization:.0f} of 5.")
