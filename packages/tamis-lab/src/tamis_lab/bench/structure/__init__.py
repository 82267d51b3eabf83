"""How much of a page's structure survives, element by element: `tamis bench --structure`.

`page.py` reads HTML and Markdown, and `elements.py` finds the elements in them: of a page, of golden Markdown, and of
the output of a contestant. `scores.py` compares the elements of an output with those that are wanted, and adds up.
"""
