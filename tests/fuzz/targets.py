"""What is fuzzed: each target is a function of a page and its seed that raises if something is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tamis.page import Page
from tamis.render.media import Medium
from tests.fuzz.judge import require_harmless, require_harmless_html

Target = Callable[[str, int], None]


def parser() -> Target:
    """The HTML parser by itself, without what tamis puts in front of it."""
    import turbohtml

    def check(html: str, seed: int) -> None:
        del seed
        turbohtml.parse(html, positions=False, allow_declarative_shadow_roots=False)

    return check


def parse() -> Target:
    """The parser as tamis calls it, and one walk over the tree."""
    from tamis.document.parse import parse, walk
    from tamis.errors import TamisError

    def check(html: str, seed: int) -> None:
        del seed
        try:
            walk(parse(html))
        except TamisError:
            return

    return check


# One page in so many gets an output, besides its text. Of those, all are judged.
SHARE = 8
# One page in so many goes through one of the other extractors too.
OTHERS = 64
_URLS = (None, "https://a.example/news/1.html", "page.html", "https://u:p@a.example/x?y#z")


def extract() -> Target:
    """`tamis.extract`: the text of each page, and each other output of a share of them."""
    import tamis
    from tamis.errors import TamisError

    names = [name for name, entry in tamis.extractors().items() if name != "tamis" and not entry.draws]
    outputs: dict[str, Callable[[Page], object]] = {
        "markdown": lambda page: page.markdown.encode(),
        "html": lambda page: require_harmless_html(page.html, "html"),
        "json": lambda page: page.json.encode(),
        "highlighted": lambda page: page.highlighted.encode(),
        "metadata": lambda page: page.metadata.as_dict(),
        "media": lambda page: require_harmless_media(page.media),
    }

    def check(html: str, seed: int) -> None:
        # Seeds are taken apart by different factors, so that no output always meets the same extractor or address.
        url = _URLS[seed // 7 % len(_URLS)]
        other = names[seed // OTHERS % len(names)] if seed % OTHERS == 5 else "tamis"
        try:
            page = tamis.extract(html, url=url, extractor=other)
            page.text.encode()
            for position, look in enumerate(outputs.values()):
                if (seed // 3 + position * 5) % SHARE == 0 or other != "tamis":
                    look(page)
        except TamisError:
            return

    return check


def require_harmless_media(media: Iterable[Medium]) -> None:
    """Raise Unsafe if an address of the media would run."""
    for medium in media:
        require_harmless(medium.url, "media")


TARGETS: dict[str, Callable[[], Target]] = {"parser": parser, "parse": parse, "extract": extract}
