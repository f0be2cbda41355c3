"""Length of the API's lists: fifty at a time, or as many as asked for up to a hundred.

Without an upper bound whoever asks for everything gets it, and a number no database knows is an error of the server's.
"""

from rest_framework.pagination import LimitOffsetPagination


class Pages(LimitOffsetPagination):
    """``?limit=`` and ``?offset=``; what is no number from 1 (or 0) on counts as not given."""

    default_limit = 50
    max_limit = 100
