"""Characters, tokens and tags: the parts of the core that need no page, in Node beside Python."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import unicodedata
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tamis import registry
from tamis.api import RECALL_SHARE
from tamis.document import tags
from tamis.document.words import tokenize
from tamis.extractor import runs as default
from tamis.labels import Role
from tamis.page_type import PageType
from tamis_papers.boilernet import features as boilernet
from tests.extension.parity.harness import BOILERNET_VECTORS, ROOT, kernel
from tests.render.test_safe import ADDRESSES

HERE = Path(__file__).parent
CHARACTERS = json.loads((ROOT / "packages/tamis/tests/document/characters.json").read_text(encoding="utf-8"))
TOKENS = json.loads(BOILERNET_VECTORS.read_text(encoding="utf-8"))["tokens"]


def node(*arguments: str, given: str = "") -> str:
    """What Node writes."""
    program = shutil.which("node")
    if program is None:
        pytest.skip("node is not installed")
    done = subprocess.run(
        [program, *arguments], input=given, capture_output=True, check=False, timeout=120, encoding="utf-8"
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def answers(texts: list[str], **others: object) -> dict[str, Any]:
    found = json.loads(node(str(HERE / "answer.mjs"), given=json.dumps({"texts": texts, **others})))
    assert isinstance(found, dict)
    return found


def words(text: str) -> float:
    tokens = tokenize([text])
    return float(tokens.sum_per_text(tokens.weight)[0])


def of_python(text: str) -> dict[str, Any]:
    """The same questions, answered by Python."""
    return {
        "tokens": text.split(),
        "words": words(text),
        "length": len(text),
        "blank": not text or text.isspace(),
        "stripped": text.strip(),
    }


@pytest.mark.parametrize("vector", CHARACTERS, ids=lambda vector: vector["name"])
def test_python_reads_the_shared_characters_so(vector: dict[str, Any]) -> None:
    assert of_python(vector["text"]) == {key: vector[key] for key in ("tokens", "words", "length", "blank", "stripped")}


def test_javascript_reads_the_shared_characters_so() -> None:
    found = answers([vector["text"] for vector in CHARACTERS])["texts"]
    for vector, answer in zip(CHARACTERS, found, strict=True):
        del answer["boilernet"]
        assert answer == {key: vector[key] for key in answer}, vector["name"]


@pytest.mark.parametrize("step", [7, pytest.param(1, marks=pytest.mark.nightly)])
def test_every_character_is_read_alike(step: int) -> None:
    # Code points that the two versions of Unicode may know differently are left out.
    points = [*range(1, 0x3100), *range(0x3100, 0xD800, step), *range(0xE000, 0x20100, step)]
    points += range(0x20100, sys.maxunicode, 61 * step)
    points = [point for point in points if unicodedata.category(chr(point)) != "Cn"]
    assert len(points) > 20_000
    texts = [f"a{chr(point)}B {chr(point)}" for point in points]
    found = answers(texts)["texts"]
    joined = " ".join(token for part in boilernet._token_lists(texts) for token in part)
    for text, answer, tokens in zip(texts, found, joined.split("\0"), strict=True):
        assert " ".join(answer.pop("boilernet")) == tokens.strip(" "), text.encode("unicode_escape")
        assert answer == of_python(text), text.encode("unicode_escape")


def test_javascript_has_the_same_tables() -> None:
    found = answers([])
    assert found["boilernet"]["version"] == boilernet.VERSION
    for name, table in found["boilernet"]["tables"].items():
        assert table == [list(entry) for entry in getattr(boilernet, name)], name
    assert found["tamis"] == {
        "version": default.VERSION,
        "pageTypes": list(PageType),
        "roles": list(Role),
        "maybeShare": RECALL_SHARE,
    }
    for name, members in found["tags"]["sets"].items():
        assert set(members) == set(getattr(tags, name)), name
    assert found["tags"]["codes"] == tags.CODES
    assert found["tags"]["last"] == [tags.LAST_CODE, tags.LAST_PREFORMATTED, tags.LAST_SPECIAL]


def test_javascript_finds_the_tokens_of_the_shared_vectors() -> None:
    found = answers([vector["text"] for vector in TOKENS])["texts"]
    for vector, answer in zip(TOKENS, found, strict=True):
        assert answer["boilernet"] == vector["tokens"], vector["name"]


def test_extractors_have_the_names_of_python() -> None:
    found = answers([])["extractors"]
    assert [entry["name"] for entry in found] == [registry.DEFAULT, "r4", "boilernet-small"]
    assert all(entry["name"] in registry.extractors() and entry["label"] for entry in found)


def test_addresses_are_absolute_and_of_few_schemes() -> None:
    signs, random = "javscript:/\\\\.?#@%2e x\t\n\x01[]&;ｊäö", Random(7)
    urls = ["".join(random.choices(signs, k=random.randrange(24))) for _ in range(3_000)]
    base = "https://site.example/d/e?q#f"
    pairs = [(url, base) for url, _, _ in ADDRESSES] + [(url, base) for url in urls]
    found = answers([], addresses=pairs)["addresses"]
    assert sum(address is not None for address in found) > 1_000
    assert {address.split(":")[0] for address in found if address} <= {"http", "https", "mailto", "tel"}
    refused = [url for url, given, safe in ADDRESSES if safe is None and given is None]
    assert [url for (url, _), address in zip(pairs, found, strict=False) if url in refused and address] == []


def test_units() -> None:
    """What can be tested without Python and without a page, in Node's own test runner."""
    kernel()
    written = node("--test", "--test-reporter=tap", *map(str, sorted((HERE / "unit").glob("*.test.mjs"))))
    assert "# fail 0" in written
    assert "# pass 0" not in written
