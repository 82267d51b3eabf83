"""A copy of the page with its kept content marked."""

from __future__ import annotations

from html import escape

from tamis.document import Document, parse
from tamis.labels import Labels, Role

_STYLE = """
mark.tamis { background: #ffe98a !important; color: #1a1a1a !important; }
mark.tamis-title { background: #a8dcff !important; }
mark.tamis-comment { background: #d9c8ff !important; }
mark.tamis-media { background: none !important; box-shadow: 0 0 0 4px #ffe98a; }
"""


def highlight(document: Document, labels: Labels) -> str:
    """The whole page as HTML, with kept texts and media in <mark class="tamis ...">.

    Scripts do not run in the copy: they and event handlers are removed, and a content security policy forbids the rest.
    """

    def css_class(leaf: int) -> str | None:
        if not labels.keep[leaf]:
            return None
        if document.leaves.is_media[leaf]:
            return "tamis tamis-media"
        role = labels.role(leaf)
        return "tamis" if role is Role.TEXT else f"tamis tamis-{role.value}"

    head = "<meta http-equiv=\"Content-Security-Policy\" content=\"script-src 'none'; object-src 'none'\">"
    head += '<meta charset="utf-8">'
    if document.url and "base" not in document.elements.tag:
        head += f'<base href="{escape(document.url)}">'
    return parse.marked_copy(document.html, css_class, head=f"{head}<style>{_STYLE}</style>")
