"""Django's PostgreSQL, with limits of time that each connection sets for itself."""
