"""Being stopped: Ctrl-C and the signal that systems send before they kill end a command in the same orderly way."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

import typer

__all__ = ["stoppable"]

_INTERRUPTED = 130
_TERMINATED = 143


class _Terminated(KeyboardInterrupt):
    """SIGTERM has arrived."""


def _terminate(signum: int, frame: FrameType | None) -> NoReturn:
    raise _Terminated


@contextmanager
def stoppable(what_now: str) -> Iterator[None]:
    """Ends a command that is stopped with one line and the exit code of the signal (130 or 143).

    Args:
        what_now: what the user can do next.
    """
    before = signal.signal(signal.SIGTERM, _terminate)
    try:
        yield
    except KeyboardInterrupt as stop:
        print(f"mempa-gym: stopped. {what_now}", file=sys.stderr)
        raise typer.Exit(_TERMINATED if isinstance(stop, _Terminated) else _INTERRUPTED) from None
    finally:
        signal.signal(signal.SIGTERM, before)
