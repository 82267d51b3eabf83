"""Footnotes: marks in the text and the notes that they refer to.

A reference is a link with a short mark (a number, a sign, a label in brackets) to a place further down, and the note is
the list item or paragraph that begins there. Something has to confirm it: a name that publishing systems use, a link
back to the reference, or a note that begins with the same mark. So WordPress, Wikipedia, Substack, Pandoc, Sphinx,
Hugo, kramdown, remark and Word need no rule each.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from functools import cached_property
from itertools import compress
from urllib.parse import unquote

import numpy as np

from tamis.document import parse, tags
from tamis.render.content.marks import Marks
from tamis.render.content.names import NAMES
from tamis.render.content.node import Child, Node
from tamis.render.content.source import Source, folded
from tamis.render.safe import safe_url

# What is read of a link, of the begin of a note and of the elements around either: more is no mark.
_LONGEST_MARK, _MOST_LEAVES, _LEVELS = 24, 8, 4
# Links of one note that are looked at for one that leads back (a note of Wikipedia can have a hundred), and its leaves.
_MOST_LINKS, _LONGEST_NOTE = 200, 400
_MOST_TARGETS = 50  # elements with the same id
_FEW = 10  # elements in one that is there only for its notes

_OPENING, _CLOSING = "[(（［{", "])）］}"
_AROUND = _OPENING + _CLOSING + ".:,;^ \t\r\n\f\xa0\u2009\u200b\ufe0e\ufe0f"
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_PLAIN_MARK = re.compile(r"[0-9]{1,4}[a-z]?|[A-Za-z]{1,2}|[ivxlc]{1,7}|[*†‡§¶‖#]{1,4}")
_NUMBER = re.compile(r"[0-9]{1,4}")
_LABEL = re.compile(r"[\w+.:\-]{1,24}(?: [\w+.:\-]{1,12})?")
_SIGNS = frozenset("*†‡§¶‖#")
_BACK = re.compile(r"[↩⤴↑⇧⏎↵^▲⬆\ufe0e\ufe0f0-9\s]{1,8}")

# Names of references, of notes and the parts that hold them, and of links back, as publishing systems write them.
_REFERENCE_NAMES, _NOTE_NAMES, _BACK_NAMES, _HIDDEN_NAMES = (
    frozenset(NAMES["notes"][key]) for key in ("references", "notes", "backs", "hidden")
)

_HOLDERS = frozenset("li p div dd aside td table section blockquote footer small".split())
_WRAPPERS = frozenset({"aside", "div", "section"})
_INLINE = frozenset("abbr b cite code em i q strong".split())
# Notes in one of these are written at the end.
_WITHOUT_NOTES = frozenset("a b cite dl em i ol p h1 h2 h3 h4 h5 h6 q small span strong sub sup u ul".split())
_IS_HEADING, _IS_BLOCK = tags.lookup(*tags.HEADINGS), tags.lookup(*tags.BLOCK)
_LATEXML_MARKS = frozenset({"ltx_note_mark", "ltx_tag_note"})


@dataclass
class _Note:
    """The element that holds a note, the mark of the first reference to it, and the references."""

    row: int
    mark: str
    references: list[int] = field(default_factory=list)  # rows of links


def notes(source: Source) -> Marks | None:
    """The references whose notes are kept, and those notes."""
    links = {
        row: href.partition("#")[2]
        for row in source.tagged("a")
        if (href := source.attribute(row, "href")) and "#" in href
    }
    inline = source.classes.get("modern-footnotes-footnote__note", []) + source.classes.get("sidenote", [])
    if (
        not inline
        and "ltx_note_outer" not in source.classes
        and not any(_mark(source.elements.all_nodes[row].text) for row in links)
    ):
        return None
    return _Finder(source, links).marks(inline)


class _Finder:
    """Reads links and what they lead to."""

    def __init__(self, source: Source, links: dict[int, str]) -> None:
        self.source, self.links = source, links
        self.rows = list(links)
        self.parent: list[int] = source.elements.parent.tolist()
        self.end: list[int] = source.elements.end.tolist()
        self._is_block = _IS_BLOCK.take(source.elements.code).tobytes()
        self.named: dict[int, Node] = {}
        self.replaced: dict[int, Node] = {}
        self.text: dict[int, str] = {}
        self.skipped: set[int] = set()
        self.trimmed: dict[int, str] = {}
        self.used: set[str] = set()  # ids of notes
        self.repeated: dict[str, int] = {}  # how often a mark came before
        self._holders: dict[int, int] = {}  # by target
        self._backs: dict[int, set[int]] = {}  # by holder
        self._child_rows: dict[int, list[int]] = {}
        self._marks: dict[int, str] = {}

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
        if not self.named and not self.replaced:
            return None
        return Marks(self.replaced, self.named, frozenset(self.skipped), self.text, self.trimmed)

    # Which links are references

    def _notes(self) -> list[_Note]:
        found: dict[int, _Note] = {}
        for row, fragment in self.links.items():
            if not (targets := self._targets(fragment)) or not (mark := self._mark(row)):
                continue
            later = bisect_right(targets, row)
            # A page of several articles repeats the ids: the next one is meant.
            target = targets[later] if later < len(targets) else targets[0]
            holder = self._holder(target)
            if holder < 0 or holder <= row < self.end[holder]:
                continue
            if not self._is_reference(row, mark, target, holder):
                continue
            found.setdefault(holder, _Note(holder, mark)).references.append(row)
        return [note for note in found.values() if not self._is_inside_another(note, found)]

    def _is_reference(self, row: int, mark: str, target: int, holder: int) -> bool:
        is_named_note = self._is_named(holder, _NOTE_NAMES) or self._is_named(target, _NOTE_NAMES)
        is_named = is_named_note or self._is_named(row, _REFERENCE_NAMES)
        is_raised = self._is_raised(row)
        if target < row and (not is_named_note or self._is_named(row, _BACK_NAMES) or self._is_answered(target, row)):
            return False
        if not _PLAIN_MARK.fullmatch(mark):
            return is_named and (is_raised or self._is_named(row, _REFERENCE_NAMES))
        if is_named or self.blocks[row] in self._back_blocks(holder):
            return True
        return is_raised and self._begins_with(holder, mark)

    def _is_answered(self, target: int, row: int) -> bool:
        """Does a link at this target lead to where an element is? Then that link is the reference."""
        leading = (self._before(link, row + 1)[-1:] for link in self._links_in(target)[:_LEVELS])
        return any(first <= row < self.end[first] for targets in leading for first in targets)

    def _is_inside_another(self, note: _Note, found: dict[int, _Note]) -> bool:
        row = note.row
        for _ in range(_LEVELS):
            row = self.parent[row]
            if row < 0:
                return False
            if row in found:
                return True
        return False

    @cached_property
    def blocks(self) -> list[int]:
        """The block-level element around each element."""
        found: list[int] = self.source.leaves.block_of(np.arange(len(self.end))).tolist()
        return found

    @cached_property
    def _ids(self) -> dict[str, list[int]]:
        """The rows of each id, and of each name of a link, that a link leads to."""
        fragments = self.links.values()
        wanted = {name for name in (*fragments, *map(unquote, fragments)) if name}
        named: dict[parse.Element, set[str]] = {}
        for selector, attribute in (("[id]", "id"), ("a[name]", "name")):
            for node in self.source.selected(selector):
                if (name := node.attr(attribute)) in wanted:
                    named.setdefault(node, set()).add(name)
        found: dict[str, list[int]] = {}
        nodes = self.source.elements.all_nodes if named else []
        for row, node in compress(enumerate(nodes), map(named.__contains__, nodes)):
            for name in named[node]:
                found.setdefault(name, []).append(row)
        return found

    def _targets(self, fragment: str) -> list[int]:
        return self._ids.get(fragment) or (self._ids.get(unquote(fragment), []) if "%" in fragment else [])

    def _before(self, link: int, row: int) -> list[int]:
        """The last targets of a link that come before an element."""
        targets = self._targets(self.links[link])
        end = bisect_left(targets, row)
        return targets[max(end - _MOST_TARGETS, 0) : end]

    def _mark(self, row: int) -> str:
        """The mark that an element shows, without brackets; empty if it shows more than a mark."""
        if row not in self._marks:
            self._marks[row] = _mark(self._short_text(row))
        return self._marks[row]

    def _short_text(self, row: int) -> str:
        leaves = self.source.leaves_in(row)
        return self.source.text(row) if len(leaves) <= _MOST_LEAVES else ""

    def _children(self, row: int) -> list[int]:
        if row not in self._child_rows:
            self._child_rows[row] = self.source.children(row)
        return self._child_rows[row]

    def _holder(self, target: int) -> int:
        """The element that holds the note at a target; -1 if none begins there."""
        if target not in self._holders:
            self._holders[target] = self._find_holder(target)
        return self._holders[target]

    def _find_holder(self, target: int) -> int:
        source, row = self.source, target
        if source.tag(row) == "dt":
            if not self._is_named(row, _NOTE_NAMES):
                return -1
            row = self.end[row]
            return row if row < len(self.end) and source.tag(row) == "dd" and source.holds[row] else -1
        if not self._is_block[row] and source.tag(row) not in _HOLDERS:
            row = self.blocks[row]
            if row < 0 or _mark_before(source, row, target) is None:
                return -1
        # A paragraph that is the begin of a list item, or of Word's element for a note, stands for all of it.
        for _ in range(2):
            above = self.parent[row]
            if above < 0 or not self._is_more(above) or _mark_before(source, above, row) is None:
                break
            row = above
        if source.tag(row) not in _HOLDERS or not source.holds[row] or len(source.leaves_in(row)) > _LONGEST_NOTE:
            return -1
        inside = source.elements.code[row : self.end[row]]
        return -1 if _IS_HEADING[inside].any() else row

    def _is_more(self, row: int) -> bool:
        """Is a paragraph at the begin of this element the begin of a note?"""
        return self.source.tag(row) in ("li", "dd") or _is_note_of_word(self.source.attribute(row, "id") or "")

    def _is_named(self, row: int, names: frozenset[str]) -> bool:
        """Does an element, or one close above it, have one of these names as its class, role or marker?"""
        for _ in range(_LEVELS):
            if row < 0:
                return False
            node = self.source.elements.all_nodes[row]
            classes = (node.attr("class") or "").split()
            if not names.isdisjoint(classes) or (node.attr("role") or "") in names:
                return True
            if names is _REFERENCE_NAMES and (
                node.attr("data-footnote-ref") is not None or ("reference" in classes and node.tag == "sup")
            ):
                return True
            if names is _NOTE_NAMES and node.attr("data-footnotes") is not None:
                return True
            if names is not _NOTE_NAMES and self._is_block[row]:
                return False
            row = self.parent[row]
        return False

    @cached_property
    def _has_reference_names(self) -> bool:
        """Has an element around a link, or a link, one of these names? A quick look."""
        source = self.source
        return (
            not _REFERENCE_NAMES.isdisjoint(source.classes)
            or "reference" in source.classes
            or any(node.attr("role") in _REFERENCE_NAMES for node in source.elements.notable_nodes)
            or bool(source.selected("[data-footnote-ref]"))
        )

    def _is_raised(self, row: int) -> bool:
        """Is a mark written small above the line, or in brackets?"""
        text = self._short_text(row).strip()
        if text[:1] in _OPENING or text[:1].translate(_RAISED) != text[:1]:
            return True
        leaves = self.source.leaves_in(row)
        before = self._text_beside(leaves.start - 1)
        if before.rstrip()[-1:] in tuple(_OPENING) and self._text_beside(leaves.stop).lstrip()[:1] in tuple(_CLOSING):
            return True
        inside = range(row + 1, min(self.end[row], row + _LEVELS))
        above = [row := self.parent[row] for _ in range(2) if row >= 0]
        return any(self.source.tag(each) == "sup" for each in (*inside, *above) if each >= 0)

    def _text_beside(self, leaf: int) -> str:
        return self.source.leaves.text[leaf] if 0 <= leaf < len(self.source.leaves) else ""

    def _back_blocks(self, holder: int) -> set[int]:
        """The blocks that the links of a note lead to."""
        if holder not in self._backs:
            links = self._links_in(holder)
            self._backs[holder] = {self.blocks[target] for row in links for target in self._before(row, holder)[-1:]}
        return self._backs[holder]

    def _links_in(self, holder: int) -> list[int]:
        first, last = bisect_left(self.rows, holder), bisect_left(self.rows, self.end[holder])
        return self.rows[first : min(last, first + _MOST_LINKS)]

    def _begins_with(self, holder: int, mark: str) -> bool:
        """Does a note begin with this mark, or is it the list item of this number?"""
        if self.source.tag(holder) == "li" and _NUMBER.fullmatch(mark):
            items = self._children(self.parent[holder])
            return int(mark) <= len(items) and items[int(mark) - 1] == holder
        first = next((self.source.leaves.text[leaf] for leaf in self.source.leaves_in(holder)), "")
        return first.translate(_RAISED).lstrip(_AROUND).startswith(mark)

    # How they are written

    def _write(self, note: _Note) -> None:
        name = self._unique(note.mark)
        self.named[note.row] = Node("note", {"id": name})
        for row in note.references:
            self._write_reference(row, name)
        backs = {self.blocks[row] for row in note.references}
        for row in self._links_in(note.row):
            text = self._short_text(row)
            leads_back = any(self.blocks[target] in backs for target in self._before(row, row))
            is_back = self._is_named(row, _BACK_NAMES) or bool(_BACK.fullmatch(text))
            if row not in self.replaced and len(text) <= _LONGEST_MARK and (leads_back or is_back):
                self._skip_mark(row, note.row)
        self._trim_begin(note)
        if self.source.tag(note.row) == "table":
            for row in range(note.row + 1, self.end[note.row]):
                if self.source.tag(row) in ("tbody", "tr", "td", "th"):
                    self.named.setdefault(row, Node(""))

    def _write_reference(self, row: int, name: str) -> None:
        mark = self._mark(row)
        outer = row
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
        """Leave out a link back, with what is around it alone."""
        text = self._short_text(row).strip(_AROUND)
        while (above := self.parent[row]) != holder and self._short_text(above).strip(_AROUND) == text:
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
        before, after = self._text_now(leaves.start - 1), self._text_now(leaves.stop)
        if before.rstrip()[-1:] in tuple(_OPENING) and after.lstrip()[:1] in tuple(_CLOSING):
            self.trimmed[leaves.start - 1] = before.rstrip()[:-1]
            self.trimmed[leaves.stop] = after.lstrip()[1:]

    def _text_now(self, leaf: int) -> str:
        return self.trimmed.get(leaf, self._text_beside(leaf))

    def _trim_begin(self, note: _Note) -> None:
        """Leave out the mark at the begin of a note."""
        source, mark = self.source, note.mark
        is_item = source.tag(note.row) == "li"
        after_mark = False
        for leaf in source.leaves_in(note.row)[:_MOST_LEAVES]:
            row, text = int(source.leaves.element[leaf]), self._text_now(leaf)
            if source.leaves.is_media[leaf] or not text.strip():
                continue
            if self._is_skipped(row, note.row):
                after_mark = True
                continue
            begin = text.translate(_RAISED).lstrip()
            bare = begin.lstrip(_OPENING).lstrip()
            if not after_mark and not bare.strip(_AROUND):
                self.trimmed[leaf] = ""
            elif not after_mark and bare.startswith(mark) and not bare[len(mark) : len(mark) + 1].isalnum():
                rest = bare[len(mark) :]
                if not rest.strip(_AROUND):
                    self.trimmed[leaf] = ""
                    if row != note.row:
                        self._skip_mark(row, note.row)
                    after_mark = True
                    continue
                if not is_item or rest[0] in f"{_CLOSING}.:" or bare != begin:
                    self.trimmed[leaf] = rest.lstrip(_AROUND)
                return
            else:
                if after_mark and begin[:1] in f"{_CLOSING}.:":
                    self.trimmed[leaf] = begin.lstrip(f"{_CLOSING}.: ")
                return

    def _is_skipped(self, row: int, holder: int) -> bool:
        while row > holder:
            if row in self.skipped:
                return True
            row = self.parent[row]
        return False

    def _write_inline(self, row: int) -> None:
        """Write a note that stands in the text right behind its mark."""
        above, mark, reference = self.parent[row], "", -1
        siblings = self._children(above)
        place = bisect_left(siblings, row)
        if place and self.source.holds[siblings[place - 1]] and (mark := self._mark(siblings[place - 1])):
            reference = siblings[place - 1]
        name = self._unique(mark or str(len(self.used) + 1))
        shown = Node("note-reference", {"id": name}, [mark or name])
        note = Node("note", {"id": name}, _plain(self.source.subtree(row, ("href",)), self.source.base))
        if reference >= 0:
            self.replaced[reference], self.text[reference] = shown, ""
            self.replaced[row] = note
        else:
            self.replaced[row] = Node("", {}, [shown, note])
        self.text[row] = f" ({' '.join(note.text().split())})"

    def _write_latexml(self, row: int) -> None:
        """Write a note of LaTeXML: it stands behind its mark, repeats it, and may hold formulas."""
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
            self.trimmed[texts[0]] = f" ({self._text_now(texts[0]).lstrip()}"
            self.trimmed[texts[-1]] = f"{self._text_now(texts[-1]).rstrip()})"

    def _write_lists(self, rows: list[int]) -> None:
        """Name the elements around notes that hold nothing else; leave out a line or a hidden heading before them."""
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
                    source.tag(row) in tags.HEADINGS and not _HIDDEN_NAMES.isdisjoint(source.class_names(row))
                ):
                    self.skipped.add(row)
            if is_list and len(beside) <= _FEW and source.tag(around) in _WRAPPERS:
                left = [row for row in beside if source.holds[row] and row not in self.skipped]
                if left == [above] and self._is_named(above, _NOTE_NAMES):
                    self.named[around] = Node("")

    def _write_lost(self) -> None:
        """Write references to notes that are not kept as their mark alone: the link leads nowhere."""
        if not self._has_reference_names:
            return
        for row in self.rows:
            mark = self._mark(row)
            if not mark or row in self.replaced or self._is_in_written(row):
                continue
            if not self._is_named(row, _REFERENCE_NAMES) or self._is_named(row, _NOTE_NAMES):
                continue
            targets = self._targets(self.links[row])[:_MOST_TARGETS]
            if any(self.source.holds[target] for target in targets):
                continue
            outer, above = row, self.parent[row]
            if self.source.tag(above) == "sup" and self._mark(above) == mark:
                outer = above
            self.replaced[outer] = Node("", {}, [f"[{mark}]"])
            self.text[outer] = f"[{mark}]"

    def _is_in_written(self, row: int) -> bool:
        for _ in range(_LEVELS + 1):
            if row in self.replaced or row in self.skipped:
                return True
            row = self.parent[row]
            if row < 0:
                return False
        return False


def _mark(text: str) -> str:
    mark = text.strip(_AROUND)
    if len(mark) > _LONGEST_MARK:
        return ""
    if not mark.isascii():
        mark = mark.translate(_RAISED)
    return mark if _PLAIN_MARK.fullmatch(mark) or _LABEL.fullmatch(mark) else ""


def _mark_before(source: Source, row: int, target: int) -> str | None:
    """The mark that stands in an element before a target in it, which may be empty; None if there is more text."""
    texts: list[str] = []
    for leaf in source.leaves_in(row)[:_MOST_LEAVES]:
        if int(source.leaves.opened[leaf]) >= target:
            text = "".join(texts).strip(_AROUND)
            return text if not text or _mark(text) else None
        texts.append(source.leaves.text[leaf])
    return None


def _is_note_of_word(name: str) -> bool:
    return name.startswith(("ftn", "edn", "sdfootnote", "sdendnote")) and name[-1:].isdigit()


def _plain(node: Node, base: str | None) -> list[Child]:
    """The content of a plain tree with emphasis and links, without other elements."""
    found: list[Child] = []
    for child in node.children:
        if isinstance(child, str):
            found.append(folded(child))
        elif child.name == "a" and (address := safe_url(child.attributes.get("href"), base)):
            found.append(Node("a", {"href": address}, _plain(child, base)))
        elif child.name in _INLINE:
            found.append(Node(child.name, {}, _plain(child, base)))
        else:
            found += _plain(child, base)
    return found


def tidied(root: Node, found: Marks) -> None:
    """Put notes that follow each other into one node "notes", and those inside a paragraph at the end of the tree.

    White space where a mark was at the edge of a note, a callout or an item goes.
    """
    nodes = (*found.named.values(), *found.replaced.values())
    if not any(node.name in ("note", "callout", "") or "checked" in node.attributes for node in nodes):
        return
    inner: list[Child] = []
    for node in list(root.walk()):
        if node.name in ("note", "callout") or "checked" in node.attributes:
            _strip(node)
        if node.name != "notes" and any(isinstance(child, Node) and child.name == "note" for child in node.children):
            if node.name in _WITHOUT_NOTES:
                inner += [child for child in node.children if isinstance(child, Node) and child.name == "note"]
                node.children = [child for child in node.children if isinstance(child, str) or child.name != "note"]
            else:
                node.children = _in_groups(node.children)
    if inner:
        root.children.append(Node("notes", {}, inner))


def _strip(node: Node) -> None:
    """Take away the white space that is left where a mark was."""
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


def _in_groups(children: list[Child]) -> list[Child]:
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
