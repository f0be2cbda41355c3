"""Services that change a table: opening it, seats, moves, preferences, a referee's acts, and whatever is due.

Each call is one transaction that holds the match's row. ``now`` is an instant, or the clock to read once the lock is
held (production passes ``timezone.now``): one instant decides, so a turn ends by its move or by its timeout, never by
both. Who may sit where is decided before a match is opened; the rules of the game are the engine's.
"""
