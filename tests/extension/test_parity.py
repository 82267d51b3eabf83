"""The same answer as Python: the extension's core in a real browser beside Python, on the same pages."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from tamis import Document, Page, registry
from tamis.document.guard import guarded_page
from tamis.extractor.runs import COLUMNS, PageRuns
from tamis.extractor.tamis import tamis
from tamis.labels import Role
from tamis.page_type import PageType
from tamis.weights import read_config
from tamis_papers.boilernet import SMALL
from tamis_papers.boilernet import features as boilernet
from tamis_papers.boilernet.extractor import WINDOW
from tests.extension.parity.harness import BOILERNET_VECTORS, Core
from tests.extension.parity.pages import ARTICLES, DISCUSSED, FOLDED, TRICKY, given, tables
from tests.extension.parity.saying import ADDRESSES, COPIED, JSON_LD, SAYING, with_json_ld
from tests.golden import golden_pages
from tests.hidden_pages import ARTICLE, FOLDING, HIDDEN, OPENABLE, SECRET, SHOWN, page
from tests.hostile import HOSTILE

pytestmark = pytest.mark.xdist_group("extension core")

GOLDEN = {page.name: page for page in golden_pages()}
_WAYS = HIDDEN | FOLDING | OPENABLE | SHOWN
EXTRACTORS = ("tamis", "r4", "boilernet-small")
VECTORS = json.loads(BOILERNET_VECTORS.read_text(encoding="utf-8"))
VOCABULARY = boilernet.Vocabulary.from_json(read_config(SMALL)["vocabulary"])
# Of scores. The kernel is the same one; another runtime runs the network of BoilerNet.
TOLERANCE = {"tamis": 0.0, "r4": 0.0, "boilernet-small": 1e-3}


def assert_same_tables(core: Core, document: Document) -> None:
    found, expected = core.ask("tables", document.html), tables(document)
    for table, columns in expected.items():
        for name, column in columns.items():
            assert found[table][name] == column, f"{table}: {name}"


def as_read(document: Document, name: str) -> Document:
    """The page as an extractor reads it. In a browser the page's own program has run: data is not looked into there."""
    return document.unfolded if name == "tamis" else document


def assert_same_labels(core: Core, given: Document, *, elsewhere: bool = False) -> None:
    answers = core.ask("labels", given.html, EXTRACTORS, elsewhere)
    for name in EXTRACTORS:
        document, found = as_read(given, name), answers[name]
        labels = registry.get(name).label(document)
        assert found["keep"] == labels.keep.astype(int).tolist(), name
        assert np.abs(labels.scores - found["score"]).max(initial=0) <= TOLERANCE[name], name
        assert found["threshold"] == labels.threshold, name
        # A score and a keep flag never contradict each other.
        cut = [score >= found["threshold"] for score in found["score"]]
        assert cut == labels.keep.tolist(), name
        assert found["role"] == list(labels.roles or [None] * len(document.leaves)), name
        assert found["pageTypes"] == (labels.page_types and dict(labels.page_types.probabilities)), name


def assert_same_given(core: Core, document: Document) -> None:
    """What the kernel is given of a page beside its tables."""
    found, expected = core.ask("given", document.html), given(document.unfolded)
    found["names"], found["openings"] = sorted(found["names"]), sorted(found["openings"])
    assert found == expected


@pytest.mark.parametrize("name", GOLDEN)
def test_the_same_tables_on_golden_pages(core: Core, name: str) -> None:
    assert_same_tables(core, GOLDEN[name].document())


@pytest.mark.parametrize("name", GOLDEN)
def test_the_same_labels_on_golden_pages(core: Core, name: str) -> None:
    assert_same_labels(core, GOLDEN[name].document())


@pytest.mark.nightly  # its labels are the same to the last bit
@pytest.mark.parametrize("name", GOLDEN)
def test_the_kernel_is_given_the_same_of_golden_pages(core: Core, name: str) -> None:
    assert_same_given(core, GOLDEN[name].document())


def test_the_pages_here_have_all_that_rows_and_roles_can_be() -> None:
    """Columns that are the same everywhere, and roles that never occur, would not be compared."""
    golden = [page.document().unfolded for page in GOLDEN.values()]
    others = [Document.from_html(html).unfolded for html in (TRICKY | SAYING).values()]
    rows = [PageRuns(page) for page in (*golden, *others)]
    spread = np.ptp(np.concatenate([page.values for page in rows]), axis=0)
    assert [name for name, apart in zip(COLUMNS, spread.tolist(), strict=True) if not apart] == []
    labels = [tamis.label(page) for page in (*golden, Document.from_html(DISCUSSED))]
    # The network is hardly ever sure of teasers.
    assert {role for each in labels for role in each.roles or ()} >= set(Role) - {Role.RELATED}


def test_the_same_on_a_page_with_comments(core: Core) -> None:
    document = Document.from_html(DISCUSSED)
    assert_same_given(core, document)
    assert_same_labels(core, document)


@pytest.mark.parametrize("name", SAYING)
def test_the_same_is_read_of_what_pages_say_of_themselves(core: Core, name: str) -> None:
    document = Document.from_html(SAYING[name])
    assert_same_given(core, document)
    assert_same_labels(core, document)


@pytest.mark.parametrize("name", JSON_LD)
def test_the_same_scripts_of_data_are_read(core: Core, name: str) -> None:
    text, is_read = JSON_LD[name]
    document = Document.from_html(with_json_ld(text))
    said = PageRuns(document).values[0, COLUMNS.index("declared as description")]
    assert said == is_read
    assert_same_given(core, document)


@pytest.mark.parametrize("name", ADDRESSES)
def test_addresses_have_the_same_shape(core: Core, name: str) -> None:
    assert_same_given(core, Document.from_html(f"<link rel=canonical href='{ADDRESSES[name]}'><p>Words"))


def test_it_does_not_matter_where_a_browser_cuts_texts(core: Core) -> None:
    for html in (TRICKY["a text longer than a node"], ARTICLE):
        document = Document.from_html(html)
        found, expected = core.ask("tables", document.html, True), tables(document)
        assert {name: found["elements"][name] for name in expected["elements"]} == expected["elements"]
        assert {name: found["leaves"][name] for name in expected["leaves"]} == expected["leaves"]


@pytest.mark.parametrize("name", TRICKY)
def test_the_same_on_tricky_pages(core: Core, name: str) -> None:
    document = Document.from_html(TRICKY[name])
    assert_same_tables(core, document)
    assert_same_given(core, document)
    assert_same_labels(core, document)


# Deeper than 512 elements the two parsers go separate ways, so these stay below.
def passes_the_guard(page: str | bytes) -> bool:
    """A browser has no guard in front of its parser, so it sees other pages otherwise."""
    data = page if isinstance(page, bytes) else page.encode("utf-8", "replace")
    return guarded_page(data) == data


@pytest.mark.parametrize("name", [name for name, page in HOSTILE.items() if passes_the_guard(page(300))])
def test_the_same_on_hostile_pages(core: Core, name: str) -> None:
    document = Document.from_html(HOSTILE[name](300))
    assert_same_tables(core, document)
    assert_same_given(core, document)
    assert_same_labels(core, document)


def test_the_same_on_a_page_longer_than_a_window(core: Core) -> None:
    """Networks that run elsewhere are asked window by window."""
    paragraphs = (f"<p>Paragraph {number} of a page that is very long.</p>" for number in range(WINDOW + 300))
    document = Document.from_html("<ul><li><a href=/>Home</a></ul><main>" + "".join(paragraphs) + "</main>")
    assert len(document.leaves) > WINDOW
    assert_same_labels(core, document, elsewhere=True)


@pytest.mark.parametrize("way", [*HIDDEN, *FOLDING, *OPENABLE, *SHOWN])
def test_what_is_hidden_and_what_is_folded(core: Core, way: str) -> None:
    assert_same_tables(core, Document.from_html(page(_WAYS[way], SECRET)))


def test_pages_that_wait_for_their_scripts(core: Core) -> None:
    faded = "".join(f"<p style='opacity:0'>Part {number}.</p>" for number in range(4))
    pairs = "<h3>What is a weir?</h3><div style='display:none'><p>A low dam.</p></div>"
    menu = "<p>Home, towns, rivers, maps</p>" * 40
    for html in (
        f"<body style='visibility:hidden'>{ARTICLE}<p hidden>x</p>",
        f"<body>{menu}<div style='opacity:0'>{ARTICLE}</div><div style='display:none'>{ARTICLE}</div>",
        *(page("{}", part) for part in (faded, pairs, pairs * 2)),
    ):
        assert_same_tables(core, Document.from_html(html))


def test_what_is_folded_away_is_read(core: Core) -> None:
    document = Document.from_html(FOLDED)
    assert_same_given(core, document)
    assert_same_labels(core, document)
    labels = tamis.label(document.unfolded)
    assert (labels.keep & document.leaves.folded & ~document.leaves.is_media).any()
    assert (labels.keep & document.leaves.folded & document.leaves.is_media).any()


def test_copies_are_dropped_alike_but_not_in_documentation(core: Core) -> None:
    documents = {kind: Document.from_html(html) for kind, html in COPIED.items()}
    for kind, document in documents.items():
        rows = PageRuns(document)
        assert (rows.copies != np.arange(len(rows))).any()
        assert_same_given(core, document)
        assert_same_labels(core, document)
        labels = tamis.label(document)
        assert labels.page_types is not None
        assert labels.page_types.best == kind
    often = {
        kind: Page(document, tamis.label(document), "tamis", document).text for kind, document in documents.items()
    }
    assert {kind: text.count("the drum turns once a minute") for kind, text in often.items()} == {
        PageType.ARTICLE: 3,  # two of them code
        PageType.DOCUMENTATION: 4,
    }


@pytest.mark.parametrize("name", ARTICLES)
def test_structures_and_noise_are_decided_alike(core: Core, name: str) -> None:
    assert_same_labels(core, Document.from_html(ARTICLES[name]))


@pytest.mark.parametrize("vector", VECTORS["pages"], ids=lambda vector: vector["name"])
def test_the_same_counts_on_the_shared_vectors(core: Core, vector: dict[str, Any]) -> None:
    assert core.ask("counts", vector["html"], VECTORS["vocabulary"]) == vector["leaves"]


@pytest.mark.nightly
@pytest.mark.parametrize("name", GOLDEN)
def test_the_same_counts_on_golden_pages(core: Core, name: str) -> None:
    document = GOLDEN[name].document()
    rows = boilernet.leaf_counts(document, VOCABULARY)
    found = core.ask("counts", document.html, VOCABULARY.to_json())
    assert [row["text"] for row in found] == [document.leaves.text[leaf] for leaf in rows.leaves.tolist()]
    assert [column for row in found for column in row["columns"]] == rows.columns.tolist()
    assert [count for row in found for count in row["counts"]] == rows.counts.tolist()
    assert np.cumsum([0] + [len(row["columns"]) for row in found]).tolist() == rows.bounds.tolist()
