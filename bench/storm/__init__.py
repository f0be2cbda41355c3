"""The storm: the whole product under kills, cuts and resends, and a checker that believes only what clients were told.

``python -m bench.storm`` runs one by hand; docs/guarantees.md says what each shows.
"""
