"""Fits the reader's weights: run ``python -m mempa_gym.reading.build`` after an edit of the bank or the lexicon.

Run from a checkout. A test compares the hash of the sources that is stored in the file with the sources as they are.
"""

from __future__ import annotations

import sys
from pathlib import Path

from mempa_gym.errors import RunError
from mempa_gym.reading.bank import train_bank
from mempa_gym.reading.model import WEIGHTS_FILE, dump, fit_model, source_hash
from mempa_gym.resources import data_path

__all__ = ["build"]


def build() -> bytes:
    """Returns the bytes of the weights file, fitted from the packaged bank; the same bank gives the same weights."""
    bank = train_bank()
    neutral = (*bank.neutral, *(text for texts in bank.openings.values() for text in texts))
    return dump(fit_model(bank, tuple(bank.examples()), neutral), source_hash())


def main() -> int:
    """Writes the weights beside the bank."""
    target = data_path(WEIGHTS_FILE)
    if not isinstance(target, Path):
        raise RunError("the package is not a folder on disk", where="build", remedy="Build from a checkout")
    content = build()
    target.write_bytes(content)
    sys.stdout.write(f"{target}: {len(content)} bytes\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
