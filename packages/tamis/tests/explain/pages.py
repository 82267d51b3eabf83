"""Pages that the tests here share."""

from __future__ import annotations

from tests.project import PROJECT

HARBOUR = (PROJECT / "examples" / "harbour.html").read_bytes()
PROSE = "The baker rises long before the town does, and by four in the morning the ovens have been hot for an hour. "
PAGE = f"""<!doctype html><html><head><title>Bread at dawn - The Oven</title></head><body>
<nav><ul><li><a href="/">Home</a></li><li><a href="/shop">Shop</a></li><li><a href="/jobs">Jobs</a></li></ul></nav>
<main><article><h1>Bread at dawn</h1><p>{PROSE * 3}</p><p>{PROSE * 2}</p><h2>Later</h2><p>{PROSE}</p></article></main>
<footer><a href="/legal">All rights reserved</a></footer></body></html>"""
