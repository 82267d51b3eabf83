"""Images, videos, frames and posts of social networks: as content, and as a list with their best addresses."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Literal

import numpy as np

from tamis.document import Document, Elements, tags
from tamis.labels import Labels
from tamis.page_data import MEDIUM
from tamis.render.content import Child, Node
from tamis.render.content.source import NAMES, Marks, PageSource, folded
from tamis.render.layout import Layout
from tamis.render.safe import safe_url
from tamis.render.text import pieces

# The host and the path of an address, and the page on which a reader sees what a frame shows.
_HOST = re.compile(r"https?://(?:www\.)?([^/?#]{1,200})(/[^?#]*)?(?:\?([^#]*))?", re.IGNORECASE)
_NAME = re.compile(r"[\w-]{1,40}")
_NUMBER = re.compile(r"[0-9]{1,25}")
_YOUTUBE = frozenset({"youtube.com", "youtube-nocookie.com", "m.youtube.com"})
# Frames that show nothing: they count visitors, or hold buttons.
_UNSEEN: list[str] = NAMES["embeds"]["unseen_frames"]
_POST_LINKS = {"instagram-media": ("data-instgrm-permalink",), "mastodon-embed": ("data-embed-url", "data-href")}


def embed(elements: Elements, row: int, source: str, base: str | None) -> Node | None:
    """A player or a frame with this address; None for a frame that shows nothing."""
    tag = elements.tag[row]
    if tag == "iframe" and any(part in source for part in _UNSEEN):
        return None
    attribute = elements.attribute
    titles = (" ".join((attribute(row, name) or "").split()) for name in ("title", "aria-label"))
    values = {"src": source, "title": next(filter(None, titles), ""), "kind": "frame" if tag == "iframe" else tag}
    post = attribute(row, "data-tweet-id") or ""
    shown = f"https://twitter.com/i/status/{post}" if _NUMBER.fullmatch(post) else watch_page(source)
    page = safe_url(shown, base)
    return Node("embed", values | ({"href": page} if page else {}), row=row)


def watch_page(source: str) -> str | None:
    """The page on which a reader sees what a frame with this address shows, if it is another one."""
    found = _HOST.match(source)
    if not found:
        return None
    host, path, query = found.group(1).lower(), (found.group(2) or "/").split("/")[1:], found.group(3) or ""
    first, second = path[0], path[1] if len(path) > 1 else ""
    values = dict(part.partition("=")[::2] for part in query.split("&")[:20])
    if host in _YOUTUBE and first == "embed":
        is_list = second == "videoseries" or not second
        name, page = (values.get("list", ""), "playlist?list=") if is_list else (second, "watch?v=")
        return f"https://www.youtube.com/{page}{name}" if _NAME.fullmatch(name) else None
    if host == "player.vimeo.com" and first == "video" and _NUMBER.fullmatch(second):
        return f"https://vimeo.com/{second}"
    if host in ("dailymotion.com", "geo.dailymotion.com"):
        in_path = path[2] if [first, second] == ["embed", "video"] and len(path) > 2 else ""
        name = in_path if _NAME.fullmatch(in_path) else values.get("video", "")
        return f"https://www.dailymotion.com/video/{name}" if _NAME.fullmatch(name) else None
    if host == "open.spotify.com" and first == "embed":
        return f"https://open.spotify.com/{'/'.join(path[1:])}"
    if path[-1] == "embed" and first.startswith("@"):  # Mastodon
        return source.partition("?")[0].removesuffix("/embed")
    if host == "instagram.com" and path[-1] == "embed":
        return source.partition("?")[0].removesuffix("embed")
    return None


def embeds(source: PageSource) -> Marks | None:
    """Videos that are elements of their own, and posts whose markup is not what a reader sees."""
    classes = source.classes
    lite = [row for tag in ("lite-youtube", "lite-vimeo") for row in source.tagged(tag)]
    posts = [(row, name) for name in _POST_LINKS for row in classes.get(name, ())]
    quoted = classes.get("tiktok-embed", []) if source.tagged("blockquote") else []
    if not lite and not posts and not quoted:
        return None
    replaced = {row: node for row in lite if (node := _lite(source, row)) is not None}
    text = dict.fromkeys(replaced, "")
    for row, name in posts:
        addresses = (safe_url(source.attribute(row, each), source.base) for each in _POST_LINKS[name])
        address = next(filter(None, addresses), None)
        if source.tag(row) == "blockquote" and address:
            replaced[row] = _post(source, row, address)
            text[row] = folded(replaced[row].text())
    for row in quoted:
        address = safe_url(source.attribute(row, "cite"), source.base)
        links = source.tagged("a")
        place = bisect_left(links, row)
        if address and place < len(links) and (author := links[place]) < int(source.elements.end[row]):
            replaced[author] = Node("a", {"href": address}, [folded(source.text(author)).strip()])
    return Marks(replaced, text=text) if replaced else None


def _lite(source: PageSource, row: int) -> Node | None:
    """The player for a <lite-youtube> or <lite-vimeo>."""
    name = source.attribute(row, "videoid") or ""
    if not _NAME.fullmatch(name):
        return None
    is_vimeo = source.tag(row) == "lite-vimeo"
    player = f"https://player.vimeo.com/video/{name}" if is_vimeo else f"https://www.youtube-nocookie.com/embed/{name}"
    label = source.attribute(row, "playlabel") or source.attribute(row, "title") or source.text(row)
    title = " ".join(label.split()).removeprefix("Play: ").removeprefix("Play Video: ")
    page = watch_page(player) or player
    return Node("embed", {"src": player, "title": title, "kind": "frame", "href": page}, row=row)


def _post(source: PageSource, row: int, address: str) -> Node:
    """A post as a quotation: its paragraphs, and a link to it with the last words, which name its author."""
    texts: list[str] = []
    block = -1
    for leaf in source.leaves_in(row):
        if source.keep[leaf] and not source.leaves.is_media[leaf]:
            holder = int(source.leaves.block[leaf])
            if holder != block or not texts:
                texts.append("")
            texts[-1] += source.leaves.gap[leaf] + source.leaves.text[leaf]
            block = holder
    lines = [" ".join(line.split()) for line in texts]
    lines = [line for line in dict.fromkeys(lines) if line and not line.startswith("View this post on")]
    last = lines.pop() if lines else address
    content: list[Child] = [Node("p", {}, [line]) for line in lines]
    content.append(Node("p", {}, [Node("a", {"href": address}, [last])]))
    return Node("blockquote", {}, content, row)


# Attributes with the real source of lazily loaded media, most common first, and others that may have it.
_LAZY_SOURCES = NAMES["media"]["lazy"]
_SETS = NAMES["media"]["sets"]
_LAST_SOURCES = NAMES["media"]["others"]

# Addresses of pictures that only hold the place of one. The first are the place holder by their whole name; of the
# others any other address of the image is more likely to be it.
_PLACEHOLDER = re.compile(
    r"/(?:blank|placeholder|spacer|pixel|transparent|trans|loading|loader|lazy|lazyload|empty|dummy|clear|1x1|shim)"
    r"(?:[-_.]?(?:image|img|placeholder|pixel|bg|[0-9]{1,4}(?:x[0-9]{1,4})?))?\.(?:gif|png|svg|jpe?g|webp)(?:[?#]|$)",
    re.IGNORECASE,
)
_DOUBTFUL = re.compile(r"placeholder|blank\.|spacer|1x1|lazy[-_]|[-_]lazy|loading\.|transparent", re.IGNORECASE)
_PICTURE = re.compile(r"\.(?:jpe?g|png|gif|webp|avif|svg|bmp)(?:[?#/]|$)", re.IGNORECASE)
# Small pictures with one of these in their address, or without a text, are signs of the page.
_ICON = re.compile(r"(?:^|[/_.-])(?:icons?|sprites?|bullets?|arrows?|btn|button|favicon)(?=[/_.-]|$)", re.IGNORECASE)
_LARGEST_ICON = 32  # pixels
_PIXELS = re.compile(r"([0-9]{1,4})(?:px)?")
_TINY = frozenset({"0", "1", "2", "0px", "1px", "2px"})

_SIZE_IN_ADDRESS = re.compile(r"(?<![0-9a-zA-Z])(?:w|h|width|height|resize|size)[=:_/-]?([0-9]{2,4})(?![0-9])")
# What differs between versions of one image: its size at the end of the name, and the query.
_SIZE_IN_NAME = re.compile(r"(?:-[0-9]{1,5}x[0-9]{1,5}|@[0-9]x)(?=\.[a-zA-Z]{3,4}$)")

# An address in a srcset, and its width or density behind it.
_ADDRESS = re.compile(r"[\s,]*([^\s,]\S*)")
_SPACE = re.compile(r"[\s\"'(){}<>]")
_SIZE = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)[wx]")

_NEAR = 4  # elements around an image that may hold its copy for those without scripts

_IMAGES = ("img", "picture", "amp-img")
_PLAYERS = ("video", "audio")


def medium_source(elements: Elements, row: int, base: str | None) -> str | None:
    """The address of a media element: of lazily loaded content, of the largest of a set, or of an inner source.

    None if it only has a placeholder, and for elements that could run code (svg, canvas, object and embed).
    """
    tag = elements.tag[row]
    if tag not in (*_IMAGES, *_PLAYERS, "iframe"):
        return None
    inner = [each for each in range(row + 1, int(elements.end[row])) if elements.tag[each] in ("img", "source")]
    # The <img> of a <picture> comes last; every browser supports it.
    order = [row, *inner] if tag != "picture" else inner[::-1]
    doubtful = None
    for each in order:
        attributes = dict(elements.attributes(each))
        if attributes.get("width") in _TINY and attributes.get("height") in _TINY:
            return None  # it counts visitors
        sizes = [_PIXELS.fullmatch(attributes.get(name, "").strip()) for name in ("width", "height")]
        is_small = tag in _IMAGES and all(size is not None and int(size[1]) <= _LARGEST_ICON for size in sizes)
        if is_small and (not attributes.get("alt", "").strip() or _ICON.search(attributes.get("src", ""))):
            return None
        for url in _candidates(attributes, is_image=tag in _IMAGES):
            if "{" in url or not (address := safe_url(url, base)):
                continue  # "{width}" is for a script to fill in
            if tag not in _IMAGES:
                return address
            if _PLACEHOLDER.search(address):
                continue
            if not _DOUBTFUL.search(address):
                return address
            doubtful = doubtful or address
    return doubtful


def medium_node(elements: Elements, row: int, base: str | None) -> Node | None:
    """A media element as content; None without an address."""
    tag = elements.tag[row]
    source = medium_source(elements, row, base)
    if tag not in _IMAGES:
        return embed(elements, row, source, base) if source else None
    alts = (elements.attribute(inner, "alt") for inner in range(row, int(elements.end[row])))
    alt = " ".join(next(filter(None, alts), "").split())
    return Node("img", {"src": source, "alt": alt}, row=row) if source else None


def same_image(url: str, other: str) -> bool:
    """Are these addresses of one image, perhaps in two sizes?"""
    paths = [each.partition("#")[0].partition("?")[0] for each in (url, other)]
    first, second = (_SIZE_IN_NAME.sub("", path.partition(":")[2] or path) for path in paths)
    return url == other or (first == second and _PICTURE.search(url) is not None)


def size_in(url: str) -> int:
    """The largest number that an address names as a width or height; 0 if there is none."""
    return max((int(number) for number in _SIZE_IN_ADDRESS.findall(url)), default=0)


def _candidates(attributes: Mapping[str, str], *, is_image: bool) -> Iterator[str]:
    """The addresses in the attributes of one element, the most likely first."""
    yield from filter(None, map(attributes.get, _LAZY_SOURCES))
    yield from filter(None, map(_largest, filter(None, map(attributes.get, _SETS))))
    if value := attributes.get("src"):
        yield value
    if is_image:
        others = [name for name in attributes if name.startswith("data-")]
        for name in (*_LAST_SOURCES, *others):
            value = attributes.get(name, "").strip()
            if _PICTURE.search(value) and not _SPACE.search(value):
                yield value


def _largest(srcset: str) -> str | None:
    """The address with the largest width or density of a srcset, which is read as the HTML standard says."""
    largest, best = 0.0, None
    place = 0
    while found := _ADDRESS.match(srcset, place):
        url, place = found.group(1), found.end()
        size = 1.0
        if not url.endswith(","):
            end = srcset.find(",", place)
            described = srcset[place : end if end >= 0 else None].split(maxsplit=1)
            place = end if end >= 0 else len(srcset)
            number = _SIZE.fullmatch(described[0]) if described else None
            size = float(number.group(1)) if number else 0.0 if described else 1.0
        if size > largest:
            largest, best = size, url.rstrip(",")
    return best


def noscript_copies(source: PageSource) -> Marks | None:
    """Images in a <noscript> beside the same image for those with scripts."""
    skipped: set[int] = set()
    for row in source.tagged("noscript"):
        leaves, is_media = source.leaves_in(row), source.leaves.is_media
        if len(leaves) != 1 or not is_media[leaves.start]:
            continue
        for beside in (leaves.start - 1, leaves.stop):
            if 0 <= beside < len(is_media) and is_media[beside] and source.keep[beside]:
                other = int(source.leaves.element[beside])
                is_near = source.elements.parent[row] in islice(source.elements.ancestors(other), 1, _NEAR)
                if is_near and source.tag(other) in _IMAGES and medium_source(source.elements, other, source.base):
                    skipped.add(row)
    return Marks(skipped=skipped) if skipped else None


Kind = Literal["image", "video", "audio", "embed"]
_KINDS: dict[str, Kind] = {"img": "image", "picture": "image", "amp-img": "image", "video": "video", "audio": "audio",
                           "iframe": "embed", "object": "embed", "embed": "embed"}  # fmt: skip
# Plug-ins run the content of these elements, so they are never written, only listed with their address.
_PLUGIN_SOURCES = {"object": "data", "embed": "src"}

_IS_FIGURE = tags.lookup("figure")
_IS_CAPTION = tags.lookup("figcaption")


@dataclass(frozen=True)
class Medium:
    """A kept image, video, audio or frame."""

    kind: Kind
    url: str  # that of the largest version; absolute if the page's address is known
    alt: str  # the alternative text, or empty
    caption: str  # the caption of the figure around it, or empty
    leaf: int  # row of the document's leaves

    def as_dict(self) -> dict[str, object]:
        """The medium as plain data."""
        return MEDIUM.read(self)


def kept_media(document: Document, labels: Labels, base: str | None) -> list[Medium]:
    """The kept media that have an address (svg, canvas and math have none), in document order, each address once."""
    elements, leaves = document.elements, document.leaves
    rows = np.flatnonzero(labels.keep & leaves.is_media)
    figures = elements.nearest(_IS_FIGURE[elements.code], leaves.element[rows])
    captions = _captions(document) if (figures >= 0).any() else {}
    found: dict[str, Medium] = {}
    for leaf, figure in zip(rows.tolist(), figures.tolist(), strict=True):
        row = int(leaves.element[leaf])
        if not (kind := _KINDS.get(elements.tag[row])):
            continue
        plugin = _PLUGIN_SOURCES.get(elements.tag[row])
        url = safe_url(elements.attribute(row, plugin), base) if plugin else medium_source(elements, row, base)
        if url and url not in found:
            found[url] = Medium(kind, url, _alt(elements, row), captions.get(figure, ""), leaf)
    return list(found.values())


def _alt(elements: Elements, row: int) -> str:
    """The first alternative text of an element or of one inside it."""
    texts = (
        " ".join((elements.attribute(inner, name) or "").split())
        for name in ("alt", "aria-label", "title")
        for inner in range(row, int(elements.end[row]))
    )
    return next(filter(None, texts), "")


def _captions(document: Document) -> dict[int, str]:
    """The text of each figure's caption, by the row of the figure."""
    elements, texts = document.elements, document.leaves.visible_text
    element = document.leaves.element[texts]
    caption = elements.nearest(_IS_CAPTION[elements.code], element)
    texts, caption = texts[caption >= 0], caption[caption >= 0]
    figure = elements.nearest(_IS_FIGURE[elements.code], caption).tolist()
    parts: dict[int, list[str]] = {}
    for row, piece in zip(figure, pieces(document, Layout(document, texts)), strict=True):
        parts.setdefault(row, []).append(piece)
    return {row: " ".join("".join(words).split()) for row, words in parts.items()}
