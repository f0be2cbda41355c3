"""Mutants: chance changes of the code, and which of them the tests see (``python -m bench.mutants``)."""
