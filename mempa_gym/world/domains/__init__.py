"""What the tools do, one module a domain or a group of small ones; each lists its tools in ``HANDLERS``."""

from __future__ import annotations
