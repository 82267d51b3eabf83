"""Training pages: read from corpora, with the label of each leaf, and roles by the names of elements."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple, Protocol, TypeVar

import numpy as np

from tamis.arrays import Bools
from tamis.document import Document
from tamis.document.addresses import registrable_domain
from tamis.errors import OptionError
from tamis.page_type import PageType
from tamis_lab.corpora.catalogue import CorpusSource, info_of, pages_of, require_corpora
from tamis_lab.corpora.reader import CorpusInfo, CorpusPage
from tamis_lab.gold import LeafGold, leaf_gold


@dataclass(frozen=True, eq=False)
class LabelledPage:
    """A page with the label of each leaf."""

    name: str  # corpus/page
    site: str  # the registrable domain, or a digest of the page where the corpus has no URLs
    html: bytes = field(repr=False)
    url: str | None
    gold: LeafGold = field(repr=False)
    page_type: str | None = None  # where the corpus names it
    marks: tuple[str, ...] | None = None  # the annotators' mark of each leaf, where they marked the page itself

    @property
    def corpus(self) -> str:
        """The name of its corpus."""
        return self.name.partition("/")[0]

    @property
    def digest(self) -> str:
        """A digest of the page and its gold."""
        parts = (self.name.encode(), self.html, self.gold.content.tobytes(), self.gold.known.tobytes())
        return sha256(b"".join(sha256(part).digest() for part in parts)).hexdigest()

    def document(self) -> Document:
        """The page as tables; parsed again on each call, since keeping all of them takes gigabytes."""
        return Document.from_html(self.html, url=self.url)


def read_pages(sources: Iterable[str], data: Path | None = None) -> Iterator[LabelledPage]:
    """The pages of corpora, each `NAME` or `NAME:SPLIT`, without those whose gold is missing or mostly not found."""
    for page in (page for source in sources for page in pages_of(source, data)):
        if (page.gold_text or page.leaf_labels) and not (labelled := label(page)).gold.is_bad:
            yield labelled


def label(page: CorpusPage) -> LabelledPage:
    """Place a page's gold on its leaves. Raises PageTooLarge with the name of the page."""
    return LabelledPage(
        f"{page.corpus}/{page.id}",
        site_key(page.html, page.url),
        page.html,
        page.url,
        leaf_gold(page, page.document()),
        page.page_type,
        page.leaf_labels,
    )


def check_allowed(sources: Iterable[str], data: Path | None = None) -> None:
    """Raise OptionError if weights trained on one of these corpora must not be published."""
    for source in sources:
        name, split = CorpusSource.parse(source)
        require_corpora([name], data)
        info = info_of(name)
        if not ({split} if split else set(info.splits)) <= info.training_splits:
            wanted = " or ".join(f"{name}:{part}" for part in sorted(info.training_splits))
            reason = f"; use {wanted}" if wanted else f", which is for {_purpose(info)}"
            raise OptionError(f"weights must not be trained on {source}{reason}")


def _purpose(info: CorpusInfo) -> str:
    """The purpose of a corpus that nothing may be trained on."""
    if info.may_train == "never":
        return info.licence if info.licence.endswith(" only") else "evaluation only"
    return info.may_train


class HasSite(Protocol):
    """A LabelledPage, or what was made of one."""

    @property
    def site(self) -> str:
        """The site of the page."""


SitePage = TypeVar("SitePage", bound=HasSite)


def hold_out(pages: Sequence[SitePage], share: float, seed: int) -> tuple[list[SitePage], list[SitePage]]:
    """Training and validation pages, divided by site: pages of one site look alike."""
    sites = sorted({page.site for page in pages})
    order = np.random.default_rng(seed).permutation(len(sites))
    wanted = share * len(pages)
    held: set[str] = set()
    count = 0
    for number in order.tolist():
        if count >= wanted:
            break
        held.add(sites[number])
        count += sum(page.site == sites[number] for page in pages)
    return [page for page in pages if page.site not in held], [page for page in pages if page.site in held]


def fold_of(site: str, folds: int) -> int:
    """The fold that all pages of a site are in; the same on every machine."""
    return zlib.crc32(site.encode()) % folds


def site_key(html: bytes, url: str | None) -> str:
    """The registrable domain of a page, or a digest of the page if its address is not known."""
    return (registrable_domain(url) if url else "") or sha256(html).hexdigest()


def fold_of_page(html: bytes, url: str | None, folds: int) -> int:
    """The fold of a page by its site."""
    return fold_of(site_key(html, url), folds)


def fold_folders(folder: Path) -> list[Path]:
    """The folders of the folds of a trained model, in order; none if it was trained without folds."""
    found: list[Path] = []
    while (folder / f"fold-{len(found)}").is_dir():
        found.append(folder / f"fold-{len(found)}")
    return found


_COMMENTS = ("comment", "disqus", "respond", "reply-list", "replies", "trackback", "talkback", "komentar", "kommentar")
_NO_COMMENTS = "commentary"  # a kind of article
_RELATED = ("related", "recommend", "teaser", "read-next", "more-from", "also-like", "trending", "most-read", "popular")

# Corpora whose gold has readers' comments.
COMMENTS_ARE_CONTENT = ("canola", "cleaneval", "googletrends-2017")
_MOST_COMMENTS = 0.8  # of the content; with more, the name is about the page


class RoleTruth(NamedTuple):
    """Which leaves are comments, and which are about other pages."""

    comment: Bools
    related: Bools


def role_truth(page: LabelledPage, document: Document, content: Bools) -> RoleTruth:
    """Roles by the names of the elements around each text, and by the marks of annotators.

    On a forum posts are content, not comments. Content is never related, since some pages are lists of related
    things. Some corpora count comments as content: there a text with such a name is a comment even if it is in the
    gold. In the others the gold is right and the name is wrong.
    """
    if page.page_type == PageType.FORUM:
        nothing = np.zeros(len(document.leaves), dtype=np.bool_)
        return RoleTruth(nothing, nothing)
    comment = document.inside(*_named(_COMMENTS, _NO_COMMENTS))
    if page.corpus not in COMMENTS_ARE_CONTENT:
        comment &= ~content
    elif np.count_nonzero(comment & content) > _MOST_COMMENTS * np.count_nonzero(content):
        comment = np.zeros_like(comment)
    if page.marks:
        comment |= np.fromiter((mark == "comment" for mark in page.marks), np.bool_, len(page.marks))
    return RoleTruth(comment, document.inside(*_named(_RELATED)) & ~content & ~comment)


def _named(words: tuple[str, ...], no_word: str = "") -> list[str]:
    # Class names of body and the like name features of the page ("comments-open"), not its content.
    inner = ":not(body, html, article, main)"
    other = f':not([{{0}}*="{no_word}" i])' if no_word else ""
    return [
        f'{inner}[{attribute}*="{word}" i]{other.format(attribute)}' for word in words for attribute in ("class", "id")
    ]
