"""The room of training (B7): a match of one person against the house, begun and found again.

What happens at its table is ``games.training.hints``'s.
"""
