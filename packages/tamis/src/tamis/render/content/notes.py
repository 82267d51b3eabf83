"""Footnotes: marks in the text and the notes that they refer to, as they are written.

Which links are references is decided by the kernel (`tamis.document.notes`), for labels and outputs alike.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, field
from functools import cache

from tamis.document import tags
from tamis.document.notes import BACKS, HIDDEN, NOTES, REFERENCES
from tamis.render.content import Child, Node
from tamis.render.content.source import Marks, PageSource, folded
from tamis.render.safe import safe_url

_LONGEST_MARK = 24  # characters of a link; a longer text is not a mark
_MOST_LEAVES = 8  # that are read of a link and of the start of a note
_LEVELS = 4  # of elements that are read above a link
_MOST_LINKS = 200  # of one note that may lead back: a note of Wikipedia can have a hundred
_FEW = 10  # elements in one that is there only for its notes

_OPENING, _CLOSING = "[(（［{", "])）］}"
_AROUND = _OPENING + _CLOSING + ".:,;^ \t\r\n\f\xa0\u2009\u200b\ufe0e\ufe0f"
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_PLAIN_MARK = re.compile(r"[0-9]{1,4}[a-z]?|[A-Za-z]{1,2}|[ivxlc]{1,7}|[*†‡§¶‖#]{1,4}")
_YEAR = re.compile(r"(?:1[5-9]|20)[0-9]{2}[a-z]?")
_LABEL = re.compile(r"[\w+.:\-]{1,24}(?: [\w+.:\-]{1,12})?")
_SIGNS = frozenset("*†‡§¶‖#")
_BACK = re.compile(r"[↩⤴↑⇧⏎↵^▲⬆\ufe0e\ufe0f0-9\s]{1,8}")

_WRAPPERS = frozenset({"aside", "div", "section"})
_INLINE = frozenset("abbr b cite code em i q strong".split())
# Notes in one of these are written at the end.
_WITHOUT_NOTES = frozenset("a b cite dl em i ol p h1 h2 h3 h4 h5 h6 q small span strong sub sup u ul".split())
_IS_BLOCK = tags.lookup(*tags.BLOCK)
_LATEXML_MARKS = frozenset({"ltx_note_mark", "ltx_tag_note"})


@dataclass
class _Footnote:
    """The element that holds a note, the mark of the first reference to it, and the references."""

    row: int
    mark: str
    references: list[int] = field(default_factory=list)  # rows of links


def notes(source: PageSource) -> Marks | None:
    """The references whose notes are kept, and those notes."""
    inline = source.classes.get("modern-footnotes-footnote__note", []) + source.classes.get("sidenote", [])
    links = [row for row in source.tagged("a") if "#" in (source.attribute(row, "href") or "")]
    if (
        not inline
        and "ltx_note_outer" not in source.classes
        and not any(_mark(source.elements.all_nodes[row].text) for row in links)
    ):
        return None
    return _NoteWriter(source, links).marks(inline)


def _short_text(source: PageSource, row: int) -> str:
    """The text of an element; empty if it has too many pieces for a mark."""
    return source.text(row) if len(source.leaves_in(row)) <= _MOST_LEAVES else ""


class _NoteWriter:
    """Writes references and their notes."""

    def __init__(self, source: PageSource, links: list[int]) -> None:
        self.source, self.rows = source, links
        self.fragments = source.document.fragments
        self.earlier = self.fragments.earlier
        self.parent: list[int] = source.elements.parent.tolist()
        self.end: list[int] = source.elements.end.tolist()
        self._is_block = _IS_BLOCK.take(source.elements.code).tobytes()
        self.found = Marks()
        self.named, self.replaced, self.text = self.found.named, self.found.replaced, self.found.text
        self.skipped, self.trimmed = self.found.skipped, self.found.trimmed
        self.used: set[str] = set()  # ids of notes
        self.repeated: dict[str, int] = {}  # how often a mark came before
        self._children = cache(source.children)
        self._mark = cache(lambda row: _mark(_short_text(source, row)))  # empty if it shows more than a mark

    def marks(self, inline: list[int]) -> Marks | None:
        """All references and notes."""
        found = self._notes()
        for note in found:
            self._write(note)
        for row in inline:
            self._write_inline(row)
        for row in self.source.classes.get("ltx_note_outer", ()):
            self._write_latexml(row)
        self._write_lists(sorted(note.row for note in found))
        self._write_lost()
        self.skipped.update(self.source.classes.get("mw-cite-backlink", ()))
        return self.found if self.named or self.replaced else None

    def _notes(self) -> list[_Footnote]:
        found: dict[int, _Footnote] = {}
        holds, rows, holders = self.source.holds, self.fragments.references, self.fragments.notes
        for row, holder in zip(rows.tolist(), holders.tolist(), strict=True):
            if holds[row] and holds[holder]:
                mark = "" if self._is_words(row) else self._mark(row)
                found.setdefault(holder, _Footnote(holder, mark)).references.append(row)
        return list(found.values())

    def _is_words(self, row: int) -> bool:
        """Is a link to a note a part of its sentence, as "Smith 2004"? Then it stays there."""
        is_label = (mark := self._mark(row)) and not _YEAR.fullmatch(mark)
        if is_label and _PLAIN_MARK.fullmatch(mark):
            return False
        leaves = self.source.leaves_in(row)
        before, after = self._text_in_page(leaves.start - 1).rstrip(), self._text_in_page(leaves.stop).lstrip()
        is_bracketed = (before[-1:], after[:1]) in (("[", "]"), ("［", "］"))
        is_raised = any(self.source.tag(each) == "sup" for each in (self.parent[row], *self._children(row)))
        opens = _short_text(self.source, row).strip()[:1] in tuple(_OPENING)
        return not (is_raised or (is_bracketed and is_label) or opens)

    def _text_in_page(self, leaf: int) -> str:
        return self.source.leaves.text[leaf] if 0 <= leaf < len(self.source.leaves) else ""

    def _text(self, leaf: int) -> str:
        """The text of a leaf without the marks that have been left out."""
        return self.trimmed.get(leaf, self._text_in_page(leaf))

    def _block(self, row: int) -> int:
        """The block-level element around an element."""
        while row >= 0 and not self._is_block[row]:
            row = self.parent[row]
        return row

    def _is_named(self, row: int, selector: str) -> bool:
        """Does a selector match an element, or one close above it in its block?"""
        nodes = self.source.elements.all_nodes
        for _ in range(_LEVELS):
            if row < 0 or nodes[row].matches(selector):  # of few elements; of all of the page it takes long
                return row >= 0
            if selector != NOTES and self._is_block[row]:
                return False
            row = self.parent[row]
        return False

    def _write(self, note: _Footnote) -> None:
        name = self._unique(note.mark or str(len(self.used) + 1))
        self.named[note.row] = Node("note", {"id": name})
        for row, following in zip(note.references, (*note.references[1:], 0), strict=True):
            if not self._is_words(row):
                self._write_reference(row, name)
            elif self.parent[following] == self.parent[row]:  # "Smith", "2004": the year refers to it
                self.named[row] = Node("")
            else:
                text = " ".join(self.source.text(row).split())
                self.replaced[row] = Node("", {}, [text, Node("note-reference", {"id": name}, [name])])
                self.text[row] = f"{text}[{name}]"
        backs = {self._block(row) for row in note.references}
        first, last = bisect_left(self.rows, note.row), bisect_left(self.rows, self.end[note.row])
        for row in self.rows[first : min(last, first + _MOST_LINKS)]:
            text = _short_text(self.source, row)
            leads_back = self._block(self.earlier.get(row, -1)) in backs - {-1}
            is_back = self._is_named(row, BACKS) or bool(_BACK.fullmatch(text))
            if row not in self.replaced and len(text) <= _LONGEST_MARK and (leads_back or is_back):
                self._skip_mark(row, note.row)
        if note.mark:
            self._trim_start(note)
        if self.source.tag(note.row) == "table":
            for row in range(note.row + 1, self.end[note.row]):
                if self.source.tag(row) in ("tbody", "tr", "td", "th"):
                    self.named.setdefault(row, Node(""))

    def _write_reference(self, row: int, name: str) -> None:
        mark, outer = self._mark(row), row
        for _ in range(_LEVELS):
            above = self.parent[outer]
            if above < 0 or self._is_block[above] or self._mark(above) != mark:
                break
            outer = above
        self.replaced[outer] = Node("note-reference", {"id": name}, [mark])
        self.text[outer] = f"[{name}]"
        self._unbracket(outer)
        above = self.parent[outer]
        if self.source.tag(above) == "sup":
            self.named[above] = Node("")  # several references share it

    def _unique(self, mark: str) -> str:
        """An id for a note: its mark if that can be one and is free."""
        name = mark.replace(" ", "-") if not _SIGNS.issuperset(mark) else str(len(self.used) + 1)
        unique = name
        while unique.lower() in self.used:
            self.repeated[name] = self.repeated.get(name, 1) + 1
            unique = f"{name}-{self.repeated[name]}"
        self.used.add(unique.lower())
        return unique

    def _skip_mark(self, row: int, holder: int) -> None:
        """Leave out a link back, with the elements that hold only this link."""
        text = _short_text(self.source, row).strip(_AROUND)
        while (above := self.parent[row]) != holder and _short_text(self.source, above).strip(_AROUND) == text:
            row = above
        if "mw-cite-backlink" in self.source.class_names(above):
            row = above
        self.skipped.add(row)
        self._unbracket(row)

    def _unbracket(self, row: int) -> None:
        """Leave out brackets in the texts directly before and after an element."""
        leaves = self.source.leaves_in(row)
        if not leaves:
            return
        before, after = self._text(leaves.start - 1), self._text(leaves.stop)
        if before.rstrip()[-1:] in tuple(_OPENING) and after.lstrip()[:1] in tuple(_CLOSING):
            self.trimmed[leaves.start - 1] = before.rstrip()[:-1]
            self.trimmed[leaves.stop] = after.lstrip()[1:]

    def _trim_start(self, note: _Footnote) -> None:
        """Leave out the mark at the start of a note."""
        source, mark = self.source, note.mark
        is_item = source.tag(note.row) == "li"
        after_mark = False
        for leaf in source.leaves_in(note.row)[:_MOST_LEAVES]:
            row, text = int(source.leaves.element[leaf]), self._text(leaf)
            if source.leaves.is_media[leaf] or not text.strip():
                continue
            if self._is_skipped(row, note.row):
                after_mark = True
                continue
            start = text.translate(_RAISED).lstrip()
            bare = start.lstrip(_OPENING).lstrip()
            if not after_mark and not bare.strip(_AROUND):
                self.trimmed[leaf] = ""
            elif not after_mark and bare.startswith(mark) and not bare[len(mark) : len(mark) + 1].isalnum():
                rest = bare[len(mark) :]
                if not rest.strip(_AROUND):
                    self.trimmed[leaf] = ""
                    if row != note.row and self._mark(row) == mark:
                        self._skip_mark(row, note.row)
                    after_mark = True
                    continue
                if not is_item or rest[0] in f"{_CLOSING}.:" or bare != start or _SIGNS.issuperset(mark):
                    self.trimmed[leaf] = rest.lstrip(_AROUND)
                return
            else:
                if after_mark and start[:1] in f"{_CLOSING}.:":
                    self.trimmed[leaf] = start.lstrip(f"{_CLOSING}.: ")
                return

    def _is_skipped(self, row: int, holder: int) -> bool:
        while row > holder and row not in self.skipped:
            row = self.parent[row]
        return row > holder

    def _write_inline(self, row: int) -> None:
        """Write a note that follows its mark in the text."""
        above, mark, reference = self.parent[row], "", -1
        siblings = self._children(above)
        place = bisect_left(siblings, row)
        if place and self.source.holds[siblings[place - 1]] and (mark := self._mark(siblings[place - 1])):
            reference = siblings[place - 1]
        name = self._unique(mark or str(len(self.used) + 1))
        shown = Node("note-reference", {"id": name}, [mark or name])
        note = Node("note", {"id": name}, _inline_content(self.source.subtree(row, ("href",)), self.source.base))
        if reference >= 0:
            self.replaced[reference], self.text[reference] = shown, ""
            self.replaced[row] = note
        else:
            self.replaced[row] = Node("", {}, [shown, note])
        self.text[row] = f" ({' '.join(note.text().split())})"

    def _write_latexml(self, row: int) -> None:
        """Write a note of LaTeXML: it follows its mark, repeats it, and may hold formulas."""
        source, siblings = self.source, self._children(self.parent[row])
        reference = siblings[max(bisect_left(siblings, row) - 1, 0)]
        mark = self._mark(reference) if reference < row and source.holds[reference] else ""
        if not mark:
            return
        name = self._unique(mark)
        inside = range(row + 1, min(self.end[row], row + 1 + _FEW))
        self.skipped.update(each for each in inside if not _LATEXML_MARKS.isdisjoint(source.class_names(each)))
        self.replaced[reference] = Node("note-reference", {"id": name}, [mark])
        if not source.for_text:
            self.named[row] = Node("note", {"id": name})
            return
        self.text[reference] = ""
        holders = source.leaves.element
        texts = [leaf for leaf in source.leaves_in(row) if not self._is_skipped(int(holders[leaf]), row)]
        if texts and not (source.leaves.is_media[texts[0]] or source.leaves.is_media[texts[-1]]):
            self.trimmed[texts[0]] = f" ({self._text(texts[0]).lstrip()}"
            self.trimmed[texts[-1]] = f"{self._text(texts[-1]).rstrip()})"

    def _write_lists(self, rows: list[int]) -> None:
        """Name the elements that only hold notes; leave out a rule or a hidden heading before them."""
        source, held = self.source, set(rows)
        for first, above in {self.parent[row]: (row, self.parent[row]) for row in reversed(rows)}.values():
            inside = [row for row in self._children(above) if source.holds[row]]
            others = [row for row in inside if row not in held and source.tag(row) != "dt"]
            is_list = source.tag(above) in ("ol", "ul", "dl")
            if others and is_list:
                for place, row in enumerate(inside):  # what no reference leads to keeps its number
                    if row not in held and source.tag(above) == "ol":
                        self.named[row] = Node("li", {"value": str(place + 1)})
                continue
            if not others and not any(source.leaves.element[leaf] == above for leaf in source.leaves_in(above)):
                self.skipped.update(row for row in self._children(above) if source.tag(row) in ("dt", "br", "hr"))
                self.named[above] = Node("notes")
            around = self.parent[above]
            beside = self._children(around) if is_list and around >= 0 else self._children(above)
            place = bisect_left(beside, above if is_list else first)
            for row in beside[max(place - 2, 0) : place]:
                if source.tag(row) == "hr" or (
                    source.tag(row) in tags.HEADINGS and source.elements.all_nodes[row].matches(HIDDEN)
                ):
                    self.skipped.add(row)
            if is_list and len(beside) <= _FEW and source.tag(around) in _WRAPPERS:
                left = [row for row in beside if source.holds[row] and row not in self.skipped]
                if left == [above] and self._is_named(above, NOTES):
                    self.named[around] = Node("")

    def _write_lost(self) -> None:
        """Write a reference to a note that is not kept as its mark alone: the link leads nowhere."""
        later = self.fragments.later
        for row in self.rows:
            if not self._is_named(row, REFERENCES) or self._is_named(row, NOTES):
                continue
            mark = self._mark(row)
            if not mark or row in self.replaced or self._is_in_written(row):
                continue
            targets = (later.get(row, -1), self.earlier.get(row, -1))
            if any(target >= 0 and self.source.holds[target] for target in targets):
                continue
            outer, above = row, self.parent[row]
            if self.source.tag(above) == "sup" and self._mark(above) == mark:
                outer = above
            self.replaced[outer] = Node("", {}, [f"[{mark}]"])
            self.text[outer] = f"[{mark}]"

    def _is_in_written(self, row: int) -> bool:
        for _ in range(_LEVELS + 1):
            if row < 0 or row in self.replaced or row in self.skipped:
                return row >= 0
            row = self.parent[row]
        return False


def _mark(text: str) -> str:
    mark = text.strip(_AROUND)
    if len(mark) > _LONGEST_MARK:
        return ""
    if not mark.isascii():
        mark = mark.translate(_RAISED)
    return mark if _PLAIN_MARK.fullmatch(mark) or _LABEL.fullmatch(mark) else ""


def _inline_content(node: Node, base: str | None) -> list[Child]:
    """The content of a plain tree with emphasis and links, without other elements."""
    found: list[Child] = []
    for child in node.children:
        if isinstance(child, str):
            found.append(folded(child))
        elif child.name == "a" and (address := safe_url(child.attributes.get("href"), base)):
            found.append(Node("a", {"href": address}, _inline_content(child, base)))
        elif child.name in _INLINE:
            found.append(Node(child.name, {}, _inline_content(child, base)))
        else:
            found += _inline_content(child, base)
    return found


def tidy_notes(root: Node, found: Marks) -> None:
    """Put adjacent notes into one node "notes", and those inside a paragraph at the end of the tree.

    Also remove the white space that a mark leaves at the edges of a note, a callout or an item.
    """
    nodes = (*found.named.values(), *found.replaced.values())
    if not any(node.name in ("note", "callout", "") or "checked" in node.attributes for node in nodes):
        return
    inner: list[Child] = []
    for node in list(root.walk()):
        if node.name in ("note", "callout") or "checked" in node.attributes:
            _strip_edges(node)
        if node.name != "notes" and any(isinstance(child, Node) and child.name == "note" for child in node.children):
            if node.name in _WITHOUT_NOTES:
                inner += [child for child in node.children if isinstance(child, Node) and child.name == "note"]
                node.children = [child for child in node.children if isinstance(child, str) or child.name != "note"]
            else:
                node.children = _with_grouped_notes(node.children)
    if inner:
        root.children.append(Node("notes", {}, inner))


def _strip_edges(node: Node) -> None:
    """Remove the white space that a mark leaves at both edges."""
    for side in (0, -1):
        inner = node
        for _ in range(_LEVELS):
            while inner.children and isinstance(edge := inner.children[side], str) and edge.isspace():
                inner.children.pop(side)
            if not inner.children:
                break
            edge = inner.children[side]
            if isinstance(edge, str):
                inner.children[side] = edge.rstrip() if side else edge.lstrip()
            if isinstance(edge, str) or edge.name == "pre":
                break
            inner = edge


def _with_grouped_notes(children: list[Child]) -> list[Child]:
    written: list[Child] = []
    for child in children:
        last = written[-1] if written else ""
        if isinstance(child, Node) and child.name == "note":
            if isinstance(last, Node) and last.name == "notes":
                last.children.append(child)
            else:
                written.append(Node("notes", {}, [child]))
        elif isinstance(child, Node) or child.strip() or not (isinstance(last, Node) and last.name == "notes"):
            written.append(child)
    return written
