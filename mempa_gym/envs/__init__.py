"""PettingZoo and Gymnasium environments: thin covers over the engine."""

from __future__ import annotations
