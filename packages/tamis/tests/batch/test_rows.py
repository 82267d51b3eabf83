from __future__ import annotations

import gzip
import json
import pickle
from dataclasses import replace
from itertools import product
from string import ascii_lowercase
from typing import Any
from unittest.mock import Mock

import pytest
from turbohtml.detect import LanguageDetection, detect_language

import tamis
from tamis.batch.columns import COLUMNS, DEFAULT, METADATA
from tamis.batch.filters import Filters
from tamis.batch.language import DETECTED, detected_language, language_of, primary_language
from tamis.batch.records import Damage, Kind, Letter, Record, Refused, Row
from tamis.batch.rows import BatchOptions, answer_item, answer_items, output_row
from tamis.errors import OptionError, WeightsError
from tamis.options import ContentOptions, options_of
from tests.batch.archives import SENTENCE, page
from tests.batch.extractors import Obedient
from tests.extractors import word_count
from tests.test_api import BLOG_PAGE, COMMENTS

OPTIONS = BatchOptions(extractor="keep-all")
RECORD = Record(
    body=page(1),
    source="a.warc",
    offset=17,
    id="one",
    url="https://example.org/1",
    date="2026-01-02",
    status=200,
    content_type="text/html; charset=utf-8",
)


def given(record: Record = RECORD, options: BatchOptions = OPTIONS) -> dict[str, object]:
    found = output_row(record, options)
    assert isinstance(found, Row)
    return found.values


def letter_of(record: Record, options: BatchOptions = OPTIONS) -> Letter:
    found = answer_item(record, options)
    assert isinstance(found, Letter)
    return found


def test_a_row_has_the_columns_that_most_people_need() -> None:
    plain = tamis.extract(RECORD.body, url=RECORD.url, extractor="keep-all")
    assert given() == {
        "id": "one",
        "url": "https://example.org/1",
        "date": "2026-01-02",
        "status": 200,
        "title": "Page 1",
        "authors": [],
        "date_published": None,
        "site_name": None,
        "description": None,
        "categories": [],
        "tags": [],
        "language": "en",
        "page_type": str(plain.page_type),
        "page_type_confidence": plain.page_type_confidence,
        "state": "content",
        "state_probability": plain.state_probability,
        "text": plain.text,
        "score": 1.0,
        "characters": len(plain.text),
        "error": None,
        "source": "a.warc",
        "offset": 17,
    }
    assert tuple(given()) == DEFAULT


def test_every_column_can_be_asked_for_alone() -> None:
    everything = given(DESCRIBED, BatchOptions(columns="all"))
    assert list(everything) == list(COLUMNS)
    assert isinstance(everything["seconds"], float)
    assert 0 < everything["seconds"] < 60
    assert (everything["extractor"], everything["version"]) == ("tamis", tamis.__version__)
    assert everything["bytes"] == len(DESCRIBED.body)
    for name, value in everything.items():
        alone = given(DESCRIBED, BatchOptions(columns=(name,)))
        assert list(alone) == [name]
        if name not in ("seconds", "confidences"):  # the latter is about the other columns
            assert alone[name] == value, name


def test_a_row_is_counted_whatever_its_columns_are() -> None:
    found, nothing = (
        answer_item(RECORD, OPTIONS),
        answer_item(replace(RECORD, body=b"<p></p>"), replace(OPTIONS, columns="url")),
    )
    assert isinstance(found, Row)
    assert isinstance(nothing, Row)
    assert (found.bytes, found.characters) == (len(RECORD.body), len(str(found.values["text"])))
    assert (found.empty, found.seconds > 0) == (False, True)
    assert (nothing.values, nothing.empty) == ({"url": RECORD.url}, True)


COSTLY = {
    "text": "tamis.page.to_text",
    "markdown": "tamis.render.markdown.markdown_blocks",
    "comments": "tamis.records.posts.comments",
    "posts": "tamis.records.posts.posts",
    "items": "tamis.records.items.items",
    "facts": "tamis.records.facts.facts",
    "links": "tamis.records.links.links",
    "state": "tamis.worth.state.page_state",
    "confidence": "tamis.worth.confidence.confidence",
    "title": "tamis.batch.rows.read_metadata",
    "minhash": "tamis.batch.rows.minhash",
    "content_hash": "tamis.batch.rows.content_hash",
    "language": "tamis.batch.rows.language_of",
    "page_type": "tamis.page.Page.page_types",
}


def never(*_: object, **__: object) -> str:
    raise AssertionError


@pytest.mark.parametrize("name", COSTLY)
def test_values_that_no_column_needs_are_not_computed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(COSTLY[name], property(never) if name == "page_type" else never)
    assert given(options=replace(OPTIONS, columns="id,score,error")) == {"id": "one", "score": 1.0, "error": None}
    with pytest.raises(AssertionError):
        output_row(RECORD, replace(OPTIONS, columns=(name,)))


@pytest.mark.parametrize("visible_only", [False, True])
@pytest.mark.parametrize("body", [page(1), b"<p></p>"])
def test_the_page_type_is_that_of_the_page(body: bytes, visible_only: bool) -> None:
    plain = tamis.extract(body, visible_only=visible_only)
    options = BatchOptions(columns="page_type,page_type_confidence", visible_only=visible_only)
    kind = plain.page_type and str(plain.page_type)
    found = given(Record(body, "a.warc"), options)
    assert found == {"page_type": kind, "page_type_confidence": plain.page_type_confidence}


def test_an_empty_page_is_extracted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tamis.page.Page.page_types", property(never))
    assert given(Record(b"<p></p>", "a.warc"), BatchOptions())["page_type"] is None


DESCRIBED = replace(
    RECORD,
    body=page(1).replace(
        b"</head>",
        b'<meta name=author content="Ann Lee"><meta name=date content=2020-01-02T03:04:05+02:00>'
        b'<meta name=keywords content="boats, storm"><meta property=og:site_name content="Harbour News"></head>',
    ),
)


def test_metadata_are_columns() -> None:
    found = given(DESCRIBED, BatchOptions(columns="default,metadata"))
    known = tamis.extract(DESCRIBED.body, url=DESCRIBED.url).metadata
    assert (found["date"], found["date_published"]) == ("2026-01-02", "2020-01-02")
    assert (found["authors"], found["tags"], found["categories"]) == (["Ann Lee"], ["boats", "storm"], [])
    for name, column in METADATA.items():
        value = getattr(known, name)
        assert found[column] == (list(value) if isinstance(value, tuple) else value), column
    confidences = json.loads(str(found["confidences"]))
    assert {"title", "authors", "date_published", "tags", "site_name"} <= set(confidences) <= set(COLUMNS)
    assert all(0 <= each <= 1 for each in confidences.values())
    few = given(DESCRIBED, BatchOptions(columns="authors,confidences"))
    assert json.loads(str(few["confidences"])) == {"authors": confidences["authors"]}


def test_metadata_without_text(monkeypatch: pytest.MonkeyPatch) -> None:
    options = BatchOptions(columns="default,metadata")
    both = given(DESCRIBED, options)
    monkeypatch.setattr("tamis.page.to_text", never)
    less = replace(options, columns=[*options.columns, "-text", "-characters"])
    alone = given(DESCRIBED, less)
    assert alone == {name: value for name, value in both.items() if name not in ("text", "characters")}
    nothing = given(replace(RECORD, body=b"<html><body></body></html>", url=None), less)
    assert (nothing["error"], nothing["authors"]) == ("empty", [])
    unsure = given(DESCRIBED, BatchOptions(columns="url,confidences,error"))
    assert (unsure["error"], unsure["confidences"]) == (None, "{}")
    titled = given(replace(RECORD, body=b"<title>A page without text</title>"), less)
    assert (titled["error"], titled["title"]) == (None, "A page without text")


def test_filters_and_charsets_are_judged_without_text() -> None:
    options = BatchOptions(columns="metadata,language")
    german = replace(RECORD, body=f"<html lang=en><title>Hafen</title><p>{GERMAN * 3}</p></html>".encode())
    assert given(german, options)["language"] == "de"
    assert answer_item(german, replace(options, filters=Filters(languages={"en"}))) == Refused("language")
    assert answer_item(german, replace(options, columns="id", filters=Filters(languages={"en"}))) == Refused("language")
    garbled = replace(RECORD, body=bytes(range(128, 256)) * 40, content_type="text/html; charset=euc-kr")
    assert letter_of(garbled, options).kind is Kind.BAD_CHARSET


def test_chunks_are_json_in_a_row() -> None:
    found = given(options=replace(OPTIONS, columns="chunks", chunk_tokens=20, chunk_overlap=4))
    chunks = tamis.extract(RECORD.body, url=RECORD.url, extractor="keep-all").chunks(chunk_tokens=20, chunk_overlap=4)
    expected = [{name: value for name, value in chunk.as_dict().items() if name != "metadata"} for chunk in chunks]
    assert json.loads(str(found["chunks"])) == expected
    with pytest.raises(OptionError, match="chunk_tokens"):
        BatchOptions(chunk_tokens=20, chunk_overlap=11)


BLOG = replace(RECORD, body=BLOG_PAGE.encode())


def test_comments_are_a_column() -> None:
    options = BatchOptions(columns="text,comments")
    found = given(BLOG, options)
    page = tamis.extract(BLOG_PAGE, url=BLOG.url)
    assert json.loads(str(found["comments"])) == [each.as_dict() for each in page.comments] != []
    assert not any(text in str(found["text"]) for text in COMMENTS)


RICH = (
    f"<html><title>Boats are back</title><body><article><h1>Boats are back</h1><p>See <a href=notes.html>the notes</a>."
    f" {SENTENCE * 5}</p><img src=boat.jpg alt='A boat'><p>{SENTENCE}</p><table><tr><th>Boat</th><th>Length</th></tr>"
    f"<tr><td>Ann</td><td>9 m</td></tr></table><div class=tab hidden><p>Folded {SENTENCE * 5}</p></div></article>"
)


@pytest.mark.parametrize("name", options_of(ContentOptions))
def test_options_are_those_of_extract(name: str) -> None:
    selectors = {"prune": "p", "keep": "body"}
    changed = {name: selectors.get(name, not options_of(ContentOptions)[name].default)}
    body = (BLOG_PAGE if name == "include_comments" else RICH).encode()
    options = BatchOptions(columns="text,markdown", **changed)  # type: ignore[arg-type]
    expected = tamis.extract(body, url=RECORD.url, **changed)  # type: ignore[arg-type]
    found = given(replace(RECORD, body=body), options)
    assert (found["text"], found["markdown"]) == (expected.text, expected.markdown)
    if not name.startswith("favor"):
        assert found["markdown"] != tamis.extract(body, url=RECORD.url).markdown


@pytest.mark.parametrize("wrong", [{"columns": "none"}, {"columns": ()}, {"chunk_tokens": 15}])
def test_options_that_make_no_sense_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        BatchOptions(**wrong)
    with pytest.raises(OptionError):
        Filters(min_bytes=9, max_bytes=3)


def test_a_page_without_content_is_a_row_that_says_so() -> None:
    columns = ("language", "text", "content_hash", "minhash", "score", "error")
    found = given(replace(RECORD, body=b"<html><body></body></html>"), replace(OPTIONS, columns=columns))
    assert list(found.items()) == list(zip(columns, (None, "", None, None, None, "empty"), strict=True))


def test_the_score_counts_by_length() -> None:
    body = f"<p>{SENTENCE * 5}</p><p>Seven words of text are in here.</p>".encode()
    found = tamis.extract(body, extractor=word_count, favor_recall=True)
    kept = [(len(text), score) for text, score in zip(found.document.leaves.text, found.labels.scores, strict=True)]
    expected = sum(length * score for length, score in kept) / sum(length for length, _ in kept)
    options = BatchOptions(extractor=word_count, favor_recall=True)
    assert given(replace(RECORD, body=body), options)["score"] == pytest.approx(expected)


def test_codings_and_charset_are_those_of_the_response() -> None:
    body = gzip.compress("<p>Ein Wort: Größe</p>".encode("latin-1"))
    record = replace(RECORD, body=body, codings=("gzip",), content_type='text/html; charset="ISO-8859-1"')
    assert given(record)["text"] == "Ein Wort: Größe"


@pytest.mark.parametrize(
    ("body", "kind", "reason"),
    [
        (b"<b>" * 1_000_001, Kind.TOO_LARGE, "1,000,001 tags"),
        (bytes(range(128, 256)) * 40, Kind.BAD_CHARSET, "not text in euc-kr"),
        (b"%PDF-1.7\n", Kind.UNREADABLE, "this is a PDF file, not a web page"),
        (page(1, "ORDER:raise"), Kind.PARSE_ERROR, "ValueError: as told"),
        (page(1, "ORDER:eat"), Kind.MEMORY, "more memory"),
    ],
)
def test_a_failure_is_a_letter_of_its_kind(
    body: bytes, kind: Kind, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.batch.extractors.bytearray", Mock(side_effect=MemoryError), raising=False)
    record = replace(RECORD, body=body, content_type="text/html; charset=euc-kr")
    found = letter_of(record, BatchOptions(extractor=Obedient()))
    assert (found.kind, found.source, found.offset, found.id) == (kind, "a.warc", 17, "one")
    assert reason in found.reason
    assert "\n" not in found.reason
    assert found.as_dict()["kind"] == str(kind)


def test_damage_and_broken_codings_are_letters() -> None:
    damage = Damage("a.warc", 5, "cut off", id="x", url="https://example.org/")
    letter = Letter(Kind.UNREADABLE, "cut off", "a.warc", 5, "x", "https://example.org/")
    assert list(answer_items([damage], OPTIONS)) == [letter]
    assert letter_of(replace(RECORD, body=b"5\r\nabcde\r\nzz\r\n", codings=("chunked",))).kind is Kind.BAD_ENCODING


def test_a_model_that_can_not_be_loaded_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Obedient, "label", Mock(side_effect=WeightsError("no weights")))
    with pytest.raises(WeightsError):
        answer_item(RECORD, BatchOptions(extractor=Obedient()))


def test_lone_surrogates_reach_no_output() -> None:
    found = given(replace(RECORD, url="\ud800", id="\udfff"))
    assert (found["url"], found["id"]) == ("\ufffd", "\ufffd")


@pytest.mark.parametrize(
    ("filters", "changes", "refused"),
    [
        (Filters(), {"status": 404}, "status"),
        (Filters(), {"status": None}, None),
        (Filters(status=None), {"status": 404}, None),
        (Filters(status={404, 410}), {"status": 404}, None),
        (Filters(), {"content_type": "application/PDF"}, "content_type"),
        (Filters(), {"content_type": "Text/HTML ; charset=x"}, None),
        (Filters(), {"content_type": None}, None),
        (Filters(content_types=None), {"content_type": "application/pdf"}, None),
        (Filters(max_bytes=100), {}, "size"),
        (Filters(max_bytes=1_000), {"body": gzip.compress(bytes(10_000)), "codings": ("gzip",)}, "size"),
        (Filters(min_bytes=100_000), {}, "size"),
        (Filters(languages={"de", "fr"}), {}, "language"),
        (Filters(languages={"en"}), {}, None),
        (Filters(languages={"en"}), {"body": b"<p>12 34</p>"}, "language"),
    ],
)
def test_filters(filters: Filters, changes: dict[str, object], refused: str | None) -> None:
    found = answer_item(replace(RECORD, **changes), replace(OPTIONS, filters=filters))  # type: ignore[arg-type]
    assert found == Refused(refused) if refused else isinstance(found, Row)


def test_options_can_be_sent_to_other_processes() -> None:
    assert pickle.loads(pickle.dumps(OPTIONS)) == OPTIONS
    assert hash(OPTIONS) == hash(BatchOptions(extractor="keep-all"))


GERMAN = "Der Hafen der alten Stadt wurde nach dem Sturm wieder aufgebaut, und die Boote kommen zurück. "


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (SENTENCE, "en"),
        (GERMAN, "de"),
        ("Порт старого города был восстановлен после бури прошлой зимы.", "ru"),
        ("旧市街の港は昨冬の嵐の後に再建されました。", "ja"),
        ("Home", None),
        ("", None),
    ],
)
def test_languages_are_told_by_the_text(text: str, language: str | None) -> None:
    assert detected_language(text) == language


def test_pages_are_selected_by_languages_that_a_text_is_recognised_as() -> None:
    assert Filters(languages=["EN", "deu", "pt"]).languages == {"en", "de", "pt"}
    assert Filters(languages=DETECTED).languages == DETECTED
    with pytest.raises(OptionError, match="the language 'xx' is never detected; there are: af, ak, am, "):
        Filters(languages=["en", "xx"])
    for other in ("english", "", "br", "no", "x-klingon"):
        with pytest.raises(OptionError, match="is never detected"):
            Filters(languages=[other])
    with pytest.raises(OptionError, match=r"the language 'en-GB' has a region or script, .* choose en"):
        Filters(languages=["en-GB"])


def test_the_languages_are_those_of_the_detector() -> None:
    scripts = ["a", "α", "ж", "բ", "א", "ا", "अ", "অ", "ਅ", "અ", "ଅ", "அ", "అ", "ಅ", "അ", "අ", "ก", "က", "ა", "한", "አ",
               "ក", "中", "あ"]  # fmt: skip
    asked = ["".join(letters) for letters in product(ascii_lowercase, repeat=3)]
    answered = {
        detect_language(letter * 30, LanguageDetection(allowed=frozenset({code}))).language
        for letter in scripts
        for code in asked
    }
    assert {primary_language(code) for code in answered if code} == DETECTED


def test_the_lang_attribute_decides_where_the_text_does_not() -> None:
    assert given(replace(RECORD, body=b"<html lang=pt-BR><p>Oi</p></html>"))["language"] == "pt"
    assert given(replace(RECORD, body=b"<html><p>Oi</p></html>"))["language"] is None
    tags = ["en_GB", "eng", "EN", "gsw", "x-klingon", "", "e1"]
    assert [primary_language(tag) for tag in tags] == ["en", "en", "en", "gsw", None, None, None]


@pytest.mark.parametrize(
    ("text", "declared", "language"),
    [
        (SENTENCE * 3, "en-GB", "en"),
        (SENTENCE * 3, "de", "en"),
        (SENTENCE * 3, None, "en"),
        (GERMAN * 3, "de-AT", "de"),
        (GERMAN * 3, "en", "de"),
        (GERMAN, "x-none", "de"),
        ("12 34", "fi", "fi"),
        ("12 34", None, None),
    ],
)
def test_a_declared_language_counts_where_the_text_does_not_contradict(
    text: str, declared: str | None, language: str | None
) -> None:
    assert language_of(text, declared) == language


def test_english_that_is_declared_and_plain_needs_no_detector(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tamis.batch.language.detect_language", never)
    assert language_of(SENTENCE * 3, "en") == "en"
    for text in (GERMAN * 3, "The harbour of the town."):
        with pytest.raises(AssertionError):
            language_of(text, "en")


def test_the_language_of_content_from_data_is_that_of_the_page_around_it() -> None:
    data = json.dumps({"@type": "Article", "headline": "1", "articleBody": "12 34, 56 78. " * 40})
    body = f'<html lang=sv><title>1</title><script type="application/ld+json">{data}</script></html>'.encode()
    page = tamis.extract(body, extractor="tamis")
    assert page.source == "json-ld"
    assert given(replace(RECORD, body=body), BatchOptions(extractor="tamis"))["language"] == "sv"
