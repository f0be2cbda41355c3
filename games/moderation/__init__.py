"""Moderation (U2, U3): reports with all that belongs to them, hints, and the acts of staff."""
