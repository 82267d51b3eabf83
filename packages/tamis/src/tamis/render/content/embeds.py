"""What a page embeds from elsewhere: videos, players, frames, and posts of social networks."""

from __future__ import annotations

import re
from bisect import bisect_left

from tamis.document import Elements
from tamis.render.content.marks import Marks
from tamis.render.content.names import NAMES
from tamis.render.content.node import Child, Node
from tamis.render.content.source import Source, folded
from tamis.render.safe import safe_url

# The host and the path of an address, and the page on which a reader sees what a frame shows.
_HOST = re.compile(r"https?://(?:www\.)?([^/?#]{1,200})(/[^?#]*)?(?:\?([^#]*))?", re.IGNORECASE)
_NAME = re.compile(r"[\w-]{1,40}")
_NUMBER = re.compile(r"[0-9]{1,25}")
_YOUTUBE = frozenset({"youtube.com", "youtube-nocookie.com", "m.youtube.com"})
# Frames that show nothing: they count visitors, or hold buttons.
_UNSEEN: list[str] = NAMES["embeds"]["unseen_frames"]
_POST_LINKS = {
    "instagram-media": ("data-instgrm-permalink",),
    "mastodon-embed": ("data-embed-url", "data-href"),
}


def embed(elements: Elements, row: int, source: str, base: str | None) -> Node | None:
    """A player or a frame with this address; None for a frame that shows nothing."""
    tag = elements.tag[row]
    if tag == "iframe" and any(part in source for part in _UNSEEN):
        return None
    attribute = elements.attribute
    titles = (" ".join((attribute(row, name) or "").split()) for name in ("title", "aria-label"))
    values = {"src": source, "title": next(filter(None, titles), ""), "kind": "frame" if tag == "iframe" else tag}
    page = safe_url(_page_of_post(attribute(row, "data-tweet-id")) or watch_page(source), base)
    return Node("embed", values | ({"href": page} if page else {}), row=row)


def _page_of_post(name: str | None) -> str | None:
    return f"https://twitter.com/i/status/{name}" if name and _NUMBER.fullmatch(name) else None


def watch_page(source: str) -> str | None:
    """The page on which a reader sees what a frame with this address shows, if it is another one."""
    found = _HOST.match(source)
    if not found:
        return None
    host, path, query = found.group(1).lower(), (found.group(2) or "/").split("/")[1:], found.group(3) or ""
    first, second = path[0], path[1] if len(path) > 1 else ""
    if host in _YOUTUBE and first == "embed":
        values = dict(part.partition("=")[::2] for part in query.split("&")[:20])
        if second == "videoseries" or not second:
            name = values.get("list", "")
            return f"https://www.youtube.com/playlist?list={name}" if _NAME.fullmatch(name) else None
        return f"https://www.youtube.com/watch?v={second}" if _NAME.fullmatch(second) else None
    if host == "player.vimeo.com" and first == "video" and _NUMBER.fullmatch(second):
        return f"https://vimeo.com/{second}"
    if host in ("dailymotion.com", "geo.dailymotion.com"):
        if first == "embed" and second == "video" and len(path) > 2 and _NAME.fullmatch(path[2]):
            return f"https://www.dailymotion.com/video/{path[2]}"
        name = dict(part.partition("=")[::2] for part in query.split("&")[:20]).get("video", "")
        return f"https://www.dailymotion.com/video/{name}" if _NAME.fullmatch(name) else None
    if host == "open.spotify.com" and first == "embed":
        return f"https://open.spotify.com/{'/'.join(path[1:])}"
    if path[-1] == "embed" and first.startswith("@"):  # Mastodon
        return source.partition("?")[0].removesuffix("/embed")
    if host == "instagram.com" and path[-1] == "embed":
        return source.partition("?")[0].removesuffix("embed")
    return None


def embeds(source: Source) -> Marks | None:
    """Videos that are elements of their own, and posts whose markup is not what a reader sees."""
    classes = source.classes
    lite = [row for tag in ("lite-youtube", "lite-vimeo") for row in source.tagged(tag)]
    posts = [(row, name) for name in _POST_LINKS if name in classes for row in classes[name]]
    quoted = classes.get("tiktok-embed", []) if source.tagged("blockquote") else []
    if not lite and not posts and not quoted:
        return None
    replaced: dict[int, Node] = {}
    text: dict[int, str] = {}
    for row in lite:
        if (node := _lite(source, row)) is not None:
            replaced[row], text[row] = node, ""
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


def _lite(source: Source, row: int) -> Node | None:
    name = source.attribute(row, "videoid") or ""
    if not _NAME.fullmatch(name):
        return None
    is_vimeo = source.tag(row) == "lite-vimeo"
    player = f"https://player.vimeo.com/video/{name}" if is_vimeo else f"https://www.youtube-nocookie.com/embed/{name}"
    label = source.attribute(row, "playlabel") or source.attribute(row, "title") or source.text(row)
    title = " ".join(label.split()).removeprefix("Play: ").removeprefix("Play Video: ")
    page = watch_page(player) or player
    return Node("embed", {"src": player, "title": title, "kind": "frame", "href": page}, row=row)


def _post(source: Source, row: int, address: str) -> Node:
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
