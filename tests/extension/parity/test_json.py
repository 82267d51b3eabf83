"""Broken JSON-LD is decoded alike by Python and by JavaScript, whatever is broken."""

from __future__ import annotations

import json
import random

from tamis.document.linked_data import _decode_script
from tests.extension.parity.saying import JSON_LD
from tests.extension.parity.test_node import HERE, node

_PIECES = [
    *("{", "}", "[", "]", ",", ":", '"a"', '"b\\""', '"', "\\", "//", "/*", "*/", "<!--", "-->", "<![CDATA[", "]]>"),
    *(" ", "\n", ";", "1", "-", "NaN", "null", "x", "/", '{"a":1}', "[1,2]", '{"a":[],}', "// x\n", "\ufeff", "\xa0"),
]
_VALID = ['{"a":[1,{"b":"c"}],"d":{}}', '[{"x":"y"},"z"]']


def plain(value: object) -> object:
    """As decode.mjs writes it; JavaScript keeps no numbers."""
    if isinstance(value, dict):
        return {"object": [[key, plain(inner)] for key, inner in value.items()]}
    if isinstance(value, list):
        return [plain(each) for each in value]
    return value if isinstance(value, str) else None


def made_up(chance: random.Random) -> str:
    """Pieces in a row, or pieces put into valid JSON."""
    if chance.random() < 0.6:
        return "".join(chance.choices(_PIECES, k=chance.randint(1, 12)))
    text = list(chance.choice(_VALID))
    for piece in chance.choices(_PIECES, k=chance.randint(1, 3)):
        text.insert(chance.randint(0, len(text)), piece)
    return "".join(text)


def test_the_same_values_are_decoded() -> None:
    chance = random.Random(0)
    texts = [text.strip() for text, _ in JSON_LD.values()] + [made_up(chance).strip() for _ in range(20_000)]
    found = json.loads(node(str(HERE / "decode.mjs"), given=json.dumps(texts)))
    expected = [[plain(value) for value in _decode_script(text)[0]] for text in texts]
    assert sum(map(bool, expected)) > 5_000
    assert [pair for pair in zip(texts, found, expected, strict=True) if pair[1] != pair[2]] == []
