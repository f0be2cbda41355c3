"""Laws about the text of the house itself, which no test could run: ``python -m tests.lint``.

Each is a function that takes the files, read once, and yields a line for each finding. What a linter can say by itself
is ruff's (pyproject.toml).
"""
