"""Pages that want to hurt, as the public contract suite has them."""

from __future__ import annotations

from tamis.testing import HOSTILE_PAGES

HOSTILE = HOSTILE_PAGES
