"""Everything that is known about each field, as plain data."""

from __future__ import annotations

from tamis.metadata.metadata import FIELDS, Field, Metadata


def details(metadata: Metadata) -> dict[str, object]:
    """Each field with its value, source, place, confidence and the other candidates; None if it was not found."""
    return {name: _detail(metadata, name, metadata.fields.get(name)) for name in FIELDS}


def _detail(metadata: Metadata, name: str, found: Field | None) -> dict[str, object] | None:
    if found is None:
        return None
    value = getattr(metadata, name)
    plain: dict[str, object] = {"value": list(value) if isinstance(value, tuple) else value}
    if name.startswith("date"):
        plain["datetime"] = getattr(metadata, name.replace("date", "datetime"))
    return plain | {
        "source": found.source,
        "place": found.place,
        "confidence": round(found.confidence, 3),
        "others": [each._asdict() | {"confidence": round(each.confidence, 3)} for each in found.others],
    }
