"""Pages that want to hurt: those of the public contract suite, and in `pages` several hundred more."""

from __future__ import annotations

from tamis.testing import HOSTILE_PAGES

HOSTILE = HOSTILE_PAGES
