"""``play``: a person is the PA, in the terminal."""

from __future__ import annotations

import difflib
import json
import sys
from collections.abc import Callable, Iterable
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console
from rich.markup import escape

from mempa_gym.cli.console import console
from mempa_gym.cli.names import PERSONA_HELP, check_persona
from mempa_gym.engine import Phase, TimelineEngine
from mempa_gym.engine import play as play_game
from mempa_gym.factories.timeline import one_session_game
from mempa_gym.interaction.policies import PAAction, Reply, ToolUse
from mempa_gym.interaction.tools import PREFIX, RELEASE, tool_name
from mempa_gym.interaction.views import PAView
from mempa_gym.taxonomy import attribute as get_attribute
from mempa_gym.taxonomy import attribute_ids
from mempa_gym.tools import specs

__all__ = ["HumanPA", "play"]

_HELP = """Type the reply to the user, or a command:
  /tools [word]               list tools
  /call TOOL {json}           call a world tool
  /pick N                     choose setting N of the first offered interaction tool
  /pick ATTRIBUTE N           choose setting N of another one
  /payload ATTRIBUTE {json}   send a payload
  /release ITEM               release an approved item
  /silent                     end the turn without a word
  /help                       show this
  /quit                       stop"""


class HumanPA:
    """A person at the keyboard as PA.

    Attributes:
        unchosen: whether a setting was still to be chosen when the person last acted.
    """

    name = "human"
    uses_plan = False

    def __init__(self, screen: Console) -> None:
        self.screen = screen
        self.unchosen = False
        self._seen: tuple[int, int] = (-1, 0)
        self._commands: dict[str, Callable[[str, PAView], PAAction | None]] = {
            "/tools": self._tools,
            "/call": self._call,
            "/pick": self._pick,
            "/payload": self._payload,
            "/release": self._release,
            "/silent": lambda rest, view: Reply(""),
            "/help": lambda rest, view: self.say(_HELP),
            "/quit": self._quit,
        }

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
        self.unchosen = bool(view.offered)
        while True:
            try:
                line = input("pa> ").strip()
            except EOFError:
                self.say("")
                self._quit("", view)
            action = self._read(line, view)
            if action is not None:
                return action

    def say(self, text: str) -> None:
        """Prints a text as it stands."""
        self.screen.print(text, markup=False)

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
        """Returns the action of a line, or None when it was none; then it has been answered on the screen."""
        if not line:
            self.say("Nothing was typed: write a reply, or /silent to say nothing.")
            return None
        if not line.startswith("/"):
            return Reply(line)
        command, rest = _halves(line)
        if command not in self._commands:
            self.say(f"unknown command {command}{_meant(command, self._commands) or '; /help lists the commands'}")
            return None
        return self._commands[command](rest, view)

    def _tools(self, word: str, view: PAView) -> None:
        found = [spec for name, spec in specs().items() if word in name]
        for spec in found:
            fields = ", ".join(spec.arguments.model_fields)
            self.screen.print(f"{spec.name}({fields})  [dim]{escape(spec.description)}[/dim]")
        if not found:
            self.say(f"no tool has {word!r} in its name; /tools lists all")

    def _call(self, rest: str, view: PAView) -> PAAction | None:
        tool, arguments = _halves(rest)
        if not tool:
            self.say("/call needs the name of a tool: /call TOOL {json}; /tools lists them")
            return None
        known = [*specs(), *map(tool_name, attribute_ids()), RELEASE]
        if tool not in known:
            self.say(f"unknown tool {tool}{_meant(tool, known) or '; /tools lists them'}")
            return None
        return ToolUse(tool, arguments or "{}")

    def _pick(self, rest: str, view: PAView) -> PAAction | None:
        if not view.offered:
            self.say("nothing to pick: no interaction tool is offered now")
            return None
        first, number = _halves(rest)
        name = first.removeprefix(PREFIX) if number else view.offered[0]
        number = number or first
        if name not in view.offered:
            self.say(f"{name} is not offered; offered: {', '.join(view.offered)}")
            return None
        labels = get_attribute(name).labels
        if not number.isdecimal() or not 1 <= int(number) <= len(labels):
            self.say(f"/pick needs a number from 1 to {len(labels)} for {name}: /pick {name} N")
            return None
        return ToolUse(tool_name(name), {"setting": labels[int(number) - 1]})

    def _payload(self, rest: str, view: PAView) -> PAAction | None:
        name, payload = _halves(rest)
        name = name.removeprefix(PREFIX)
        if not name:
            self.say("/payload needs an attribute: /payload ATTRIBUTE {json}")
            return None
        if name not in attribute_ids():
            self.say(f"unknown attribute {name}{_meant(name, attribute_ids())}")
            return None
        try:
            return ToolUse(tool_name(name), {"payload": json.loads(payload or "{}")})
        except (ValueError, RecursionError) as error:
            self.say(f"not JSON: {error}")
            return None

    def _release(self, item: str, view: PAView) -> PAAction | None:
        if item:
            return ToolUse(RELEASE, {"item_id": item})
        held = ", ".join(notice.item_id for notice in view.held) or "none"
        self.say(f"/release needs the id of a held item; held: {held}")
        return None

    def _quit(self, rest: str, view: PAView) -> None:
        self.say("The session was left before its end.")
        raise typer.Exit(0)


def _halves(text: str) -> tuple[str, str]:
    """Returns the first word and the rest, either of them empty where there is none."""
    first, *rest = text.split(maxsplit=1) or [""]
    return first, "".join(rest)


def _meant(word: str, known: Iterable[str]) -> str:
    """Returns the close names as the end of a sentence; empty when there is none."""
    near = difflib.get_close_matches(word, list(known), n=3)
    return f"; did you mean {' or '.join(near)}?" if near else ""


def _announce_restarts(engine: TimelineEngine, person: HumanPA) -> Callable[[TimelineEngine], None]:
    """Returns what, called after every action, tells the person when the session starts again."""
    seen = engine.session_key

    def watch(engine: TimelineEngine) -> None:
        nonlocal seen
        if engine.phase is Phase.DONE or engine.session_key == seen:
            return
        again = engine.session_key[:2] == seen[:2]
        seen = engine.session_key
        if again:
            why = "No setting was chosen in time" if person.unchosen else "What the chosen setting needs was not sent"
            person.say(f"{why}: the session starts again ({seen[2] + 1} of {engine.config.attempts}).")

    return watch


def play(
    persona: Annotated[str, typer.Option(help=PERSONA_HELP)] = "user_b",
    session: Annotated[int | None, typer.Option(help="Which slot of the story; drawn when left out.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Root of all randomness.")] = 0,
) -> None:
    """Be the personal agent of one session, in the terminal."""
    check_persona(persona)
    screen = console()
    engine = one_session_game(persona, session, seed)
    person = HumanPA(screen)
    person.say(_HELP)
    play_game(engine, person, after=_announce_restarts(engine, person))
    result = engine.results[-1] if engine.results else None
    if result is None:
        sys.exit(1)
    if result.invalid is not None:
        person.say(f"\nThe session has ended without a result: {result.invalid.replace('_', ' ')}.")
        return
    verdict = "right" if result.correct else f"not what the user wants, which is {result.target}"
    person.say(f"\nThe session has ended. {result.cell.attribute}: you chose {result.selection}; that is {verdict}.")
    if result.realization is not None:
        person.say(f"The judge gives the delivered behaviour {result.realization:.0f} of 5.")
