"""What JSONL and Parquet share: a record from named fields, one of which is html."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from pathlib import Path

from tamis.batch.filters import media_type
from tamis.batch.records import Damage, Item, Kind, Record
from tamis.inputs import MOST_BYTES

HTML = "html"
_LONGEST_FIELD = 1 << 16  # as in a WARC header
FIELDS = (HTML, "id", "url", "date", "status", "content_type")


def item(fields: Mapping[str, object], source: str, offset: int) -> Item:
    """The record of these fields, or a Damage. All fields except html may be missing or null."""
    url = _text(fields.get("url"))
    identity = _text(fields.get("id")) or f"{Path(source).name}:{offset}"
    content_type = _text(fields.get("content_type"))
    html = fields.get(HTML)
    if isinstance(html, str):
        # The text is encoded here, so the charset of the header no longer holds.
        content_type = f"{media_type(content_type) if content_type else 'text/html'}; charset=utf-8"
        html = html.encode("utf-8", "replace")
    if long := [name for name in FIELDS if name != HTML and len(_text(fields.get(name)) or "") > _LONGEST_FIELD]:
        return Damage(source, offset, f"the field {long[0]!r} has more than {_LONGEST_FIELD:,} letters", Kind.TOO_LARGE)
    if not isinstance(html, bytes):
        kind = "null" if html is None else type(html).__name__
        wrong = f"holds {kind}, not text or bytes" if HTML in fields else "is missing"
        return Damage(source, offset, f"the field {HTML!r} {wrong}", id=identity, url=url)
    if len(html) > MOST_BYTES:
        reason = f"the page has {len(html):,} bytes; the limit is {MOST_BYTES:,}"
        return Damage(source, offset, reason, Kind.TOO_LARGE, identity, url)
    return Record(
        body=html,
        source=source,
        offset=offset,
        id=identity,
        url=url,
        date=_text(fields.get("date")),
        status=_number(fields.get("status")),
        content_type=content_type,
    )


def _text(value: object) -> str | None:
    if value is None or value == "":
        return None
    words = value.isoformat() if isinstance(value, date) else str(value)  # a datetime is a date, too
    return words.encode("utf-8", "replace").decode()  # no lone surrogates, which no output can hold


def _number(value: object) -> int | None:
    try:
        number = int(value)  # type: ignore[call-overload]
    except (TypeError, ValueError, OverflowError):
        return None
    return number if 0 <= number < 1 << 31 else None  # what the output can hold
