"""Scripts without spaces between words. The build of the kernel runs this file by itself."""

from __future__ import annotations

# Higher code points are looked up as this one: rare Han characters, tags and private use.
LAST = 0x20000

# Scripts without spaces between words: first and last code point of their letters, and the usual length of a word.
# Chinese and Japanese words average close to two characters, Thai, Lao, Khmer and Burmese ones about four; round
# figures, good enough for thresholds made for words.
UNSPACED = (
    (0x3005, 0x3007, 2),  # repetition mark, zero
    (0x3041, 0x30FA, 2),  # kana
    (0x30FC, 0x30FF, 2),
    (0x31F0, 0x31FF, 2),
    (0x3400, 0x4DBF, 2),  # Han
    (0x4E00, 0x9FFF, 2),
    (0xF900, 0xFAFF, 2),
    (0xFF66, 0xFF9F, 2),  # half-width kana
    (LAST, LAST, 2),
    (0x0E00, 0x0EFF, 4),  # Thai, Lao
    (0x1000, 0x109F, 4),  # Burmese
    (0x1780, 0x17FF, 4),  # Khmer
)
