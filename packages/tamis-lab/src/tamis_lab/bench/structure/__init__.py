"""How much of a page's structure survives, element by element: `tamis bench --structure`.

`reader.py` finds the elements of any HTML: of a page, of golden Markdown, and of what a contestant wrote (Markdown is
rendered by an independent parser first). `expected.py` says which elements of a page its gold text wants, `scores.py`
compares them with those found, `run.py` does so for many pages and `summary.py` adds up.
"""
