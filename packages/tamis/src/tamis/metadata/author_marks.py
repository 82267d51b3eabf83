"""What classes, ids and addresses of links say about authors and posters."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from tamis.extractor.declared import NAME_PART
from tamis.metadata.view import BORDER, holders

AUTHOR, BYLINE, USER, OWNER, ASIDE, FOREIGN, ADDRESS = 1, 2, 4, 8, 16, 32, 64

# Words of class and id.
_AUTHOR_WORDS = frozenset(
    "author authors writer writers autor autora autores autorin autoren auteur auteurs auteure autore autori autrice "
    "avtor avtory skribent forfatter kirjoittaja toimittaja yazar penulis szerzo redakteur redactor redaktor "
    "contributor contributors journalist journaliste reporter columnist columnista fn postedby writtenby zuozhe tacgia "
    "verfasser redacteur giornalista periodista muhabir".split()
)
_BYLINE_WORDS = frozenset("byline bylines byl autorenzeile".split())
_USER_WORDS = frozenset(
    "username usernames user poster nick nickname member creator postername profilename postprofile uname postleft "
    "poststarter".split()
)
_OWNER_WORDS = frozenset("owner starter topicstarter threadstarter originalposter asker".split())
# In an element that is named so stands no author of the page.
_ASIDE_WORDS = frozenset(
    "bio biography description about title role job position image avatar photo picture img pic date time datetime "
    "published social twitter facebook linkedin instagram email mail follow share sharing count posts tooltip menu nav "
    "navigation navbar breadcrumb breadcrumbs footer credit caption tags tag category categories newsletter subscribe "
    "reviewer reviewed edited factcheck checked login signin rank status reputation quote reply location signup logo "
    "copyright occupation designation sort sortby filter cart signature account affiliation affiliations company "
    "organization organisation website".split()
)
# In an element that is named so stands nothing about the page.
_FOREIGN_WORDS = frozenset(
    "comment comments commenter commentlist disqus respond related recommended review reviews testimonial testimonials "
    "teaser kommentare commentaires comentarios commenti komentarze".split()
)
_NOT_FOREIGN_WORDS = frozenset(
    "social no not has with without count meta header open closed allow enabled share".split()
)
_NAME_WORDS = frozenset("name names fn".split())
_BY_WORDS = frozenset("posted written entry post article meta story line published submitted".split())
# One of these is in every name that counts, in lower case. The second ones are for pages in other languages.
_CUES = (
    "author", "by", "user", "poster", "writer", "member", "creator", "contrib", "journalist", "report", "column", "fn",
    "nick", "profile", "postleft",
)  # fmt: skip
_OTHER_CUES = (
    "autor", "auteur", "autric", "avtor", "skribent", "forfatter", "redact", "redak", "giornal", "periodist", "kirjo",
    "toimit", "yazar", "penulis", "szerzo", "zuozhe", "verfasser", "muhabir", "tacgia", "uname", "poststarter",
)  # fmt: skip
_LONGEST = 120  # characters of a class that are read; the rest is layout
_MOST_REMEMBERED = 20_000

# Addresses of pages about people.
_PATH = re.compile(
    r"(?P<author>/(?:authors?|by|byline|profiles?|people|persons?|staff|contributors?|autor(?:en|es|e|i|a)?|auteurs?|writers?"
    r"|journalists?|reporters?|columnists?|avtor|avtory|skribent|schrijver|redaktion|bios?|our-team|team)[/?=-][^/?#]"
    r"|[?&](?:author|autor|auteur)(?:_name|id)?=|/@[\w.-]+/?(?:[?#]|$))"
    r"|/(?:members?|users?|u|profil|memberlist|player)[/?.=-][^/]|[?&](?:u|uid|user|member)=\d"
)
_PATH_CUES = (
    "author", "/by/", "/profil", "/pe", "/staff", "/contrib", "/writer", "/journalist", "/report", "/column", "/bio",
    "team/", "/@", "/member", "/user", "/u/", "?u=", "uid=", "/player",
)  # fmt: skip
_OTHER_PATH_CUES = ("autor", "auteur", "/avtor", "/skribent", "/schrijver", "/redaktion")
# Sites on which others than the authors of a page have theirs.
_SOCIAL = frozenset(
    "twitter x facebook instagram linkedin youtube tiktok threads bsky pinterest mastodon github telegram t reddit vk "
    "ok flipboard snapchat google apple spotify amazon ebay creativecommons".split()
)


class _Remembered(dict[str, int]):
    """From a class or an id to what its words say, each read once."""

    def __init__(self, compute: Callable[[str], int]) -> None:
        super().__init__()
        self._compute = compute

    def __missing__(self, given: str) -> int:
        if len(given) > _LONGEST:
            return self[given[:_LONGEST]]  # which is remembered
        if len(self) >= _MOST_REMEMBERED:
            self.clear()
        found = self[given] = self._compute(given)
        return found


def _marks(given: str) -> int:
    """What a name says about authors and posters; nothing if it is one of a part beside them."""
    words = {part.lower() for part in NAME_PART.findall(given)}
    found = _positive(words)
    if found and _aside(given, words) and words.isdisjoint(_NAME_WORDS):
        return found & OWNER
    return found


def _aside(given: str, words: set[str] | None = None) -> int:
    """Does a name say that no author of the page stands in the element?"""
    words = words or {part.lower() for part in NAME_PART.findall(given)}
    if not words.isdisjoint(_FOREIGN_WORDS) and any(map(_is_foreign, given.split())):
        return ASIDE | FOREIGN
    return 0 if words.isdisjoint(_ASIDE_WORDS) else ASIDE


def _is_foreign(name: str) -> bool:
    words = [part.lower() for part in NAME_PART.findall(name)]
    return not _FOREIGN_WORDS.isdisjoint(words) and _NOT_FOREIGN_WORDS.isdisjoint(words)


def _positive(words: set[str]) -> int:
    found = 0
    for word in words:
        if word in _AUTHOR_WORDS or ("tor" in word and _is_of_author(word)):
            found |= AUTHOR
        elif word in _BYLINE_WORDS or "byline" in word:
            found |= BYLINE
        elif word in _OWNER_WORDS:
            found |= OWNER
        elif word in _USER_WORDS or "username" in word:
            found |= USER
    return found | BYLINE if "by" in words and words & _BY_WORDS else found


def _is_of_author(word: str) -> bool:
    """Is it a word such as "authorname", but not "authority"?"""
    return (word.startswith(("author", "autor")) or word.endswith("author")) and not word.startswith(
        ("authori", "autoriz", "autorit")
    )


marks_of, asides_of = _Remembered(_marks).__getitem__, _Remembered(_aside).__getitem__


def _cue_finder(cues: Sequence[str]) -> Callable[[str], int]:
    expression = re.compile("|".join(cues))
    return _Remembered(lambda given: expression.search(given.lower()) is not None).__getitem__


_HAS_CUE, _HAS_ANY_CUE = _cue_finder(_CUES), _cue_finder(_CUES + _OTHER_CUES)


def cue_finder(language: str) -> Callable[[str], int]:
    """Says of a class or an id whether it may tell an author on a page in a language. Most tell none."""
    return _HAS_CUE if language.startswith("en") else _HAS_ANY_CUE


def cued(addresses: Sequence[str], language: str) -> list[int]:
    """Which addresses of links may tell an author. A quick look: most tell none."""
    cues = _PATH_CUES if language.startswith("en") else _PATH_CUES + _OTHER_PATH_CUES
    return holders(BORDER.join(addresses).lower(), cues)


def author_place(rel: str, address: str, host: str) -> str:
    """Where a link leads: "rel=author", "href author", "href user" or "". `host` is that of the page."""
    if "author" in rel:
        return "rel=author"
    found = _PATH.search(address)
    if not found:
        return ""
    other = address.partition("//")[2].partition("/")[0].lower()
    if other.removeprefix("www.") != host and not _SOCIAL.isdisjoint(other.split(".")):
        return ""
    return "href author" if found["author"] else "href user"
