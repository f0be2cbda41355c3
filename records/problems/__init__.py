"""The room of problems (HP7): a position of a real match in which one card is clearly best, and who found it."""
