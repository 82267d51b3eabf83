"""What a page declares for those who share it: Open Graph and Twitter."""

from __future__ import annotations

from collections.abc import Iterator

from tamis.metadata.candidate import Candidate
from tamis.metadata.head.named import Named, usable
from tamis.metadata.names.people import people
from tamis.metadata.names.words import BY
from tamis.metadata.view import View

# What twitter:label1 says of twitter:data1, beside the words before names.
_LABELS = {
    "date": """
        published|published on|publication date|date|posted on|veröffentlicht|veröffentlicht am|datum|publié le
        |date de publication|publicado|publicado el|fecha|pubblicato|pubblicato il|data|opublikowano|дата|公開日|投稿日
        |发布日期|發佈日期""",
    "section": """
        filed under|category|categories|section|kategorie|catégorie|categoría|categoria|kategoria|рубрика|カテゴリー""",
}
_FIELD_OF = dict.fromkeys(BY, "authors") | {
    label.strip(): field for field, labels in _LABELS.items() for label in labels.split("|")
}
_LABELLED = frozenset(_FIELD_OF.values())
_PAIRS = tuple((f"twitter:label{number}", f"twitter:data{number}") for number in range(1, 5))


class Social:
    """The og:, article: and twitter: properties."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._named = Named(view, "opengraph", "twitter")

    def candidates(self, field: str) -> Iterator[Candidate]:
        """The candidates for a field, Open Graph's before Twitter's."""
        yield from self._named.candidates(field)
        if field in _LABELLED:
            yield from self._labelled(field)
        if field == "authors":
            yield from self._profile()

    def _labelled(self, field: str) -> Iterator[Candidate]:
        """What stands in a pair of label and data."""
        meta = self._view.head.meta
        for label_name, data_name in _PAIRS:
            labels, data = meta.get(label_name), meta.get(data_name)
            if labels and data and _FIELD_OF.get(labels[0][:40].strip(" :").casefold()) == field:
                for value in usable(field, data[:1], self._view):
                    yield Candidate(value, "twitter", "twitter:data")

    def _profile(self) -> Iterator[Candidate]:
        """The person of profile:, unless the page is about that person."""
        meta = self._view.head.meta
        if "profile:first_name" in meta and meta.get("og:type") != ["profile"]:
            parts = (meta.get(name, [""])[0] for name in ("profile:first_name", "profile:last_name"))
            if found := people(" ".join(parts)):
                yield Candidate(found, "opengraph", "profile")
