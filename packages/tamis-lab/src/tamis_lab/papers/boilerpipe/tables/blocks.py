"""The blocks of L3S-GN1 with their classes, as arrays. Pages are read as the paper read them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from tamis.arrays import Bools, Floats, Ints
from tamis.document import Document, tags
from tamis_lab.corpora.annotated import L3S_LABELS
from tamis_lab.corpora.catalogue import Corpus
from tamis_lab.corpora.reader import CorpusPage
from tamis_papers.boilerpipe.blocks import atomic_text_blocks
from tamis_papers.boilerpipe.features import ShallowText, with_context
from tamis_papers.columns import Columns

CLASSES = L3S_LABELS  # as in the corpus's readme; table1 shows why not as in Table 1
_IS_LINK = tags.lookup("a")


@dataclass(frozen=True)
class NewsBlocks:
    """One row a block of the corpus, in the order of pages and of blocks on the page."""

    features: Columns  # the 67 columns of `with_context`
    classes: np.ndarray[tuple[int], np.dtype[np.str_]]
    tokens: Floats  # as the paper counts them, with a mark where a link starts and where it ends
    plain_tokens: Floats

    @property
    def words(self) -> Floats:
        """The number of words of each block."""
        return self.features["num_words"]

    @property
    def is_content(self) -> Bools:
        """Table 1: any content, related content and comments included."""
        content: Bools = self.classes != "not-content"
        return content


def shallow_text(document: Document) -> ShallowText:
    """The features of the atomic text blocks of a page."""
    return ShallowText(atomic_text_blocks(document))


def with_hidden_text(document: Document, *also: str) -> Document:
    """The page as read without styles: text that they hide is visible.

    Text of option elements and of the head stays invisible, unless their tags are in `also`. The counts
    of Table 1 show that the paper read pages in this way (see table1).
    """
    leaves, elements = document.leaves, document.elements
    unread = tags.lookup(*(tags.INVISIBLE - set(also)))
    read: Bools = ~elements.inside(unread[elements.code])[leaves.element]
    return replace(document, leaves=replace(leaves, visible=leaves.visible | read))


def leaf_classes(page: CorpusPage) -> list[str]:
    """The class of each leaf of a page; unmarked leaves are not content."""
    return [label or CLASSES[0] for label in page.leaf_labels or ()]


def read_blocks(corpus: Corpus) -> NewsBlocks:
    """The blocks of every page with features and the class that the annotators gave."""
    features: list[Columns] = []
    classes: list[str] = []
    tokens: list[Floats] = []
    marks: list[Floats] = []
    for page in corpus.pages():
        document = with_hidden_text(Document.from_html(page.html))
        text = shallow_text(document)
        labels = leaf_classes(page)
        features.append(with_context(text))
        classes += [labels[leaf] for leaf in text.leaves.tolist()]
        tokens.append(text.num_tokens)
        marks.append(link_marks(document, text))
    joined = Columns(features[0].names, np.vstack([columns.values for columns in features]))
    plain = np.concatenate(tokens)
    return NewsBlocks(joined, np.array(classes), plain + np.concatenate(marks), plain)


def link_marks(document: Document, text: ShallowText) -> Floats:
    """For each block: 2 for each link that begins in it."""
    leaves = document.leaves.visible_text
    link = links_of(document, leaves)
    first = leaves[np.unique(link, return_index=True)[1]]  # of each link, and of the text in none
    first = first[document.leaves.in_link[first]]
    block = np.maximum(text.leaves.searchsorted(first, side="right") - 1, 0)
    return 2.0 * np.bincount(block, minlength=len(text))[: len(text)].astype(np.float64)


def links_of(document: Document, leaves: Ints | Bools) -> Ints:
    """For each of these leaves: the row of the link that holds it, else -1."""
    return document.elements.nearest(_IS_LINK[document.elements.code], document.leaves.element[leaves])
