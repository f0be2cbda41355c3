"""Django's SQLite, with kept columns."""
