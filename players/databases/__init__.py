"""Django's backends of both databases, whose statements are written with kept columns."""
