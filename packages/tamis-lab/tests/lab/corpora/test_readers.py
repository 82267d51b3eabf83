"""Each reader on an invented sample in the published layout, and folders of pages of your own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tamis.document import Document
from tamis.extractor.runs import PageRuns
from tamis_lab.corpora import pages
from tamis_lab.corpora.articles import split_of
from tamis_lab.corpora.catalogue import corpora, info_of, is_folder, open_corpus
from tamis_lab.corpora.files import CorpusError
from tamis_lab.corpora.genres import FoundLines, author_name
from tamis_lab.corpora.reader import CorpusPage, Post
from tamis_lab.gold import align, leaf_gold
from tests.lab.corpora.samples import PAGE, SAMPLES, write_folder, write_zip


def read(tmp_path: Path, name: str, split: str | None = None) -> list[CorpusPage]:
    write_zip(tmp_path, name)
    with open_corpus(name, tmp_path) as corpus:
        return list(corpus.pages(split))


def labelled(page: CorpusPage) -> dict[str, str]:
    leaves = Document.from_html(page.html).leaves
    assert page.leaf_labels is not None
    assert len(leaves) == len(page.leaf_labels)
    return {text.strip(): label for text, label in zip(leaves.text, page.leaf_labels, strict=True)}


@pytest.mark.parametrize("name", corpora())
def test_folder_and_zip_give_the_same(name: str, tmp_path: Path) -> None:
    unpacked, packed = tmp_path / "unpacked", tmp_path / "packed"
    packed.mkdir()
    write_folder(unpacked, name)
    write_zip(packed, name)
    with open_corpus(name, unpacked) as folder, open_corpus(name, packed) as archive:
        pages = list(folder.pages())
        assert pages == list(archive.pages())
        assert folder.digest() == archive.digest()
        assert [(page.id, page.split) for page in pages] == folder.entries()
    assert len({(page.split, page.id) for page in pages}) == len(pages)
    for page in pages:
        assert page.corpus == name
        assert page.split in corpora()[name].splits
        assert corpora()[name].year in (None, page.year)


@pytest.mark.parametrize("name", sorted(set(corpora()) - {"threads"}))  # which has page and gold in one file
def test_a_missing_counterpart_is_named(name: str, tmp_path: Path) -> None:
    """Without its HTML files a corpus can't be read, and says which file it wants."""
    gold_only = {
        path: content
        for path, content in SAMPLES[name].items()
        if path.endswith((".txt", ".json", "expected.html")) or "/reference/" in path
    }
    write_zip(tmp_path, name, gold_only)
    with open_corpus(name, tmp_path) as corpus, pytest.raises(CorpusError, match=r"missing|no page"):
        list(corpus.pages())


def test_wcxb(tmp_path: Path) -> None:
    first, second = read(tmp_path, "wcxb", "dev")
    assert first.html == PAGE
    assert first.gold_text == "Words of the content."
    assert (first.title, first.author, first.date) == ("Title", None, "2025-01-02")
    assert (first.page_type, first.url) == ("forum", "https://example.org/0001")
    assert (first.wanted, first.unwanted) == (("Words",), ("Menu",))
    assert second.gold_text is None


def test_cleaneval(tmp_path: Path) -> None:
    dev, test = read(tmp_path, "cleaneval")
    assert (dev.id, dev.split, test.id, test.split) == ("1", "dev", "2", "test")
    assert dev.html == test.html == PAGE
    assert dev.url == "http://example.org/?a=1&b"
    assert dev.gold_text == "Title\nCafé <br> words"
    assert test.gold_text == "Café item"
    assert test.url is None


def test_l3s(tmp_path: Path) -> None:
    (page,) = read(tmp_path, "l3s-gn1")
    assert page.url == "http://example.org/news"
    assert b"x-nc" not in page.html
    assert b"<style" not in page.html
    assert b'<body class="news">' in page.html
    assert labelled(page) == {
        "Site": "",
        "Headline": "headline",
        "Body text": "fulltext",
        "link": "fulltext",
        "Caption": "supplemental",
        "A comment": "comments",
        "Other article": "related",
        "Menu": "not-content",
        "Unmarked": "",
    }
    assert page.gold_text == "Headline\n\nBody text link\n\nCaption\n\nA comment"
    assert page.comments == "A comment"


def test_l3s_needs_its_mapping(tmp_path: Path) -> None:
    write_zip(tmp_path, "l3s-gn1", SAMPLES["l3s-gn1"] | {"L3S-GN1/url-mapping.txt": b"nothing"})
    with open_corpus("l3s-gn1", tmp_path) as corpus, pytest.raises(CorpusError, match="url-mapping"):
        next(corpus.pages())


def test_googletrends(tmp_path: Path) -> None:
    pages = read(tmp_path, "googletrends-2017")
    assert [(page.id, page.split) for page in pages] == [("gt_1", "dev"), ("gt_2", "test"), ("gt_3", "train")]
    page = pages[0]
    assert b"__label" not in page.html
    assert b'<div class="story">' in page.html
    assert labelled(page) == {
        "Title": "title",
        "Main text": "main",
        "Ann": "author",
        "": "main",  # the image
        "Remark": "comment",
        "Menu": "",
    }
    assert page.gold_text == "Title\n\nMain text\n\nAnn"
    assert (page.title, page.comments) == ("Title", "Remark")


@pytest.mark.parametrize(
    ("names", "message"), [(b"gt_1.html", "names gt_2"), (b"gt_1.html gt_2.html gt_9.html", "page for gt_9")]
)
def test_googletrends_splits_cover_the_pages(names: bytes, message: str, tmp_path: Path) -> None:
    changed = {"googletrends-2017/50-30-100-split/test_set.txt": names}
    write_zip(tmp_path, "googletrends-2017", SAMPLES["googletrends-2017"] | changed)
    with open_corpus("googletrends-2017", tmp_path) as corpus, pytest.raises(CorpusError, match=message):
        corpus.entries()


def test_news2023(tmp_path: Path) -> None:
    first, second = read(tmp_path, "news-2023")
    assert (first.id, second.id) == ("a1", "b2")
    assert (first.gold_text, first.title, first.author, first.date) == ("Words.", "T", None, "2023-12-01")
    assert first.url == "http://news1.example.com/a"
    assert first.split == split_of("https://other.example.com/")


def test_canola(tmp_path: Path) -> None:
    (page,) = read(tmp_path, "canola")
    assert b"<kw" not in page.html
    assert labelled(page) == {
        "T": "",
        "Good text": "good",
        "Bad": "bad",
        "Unsure": "unsure",
        "Tie": "tie",
        "Unjudged": "",
    }
    assert page.gold_text == "Good text"


def test_chaos(tmp_path: Path) -> None:
    first, second = read(tmp_path, "chaos")
    assert (first.id, first.gold_text) == ("elon,musk (1)", "“Quoted” words")
    assert (second.id, second.gold_text) == ("reef (2)", "Café – “words”")


def test_scrapinghub(tmp_path: Path) -> None:
    (page,) = read(tmp_path, "scrapinghub")
    assert (page.id, page.gold_text, page.url, page.html) == ("id1", "Words.", "https://example.org/", PAGE)


def test_dragnet(tmp_path: Path) -> None:
    first, second, third = read(tmp_path, "dragnet")
    assert (first.gold_text, first.comments) == ("Words.", "First!")
    assert (second.gold_text, second.comments) == ("Other words.", None)
    assert (third.gold_text, third.comments) == ("Words.", "First!")


@pytest.mark.parametrize(
    "line",
    [
        "!@#$%^&*()  COMMENTS",
        "!@#$%^&*   COMMENTS",
        "!!@#$%^&*()  COMMENTS",
        "!@#$%^&*()  \tCOMMENTS ",
        "  #$%^&*()  COMMENTS",
        "!@#$%^&*()  COMMNENTS",
        "!@#$%^&*()  CORRECTED",
    ],
)
def test_dragnet_spells_the_line_before_comments_in_many_ways(line: str, tmp_path: Path) -> None:
    changed = {"Corrected/R1.html.corrected.txt": f"$#@! Words.\n\n{line}\n\nFirst!\nCOMMENTS".encode()}
    write_zip(tmp_path, "dragnet", SAMPLES["dragnet"] | changed)
    with open_corpus("dragnet", tmp_path) as corpus:
        page = next(corpus.pages())
    assert (page.gold_text, page.comments) == ("$#@! Words.", "First!\nCOMMENTS")


def test_readability(tmp_path: Path) -> None:
    (page,) = read(tmp_path, "readability")
    assert page.gold_text == "Words\n\nof it"
    assert (page.id, page.title, page.author, page.language) == ("001", "T", "Ann", "fr")


def test_cleanportaleval(tmp_path: Path) -> None:
    (page,) = read(tmp_path, "cleanportaleval")
    assert (page.id, page.html, page.gold_text, page.url) == ("site1", PAGE, "Words", "http://example.org/")


def test_daniel(tmp_path: Path) -> None:
    first, second, third = read(tmp_path, "daniel")
    assert (first.id, first.gold_text, first.language) == ("x.html", "Слова", "ru")
    assert (second.id, second.gold_text, second.language) == ("y.txt", "Words\nof it\nat 10:51", "en")
    assert (third.gold_text, third.language) == (None, None)


def test_trafilatura(tmp_path: Path) -> None:
    first, second = read(tmp_path, "trafilatura")
    assert (first.id, first.url, first.gold_text) == ("a.html", "https://example.org/a", None)
    assert (first.wanted, first.unwanted) == (("Words",), ("Menu",))
    assert second.author == "Ann"


def test_press2026_a_page_takes_the_article_that_is_on_it(tmp_path: Path) -> None:
    first, second, third = read(tmp_path, "press-2026")
    assert (first.id, first.year, first.language) == ("de/Postillon_2024_05_06", 2024, "en")
    assert first.gold_text == "The ferry is late.\nWhy\nThere is ice in the bay."
    assert (first.title, first.author, first.date) == ("T", "Ann, Ben", "2024-05-06")
    assert second.gold_text == "Sheep were counted.\nAll are there."
    assert first.url == second.url == "https://www.harbour.example/1", "of the same publisher"
    assert (third.gold_text, third.title, third.url) == (None, None, "https://lost.invalid/")


def test_recipes_lines_are_found_in_whatever_elements_they_are(tmp_path: Path) -> None:
    page, empty = read(tmp_path, "recipes")
    assert page.leaf_labels is not None
    texts = Document.from_html(page.html).leaves.text
    assert list(zip((text.strip() for text in texts), page.leaf_labels, strict=True)) == [
        ("Soup", "unknown"),
        ("My soup, with leeks and salt.", "unknown"),
        ("1½", "line"),
        ("cups", "line"),
        ("leeks", "line"),
        ("Salt", "line"),
        ("Boil the leeks in water.", "line"),
        ("Serve.", "line"),
        ("1 ½ cups leeks", "line"),
        ("", ""),
    ]
    assert page.lines == ("1 ½ cups leeks", "salt", "Boil the leeks in water.", "Serve.")
    assert page.gold_text == "\n".join(page.lines)
    assert (page.url, page.language, page.title, page.author) == ("https://soup.example/leek", "en", "Soup", "Ann")
    assert (empty.gold_text, empty.lines, empty.leaf_labels) == (None, (), None)
    assert empty.url == "https://empty.example/"
    gold = leaf_gold(page, page.document())
    assert gold.known.sum() == gold.content.sum() == 7


def test_recipes_short_lines_far_from_others_do_not_count() -> None:
    page = f"<p>Salt</p><p>Two cups of flour</p><p>{'word ' * 100}</p><p>Salt</p><p>Saltimbocca is of veal</p>"
    found = FoundLines(Document.from_html(page), ["two cups of flour", "salt", "veal is salt"])
    assert found.labels == ("line", "line", "unknown", "unknown", "unknown")
    assert found.lines == [True, True, False]


def test_threads(tmp_path: Path) -> None:
    (page,) = read(tmp_path, "threads")
    document = page.document()
    assert (document.encoding, page.url, page.page_type) == ("utf-8", "https://boards.example/1", "forum")
    assert page.gold_text == "Is the café open on Sundays?\n\nIt is, from nine to five."
    assert page.posts == (
        Post("Is the café open on Sundays?", "Ann", "3 May", "#1"),
        Post("It is, from nine to five.", "Ben", "4 May", "#1"),
    )
    assert labelled(page) == {
        "Ann": "byline",
        "3 May": "byline",
        "Is the café open on Sundays?": "post",
        "Ben": "byline",
        "4 May": "byline",
        "It is, from nine to five.": "post",
        "Powered by boards": "",
    }


@pytest.mark.parametrize(
    ("user", "texts", "name"),
    [
        ("/profile/d-day", ["D", "Visit D Day", "D-Day"], "D-Day"),
        ("member.php?u=4", ["D", "Dora", "Posts of Dora"], "Dora"),
        ("/members/caf%C3%A9/", [], "café"),
        ("Dora", [], "Dora"),
    ],
)
def test_threads_the_name_of_a_user(user: str, texts: list[str], name: str) -> None:
    assert author_name(user, texts) == name


def test_threads_without_their_posts_have_no_marks(tmp_path: Path) -> None:
    name = "threads/bpdfamily.com.message_board.index.php.json"
    record = json.loads(SAMPLES["threads"][name]) | {"html": "<p>Nothing of it.</p>"}
    write_zip(tmp_path, "threads", {name: json.dumps(record).encode()})
    with open_corpus("threads", tmp_path) as corpus:
        (page,) = corpus.pages()
    assert page.leaf_labels is None
    assert leaf_gold(page, page.document()).is_bad


def test_sources_the_gold_is_what_the_built_page_shows(tmp_path: Path) -> None:
    (page,) = read(tmp_path, "sources")
    assert (page.id, page.page_type) == ("docs/harbour", "documentation")
    assert page.gold_text == "The harbour\nA list with a*b*c in it\nls *  # code\na\nb\nsee there\ntwo"
    assert page.markdown is not None
    assert page.markdown.startswith("---\ntitle")
    placed = align(page.document(), page.gold_text)
    assert placed.share == 1


def test_pages_without_labels_have_what_they_declare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "LABELS", tmp_path / "none.json")
    pages.LABELS.write_text("{}", "utf-8")
    first, second, third = read(tmp_path, "pages", "unlabelled")
    assert labelled(first) == {
        "All our shops": "template",
        "When do": "declared",
        "you": "declared",
        "open the shop?": "declared",
        "We open at nine, and close at five.": "declared",
        "We open": "unknown",
        "Something else is said here.": "unknown",
        "A text that is marked.": "declared",
        "A link that is marked.": "unknown",
    }
    assert first.gold_text == (
        "When do\nyou\nopen the shop?\nWe open at nine, and close at five.\nA text that is marked."
    )
    gold = leaf_gold(first, first.document())
    assert (gold.content.sum(), gold.known.sum()) == (5, 6)
    assert labelled(second) == {"All our shops": "template", "Nothing in common beside it.": "unknown"}
    assert (first.url, second.url) == ("https://shop.example/a", "https://www.shop.example/b")
    assert (second.gold_text, third.gold_text, third.leaf_labels, third.url) == ("", None, None, None)


def test_pages_that_someone_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "LABELS", tmp_path / "labels.json")
    title, words, menu = pages.digests(PageRuns(Document.from_html(PAGE)))
    labels = {"formasaurus-x": {"type": "service", "content": [title, words], "comments": [], "unsure": [menu]}}
    pages.LABELS.write_text(json.dumps(labels), "utf-8")
    (page,) = read(tmp_path, "pages", "labelled")
    assert (page.id, page.page_type) == ("formasaurus-x", "service")
    assert labelled(page) == {"Title": "content", "Words of the content.": "content", "Menu": "unsure"}
    assert page.gold_text == "Title\nWords of the content."
    assert len(read(tmp_path, "pages", "unlabelled")) == 2


def test_pages_copies_of_one_page_have_no_template() -> None:
    document = Document.from_html(PAGE)
    copy = frozenset(pages.texts(document))
    assert set(pages.distant_marks(document, [copy])) == {"unknown"}


@pytest.mark.parametrize(
    ("name", "path", "content"),
    [
        ("press-2026", "press-2026/us/Lost.json", b"{}"),
        ("press-2026", "press-2026/us/Lost.json", b'{"V1": {"body": []}}'),
        ("recipes", "recipes/empty.example/empty.json", b"[]"),
        ("threads", "threads/bpdfamily.com.message_board.index.php.json", b'{"html": "<p>"}'),
        ("wcxb", "wcxb/dev/ground-truth/0001.json", b"{"),
        ("wcxb", "wcxb/dev/ground-truth/0001.json", b"{}"),
        ("wcxb", "wcxb/dev/html/0001.html.gz", b"no gzip"),
        ("news-2023", "article-extraction-dataset/articles.json", b"[]"),
        ("news-2023", "article-extraction-dataset/articles.json", b'{"a1": 3}'),
        ("scrapinghub", "ground-truth.json", b'{"id1": {"url": "x"}}'),
        ("readability", "test-pages/001/expected-metadata.json", b"\xff"),
        ("trafilatura", "tests/evaldata.json", b'{"https://example.org/": {"with": []}}'),
    ],
)
def test_a_damaged_file_is_named(name: str, path: str, content: bytes, tmp_path: Path) -> None:
    write_folder(tmp_path, name, SAMPLES[name] | {path: content})
    with open_corpus(name, tmp_path) as corpus, pytest.raises(CorpusError) as caught:
        list(corpus.pages())
    assert Path(path).name in str(caught.value)
    assert "damaged" in str(caught.value)
    assert "\n" not in str(caught.value)


def write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def test_pages_with_their_text_beside_them(tmp_path: Path) -> None:
    write(tmp_path, a_html="<p>One", a_txt="One", b_htm="<p>Two", b_txt="Two")
    with open_corpus(str(tmp_path)) as corpus:
        pages = list(corpus.pages())
    assert [(page.id, page.html, page.gold_text, page.split) for page in pages] == [
        ("a", b"<p>One", "One", "all"),
        ("b", b"<p>Two", "Two", "all"),
    ]


def test_a_folder_without_pairs_says_what_to_put_there(tmp_path: Path) -> None:
    write(tmp_path, a_html="<p>One")
    with pytest.raises(CorpusError, match=r"put NAME\.html and NAME\.txt into"):
        open_corpus(str(tmp_path)).pages()


def test_the_name_of_a_corpus_is_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "wcxb").mkdir()
    monkeypatch.chdir(tmp_path)
    assert not is_folder("wcxb")
    assert info_of("wcxb").title.startswith("WCXB")


def test_pages_without_a_text_are_passed_over(tmp_path: Path) -> None:
    write(tmp_path, a_html="<p>One", b_html="<p>Two", b_txt="Two", c_txt="nobody's")
    with open_corpus(str(tmp_path)) as corpus:
        assert [page.id for page in corpus.pages()] == ["b"]


def test_an_empty_text_says_that_nothing_is_content(tmp_path: Path) -> None:
    write(tmp_path, a_html="<nav>Menu", a_txt="")
    with open_corpus(str(tmp_path)) as corpus:
        assert [page.gold_text for page in corpus.pages()] == [""]
