"""Bare systems in folders, and in them what the README and docs/deploy.md say, word for word (``make bare``).

Run by the system's Python as root, with the standard library only; ``systemctl.py`` and ``visitor.py`` run in the bare
systems themselves.
"""
