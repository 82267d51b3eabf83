"""What classes, ids and addresses of links say about authors and posters."""

from __future__ import annotations

import re

from tamis.extractor.conventions import NAME_PART

AUTHOR, BYLINE, USER, OWNER, ASIDE, FOREIGN = 1, 2, 4, 8, 16, 32

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
_OWNER_WORDS = frozenset("owner op starter topicstarter threadstarter originalposter asker".split())
# In an element that is named so stands no author of the page.
_ASIDE_WORDS = frozenset(
    "bio biography description about title role job position image avatar photo picture img pic date time datetime "
    "published social twitter facebook linkedin instagram email mail follow share sharing count posts tooltip menu nav "
    "navigation navbar breadcrumb breadcrumbs footer credit caption tags tag category categories newsletter subscribe "
    "reviewer reviewed edited factcheck checked login signin rank status reputation quote reply location signup logo "
    "copyright occupation designation sort sortby filter cart signature account affiliation affiliations".split()
)
# In an element that is named so stands nothing about the page.
_FOREIGN_WORDS = frozenset(
    "comment comments commenter commentlist disqus respond related recommended review reviews testimonial testimonials "
    "teaser promo advert kommentare commentaires comentarios commenti komentarze".split()
)
_NAME_WORDS = frozenset("name names fn".split())
_BY_WORDS = frozenset("posted written entry post article meta story line published submitted".split())
_CUES = (
    "author", "autor", "auteur", "avtor", "byl", "by-", "-by", "_by", "by_", "by ", "line", "writ", "user", "poster",
    "nick", "member", "creator", "owner", "fn", "contributor", "journalist", "report", "column", "skribent",
    "forfatter", "redact", "redak", "giornal", "periodista", "starter", "kirjo", "toimit", "yazar", "penulis", "szerzo",
    "zuozhe", "verfasser", "muhabir", "profile", "postleft", "uname", "autrice", "postedby",
)  # fmt: skip
_LONGEST = 120  # characters of a class that are read; the rest is layout
_MOST_REMEMBERED = 20_000

# Addresses of pages about people.
_AUTHOR_PATH = re.compile(
    r"/(?:authors?|by|byline|profiles?|people|person|persons|staff|contributors?|autor(?:en|es|e|i|a)?|auteurs?|writers?"
    r"|journalists?|reporters?|columnists?|avtor|avtory|skribent|schrijver|redaktion|bio|bios|our-team|team)[/?=-][^/?#]"
    r"|[?&](?:author|autor|auteur)(?:_name|id)?=",
    re.IGNORECASE,
)
_USER_PATH = re.compile(
    r"/(?:members?|users?|u|profile|profil|memberlist|player)[/?.=-][^/]|[?&](?:u|uid|user|member)=\d", re.IGNORECASE
)
_OF_WRITER = re.compile(r"^(?:https?://(?:[\w-]+\.)?(?:medium\.com|substack\.com))?/@[\w.-]+/?(?:[?#]|$)")
_SOCIAL = re.compile(
    r"//(?:[\w-]+\.)*(?:twitter|x|facebook|instagram|linkedin|youtube|tiktok|threads|bsky|pinterest|mastodon|github|telegram"
    r"|t|reddit|flipboard|vk|ok|snapchat|google|apple|spotify|amazon|ebay)\.[a-z]+",
    re.IGNORECASE,
)


class _Remembered(dict[str, int]):
    """From a class or an id to what its words say, each read once."""

    def __missing__(self, given: str) -> int:
        found = _marks(given[:_LONGEST])
        if len(self) >= _MOST_REMEMBERED:
            self.clear()
        if len(given) <= _LONGEST:
            self[given] = found
        return found


def _marks(given: str) -> int:
    found = 0
    words = {part.lower() for part in NAME_PART.findall(given)}
    for word in words:
        if word in _AUTHOR_WORDS or _is_of_author(word):
            found |= AUTHOR
        elif word in _BYLINE_WORDS or "byline" in word:
            found |= BYLINE
        elif word in _OWNER_WORDS:
            found |= OWNER
        elif word in _USER_WORDS or "username" in word:
            found |= USER
    if "by" in words and words & _BY_WORDS:
        found |= BYLINE
    if words & _FOREIGN_WORDS:
        return ASIDE | FOREIGN
    if words & _ASIDE_WORDS and not (found and words & _NAME_WORDS):
        return ASIDE
    return found


def _is_of_author(word: str) -> bool:
    """Is it a word such as "authorname", but not "authority"?"""
    return (word.startswith(("author", "autor")) or word.endswith("author")) and not word.startswith(
        ("authori", "autoriz", "autorit")
    )


_REMEMBERED = _Remembered()
marks_of = _REMEMBERED.__getitem__


def has_cue(names: str) -> bool:
    """May one of these classes and ids be named for authors? A quick look."""
    lower = names.lower()
    return any(cue in lower for cue in _CUES)


def author_place(rel: str | None, address: str, host: str) -> str:
    """Where a link leads: "rel=author", "href author", "href user", or "" for all others. `host` is the page's."""
    if rel and "author" in rel:
        return "rel=author"
    if not ("/" in address or "?" in address) or (_SOCIAL.search(address) and host not in address):
        return ""
    if _AUTHOR_PATH.search(address) or _OF_WRITER.match(address):
        return "href author"
    return "href user" if _USER_PATH.search(address) else ""
