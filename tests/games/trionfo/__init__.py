"""Trionfo, added as docs/adding-a-game.md says, in the tests only: what that page promises is tried here."""
