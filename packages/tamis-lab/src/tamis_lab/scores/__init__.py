"""Weights measured by the whole pipeline on all sets, next to stored figures of releases and peers: `make scores`.

`gold.py` has the sets, their bars, and the gold of a page, which is cached; `run.py` extracts and scores all pages in
two processes; `structures.py` judges lists, tables and headings; `figures.py` adds up the figures of a set.
"""
