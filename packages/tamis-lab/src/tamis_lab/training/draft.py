"""Pages that augmentation changes before they become tables: parts are removed, inserted, moved or renamed.

Text nodes keep their identity wherever they move, so what is known about them moves with them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from tamis.arrays import Bools, Ints
from tamis.document import parse, tags
from tamis.document.table import Document
from tamis.document.words import tokenize
from tamis.extractor.declared import Declared
from tamis.page_type import PageType
from tamis_lab.training.pages import LabelledPage, role_truth

_IS_BLOCK = tags.lookup(*tags.BLOCK)
# Elements whose siblings must be of the same kind.
_NO_NEIGHBOURS = frozenset("td th tr tbody thead tfoot li dt dd option".split())
_OPEN = frozenset("div td li dd form center article section main blockquote".split())
_IS_PAGE = tags.lookup("html", "body", "head")


class Truth(NamedTuple):
    """The gold of one text: whether it is content, whether that is known, and its role."""

    content: bool = False
    known: bool = True
    comment: bool = False
    related: bool = False


COMMENT = Truth(comment=True)
RELATED = Truth(related=True)


@dataclass(frozen=True, eq=False)
class PageDraft:
    """A page that can be changed, and the truth about each of its text nodes."""

    tree: parse.Tree
    truth: dict[parse.Node, Truth]
    frame: list[parse.Element]  # block-level elements with words, none of them content
    core: parse.Element | None  # the smallest element that holds nearly all of the content
    declared: Declared  # what the page declares about itself
    is_forum: bool

    @classmethod
    def of(cls, page: LabelledPage) -> PageDraft:
        """A page with everything unfolded."""
        tree = page.document().tree
        nodes: list[parse.Node] = []
        document = Document.from_tree(tree, nodes).unfolded
        gold = page.gold.unfolded or page.gold
        leaves = np.flatnonzero(~document.leaves.is_media)
        # Names tell roles, and names may change.
        columns = (gold.content, gold.known, *role_truth(page, document, gold.content))
        rows = zip(*(column[leaves].tolist() for column in columns), strict=True)
        truth = dict(zip(nodes, map(Truth._make, rows), strict=True))
        held, good = words_inside(document, None), words_inside(document, gold.content)
        code, elements = document.elements.code, parse.elements(tree)
        block = _IS_BLOCK[code] & ~_IS_PAGE[code]
        frame = np.flatnonzero(block & (held > 0) & (good == 0) & (2 * held < held.max(initial=0)))
        core = np.flatnonzero(block & (10 * good >= 9 * good[0])) if good.any() else frame[:0]
        return cls(
            tree,
            truth,
            [elements[row] for row in frame],
            elements[core[-1]] if core.size else None,
            Declared.of(document),
            page.page_type == PageType.FORUM,
        )

    def in_frame_of(self, other: PageDraft) -> PageDraft:
        """This content in the frame of another page. Both drafts are used up; both need a core."""
        if self.core is not None and other.core is not None:
            other.core.replace_with(self.core.extract())
        return replace(self, tree=other.tree, truth=self.truth | other.truth, frame=other.frame)

    def learn(self, nodes: Iterable[parse.Node], truth: Truth) -> None:
        """Record the truth about the texts in these nodes."""
        for text in texts_in(nodes):
            self.truth[text] = truth

    def rewritten(self, change: Callable[[str], str]) -> PageDraft:
        """Apply `change` to every text, declared ones too. It must not return blanks. The draft is used up."""
        texts: list[parse.Node] = []
        parse.walk(self.tree, texts)
        for node in texts:
            node.data = change(node.data)  # type: ignore[attr-defined]
        declared = Declared(
            {kind: change(text) for kind, text in self.declared.texts.items()},
            "\n".join(line and change(line) for line in self.declared.parts.split("\n")),
            frozenset(map(change, self.declared.names)),
            tuple(change(text.rpartition(" ")[0] or text) for text in self.declared.openings),
            self.declared.page,
        )
        return replace(self, declared=declared)

    def put(self, part: parse.Element, place: str, truth: Truth) -> None:
        """Put an element `before` or `after` the core, `inside` it as its last child, or last in its parent (`around`).

        Where markup does not allow a block there, it comes as close as possible; without a core it is left out.
        """
        here = self.core
        if here is None or here.parent is None:
            return
        self.learn([part], truth)
        if place == "inside" and here.tag in _OPEN:
            here.append(part)
            return
        while here.tag in _NO_NEIGHBOURS and isinstance(here.parent, parse.Element):
            here = here.parent
        around = here.parent
        if place == "around" and isinstance(around, parse.Element) and around.tag in _OPEN:
            around.append(part)
        elif place == "before":
            here.insert_before(part)
        else:
            here.insert_after(part)

    def columns(self) -> tuple[Document, Bools, Bools, Bools, Bools]:
        """The page as it is now with everything unfolded, and each column of the truth."""
        nodes: list[parse.Node] = []
        document = Document.from_tree(self.tree, nodes).unfolded
        leaves = document.leaves
        found = np.zeros((len(leaves), len(Truth._fields)), dtype=np.bool_)
        texts = np.flatnonzero(~leaves.is_media)
        if len(texts):
            found[texts] = [self.truth[node] for node in nodes]
        content, known, comment, related = (found & leaves.visible[:, None]).T
        return document, content, known, comment, related


def words_inside(document: Document, among: Bools | None) -> Ints:
    """For each element: the visible words in it, or those of the leaves in `among`."""
    elements, leaves = document.elements, document.leaves
    texts = leaves.visible_text
    tokens = tokenize([leaves.text[leaf] for leaf in texts.tolist()])
    words = np.rint(tokens.sum_per_text(tokens.weight)).astype(np.int64)
    weights = words if among is None else words * among[texts]
    held = np.bincount(leaves.element[texts], weights, minlength=len(elements))
    return elements.sums(held.astype(np.int64))


def texts_in(nodes: Iterable[parse.Node]) -> Iterable[parse.Text]:
    """The text nodes among these nodes and below them that are not blank."""
    for node in nodes:
        for each in (node, *node.descendants):
            if isinstance(each, parse.Text | parse.CData) and not each.data.isspace():
                yield each  # type: ignore[misc]
