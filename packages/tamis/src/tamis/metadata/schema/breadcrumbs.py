"""The categories of a page in its breadcrumbs: the steps between the first, the site, and the last, the page."""

from __future__ import annotations

from tamis.document.titles import fold
from tamis.metadata.categories import categories, is_home
from tamis.metadata.schema.own import Thing, address_in, address_key
from tamis.metadata.schema.types import each, plain, texts
from tamis.metadata.view import View

_MOST_STEPS = 20
_LONGEST = 100


def trail_categories(trail: Thing, view: View) -> tuple[str, ...]:
    """The names of the steps between."""
    steps = [_step(item) for value, _ in trail.values("itemListElement")[:_MOST_STEPS] for item in each(value)]
    steps = sorted(steps[:_MOST_STEPS], key=lambda step: step[0])
    named = [(name, address_key(address, view.base) if address else "") for _, name, address in steps]
    if named and (named[0][1].partition("/")[2] == "" or (len(named) > 1 and is_home(named[0][0]))):
        del named[0]
    title = f" {fold(view.document.title[:1000])} "
    if named:
        name, address = named[-1]
        if not address or address == address_key(view.address, view.base) or f" {fold(name)} " in title:
            del named[-1]
    names = (plain(name) for name, _ in named if len(name) <= _LONGEST)
    return categories(dict.fromkeys(filter(None, names)))


def _step(item: object) -> tuple[float, str, str]:
    """The position, the name and the address of a step."""
    if not isinstance(item, dict):
        return 0, item if isinstance(item, str) else "", ""
    inner = item.get("item")
    name = next(texts(item.get("name")), "") or next(texts(inner), "")
    if "://" in name:
        name = ""
    position = next(iter(each(item.get("position"))), 0)
    try:
        number = float(position) if isinstance(position, str | int | float) else 0
    except (OverflowError, ValueError):
        number = 0
    return number, name, address_in(inner) or address_in(item.get("url")) or ""
