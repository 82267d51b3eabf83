"""How many structures of the content are whole in the output, torn or lost, on the pages of a corpus.

    python -m benchmarks.structures                                  WCXB dev, the shipped weights
    python -m benchmarks.structures --extractor tamis=build/folds    each page by the network that has not seen its site
    python -m benchmarks.structures --worst 30                       also names what is torn or lost

A structure is a list, a table, a quotation, a block of code or a figure with a caption. It belongs to the content if
the gold has all of its texts; then it is whole (all of its texts are kept), torn (some are) or lost (none is). Of
structures of one kind inside each other, the outermost that the gold has entirely counts, and those inside it do not.
If the gold has none of its texts, the structure is foreign, and the last column tells how many of those are kept in
whole or in part. Of foreign ones, too, the outermost counts.

What is no structure: a menu (a list in a nav, a form or a button), a list of less than two items with words, a table
that arranges a page (it has a heading, a form or another table inside, or less than two rows), and a structure without
any word. A structure is also whole if the texts that it lacks are kept elsewhere on the page: it does not matter which
of two copies stays. Pages on which less than nine tenths of the gold was found are left out.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tamis import Document, extract
from tamis.arrays import Bools, places
from tamis.document import tags
from tamis.lab.bench import trained
from tamis.lab.corpora.catalogue import Source, open_corpus
from tamis.lab.gold import leaf_gold
from tamis.lab.metrics import tokens
from tamis.registry import get

KINDS = {
    "list": ("ul", "ol", "dl"),
    "table": ("table",),
    "quotation": ("blockquote",),
    "code": ("pre", "listing", "xmp"),
    "figure": ("figure",),
}
OUTCOMES = ("whole", "torn", "lost", "foreign", "foreign kept")

_IS_MENU = tags.lookup("nav", "form", "button", "select")
_IN_LAYOUT = tags.lookup("table", "form", *tags.HEADINGS)
_IS_ROW, _IS_CAPTION = tags.lookup("tr"), tags.lookup("figcaption")


@dataclass(frozen=True)
class Structure:
    """One structure of a page and what has become of it."""

    kind: str
    outcome: str
    text: str


def judged(document: Document, content: Bools, keep: Bools) -> Iterator[Structure]:
    """The structures of a page: `content` are the leaves that the gold has, `keep` those that an extractor keeps."""
    elements, leaves = document.elements, document.leaves
    worded = [leaf for leaf in leaves.visible_text.tolist() if tokens(leaves.text[leaf])]
    kept_texts = {leaves.text[leaf].strip() for leaf in worded if keep[leaf]}
    in_menu = elements.inside(_IS_MENU[elements.code])
    inner, rows = elements.sums(_IN_LAYOUT[elements.code]), elements.sums(_IS_ROW[elements.code])
    captions = elements.sums(_IS_CAPTION[elements.code])
    for kind, names in KINDS.items():
        is_kind = tags.lookup(*names)
        done = 0  # up to this row, elements are in a structure that counts
        for row in places(is_kind[elements.code]).tolist():
            end = int(elements.end[row])
            if row < done or (kind == "list" and in_menu[row]) or (kind == "figure" and not captions[row]):
                continue
            if kind == "table" and (inner[row] > 1 or rows[row] < 2):
                continue
            inside = [leaf for leaf in worded if row <= leaves.element[leaf] < end]
            if kind == "list" and len({int(leaves.block[leaf]) for leaf in inside}) < 2:
                continue
            in_gold = sum(bool(content[leaf]) for leaf in inside)
            if not inside or 0 < in_gold < len(inside):
                continue
            done = end
            kept = sum(bool(keep[leaf]) for leaf in inside)
            if not in_gold:
                outcome = "foreign kept" if kept else "foreign"
            elif all(keep[leaf] or leaves.text[leaf].strip() in kept_texts for leaf in inside):
                outcome = "whole"
            else:
                outcome = "torn" if kept else "lost"
            yield Structure(kind, outcome, " | ".join(leaves.text[leaf].strip() for leaf in inside))


def table(counts: Counter[tuple[str, str]]) -> str:
    """Shares of whole, torn and lost structures of each kind, and of foreign ones that are kept."""
    lines = [f"{'':10s} {'in gold':>8s} {'whole':>7s} {'torn':>7s} {'lost':>7s} {'foreign':>8s} {'kept':>7s}"]
    bars = [kind for kind in KINDS if kind != "figure"]
    for name, kinds in (*((kind, [kind]) for kind in KINDS), ("all", [*KINDS]), ("no figures", bars)):
        whole, torn, lost, foreign, kept = (sum(counts[kind, outcome] for kind in kinds) for outcome in OUTCOMES)
        ours, others = max(whole + torn + lost, 1), max(foreign + kept, 1)
        shares = "".join(f" {100 * each / ours:6.2f}%" for each in (whole, torn, lost))
        lines.append(f"{name:10s} {whole + torn + lost:8d}{shares} {foreign + kept:8d} {100 * kept / others:6.2f}%")
    return "\n".join(lines)


def measure(source: str, extractor: str) -> Iterator[tuple[str, Structure]]:
    """The structures of all pages of a corpus with the names of their pages."""
    choose = trained.extractor_of(extractor) if trained.is_trained(extractor) else lambda html, url: get(extractor)
    name, split = Source.parse(source)
    with open_corpus(name) as corpus:
        for page in corpus.pages(split):
            if not page.gold_text:
                continue
            gold = leaf_gold(page, page.document())
            if gold.is_bad:
                continue
            found = extract(page.html, url=page.url, extractor=choose(page.html, page.url))
            content = (gold.unfolded or gold).content
            if len(content) == len(found.document.leaves):  # else the text was found in the page's data
                yield from ((page.id, each) for each in judged(found.document, content, found.labels.keep))


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", default="wcxb:dev")
    parser.add_argument("--extractor", default="tamis", help="a name, or NAME=FOLDER as in tamis bench")
    parser.add_argument("--worst", type=int, default=0, metavar="N", help="also show N that are torn or lost")
    options = parser.parse_args(arguments)
    found = list(measure(options.corpus, options.extractor))
    print(table(Counter((each.kind, each.outcome) for _, each in found)))
    bad = [(page, each) for page, each in found if each.outcome in ("torn", "lost")]
    for page, each in bad[: options.worst]:
        print(f"{page:8s} {each.kind:10s} {each.outcome:5s} {each.text[:150]!r}")


if __name__ == "__main__":
    main()
