"""How much of a page's structure survives, element by element: `tamis bench --structure`.

`page.py` reads HTML and Markdown, `elements.py` finds the elements in it: of a page, of golden Markdown, and of what a
contestant wrote. `scores.py` says which elements of a page are wanted and compares them with those found; `bench.py`
is the scorer, and adds up.
"""
