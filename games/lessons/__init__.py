"""The room of lessons (B8): for each game a few planted positions, each of which asks for one act, then a whole deal.

The rules of the game say what may be played and what comes of it; a lesson's own data only says what it was after.
Nothing is stored but how far a browser has come.
"""
