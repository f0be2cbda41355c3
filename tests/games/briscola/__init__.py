"""Briscola, added to the house as docs/adding-a-game.md says, for the tests only: what that page promises is tried here."""
