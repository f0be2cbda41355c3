"""Services of people: arrival, preferences, mail, sessions and the end of an account.

Functions take keywords only and the hour as ``now``, and run in one transaction each. Import the module that has it.
"""
