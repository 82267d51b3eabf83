"""Every golden structure page becomes exactly what it should."""

from __future__ import annotations

import pytest

from tests.structure_pages import StructurePage, structure_pages
from tools import structures_table

PAGES = {f"{page.group}/{page.name}": page for page in structure_pages()}


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_page(page: StructurePage) -> None:
    extracted = page.extracted()
    assert extracted.markdown == page.markdown
    assert extracted.text == page.text
    assert extracted.html == page.clean


def test_the_table_in_the_docs_shows_them_all() -> None:
    assert structures_table.FILE.read_text(encoding="utf-8") == structures_table.written()
