"""The short way of a plain move: planned in memory, and written with others by one thread (docs/hot-path.md).

A plain move is a card, by its player and in time, that ends no deal and brings no call. Everything else, and whatever
the short way can't do for any reason, takes the long one, ``services.playing.play_move``. The rules are the same piece
of code in both.
"""
