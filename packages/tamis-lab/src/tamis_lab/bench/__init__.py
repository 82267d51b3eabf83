"""The benchmark: one runner, the contestants and peers that it runs, a scorer for each question, and the gate.

`text.py` scores words, `structure/` the elements that survive, `metadata.py` titles, authors and dates.
"""
