"""How well contestants find title, authors and date: `tamis bench --metadata`.

`contestants.py` says who takes part, `matching.py` when an answer is the gold, `run.py` asks for many pages,
`scores.py` judges one field of one page, `summary.py` adds up and `calibration.py` compares confidences with results.
"""
