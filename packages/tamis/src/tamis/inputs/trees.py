"""Pages that another library has parsed: that library writes their trees as HTML again.

A library is recognised by the module of a class or of one of its bases, and never imported here: a caller who has a
tree has imported it already.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from copy import copy, deepcopy
from typing import Any, NamedTuple

from tamis.errors import InputError


class Tree(NamedTuple):
    """A tree as HTML, and the address of its page if the tree has it."""

    html: str
    url: str | None = None


def read_tree(page: Any) -> Tree | None:
    """The tree of a known library as HTML; None for any other object. Raises InputError for one that is too deep."""
    packages = {base.__module__.partition(".")[0] for base in type(page).__mro__}
    write = next((_WRITERS[package] for package in _WRITERS if package in packages), None)
    try:
        return write(page) if write else None
    except RecursionError:
        raise InputError(f"the {type(page).__name__} is nested too deeply to be written as HTML") from None


def _lxml(page: Any) -> Tree | None:
    etree: Any = sys.modules["lxml.etree"]
    if not (etree.iselement(page) or hasattr(page, "getroot")):
        return None
    tree = page if hasattr(page, "getroot") else page.getroottree()
    address = tree.docinfo.URL if tree.getroot() is not None else None
    url = address if (address or "").lower().startswith(("http://", "https://")) else None
    html = etree.tostring(_without_namespaces(page), method="html", encoding="unicode", with_tail=False)
    return Tree(html or "", url)


def _xml_etree(page: Any) -> Tree | None:
    etree: Any = sys.modules.get("xml.etree.ElementTree")
    root = page.getroot() if hasattr(page, "getroot") else page
    if etree is None or not (root is None or etree.iselement(root)):
        return None
    if root is None:
        return Tree("")
    part = copy(_without_namespaces(root))
    part.tail = None  # the text behind a part of a page
    return Tree(etree.tostring(part, method="html", encoding="unicode"))


def _without_namespaces(page: Any) -> Any:
    """The page itself, or a copy without namespaces: XML would write them as part of names that HTML lacks."""
    root = page.getroot() if hasattr(page, "getroot") else page
    if root is None or not any(isinstance(node.tag, str) and node.tag.startswith("{") for node in root.iter()):
        return page
    plain = deepcopy(root)
    for node in plain.iter():
        if isinstance(node.tag, str):
            node.tag = node.tag.rpartition("}")[2]
    return plain


def _beautiful_soup(page: Any) -> Tree | None:
    return Tree(str(page)) if hasattr(page, "decode") else None


def _by_html_property(page: Any) -> Tree | None:
    html = getattr(page, "html", None)
    return Tree(html) if isinstance(html, str) else None


def _selector(page: Any) -> Tree | None:
    """A selector of parsel or Scrapy over a tree of lxml, or a list of them."""
    if isinstance(page, list):
        found = [each for each in map(_selector, page) if each]
        return Tree("".join(each.html for each in found), found[0].url if found else None)
    return read_tree(getattr(page, "root", None)) or (Tree(str(page.get())) if hasattr(page, "get") else None)


_WRITERS: dict[str, Callable[[Any], Tree | None]] = {
    "lxml": _lxml,
    "xml": _xml_etree,
    "bs4": _beautiful_soup,
    "selectolax": _by_html_property,
    "turbohtml": _by_html_property,
    "parsel": _selector,
    "scrapy": _selector,
}
