"""The specifications of the tools, one module a domain; collected by ``mempa_gym.tools.registry``."""

from __future__ import annotations
