"""The layer between a personal agent and the public interaction (paper 000, Appendix E).

The agent states how it wants to interact by a tool call; the wrapper carries that out without ever learning what the
user prefers. Import from the modules: ``views`` and ``policies`` (what an agent sees and answers), ``tools``,
``payloads`` and ``actions`` (how it says so), ``wrapper`` with ``rules``, ``held`` and ``floors`` (how it is carried
out), ``action_classes`` and ``exchange`` (what the user and the judge are told).
"""
