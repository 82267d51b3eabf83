"""Training pages, and what the names of elements say about comments and teasers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tamis import Document
from tamis.errors import OptionError
from tamis_lab.corpora.catalogue import corpora
from tamis_lab.corpora.files import CorpusError
from tamis_lab.corpora.reader import CorpusPage
from tamis_lab.gold import LeafGold
from tamis_lab.training.pages import (
    COMMENTS_ARE_CONTENT,
    LabelledPage,
    check_allowed,
    fold_folders,
    fold_of,
    hold_out,
    label,
    read_pages,
    role_truth,
)
from tests.lab.corpora.samples import PAGE, SAMPLES, write_folder

NOTHING = LeafGold(np.zeros(0, np.bool_), np.zeros(0, np.bool_), is_bad=False)


def page(name: str, site: str) -> LabelledPage:
    return LabelledPage(name, site, b"", None, NOTHING)


def names(pages: list[LabelledPage]) -> list[str]:
    return [page.name for page in pages]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a sample of every corpus."""
    folder = tmp_path_factory.mktemp("data")
    for name in SAMPLES:
        write_folder(folder, name)
    return folder


class TestAllowed:
    @pytest.mark.parametrize(
        "source", ["wcxb:dev", "cleaneval:dev", "googletrends-2017:train", "news-2023:train", "canola", "canola:all"]
    )
    def test_what_may_be_used(self, source: str, data: Path) -> None:
        check_allowed([source], data)

    @pytest.mark.parametrize(
        "source",
        [
            *(name for name, info in corpora().items() if not info.training_splits),
            *"l3s-gn1:all chaos:all wcxb wcxb:test cleaneval cleaneval:test googletrends-2017".split(),
            *"googletrends-2017:dev googletrends-2017:test news-2023:test canola:no-such-split".split(),
        ],
    )
    def test_what_must_not_be_used(self, source: str, data: Path) -> None:
        with pytest.raises(OptionError, match=f"must not be trained on {source}"):
            check_allowed([source], data)

    @pytest.mark.parametrize("name", ["l3s-gn1", "chaos"])
    def test_what_is_for_research_only_has_no_split_to_offer(self, name: str, data: Path) -> None:
        with pytest.raises(OptionError, match=f"trained on {name}, which is for research use only$"):
            check_allowed([name], data)

    def test_a_corpus_nobody_knows_and_one_that_is_not_here(self, tmp_path: Path) -> None:
        with pytest.raises(OptionError, match="no-such"):
            check_allowed(["no-such"], tmp_path)
        with pytest.raises(CorpusError, match="canola"):
            check_allowed(["canola"], tmp_path)


class TestReading:
    def test_pages_without_gold_are_left_out(self, data: Path) -> None:
        """The second page of the sample has no content."""
        (found,) = read_pages(["wcxb:dev"], data)
        assert (found.name, found.site) == ("wcxb/0001", "example.org")
        leaves = found.document().leaves.text
        assert leaves == ["Title", "Words of the content.", "Menu"]
        assert found.gold.content.tolist() == [False, True, False]

    def test_pages_with_bad_gold_are_left_out(self, tmp_path: Path) -> None:
        files = SAMPLES["cleaneval"] | {
            "cleaneval-dev/input/4.html": PAGE,
            "cleaneval-dev/GoldStandard/4.txt": b"<p>Words of the content.",
            "cleaneval-dev/input/5.html": PAGE,
            "cleaneval-dev/GoldStandard/5.txt": b"<p>Words of quite another page that is not this one.",
        }
        write_folder(tmp_path, "cleaneval", files)
        assert names(list(read_pages(["cleaneval:dev"], tmp_path))) == ["cleaneval/4"]

    def test_a_page_without_a_url_is_its_own_site(self) -> None:
        one, same, other = (
            label(CorpusPage("c", name, html, "all", "Words")).site
            for name, html in (("7", PAGE), ("8", PAGE), ("9", PAGE + b"<p>More"))
        )
        assert one == same != other, "a copy of a page is no other site"
        assert label(CorpusPage("c", "7", PAGE, "all", "Words", url="http://a.b.co.uk/x")).site == "b.co.uk"

    def test_marks_of_annotators_are_kept(self) -> None:
        marked = CorpusPage("c", "7", b"<p>Words<p>Well said", "all", "Words", leaf_labels=("content", "comment"))
        assert label(marked).marks == ("content", "comment")

    def test_the_digest_is_that_of_the_page_and_its_gold(self) -> None:
        one = label(CorpusPage("c", "7", PAGE, "all", "Words of the content."))
        again = label(CorpusPage("c", "7", PAGE, "all", "Words of the content."))
        page, gold, name = (
            label(CorpusPage("c", "7", PAGE + b"<p>More", "all", "Words of the content.")),
            label(CorpusPage("c", "7", PAGE, "all", "Menu")),
            label(CorpusPage("c", "8", PAGE, "all", "Words of the content.")),
        )
        assert one.digest == again.digest
        assert len({found.digest for found in (one, page, gold, name)}) == 4


class TestHoldingOut:
    PAGES = tuple(page(f"{site}/{number}", site) for site in "abcdefghij" for number in range(5))

    @pytest.mark.parametrize("seed", range(5))
    @pytest.mark.parametrize("share", [0.1, 0.3, 0.5])
    def test_no_site_is_on_both_sides(self, seed: int, share: float) -> None:
        training, held = hold_out(self.PAGES, share, seed)
        assert not {page.site for page in training} & {page.site for page in held}
        assert sorted(names(training) + names(held)) == sorted(names(list(self.PAGES)))
        assert len(held) == share * 50

    def test_the_same_seed_divides_the_same_way(self) -> None:
        first = [names(side) for side in hold_out(self.PAGES, 0.3, 1)]
        assert [names(side) for side in hold_out(self.PAGES, 0.3, 1)] == first
        backwards = hold_out(self.PAGES[::-1], 0.3, 1)
        assert [sorted(names(side)) for side in backwards] == first, "the order of the pages says nothing"
        others = [[names(side) for side in hold_out(self.PAGES, 0.3, seed)] for seed in range(2, 8)]
        assert any(other != first for other in others)

    def test_a_single_site_leaves_nothing_to_learn_from(self) -> None:
        training, held = hold_out(self.PAGES[:5], 0.1, 1)
        assert (len(training), len(held)) == (0, 5)


def test_folders_of_folds_end_where_one_is_missing(tmp_path: Path) -> None:
    for number in (0, 1, 3):
        (tmp_path / f"fold-{number}").mkdir()
    assert [folder.name for folder in fold_folders(tmp_path)] == ["fold-0", "fold-1"]
    assert fold_folders(tmp_path / "fold-0") == []


def test_the_fold_of_a_site_is_fixed() -> None:
    assert fold_of("123456789", 7) == 0xCBF43926 % 7  # the check value in every table of CRC-32
    assert {fold_of(f"site{number}.org", 5) for number in range(100)} == set(range(5))


def roles(
    html: str, *, content: str = "", page_type: str | None = "article", corpus: str = "c", marks: str = ""
) -> tuple[str, str]:
    """The texts, single letters all, that are comments, and those that are about something else."""
    document = Document.from_html(html)
    letters = document.leaves.text
    gold = np.array([letter in content if letter else False for letter in letters], np.bool_)
    of_annotators = tuple("comment" if letter in marks else "other" for letter in letters) if marks else None
    of_gold = LeafGold(gold, gold, is_bad=False)
    page = LabelledPage(f"{corpus}/1", "c", html.encode(), None, of_gold, page_type, of_annotators)
    found = role_truth(page, document, gold)

    def told(flags: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> str:
        return "".join(letter for letter, flag in zip(letters, flags, strict=True) if flag)

    return told(found.comment), told(found.related)


@pytest.mark.parametrize(
    "name",
    ["comment", "comments", "comment-list", "user_Comments", "DISQUS_thread", "respond", "reply-list", "replies"],
)
@pytest.mark.parametrize("attribute", ["class", "id"])
def test_comments_by_class_or_id(attribute: str, name: str) -> None:
    assert roles(f"<p>a</p><div {attribute}='x {name}'><p>b</p><ul><li>c</ul></div><p>d</p>") == ("bc", "")


@pytest.mark.parametrize(
    "name",
    ["related", "RelatedPosts", "recommended", "teaser-box", "read-next", "more-from-us", "trending", "most-read"],
)
@pytest.mark.parametrize("attribute", ["class", "id"])
def test_teasers_by_class_or_id(attribute: str, name: str) -> None:
    assert roles(f"<p>a</p><div {attribute}='{name}'><p>b</p></div><p>c</p>") == ("", "b")


@pytest.mark.parametrize("tag", ["body", "article", "main"])
@pytest.mark.parametrize("name", ["comments-open", "has-related"])
def test_what_holds_the_whole_page_says_what_it_can_do(tag: str, name: str) -> None:
    assert roles(f"<{tag} class='{name}'><p>a</p></{tag}>") == ("", "")


@pytest.mark.parametrize("corpus", COMMENTS_ARE_CONTENT)
def test_comments_are_comments_even_where_the_gold_counts_them(corpus: str) -> None:
    html = "<p>a</p><div class=comments><p>b</p></div>"
    assert roles(html, content="ab", corpus=corpus) == ("b", "")
    assert roles(html, content="ab", corpus="wcxb") == ("", ""), "there the gold has no comments, so the name is wrong"
    assert roles(html, content="a", corpus="wcxb") == ("b", "")


def test_a_name_around_nearly_all_of_the_content_is_about_the_page() -> None:
    html = "<p>a</p><div class=comments><p>b</p><p>c</p><p>d</p><p>e</p><p>f</p></div>"
    assert roles(html, content="abcdef", corpus="canola") == ("", "")
    assert roles(html, content="abcd", corpus="canola") == ("bcdef", "")


def test_commentary_is_a_kind_of_article() -> None:
    assert roles("<div class=commentary><p>a</p></div><div class=kommentare><p>b</p></div>") == ("b", "")


def test_what_annotators_marked_as_a_comment_is_one() -> None:
    html = "<p>a</p><div><p>b</p></div><div class=related>c</div>"
    assert roles(html, content="a", marks="bc") == ("bc", "")
    assert roles(html, content="a", marks="b", page_type="forum") == ("", "")


def test_a_teaser_among_comments_is_a_comment() -> None:
    html = "<div class=comments><div class=related>a</div></div><div class=related><p class=comment>b</p>c</div>"
    assert roles(html) == ("ab", "c")


@pytest.mark.parametrize(("page_type", "expected"), [("forum", ("", "")), ("product", ("a", "b")), (None, ("a", "b"))])
def test_what_is_said_on_a_forum_is_its_content(page_type: str | None, expected: tuple[str, str]) -> None:
    html = "<div class=replies>a</div><div class=related>b</div>"
    assert roles(html, page_type=page_type) == expected
