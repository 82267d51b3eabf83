"""Kept leaves to a tree of content: what each part of the page is, whatever markup says so.

A recogniser is one file a mechanism (formulas, code, notes, callouts, embeds), `tree.py` lists them and builds
the tree. HTML, Markdown, XML and chunks are written from the tree.
"""
