from __future__ import annotations

import gzip
import json
import pickle
from dataclasses import replace

import pytest

import tamis
from tamis.batch.filters import Filters
from tamis.batch.language import detected, language_of, primary
from tamis.batch.records import Damage, Kind, Letter, Record, Refused
from tamis.batch.rows import COLUMNS, METADATA, BatchOptions, answer, answers, row
from tamis.errors import OptionError, UnknownExtractor
from tamis.weights import WeightsError
from tests.batch.archives import SENTENCE, page
from tests.batch.extractors import Obedient
from tests.extractors import word_count

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
    found = row(record, options)
    assert isinstance(found, dict)
    return found


def letter_of(record: Record, options: BatchOptions = OPTIONS) -> Letter:
    found = answer(record, options)
    assert isinstance(found, Letter)
    return found


def test_a_row_has_every_column() -> None:
    found = given(options=replace(OPTIONS, markdown=True))
    plain = tamis.extract(RECORD.body, url=RECORD.url, extractor="keep-all")
    assert list(found) == list(COLUMNS)
    seconds = found.pop("seconds")
    assert isinstance(seconds, float)
    assert 0 < seconds < 60
    assert found == {
        "id": "one",
        "url": "https://example.org/1",
        "date": "2026-01-02",
        "status": 200,
        "text": plain.text,
        "markdown": plain.markdown,
        "chunks": None,
        "title": "Page 1",
        **dict.fromkeys(METADATA.values()),
        "confidences": None,
        "page_type": str(plain.page_type),
        "page_type_confidence": plain.page_type_confidence,
        "language": "en",
        "score": 1.0,
        "extractor": "keep-all",
        "version": tamis.__version__,
        "bytes": len(RECORD.body),
        "characters": len(plain.text),
        "error": None,
        "source": "a.warc",
        "offset": 17,
    }


def test_what_is_not_asked_for_is_null() -> None:
    found = given(options=replace(OPTIONS, title=False, page_type=False))
    assert {name for name, value in found.items() if value is None} == {
        "markdown", "chunks", "title", *METADATA.values(), "confidences", "page_type", "page_type_confidence", "error"
    }  # fmt: skip


DESCRIBED = replace(
    RECORD,
    body=page(1).replace(
        b"</head>",
        b'<meta name=author content="Ann Lee"><meta name=date content=2020-01-02T03:04:05+02:00>'
        b'<meta name=keywords content="boats, storm"><meta property=og:site_name content="Harbour News"></head>',
    ),
)


def test_metadata_are_columns() -> None:
    found = given(DESCRIBED, BatchOptions(metadata=True))
    known = tamis.extract(DESCRIBED.body, url=DESCRIBED.url).metadata
    assert list(found) == list(COLUMNS)
    assert (found["date"], found["date_published"]) == ("2026-01-02", "2020-01-02")
    assert (found["authors"], found["tags"], found["categories"]) == (["Ann Lee"], ["boats", "storm"], [])
    for name, column in METADATA.items():
        value = getattr(known, name)
        assert found[column] == (list(value) if isinstance(value, tuple) else value), column
    confidences = json.loads(str(found["confidences"]))
    assert {"title", "authors", "date_published", "tags", "site_name"} <= set(confidences) <= set(COLUMNS)
    assert all(0 <= each <= 1 for each in confidences.values())


def test_metadata_without_text(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> str:
        raise AssertionError

    options = BatchOptions(metadata=True)
    both = given(DESCRIBED, options)
    monkeypatch.setattr("tamis.page.to_text", never)
    alone = given(DESCRIBED, replace(options, text=False))
    assert list(alone) == list(COLUMNS)
    left_out = dict.fromkeys(("text", "characters"))
    assert alone | {"seconds": 0.0} == both | left_out | {"seconds": 0.0}
    nothing = given(replace(RECORD, body=b"<html><body></body></html>", url=None), replace(options, text=False))
    assert (nothing["error"], nothing["authors"], nothing["text"]) == ("empty", [], None)
    untitled = given(DESCRIBED, replace(options, text=False, title=False))
    assert (untitled["title"], untitled["authors"]) == (None, ["Ann Lee"])


def test_filters_and_charsets_are_judged_without_text() -> None:
    options = BatchOptions(text=False, metadata=True)
    german = replace(RECORD, body=f"<html lang=en><title>Hafen</title><p>{GERMAN * 3}</p></html>".encode())
    assert given(german, options)["language"] == "de"
    assert answer(german, replace(options, filters=Filters(languages={"en"}))) == Refused("language")
    garbled = replace(RECORD, body=bytes(range(128, 256)) * 40, content_type="text/html; charset=euc-kr")
    assert letter_of(garbled, options).kind is Kind.BAD_CHARSET


def test_chunks_are_json_in_a_row() -> None:
    found = given(options=replace(OPTIONS, chunk_tokens=20, chunk_overlap=4))
    chunks = tamis.extract(RECORD.body, url=RECORD.url, extractor="keep-all").chunks(max_tokens=20, overlap=4)
    expected = [chunk.as_dict() for chunk in chunks]
    for each in expected:
        del each["metadata"]
    assert json.loads(str(found["chunks"])) == expected
    with pytest.raises(OptionError, match="chunk_tokens"):
        BatchOptions(chunk_tokens=20, chunk_overlap=11)


def test_a_page_without_content_is_a_row_that_says_so() -> None:
    found = given(replace(RECORD, body=b"<html><body></body></html>"))
    assert (found["text"], found["error"], found["score"], found["language"]) == ("", "empty", None, None)


def test_the_score_counts_by_length() -> None:
    body = f"<p>{SENTENCE * 5}</p><p>Seven words of text are in here.</p>".encode()
    found = tamis.extract(body, extractor=word_count, favor_recall=True)
    kept = [(len(text), score) for text, score in zip(found.document.leaves.text, found.labels.scores, strict=True)]
    expected = sum(length * score for length, score in kept) / sum(length for length, _ in kept)
    options = BatchOptions(extractor=word_count, favor_recall=True)
    assert given(replace(RECORD, body=body), options)["score"] == pytest.approx(expected)


def test_what_is_folded_can_be_left_out() -> None:
    record = replace(
        RECORD, body=f"<p>{SENTENCE * 5}</p><div class=tab hidden><p>Folded {SENTENCE * 5}</p></div>".encode()
    )
    texts = [given(record, BatchOptions(visible_only=visible_only))["text"] for visible_only in (False, True)]
    assert ["Folded" in str(text) for text in texts] == [True, False]


def test_codings_and_charset_are_those_of_the_response() -> None:
    body = gzip.compress("<p>Ein Wort: Größe</p>".encode("latin-1"))
    record = replace(RECORD, body=body, codings=("gzip",), content_type='text/html; charset="ISO-8859-1"')
    assert given(record)["text"] == "Ein Wort: Größe"


@pytest.mark.parametrize(
    ("body", "kind", "reason"),
    [
        (b"<b>" * 1_000_001, Kind.TOO_LARGE, "1,000,001 tags"),
        (bytes(range(128, 256)) * 40, Kind.BAD_CHARSET, "no text in euc-kr"),
        (page(1, "ORDER:raise"), Kind.PARSE_ERROR, "ValueError: as told"),
        (page(1, "ORDER:eat"), Kind.MEMORY, "more memory"),
    ],
)
def test_a_failure_is_a_letter_of_its_kind(
    body: bytes, kind: Kind, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.batch.extractors.bytearray", _no_memory, raising=False)
    record = replace(RECORD, body=body, content_type="text/html; charset=euc-kr")
    found = letter_of(record, BatchOptions(extractor=Obedient()))
    assert (found.kind, found.source, found.offset, found.id) == (kind, "a.warc", 17, "one")
    assert reason in found.reason
    assert "\n" not in found.reason
    assert found.as_dict()["kind"] == str(kind)


def _no_memory(size: int) -> None:
    raise MemoryError


def test_a_broken_coding_is_a_letter() -> None:
    assert letter_of(replace(RECORD, body=b"5\r\nabcde\r\nzz\r\n", codings=("chunked",))).kind is Kind.BAD_ENCODING


def test_damage_is_a_letter() -> None:
    damage = Damage("a.warc", 5, "cut off", id="x", url="https://example.org/")
    assert list(answers([damage], OPTIONS)) == [
        Letter(Kind.UNREADABLE, "cut off", "a.warc", 5, "x", "https://example.org/")
    ]


def test_a_model_that_can_not_be_loaded_is_no_page_s_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: object, document: object) -> None:
        raise WeightsError("no weights")

    monkeypatch.setattr(Obedient, "label", broken)
    with pytest.raises(WeightsError):
        answer(RECORD, BatchOptions(extractor=Obedient()))


def test_lone_surrogates_reach_no_output() -> None:
    found = given(replace(RECORD, url="https://example.org/\ud800", id="\udfff"))
    assert str(found["url"]).endswith("\ufffd")
    assert found["id"] == "\ufffd"


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
        (Filters(min_bytes=100_000), {}, "size"),
        (Filters(languages={"de", "fr"}), {}, "language"),
        (Filters(languages={"en"}), {}, None),
        (Filters(languages={"en"}), {"body": b"<p>12 34</p>"}, "language"),
    ],
)
def test_filters(filters: Filters, changes: dict[str, object], refused: str | None) -> None:
    found = answer(replace(RECORD, **changes), replace(OPTIONS, filters=filters))  # type: ignore[arg-type]
    assert found == Refused(refused) if refused else isinstance(found, dict)


def test_sizes_are_those_of_the_decoded_page() -> None:
    record = replace(RECORD, body=gzip.compress(b"<p>" + b"a" * 10_000), codings=("gzip",))
    assert answer(record, replace(OPTIONS, filters=Filters(max_bytes=1_000))) == Refused("size")


@pytest.mark.parametrize(
    "wrong",
    [
        {"extractor": "none"},
        {"favor_precision": True, "favor_recall": True},
        {"deadline": 0},
        {"memory": 0},
        {"text": False},
        {"text": False, "metadata": True, "markdown": True},
        {"text": False, "metadata": True, "chunk_tokens": 40},
    ],
)
def test_options_that_make_no_sense_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(OptionError):
        BatchOptions(**wrong)  # type: ignore[arg-type]
    with pytest.raises(OptionError):
        Filters(min_bytes=9, max_bytes=3)
    with pytest.raises(UnknownExtractor):
        BatchOptions(extractor="none")


def test_options_can_be_sent_to_other_processes() -> None:
    assert pickle.loads(pickle.dumps(OPTIONS)) == OPTIONS
    assert hash(OPTIONS) == hash(BatchOptions(extractor="keep-all"))


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (SENTENCE, "en"),
        ("Der Hafen der alten Stadt wurde nach dem Sturm wieder aufgebaut, und die Boote kommen zurück.", "de"),
        ("Порт старого города был восстановлен после бури прошлой зимы.", "ru"),
        ("旧市街の港は昨冬の嵐の後に再建されました。", "ja"),
        ("Home", None),
        ("", None),
    ],
)
def test_languages_are_told_by_the_text(text: str, language: str | None) -> None:
    assert detected(text) == language


def test_the_lang_attribute_decides_where_the_text_does_not() -> None:
    assert given(replace(RECORD, body=b"<html lang=pt-BR><p>Oi</p></html>"))["language"] == "pt"
    assert given(replace(RECORD, body=b"<html><p>Oi</p></html>"))["language"] is None
    tags = ["en_GB", "eng", "EN", "gsw", "x-klingon", "", "e1"]
    assert [primary(tag) for tag in tags] == ["en", "en", "en", "gsw", None, None, None]


GERMAN = "Der Hafen der alten Stadt wurde nach dem Sturm wieder aufgebaut, und die Boote kommen zurück. "


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
    def never(text: str) -> None:
        raise AssertionError

    monkeypatch.setattr("tamis.batch.language.detect_language", never)
    assert language_of(SENTENCE * 3, "en") == "en"
    with pytest.raises(AssertionError):
        language_of(GERMAN * 3, "en")
    with pytest.raises(AssertionError):
        language_of("The harbour of the town.", "en")


def test_the_language_of_content_from_data_is_that_of_the_page_around_it() -> None:
    data = json.dumps({"@type": "Article", "headline": "1", "articleBody": "12 34, 56 78. " * 40})
    body = f'<html lang=sv><title>1</title><script type="application/ld+json">{data}</script></html>'.encode()
    page = tamis.extract(body, extractor="tamis")
    assert page.source == "json-ld"
    assert given(replace(RECORD, body=body), BatchOptions(extractor="tamis"))["language"] == "sv"
