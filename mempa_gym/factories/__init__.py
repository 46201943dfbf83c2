"""From names to objects: personas, memories, policies, judges, environments.

Everything below works on objects; whatever may be given as a name by a person, a command line or a registry is looked
up here, and an unknown name is answered with the list of the known ones.
"""

from __future__ import annotations
