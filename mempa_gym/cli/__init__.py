"""The command line: ``mempa-gym`` and ``python -m mempa_gym``."""

from __future__ import annotations

from mempa_gym.cli.app import main

__all__ = ["main"]
