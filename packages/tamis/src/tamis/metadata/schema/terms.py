"""Reads single values as schema.org writes them: tags, sections, images, true and false."""

from __future__ import annotations

import re
from itertools import islice

from tamis.metadata.schema.types import each, plain, texts
from tamis.render.safe import safe_url

# Tags of a page, values that are looked at, characters of a tag or section, of a list of them.
_MOST_TAGS, _MOST_VALUES, _LONGEST_TAG, _LONGEST_LIST = 60, 100, 80, 10_000

_SEPARATORS = tuple(map(re.compile, (";", r"\|", "[,\uff0c\u3001]")))
_LEVELS = re.compile("[>\u203a\u00bb]| / ")
_TRUTH = {"false": False, "no": False, "0": False, "true": True, "yes": True, "1": True}


def tags(value: object) -> tuple[str, ...]:
    """The tags in a text with separators, in a list of texts or in the names of things; each once.

    The only text of a list may hold all tags. Texts such as _noindex or /article are meant for machines.
    """
    given = [plain(text) for text in islice(texts(value), _MOST_VALUES) if len(text) <= _LONGEST_LIST]
    if len(given) == 1:
        given = _split(given[0])
    found = (tag.lstrip("#") for tag in given if tag[:1] not in ("_", "/") and not is_address(tag))
    return tuple(dict.fromkeys(tag for tag in found if 0 < len(tag) <= _LONGEST_TAG))[:_MOST_TAGS]


def section(value: object) -> tuple[str, ...]:
    """The sections or categories in a list or a path, the widest first. Sentences are none."""
    given = [plain(text) for text in islice(texts(value), _MOST_VALUES) if len(text) <= _LONGEST_LIST]
    if len(given) == 1 and given[0].count(",") > 1:
        given = _split(given[0])
    found = (name.strip() for path in given for name in _LEVELS.split(path) if not is_address(path))
    return tuple(dict.fromkeys(name for name in found if 0 < len(name) <= _LONGEST_TAG))[:_MOST_TAGS]


def _split(text: str) -> list[str]:
    separator = next((mark for mark in _SEPARATORS if mark.search(text)), None)
    return [part.strip() for part in separator.split(text)] if separator else [text]


def image_address(value: object, base: str | None) -> str | None:
    """The address of the widest image, of the first if no width is known."""
    given = [size_and_address(image) for images in each(value) for image in each(images)[:_MOST_VALUES]]
    for _, address in sorted(given[:_MOST_VALUES], key=lambda image: -image[0]):
        safe = safe_url(plain(address), base) if address else None
        if safe and safe.rstrip("/").count("/") > 2 * ("://" in safe):  # else it is a site
            return safe
    return None


def size_and_address(image: object) -> tuple[int, str]:
    """The width of an image, 0 if it is not known, and its address."""
    if not isinstance(image, dict):
        return 0, image if isinstance(image, str) else ""
    address = next((text for key in ("url", "contentUrl", "@id") for text in texts(image.get(key))), "")
    width = image.get("width")
    digits = str(next(texts(width), width)).partition(".")[0].removesuffix("px").strip()
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 7 else 0, address


def truth(value: object) -> bool | None:
    """True or false, however it is written; None for anything else."""
    value = value[0] if isinstance(value, list) and value else value
    return _TRUTH.get(str(value).rpartition("/")[2].strip().lower())


def is_address(text: str) -> bool:
    """Is it an address and no text?"""
    return "://" in text and " " not in text
