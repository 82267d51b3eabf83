"""What tests look for in a picture."""

from __future__ import annotations

import io

from PIL import Image

# The window of the tests: small, since most of them draw one more page.
WIDTH, HEIGHT = 120, 110

RED = (255, 0, 0)
GREEN = (0, 128, 0)
WHITE = (255, 255, 255)
SQUARE = "<body style='margin:0'><div style='width:100px;height:100px;background:red'></div>"


def size(picture: bytes) -> tuple[int, int]:
    return Image.open(io.BytesIO(picture)).size


def pixel(picture: bytes, x: int, y: int) -> tuple[int, ...]:
    found = Image.open(io.BytesIO(picture)).convert("RGB").getpixel((x, y))
    assert isinstance(found, tuple)
    return found


def is_blank(picture: bytes) -> bool:
    """Is it white all over?"""
    return Image.open(io.BytesIO(picture)).convert("RGB").getcolors() == [(size(picture)[0] * size(picture)[1], WHITE)]
