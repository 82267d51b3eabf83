"""The posts of a thread and the comments below an article: who says what and when, as the page shows it.

No site or system is known here. Posts are elements of one kind that each have a date (or a name) and text
(`repeats.py`); `reading.py` finds the parts of each, `relations.py` which answers which, and
`writing.py` their Markdown and HTML.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, groupby, takewhile
from typing import Any

import numpy as np

from tamis.arrays import Bools, Ints, places
from tamis.cached import cached_property
from tamis.deadline import check, checked
from tamis.document import Document, tags
from tamis.document.dates import day
from tamis.document.decode import clean_text
from tamis.document.titles import fold
from tamis.labels import Labels, Role
from tamis.page_type import PageType
from tamis.records import repeats
from tamis.records.reading import NAMED, Reader, is_attribution
from tamis.records.relations import Relations
from tamis.records.repeats import Span, Weights
from tamis.records.texts import LONGEST_NAME, Texts, name_in
from tamis.records.writing import PostContent, in_a_block, paragraphs
from tamis.render.content import BLOCKS, Child, HtmlOptions, Node
from tamis.render.content.tree import content_tree
from tamis.render.layout import Layout
from tamis.render.safe import safe_url
from tamis.render.text import pieces

# Posts hold at least this share of what the extractor keeps of a thread, and of a page of another type; comments, of
# what it calls comments.
_LEAST_SHARE, _LEAST_OF_OTHER_TYPES, _LEAST_OF_COMMENTS = 0.5, 0.6, 0.5
# The network takes some threads of old boards for articles.
_MAY_BE_THREADS, _SURE = frozenset({PageType.FORUM, PageType.ARTICLE}), 0.95
_LEAST_WITH_TEXT = 0.3  # of the posts of a thread
_MOST_POSTS = 5_000
_LONGEST_START = 100  # of a declared text, by which it is found on the page
# Elements in which the line above a post is written, and not before them.
_HOLD_BLOCKS = frozenset({"li", "dd", "div", "section", "article"})
_IS_HEADING = tags.lookup(*tags.HEADINGS)
_IS_FOOTER = tags.lookup("footer")
_OF_THE_PAGE = frozenset({Role.TEXT, Role.TITLE, Role.CAPTION, Role.NOTE})
# How far the search for the name above a single comment climbs, and how many characters it may add.
_MOST_LEVELS, _MOST_ADDED = 4, 200


@dataclass(frozen=True)
class Post:
    """A post of a thread, or a comment by a reader."""

    text: str  # without quotations, signatures, names, dates, counters and buttons
    author: str | None = None
    date: str | None = None  # YYYY-MM-DD, or as it is written
    number: int = 1  # as the page counts it, else its place from 1
    url: str | None = None  # of the post itself
    depth: int = 0  # how many posts it is below
    replies_to: int | None = None  # the number of the post that it answers
    quotes: tuple[str, ...] = ()  # the texts that it quotes
    is_question: bool = False
    is_accepted: bool = False  # the accepted answer
    _content: tuple[PostContent, int] | None = field(default=None, repr=False, compare=False)

    @cached_property
    def markdown(self) -> str:
        """What it says as Markdown, with its quotations in place."""
        from tamis.render.markdown import blocks_of

        return "\n\n".join(block.text for block in blocks_of(self._nodes))

    @cached_property
    def xpath(self) -> str:
        """The XPath of its element; empty if it is not of a page."""
        return "" if self._content is None else self._content[0].xpath(self._content[1])

    @property
    def _span(self) -> Span | None:
        """Its rows among the elements of the page."""
        return self._content and self._content[0].reader.spans[self._content[1]]

    @property
    def _nodes(self) -> list[Child]:
        if self._content is None:
            quotes: list[Child] = [Node("blockquote", {}, paragraphs(quote)) for quote in self.quotes]
            return [*quotes, *paragraphs(self.text)]
        content, place = self._content
        return in_a_block(content.of(place, self.text))

    def __getstate__(self) -> dict[str, Any]:
        """The post without the page that it was read from."""
        return {**vars(self), "markdown": self.markdown, "xpath": self.xpath, "_content": None}

    def as_dict(self) -> dict[str, object]:
        """The post as plain data."""
        names = ("text", "markdown", "author", "date", "number", "url", "depth", "replies_to")
        found: dict[str, object] = {name: getattr(self, name) for name in names}
        return found | {
            "quotes": list(self.quotes), "is_question": self.is_question, "is_accepted": self.is_accepted,
            "xpath": self.xpath,
        }  # fmt: skip


Comment = Post


def posts(document: Document, labels: Labels) -> tuple[Post, ...]:
    """The posts of a thread in document order; empty if the page is none."""
    types = labels.page_types
    is_forum = types is not None and types.best is PageType.FORUM
    if types is not None and types.best not in _MAY_BE_THREADS and types.confidence > _SURE:
        return ()
    texts = Texts(document, labels.keep)
    if texts.dates[-1] < 2:
        return ()
    weights = Weights(texts.sizes(texts.prose), texts.dates)
    spans = repeats.find(texts.elements, texts.kinds, weights, _LEAST_SHARE if is_forum else _LEAST_OF_OTHER_TYPES)
    if not spans:
        return ()
    check()
    reader = Reader(texts, sorted([*_opening(texts, spans), *spans])[:_MOST_POSTS])
    if reader.substance < _LEAST_WITH_TEXT or _are_teasers(reader) or (not is_forum and reader.surest_name < NAMED):
        return ()
    return tuple(_posts(document, labels, reader, may_ask=True))


def comments(document: Document, labels: Labels) -> tuple[Post, ...]:
    """The readers' comments in document order; none if the extractor knows no roles."""
    roles = labels.roles or ()
    is_comment = np.fromiter((role is Role.COMMENT for role in roles), np.bool_, len(roles))
    if not is_comment.any():
        return ()
    texts = Texts(document, is_comment)
    of_page = np.fromiter((role in _OF_THE_PAGE for role in roles), np.bool_, len(roles)).take(texts.leaves)
    in_footer = texts.elements.inside(_IS_FOOTER.take(texts.elements.code)).take(texts.element)
    if (texts.wanted & ~in_footer).any():  # a line of the page's footer is not a comment
        texts.wanted &= ~in_footer
    if not texts.wanted.any():
        return ()
    check()
    spans = _comment_spans(texts, of_page)
    return tuple(_posts(document, labels, Reader(texts, spans[:_MOST_POSTS]), may_ask=False))


def _comment_spans(texts: Texts, of_page: Bools) -> list[Span]:
    """The comments: elements that repeat with a date, or else with a name; or with text alone; or all as one."""
    prose = texts.sizes(texts.wanted & ~texts.in_link)
    names = texts.called_names
    marks_of_names, around = texts.marks(names), _around(texts, of_page)
    is_one = max(repeats.sum_of(around, marks) for marks in (texts.dates, marks_of_names)) == 1  # of several paragraphs
    for marks in (texts.dates, marks_of_names, prose):
        if marks[-1] > 1 and not is_one:
            spans = repeats.find(texts.elements, texts.kinds, Weights(prose, marks), _LEAST_OF_COMMENTS)
            if spans:
                return spans
    return [around]


def _around(texts: Texts, of_page: Bools) -> Span:
    """The smallest element around all comments, or one a little larger that may hold the name above them."""
    elements, holders = texts.elements, texts.element[texts.wanted]
    around = places((np.arange(len(elements)) <= holders.min()) & (elements.end > holders.max()))[::-1]
    row = smallest = int(around[0])
    page = texts.sizes(of_page)
    inside = page.take(elements.end) - page[:-1]
    for larger in around[1 : 1 + _MOST_LEVELS].tolist():
        if inside[larger] > inside[smallest] or texts.size_of(larger) > texts.size_of(smallest) + _MOST_ADDED:
            break
        row = larger
    return Span(row, int(elements.end[row]))


def _opening(texts: Texts, spans: Sequence[Span]) -> list[Span]:
    """What opens a thread, if it is in an element of another kind than the answers: all before the first with text."""
    first = spans[0].start
    is_before = texts.prose & (texts.element < first)
    if not is_before.any():
        return []
    prose, ends = texts.sizes(is_before), texts.elements.end[:first]
    inside = prose.take(ends) - prose[:first]
    fits = (ends <= first) & (texts.dates.take(ends) > texts.dates[:first]) & (2 * inside > prose[first])
    return [Span(row, int(ends[row])) for row in places(fits)[:1].tolist()]


def _are_teasers(reader: Reader) -> bool:
    """Have most records a heading that links to another page, and is not a name?"""
    texts, elements = reader.texts, reader.elements
    teasers = 0
    for number in reader.sample:
        for at in reader.own[number]:
            row = int(texts.element[at])
            if not texts.in_link[at] or texts.length[at] < _SHORTEST_TITLE or texts.text[at] in reader.often:
                continue
            above = [each for each in elements.ancestors(row) if each >= reader.spans[number].start]
            link = next((each for each in above if texts.nodes[each].tag == "a"), None)
            if link is not None and _IS_HEADING.take(elements.code.take(above)).any():
                address = texts.nodes[link].attr("href") or ""
                teasers += bool("#" not in address and not _is_same_page(address, texts.document.url))
                break
    return 2 * teasers > len(reader.sample)


_SHORTEST_TITLE = 15


def _is_same_page(address: str, url: str | None) -> bool:
    resolved = safe_url(address, url)
    return bool(url and resolved and resolved.partition("?")[0] == url.partition("?")[0])


def _posts(document: Document, labels: Labels, reader: Reader, *, may_ask: bool) -> Iterator[Post]:
    from tamis.render.content.source import base_url

    base, content = base_url(document), PostContent(document, labels, reader)
    said = _said(reader)
    relations = Relations(reader)
    declared = _declared(document) if not all(reader.names) or not all(reader.dates) else {}
    asks = may_ask and _asks(document, relations)
    chosen = [
        place
        for place, (text, quotes) in enumerate(said)
        if text or quotes or (may_ask and reader.names[place] and reader.dates[place])
    ]
    number_of = {place: number for number, place in enumerate(chosen, 1)}
    if len(chosen) == len(said):
        number_of = dict(enumerate(relations.numbers))
    for place in chosen:
        text, quotes = said[place]
        author, date = declared.get(fold(text[:_LONGEST_START]), (None, None))
        answered = relations.answered[place]
        yield Post(
            text,
            reader.names[place] or author,
            reader.dates[place] or date,
            number_of[place],
            safe_url(relations.links[place], base),
            relations.depths[place],
            None if answered is None else number_of.get(answered),
            quotes,
            asks and place == chosen[0],
            may_ask and relations.accepted[place],
            (content, place),
        )


def _asks(document: Document, relations: Relations) -> bool:
    """Does the first post ask a question? The page declares that, or its element is called so."""
    if any("question" in kind.lower() for row in relations.heads(0) for kind in relations.texts.kinds.of(row)):
        return True
    if "/Question" in document.html and any(
        (node.attr("itemtype") or "").endswith("/Question") for node in document.elements.notable_nodes
    ):
        return True
    return '"QAPage"' in document.html and any("QAPage" in thing.types for thing in document.linked_data.things)


def _said(reader: Reader) -> list[tuple[str, tuple[str, ...]]]:
    """The text of each post, and the texts that it quotes."""
    texts, quoted = reader.texts, reader.quoted.tolist()
    order: Ints = np.array(sorted(at for own in reader.said for at in own), dtype=np.int64)
    if not order.size:
        return [("", ())] * len(reader.spans)
    layout = Layout(texts.document, texts.leaves.take(order))
    written = dict(zip(order.tolist(), pieces(texts.document, layout), strict=True))
    found, block = [], texts.document.leaves.block
    for own in reader.said:
        quotes: dict[int, str] = {}
        for (quote, _), group in groupby(own, key=lambda at: (quoted[at], block[texts.leaves[at]])):
            line = [at for at in group if quote < 0 or not _is_cited(reader, at, quote)]
            if quote < 0 or not _is_label(reader, line, is_first=quote not in quotes):
                quotes[quote] = quotes.get(quote, "") + "".join(written[at] for at in line)
        text, marked = _without_marked_lines(quotes.pop(-1, "").strip())
        found.append((text, tuple(filter(None, [*map(str.strip, quotes.values()), *marked]))))
    return found


def _is_label(reader: Reader, line: Sequence[int], *, is_first: bool) -> bool:
    """Does a line of a quotation say whose words these are?"""
    text = " ".join(reader.texts.text[at] for at in line)
    return is_attribution(text) or (is_first and text.endswith(":") and len(text) <= LONGEST_NAME)


def _is_cited(reader: Reader, at: int, quote: int) -> bool:
    """Is a text of a quotation in a CITE element of it?"""
    above = reader.elements.ancestors(int(reader.texts.element[at]))
    return any(reader.texts.nodes[row].tag == "cite" for row in takewhile(lambda row: row >= quote, above))


def _without_marked_lines(text: str) -> tuple[str, list[str]]:
    """A text without the lines below "Ann wrote:" that start with ">", as in mails, and what they quote."""
    said: list[str] = []
    quotes: list[str] = []
    for is_quote, group in groupby(text.split("\n") if ">" in text else (), key=lambda line: line.startswith(">")):
        lines = list(group)
        before = next((line for line in reversed(said) if line.strip()), "")
        if is_quote and (not before or is_attribution(before)):
            while said and said[-1] in ("", before):
                said.pop()
            quotes.append("\n".join(line.lstrip("> ") for line in lines).strip())
        else:
            said += lines
    return ("\n".join(said).strip(), quotes) if quotes else (text, [])


def _declared(document: Document) -> dict[str, tuple[str | None, str | None]]:
    """Author and date of each comment in JSON-LD, by the beginning of its text, folded."""
    found: dict[str, tuple[str | None, str | None]] = {}
    for thing in document.linked_data.things:
        text = thing.fields.get("text")
        if isinstance(text, str) and not {"Comment", "UserComments", "Answer"}.isdisjoint(thing.types):
            author = thing.fields.get("author") or thing.fields.get("creator")
            name = author.get("name") if isinstance(author, dict) else author
            when = (thing.fields.get(key) for key in ("datePublished", "dateCreated", "commentTime"))
            named = name_in(clean_text(name)) if isinstance(name, str) else None
            found[fold(" ".join(text.split())[:_LONGEST_START])] = (named, next(filter(None, map(day, when)), None))
    return found


def thread_content(
    document: Document, labels: Labels, options: HtmlOptions, thread: Sequence[Post]
) -> list[Child] | None:
    """The content tree with a line above posts that says who wrote them and when; all that is kept stays.

    None if a post is in a table of data, or is not an element of the tree.
    """
    root = content_tree(document, labels, options)
    heads = _without_kept_names(document, labels, thread)
    number = 0
    inside: dict[int, Node] = {}  # lines by the identity of the element in which they come first
    before: dict[int, Node] = {}  # or before which they are
    changed: dict[int, Node] = {}
    todo: list[tuple[Child, Node, bool]] = [(root, root, False)]
    while todo and number < len(heads):
        node, around, in_table = todo.pop()
        if isinstance(node, str):
            continue
        in_table |= node.name == "table"
        span, post = heads[number]
        if span.start <= node.row < span.end:
            if in_table or node.name not in BLOCKS:
                return None
            is_inside = node.name in _HOLD_BLOCKS
            (inside if is_inside else before)[id(node)] = Node("header", {}, byline(post))
            holder = node if is_inside else around
            changed[id(holder)] = holder
            number += 1
        todo += [(child, node, in_table) for child in reversed(node.children)]
    if number < len(heads) or not changed:
        return None
    for holder in checked(changed.values()):
        first = [inside[id(holder)]] if id(holder) in inside else []
        pairs = ([before[id(child)], child] if id(child) in before else [child] for child in holder.children)
        holder.children = [*first, *chain.from_iterable(pairs)]
    return root.children


def _without_kept_names(document: Document, labels: Labels, thread: Sequence[Post]) -> list[tuple[Span, Post]]:
    """The posts of which something is kept, but not the name: where that is kept, the page says whose post it is."""
    leaves, names = document.leaves, {post.author for post in thread}
    kept = places(labels.keep)
    rows = leaves.element.take(kept)
    counts = np.append(0, np.cumsum(np.bincount(rows, minlength=len(document.elements))))
    named: dict[str, list[int]] = {}
    for row, leaf in sorted(zip(rows.tolist(), kept.tolist(), strict=True)):
        if (text := leaves.text[leaf].strip()) in names:
            named.setdefault(text, []).append(row)
    found = [(span, post) for post in thread if (span := post._span) and counts[span.end] > counts[span.start]]
    return [(span, post) for span, post in checked(found) if not _is_within(named.get(post.author or "", []), span)]


def _is_within(rows: Sequence[int], span: Span) -> bool:
    """Is one of these rows, which rise, in a range?"""
    at = bisect_left(rows, span.start)
    return at < len(rows) and rows[at] < span.end


def byline(post: Post) -> list[Child]:
    """Who wrote a post and when, its number and what it is. Names and dates are texts of the page like all others."""
    number, url = f"#{post.number}", safe_url(post.url, None)
    parts: list[list[Child]] = [[Node("a", {"href": url}, [number]) if url else number]]
    # What only the page's data say is not shown by it.
    author = post._content[0].reader.names[post._content[1]] if post._content else post.author
    if author:
        parts.append([Node("b", {}, [author])])
    if post.date:
        is_day = day(post.date) == post.date
        parts.append([Node("time", {"datetime": post.date} if is_day else {}, [post.date])])
    parts += [[f"reply to #{post.replies_to}"]] if post.replies_to is not None else []
    parts += [["question"]] if post.is_question else []
    parts += [["accepted answer"]] if post.is_accepted else []
    return [child for number, part in enumerate(parts) for child in ([" · "] if number else []) + part]
