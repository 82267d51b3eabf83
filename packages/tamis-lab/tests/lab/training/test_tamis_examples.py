"""Pages as the network learns from them, and these as a file."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest

from tamis.errors import InputError
from tamis.extractor.runs import COLUMNS, LEVELS, VERSION, PageRuns
from tamis_lab.corpora.reader import CorpusPage
from tamis_lab.gold import LeafGold
from tamis_lab.training import tamis_examples
from tamis_lab.training.augment import some_kinds
from tamis_lab.training.pages import COMMENTS_ARE_CONTENT, LabelledPage, label
from tamis_lab.training.tamis_examples import (
    NO_TYPE,
    PreparedPage,
    TamisExample,
    prepare,
    prepare_all,
    prepare_variant,
    read_features,
    write_features,
)

WORDS = "The content of this page is a text of some length, and it goes on and on. It ends here."


def page(number: int, *, paragraphs: int = 2, page_type: str | None = "article", extra: str = "") -> LabelledPage:
    """A menu, some paragraphs, what else there is, and a footer; each page is a site of its own."""
    menu = "".join(f"<li><a href=x>Item {item}</a></li>" for item in range(number % 3 + 2))
    text = "".join(f"<p>{part}: {WORDS}</p>" for part in range(paragraphs))
    html = f"<ul>{menu}</ul><div>{text}</div>{extra}<footer>Imprint - Contact</footer>"
    gold = " ".join(f"{part}: {WORDS}" for part in range(paragraphs))
    url = f"https://site{number}.example/"
    return label(CorpusPage("c", str(number), html.encode(), "all", gold_text=gold, page_type=page_type, url=url))


def marked(html: str, content: list[int], known: list[int], page_type: str | None = None) -> LabelledPage:
    """A page whose leaves are labelled by hand."""
    gold = LeafGold(np.array(content, np.bool_), np.array(known, np.bool_), is_bad=False)
    return LabelledPage("c/marked", "c", html.encode(), None, gold, page_type)


def varied(one: LabelledPage, others: list[LabelledPage], seed: int) -> TamisExample:
    """A variant by some kinds of change."""
    random = np.random.default_rng(seed)
    return prepare_variant(one, others, random, some_kinds(random))


EMPTY = label(CorpusPage("c", "empty", b"<template>Words</template><img src=x>", "all", gold_text="Words"))


class TestRows:
    def test_there_is_one_row_a_run_of_text(self) -> None:
        made = prepare(page(0))
        rows = PageRuns(page(0).document())
        assert len(made) == len(rows) == 5
        assert np.array_equal(made.values, rows.values.astype(np.float16))
        assert np.array_equal(made.tags, rows.tags)
        assert made.words.tolist() == [2, 2, 21, 21, 2]
        assert made.content.tolist() == [0, 0, 1, 1, 0]
        assert made.known.tolist() == [1] * 5
        assert made.comment.tolist() == made.related.tolist() == [0] * 5

    def test_a_row_is_content_by_the_share_of_its_words(self) -> None:
        html = "<p>one <b>two three four</b></p><p>five <img src=x> <i>six</i></p><p>seven</p>"
        made = prepare(marked(html, [0, 1, 1, 1, 1, 0], [1, 1, 1, 0, 0, 0]))
        assert made.words.tolist() == [4, 2, 1]
        assert made.content.tolist() == pytest.approx([3 / 4, 1, 0], abs=1e-5)
        assert made.known.tolist() == pytest.approx([1, 1 / 2, 0], abs=1e-5)

    def test_what_is_folded_away_is_learned_from(self) -> None:
        made = prepare(page(0, paragraphs=1, extra="<div class=tab hidden>Some folded words</div>"))
        assert made.words.tolist() == [2, 2, 21, 3, 2]
        assert made.values[:, COLUMNS.index("folded")].tolist() == [0, 0, 0, 1, 0]
        assert made.known.tolist() == [1] * 5

    def test_folded_content_is_content(self) -> None:
        html = f"<p>Menu</p><div class=tab hidden><p>{WORDS}</p></div><p>{WORDS} More.</p>"
        whole = CorpusPage("c", "1", html.encode(), "all", gold_text=f"{WORDS} {WORDS} More.")
        assert prepare(label(whole)).content.tolist() == [0, 1, 1]

    def test_a_copy_of_content_is_content(self) -> None:
        """Gold has it once; which of the two somebody copied there, nobody knows."""
        made = prepare(marked(f"<p>{WORDS}</p><p>Menu</p><div>{WORDS}</div>", [1, 0, 0], [1, 1, 1]))
        assert made.content.tolist() == [1, 0, 1]
        short = prepare(marked("<p>Add it</p><div>Add it</div>", [1, 0], [1, 1]))
        assert short.content.tolist() == [1, 0]

    @pytest.mark.parametrize("corpus", COMMENTS_ARE_CONTENT)
    def test_comments_are_content_nowhere(self, corpus: str) -> None:
        html = "<p>one</p><p>two</p><div class=comments><p>three</p><p>four</p></div>"
        given = replace(marked(html, [1, 1, 1, 0], [1, 1, 1, 0]), name=f"{corpus}/1")
        made = prepare(given)
        assert made.content.tolist() == [1, 1, 0, 0]
        assert made.known.tolist() == [1] * 4
        assert made.comment.tolist() == [0, 0, 1, 1]
        for seed in range(5):
            found = varied(given, [page(1)], seed)
            assert not found.content[found.comment > 0.5].any()

    def test_marks_of_annotators_tell_comments(self) -> None:
        given = replace(marked("<p>one</p><p>two</p>", [1, 1], [1, 1]), marks=("content", "comment"))
        assert prepare(given).content.tolist() == [1, 0]
        assert prepare(given).comment.tolist() == [0, 1]

    def test_page_types_are_numbered(self) -> None:
        kinds = [prepare(page(0, page_type=kind)).page_type for kind in ("article", "forum", "collection")]
        assert len(set(kinds)) == 3
        assert min(kinds) >= 0
        assert prepare(page(0, page_type=None)).page_type == NO_TYPE < 0

    def test_a_row_without_words_has_the_label_of_its_texts(self) -> None:
        made = prepare(marked("<p>|</p><p>-</p><p>word</p>", [1, 0, 1], [1, 1, 1]))
        assert made.words.tolist() == [0, 0, 1]
        assert made.content.tolist() == [1, 0, 1]


class TestVariants:
    def test_it_is_an_example_like_any_other(self) -> None:
        for seed in range(20):
            made = varied(page(0), [page(1, paragraphs=4)], seed)
            assert made.values.shape == (len(made), len(COLUMNS))
            assert made.tags.shape == (len(made), 1 + LEVELS)
            for column in (made.words, made.content, made.known, made.comment, made.related):
                assert column.shape == (len(made),)
            assert np.isfinite(made.values).all()

    def test_a_page_without_text_makes_one_without_rows_or_with_those_of_the_other(self) -> None:
        for seed in range(10):
            made = varied(EMPTY, [page(1)], seed)
            assert not made.content.any()


MADE_OF = ["wcxb:dev", "canola", "1"]


def prepared() -> list[PreparedPage]:
    pages = [page(0), EMPTY, page(1, paragraphs=5, page_type=None), page(2, extra="<p class=comment>Said")]
    return prepare_all(pages, seed=1, variants=2)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "new" / "pages.safetensors"
    write_features(path, prepared(), MADE_OF)
    return path


def test_what_is_read_is_what_is_prepared(file: Path) -> None:
    found, fresh = read_features(file, MADE_OF), prepared()
    assert len(found) == len(fresh) == 4
    assert any(one.rewritten for one in found), "else they would not be compared"
    for one, other in zip(found, fresh, strict=True):
        assert (one.name, one.site, one.digest) == (other.name, other.site, other.digest)
        assert len(one.examples) == len(other.examples) == 3
        assert len(one.rewritten) == len(other.rewritten)
        for got, expected in zip(one.examples + one.rewritten, other.examples + other.rewritten, strict=True):
            for name in (field.name for field in fields(TamisExample)):
                got_column, expected_column = np.asarray(getattr(got, name)), np.asarray(getattr(expected, name))
                assert got_column.dtype == expected_column.dtype, name
                assert np.array_equal(got_column, expected_column), name


@pytest.mark.parametrize("made_of", [["wcxb:dev", "canola", "2"], ["canola", "wcxb:dev", "1"], ["wcxb:dev", "1"]])
def test_a_file_of_other_corpora_or_another_seed_is_not_taken(made_of: list[str], file: Path) -> None:
    with pytest.raises(InputError, match=f"{file}: made of other corpora"):
        read_features(file, made_of)


@pytest.mark.parametrize("size", [0, 7, 1_000, -1])
def test_a_damaged_file_is_an_error(size: int, file: Path) -> None:
    file.write_bytes(file.read_bytes()[:size])
    with pytest.raises(InputError, match=f"{file}: not a file of features"):
        read_features(file, MADE_OF)


def test_a_place_that_cannot_be_written_to(file: Path) -> None:
    with pytest.raises(InputError, match="can't be written"):
        write_features(file / "inside", prepared(), MADE_OF)


def test_nor_is_one_of_other_columns(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tamis_examples, "VERSION", VERSION + 1)
    with pytest.raises(InputError, match="another version"):
        read_features(file, MADE_OF)
