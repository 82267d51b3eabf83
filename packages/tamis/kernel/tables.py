"""Writes tables.h: facts that the kernel shares with Python and JavaScript, each from the one place that says it.

Tag codes come from tamis/document/tags.py, words from conventions.json and noise.json, characters from the Unicode data
of Python. The names of the columns are here.
"""

from __future__ import annotations

import json
import runpy
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).resolve().parents[1] / "src" / "tamis"


def _facts(module: str) -> dict[str, Any]:
    """The names in a module that imports nothing from tamis, so that it can be run before tamis is installed."""
    return runpy.run_path(str(PACKAGE / module))


_UNSPACED = _facts("document/unspaced.py")
LAST, UNSPACED = _UNSPACED["LAST"], _UNSPACED["UNSPACED"]

# Elements that may contain a run, at any depth; tags in one string count as one.
HOLDERS = (
    "nav", "header", "footer", "aside", "article", "main", "section", "form", "table", "ul ol menu dir", "dl", "figure",
    "blockquote", "pre listing xmp", "button", "noscript", "details summary", "fieldset legend", "h1", "h2", "h3",
    "h4 h5 h6", "p", "li", "td th", "a", "dialog", "address", "textarea select", "figcaption caption",
)  # fmt: skip
RUN_COLUMNS = (
    "words", "characters", "word length", "linked", "digits", "capitals", "sentence ends", "commas", "separators",
    "quotes", "ends a sentence", "texts", "wordless", "place", "runs before", "runs after", "words before", "page runs",
    "page words", "page linked", "page prose", "depth", "after h1", "from h1", "from heading", "runs like it",
    "words like it", "linked like it", "share like it", "share of node", "folded", "in title", "repeated",
)  # fmt: skip
NODE_COLUMNS = (
    "words", "share", "linked", "runs", "run words", "prose", "sentence ends", "children", "share of parent",
    "place in parent", "media", "headings",
)  # fmt: skip
# Of the records of a page: where a run is in them, and what they are like together.
RECORD_COLUMNS = (
    "in record", "before records", "records before", "share of records", "page records", "page in records",
    "page largest record", "page record words", "page records with prose", "page records with names",
    "page records with dates",
)  # fmt: skip
LEVELS = 6
LOGARITHMS = 1024  # most columns that are logarithms are those of small counts
# Kinds of texts that a page declares, and columns about the page as a whole.
TEXTS = ("body", "description", "meta", "review", "part", "name", "opening")
OPEN_GRAPH = ("article", "product", "website", "profile", "other")

# Marks that are counted, by meaning, with their full-width forms. Their number in this order, from 1 on, is in bits 4
# to 6 of a character's byte.
MARKS = ("0123456789", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", ".!?。！？…", ",;，；、", "|/›»>·•:-–—", '"“”()')
FINALS = '.!?。！？”"’…)'

# What a line of noise may have at both ends, and what may come before its first letters.
EDGES = " .:…*+»«›‹>→←-–—[]()!?,;\u200d"
BEFORE = EDGES + "|·•∙0123456789"
BEGIN = 4  # the letters that tell most runs from noise


def write_tables(target: Path) -> None:
    """Write the header."""
    conventions = json.loads((PACKAGE / "extractor" / "conventions.json").read_text(encoding="utf-8"))
    noise = json.loads((PACKAGE / "extractor" / "noise.json").read_text(encoding="utf-8"))
    lines = [
        "/* Written by kernel/tables.py. */",
        "#include <stdint.h>",
        "typedef struct { const char *word; int16_t size, value; } known_word;",
    ]
    lines += [*_tags(), *_columns(conventions), *_conventions(conventions), *_noise(noise), *_characters(), *_cases()]
    target.write_text("\n".join(lines) + "\n", encoding="utf-8")


def column_names(conventions: Mapping[str, Mapping[str, object]]) -> list[str]:
    """The names of all columns in their order."""
    types = tuple(conventions["types"])
    address = ("", " depth", " hyphens", " digits", " query", " root", " suffix", " words")
    return [
        *RUN_COLUMNS,
        *(f"in {holder}" for holder in HOLDERS),
        *(f"{name} {level}" for level in range(1, LEVELS + 1) for name in NODE_COLUMNS),
        *RECORD_COLUMNS,
        *(f"role {name}" for name in conventions["roles"]),
        *(f"property {name}" for name in conventions["properties"]),
        *(f"named {name}" for name in conventions["names"]),
        *(f"declared as {kind}" for kind in TEXTS),
        *(f"og {name}" for name in OPEN_GRAPH),
        *(f"data {name}" for name in types),
        *(f"marked {name}" for name in types),
        "described",
        *(f"address{part}" for part in address),
    ]


def _enum(names: Iterable[str]) -> str:
    return f"enum {{ {', '.join(names)} }};"


def _define(name: str, value: object) -> str:
    return f"#define {name} {value}"


def _array(declaration: str, values: Sequence[object]) -> str:
    return f"static const {declaration}[{len(values)}] = {{{', '.join(map(str, values))}}};"


def _shared_array(declaration: str, values: Sequence[object]) -> str:
    """An array that several files use: text.c has it."""
    array = f"const {declaration}[{len(values)}]"
    filled = f"{array} = {{{', '.join(map(str, values))}}};"
    return f'#ifdef HAS_TABLES\n{filled}\n#else\nextern __attribute__((visibility("hidden"))) {array};\n#endif'


def _upper(name: str) -> str:
    return name.upper().replace(" ", "_").replace("-", "_")


def _tags() -> list[str]:
    tags = _facts("document/tags.py")
    codes: dict[str, int] = tags["CODES"]
    kinds = [0] * 256
    for bit, some in enumerate((tags["BLOCK"], tags["INVISIBLE"], tags["HEADINGS"], tags["PREFORMATTED"])):
        for tag in some:
            kinds[codes[tag]] |= 1 << bit
    holders = [0] * 256
    for bit, names in enumerate(HOLDERS):
        for tag in names.split():
            holders[codes[tag]] = 1 << bit
    return [
        _enum([*(f"TAG_{_upper(tag)} = {code}" for tag, code in codes.items()), f"TAG_OTHER = {tags['OTHER']}"]),
        _define("TAG_LAST_CODE", tags["LAST_CODE"]),
        _define("TAG_LAST_PREFORMATTED", tags["LAST_PREFORMATTED"]),
        _define("TAG_LAST_MEDIUM", tags["LAST_SPECIAL"]),
        _enum(["TAG_IS_BLOCK = 1", "TAG_IS_INVISIBLE = 2", "TAG_IS_HEADING = 4", "TAG_IS_PREFORMATTED = 8"]),
        _array("uint8_t tag_kinds", kinds),
        _array("uint32_t holder_bits", [f"{bits}u" for bits in holders]),
    ]


def _columns(conventions: Mapping[str, Mapping[str, object]]) -> list[str]:
    names = column_names(conventions)
    own = len(RUN_COLUMNS)
    page_types = [str(each) for each in _facts("page_type.py")["PageType"]]
    return [
        _enum(f"COLUMN_{_upper(name)} = {number}" for number, name in enumerate(RUN_COLUMNS)),
        _enum(f"NODE_{_upper(name)} = {number}" for number, name in enumerate(NODE_COLUMNS)),
        _enum(f"HOLDER_{_upper(name)} = {number}" for number, name in enumerate(HOLDERS)),
        _enum(f"DECLARED_{_upper(name)} = {number}" for number, name in enumerate(TEXTS)),
        _enum(f"PAGE_TYPE_{_upper(name)} = {number}" for number, name in enumerate(page_types)),
        _define("RUN_COLUMNS", own),
        _define("HOLDERS", len(HOLDERS)),
        _define("NODE_COLUMNS", len(NODE_COLUMNS)),
        _define("RECORD_COLUMNS", len(RECORD_COLUMNS)),
        _define("LEVELS", LEVELS),
        _define("LOGARITHMS", LOGARITHMS),
        _define("MARK_BITS", len(conventions["roles"]) + len(conventions["properties"])),
        _define("ROLES", len(conventions["roles"])),
        _define("NAMES", len(conventions["names"])),
        _define("DECLARED_TEXTS", len(TEXTS)),
        _define("TAMIS_PAGE_COLUMNS", len(names) - names.index("og article")),
        _define("TAMIS_GATE_COLUMNS", 256 + 2 + len(names) - names.index("og article")),
        _define("COLUMNS", len(names)),
        _define("PAGE_TYPES", len(page_types)),
        _array("double log_counts", [repr(float(Decimal(1 + count).ln())) for count in range(LOGARITHMS)]),
        f"static const char column_names[] = {' '.join(_string(name + chr(0)) for name in names)};",
    ]


def hash_of(word: bytes) -> int:
    """FNV-1a, as `hash_of` in text.c."""
    found = 0xCBF29CE484222325
    for byte in word:
        found = (found ^ byte) * 0x100000001B3 % (1 << 64)
    return found


def _string(text: str) -> str:
    return '"' + "".join(f"\\{byte:03o}" for byte in text.encode()) + '"'


def _words(name: str, words: Mapping[str, int]) -> list[str]:
    """A hash table with open addressing: each place has a word and its value, or no word."""
    size = 1 << (2 * len(words)).bit_length()
    places: list[tuple[str, int] | None] = [None] * size
    for word, value in words.items():
        place = hash_of(word.encode()) % size
        while places[place] is not None:
            place = (place + 1) % size
        places[place] = word, value
    filled = (f"{{{_string(each[0])}, {len(each[0].encode())}, {each[1]}}}" if each else "{0, 0, 0}" for each in places)
    return [f"static const known_word {name}[{size}] = {{{', '.join(filled)}}};"]


def _conventions(table: Mapping[str, Mapping[str, Sequence[str]]]) -> list[str]:
    groups = {
        kind: {word: group for group, words in enumerate(table[kind].values()) for word in words}
        for kind in ("names", "roles", "properties")
    }
    # The first three letters of the known names: most words begin with none of them.
    begins = [0] * (26**3 // 32 + 1)
    for word in groups["names"]:
        if len(word) >= 3:
            place = sum((ord(letter) - ord("a")) * 26**power for power, letter in enumerate(reversed(word[:3])))
            begins[place // 32] |= 1 << place % 32
    return [
        *_words("name_words", groups["names"]),
        *_words("role_words", groups["roles"]),
        *_words("property_words", groups["properties"]),
        _array("uint32_t name_begins", [f"{bits}u" for bits in begins]),
        _define("NAME_COMMENT", groups["names"]["comment"]),
    ]


def _noise(table: Mapping[str, Any]) -> list[str]:
    lines = [line for some in table["lines"].values() for line in some]
    counters = [counter.strip(EDGES) for counter in table["counters"]]
    labels = [label for some in table["labels"].values() for label in some]
    kinds = dict.fromkeys(lines, 1)
    for counter in counters:
        kinds[counter] = kinds.get(counter, 0) | 2
    # The first text of a run may be shorter.
    begins = [line.lstrip(BEFORE)[:BEGIN].lower() for line in (*lines, *counters, *labels)]
    shorter = {begin[:end]: 0 for begin in begins for end in range(1, BEGIN + 1)}
    return [
        _enum(["NOISE_LINE = 1", "NOISE_COUNTER = 2"]),
        _define("NOISE_BEGIN", BEGIN),
        _define("NOISE_EDGES", _string(EDGES)),
        *_words("noise_lines", kinds),
        *_words("noise_begins", shorter),
        # Labels precede a name or a title.
        _array("known_word noise_labels", [f"{{{_string(label)}, {len(label.encode())}, 0}}" for label in labels]),
    ]


def _characters() -> list[str]:
    """One byte for each code point up to the last distinct one, in blocks of 256: equal blocks are stored once."""
    table = bytearray(LAST + 1)
    for point in range(LAST + 1):
        character = chr(point)
        table[point] = character.isspace() + 2 * character.isalnum()
    for first, last, length in UNSPACED:
        for point in range(first, last + 1):
            table[point] |= 4 | (128 if length == 4 else 0)
    for mark in FINALS:
        table[ord(mark)] |= 8
    for number, marks in enumerate(MARKS, 1):
        for mark in marks:
            table[ord(mark)] |= number << 4
    blocks: dict[bytes, int] = {}
    places = [
        blocks.setdefault(bytes(table[at : at + 256]).ljust(256, b"\0"), len(blocks)) for at in range(0, LAST + 1, 256)
    ]
    return [
        _define("LAST_POINT", LAST),
        _shared_array("uint8_t class_blocks", places),
        _shared_array("uint8_t classes", list(b"".join(blocks))),
    ]


def _cases() -> list[str]:
    """How letters change their case, and what decides on the small form of a final sigma."""
    every = [chr(point) for point in range(sys.maxunicode + 1)]
    longs: dict[str, int] = {}
    lower, folded = _case_ranges(every, str.lower, longs), _case_ranges(every, str.casefold, longs)
    most = max(map(len, longs))
    rows = (f"{{{', '.join(str(ord(letter)) for letter in long)}}}" for long in longs)
    # Python tells by a sigma behind it: it is final after a cased letter, whatever ignorable characters are between.
    cased = [(letter + "\u03a3").lower()[-1] == "\u03c2" for letter in every]
    passed = [("a" + letter + "\u03a3").lower()[-1] == "\u03c2" for letter in every]
    return [
        _define("LONGEST_CASE", most),  # code points
        _define("LONGEST_FOLD", max(len(letter.casefold().encode("utf-8", "replace")) for letter in every)),  # bytes
        # Every `step`-th point changes by `change`; if `step` is 0, to that row of long_cases.
        "typedef struct { uint32_t first, last, step; int32_t change; } case_range;",
        _array("case_range lower_cases", lower),
        _array("case_range folded_cases", folded),
        f"static const uint32_t long_cases[{len(longs)}][{most}] = {{{', '.join(rows)}}};",
        _array("uint32_t cased", _bounds(cased)),
        _array("uint32_t case_ignorable", _bounds([two and not one for one, two in zip(cased, passed, strict=True)])),
        _array("uint32_t rare_letters", _bounds([letter > chr(LAST) and letter.isalnum() for letter in every])),
    ]


def _case_ranges(every: Sequence[str], change_case: Callable[[str], str], longs: dict[str, int]) -> list[str]:
    """Ranges of letters that change by the same number; `longs` gets what becomes more than one letter."""
    ranges: list[list[int]] = []  # first, last, step, change
    for point, letter in enumerate(every):
        changed = change_case(letter)
        if len(changed) > 1:
            ranges.append([point, point, 0, longs.setdefault(changed, len(longs))])
        elif changed != letter:
            change = ord(changed) - point
            if ranges and ranges[-1][2] and ranges[-1][3] == change:
                first, last, step, _ = ranges[-1]
                if point - last <= 2 and (first == last or step == point - last):
                    ranges[-1][1:3] = point, point - last
                    continue
            ranges.append([point, point, 1, change])
    return [f"{{{', '.join(map(str, each))}}}" for each in ranges]


def _bounds(is_in: Sequence[bool]) -> list[int]:
    """Where a range begins or ends."""
    return [point for point, (one, two) in enumerate(zip([False, *is_in], [*is_in, False], strict=True)) if one != two]
