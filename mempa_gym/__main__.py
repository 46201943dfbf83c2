"""``python -m mempa_gym`` is the command line."""

from __future__ import annotations

from mempa_gym.cli import main

if __name__ == "__main__":
    main()
