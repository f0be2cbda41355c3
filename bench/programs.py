"""The start of a program of a bench that works with the product: its settings, and a log of warnings alone.

What a table says at each deal belongs to a server's log. Web processes and workers that are measured keep theirs.
"""

import logging
import os


def set_up_django() -> None:
    """Load the product as the environment says; what it logs below a warning isn't written."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bench.settings")
    import django

    django.setup()
    for handler in logging.getLogger().handlers:
        handler.setLevel(logging.WARNING)
