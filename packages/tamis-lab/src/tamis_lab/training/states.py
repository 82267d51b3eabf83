"""Learns the weights of `page_state`: `python -m tamis_lab.training.states`, which writes `worth/state.json`.

From the golden pages of each state, and pages with content and log-ins of corpora that may be trained on. A weight
keeps the sign that it has in the file, and is pulled towards a common size: the golden pages are few, and written by
us.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import tamis
from tamis.arrays import Floats, Ints
from tamis.worth import state
from tamis.worth.state import Clue, PageState, clues
from tamis_lab.bench.states import READ, SAMPLE, extracted, golden_pages
from tamis_lab.corpora.catalogue import open_corpus, pages_of
from tamis_lab.corpora.reader import CorpusPage
from tamis_lab.training.pages import check_allowed

LEARNED = (
    "wcxb:dev", "news-2023:train", "canola", "cleaneval:dev", "googletrends-2017:train", "press-2026", "threads",
    "recipes", "pages",
)  # fmt: skip
# Pages of formasaurus in the corpus `pages` that are forms to log in, to register or for a lost password: read by us.
# None is of the sample that `tamis_lab.bench.states` prints.
LOGINS = frozenset(
    """
    0001 0002 0006 0013 0014 0015 0016 0017 0018 0023 0026 0028 0031 0033 0047 0049 0056 0057 0059 0060 0061 0092
    0094 0100 0101 0102 0106 0108 0120 0138 0144 0145 0146 0152 0164 0165 0166 0179 0180 0181 0186 0192 0193 0205
    0212 0225 0227 0228 0229 0231 0233 0234 0235 0236 0239 0240 0241 0242 0251 0259 0263 0265 0274 0275 0280 0281
    0282 0297 0298 0306 0307 0318 0324 0325 0326 0327 0333 0339 0340 0341 0346 0366 0369 0372 0373 0390 0393 0396
    0401 0402 0407 0409 0429 0440 0442 0448 0450 0466 0471 0475 0493 0494 0507 0510 0511 0531 0532 0537 0571 0572
    0576 0577 0583 0587 0588
    """.split()
)
FILE = Path(state.__file__).with_suffix(".json")
FOLDS = 10
SIZE, PULL = (
    4.0,
    0.02,
)  # of a weight if nothing is known of it; of sizes 3 and 4 and pulls .02 and .05 the best in folds
LOGIN = 0.3  # what one of `LOGINS` counts beside a golden page
SHARE = 0.2  # what a page of a corpus counts beside a golden page: walls are rare
_SAVED = 200  # characters of visible text; seven pages of WCXB have less, since a script brought their text
_STATES = tuple(PageState)

Weights = dict[str, dict[str, float]]


class Examples(NamedTuple):
    """Pages as arrays."""

    columns: Floats  # page, state, weight
    states: Ints  # page
    counts: Floats  # page


def _example(page: CorpusPage) -> tuple[str, list[Clue]] | None:
    """The state and the clues of a page; None if nobody read it, or its text was not saved."""
    is_login = page.corpus == READ and page.id.removeprefix("formasaurus-") in LOGINS
    if not is_login and (not page.gold_text and page.corpus != "recipes"):
        return None
    found = tamis.extract(page.html, url=page.url)
    leaves = found.document.leaves
    if not is_login and sum(len(leaves.text[leaf]) for leaf in leaves.visible_text) < _SAVED:
        return None
    return "login" if is_login else "content", clues(found.document, found.labels)


def examples(weights: Weights, data: Path | None, workers: int) -> tuple[Examples, int]:
    """All pages, golden ones first, and the number of these."""
    golden = [
        (page.group, clues(found.document, found.labels, **answer))
        for page in golden_pages()
        for found, answer in [extracted(page)]
    ]
    with open_corpus(READ, data) as corpus:
        measured = {page.id for page in corpus.sample(None, SAMPLE)}
    pages = (page for name in LEARNED for page in pages_of(name, data) if name != READ or page.id not in measured)
    with get_context("spawn").Pool(workers) as pool:
        found = [each for each in pool.imap(_example, pages, chunksize=8) if each]
    columns = np.array([_columns(each, weights) for _, each in (*golden, *found)])
    states = np.array([_STATES.index(PageState(name)) for name, _ in (*golden, *found)])
    return Examples(
        columns, states, np.array([1.0] * len(golden) + [SHARE if name == "content" else LOGIN for name, _ in found])
    ), len(golden)


def _columns(found: Sequence[Clue], weights: Weights) -> Floats:
    """For each state and weight: the sum of the strengths of the clues that it is for."""
    names = list(_names(weights))
    columns = np.zeros((len(_STATES), len(names)))
    for column, (kind, name) in enumerate(names):
        wanted = (each.strength for each in found if each.kind == kind and each.state in (None, name))
        columns[_STATES.index(PageState(name)), column] = sum(wanted)
    return columns


def _names(weights: Weights) -> Iterator[tuple[str, str]]:
    return ((kind, name) for kind, row in weights.items() for name in row)


def learn(pages: Examples, signs: Floats) -> Floats:
    """The weights that make the states of these pages most likely."""
    from scipy.optimize import minimize

    rows, usual = np.arange(len(pages.states)), SIZE * signs

    def loss(weights: Floats) -> tuple[float, Floats]:
        share = probabilities(pages.columns, weights)
        value = (
            -(pages.counts * np.log(share[rows, pages.states] + 1e-12)).sum() + PULL * ((weights - usual) ** 2).sum()
        )
        share[rows, pages.states] -= 1
        slope = np.einsum("ps,psw->w", share * pages.counts[:, None], pages.columns)
        return float(value), slope + 2 * PULL * (weights - usual)

    bounds = [(0, None) if sign > 0 else (None, 0) for sign in signs]
    found: Floats = minimize(loss, usual, jac=True, bounds=bounds, method="L-BFGS-B").x
    return found


def probabilities(columns: Floats, weights: Floats) -> Floats:
    """For each page and state."""
    odds = columns @ weights
    shares: Floats = np.exp(odds - odds.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    return shares


def missed(pages: Examples, golden: int, signs: Floats) -> int:
    """The golden pages that are called something else by weights that were learned without them."""
    fold = np.arange(len(pages.states)) % FOLDS
    fold[golden:] = -1
    wrong = 0
    for number in range(FOLDS):
        weights = learn(Examples(*(column[fold != number] for column in pages)), signs)
        held = fold == number
        wrong += int((probabilities(pages.columns[held], weights).argmax(axis=1) != pages.states[held]).sum())
    return wrong


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the pages, learn, write the weights, print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="the folder of the corpora")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args(arguments)
    check_allowed(LEARNED, options.data)
    facts: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    pages, golden = examples(facts["weights"], options.data, options.workers)
    names = list(_names(facts["weights"]))
    signs = np.array([-1.0 if str(facts["weights"][kind][name]).startswith("-") else 1.0 for kind, name in names])
    print(f"{missed(pages, golden, signs)} of {golden} golden pages are wrong in folds")
    weights = learn(pages, signs)
    wrong = probabilities(pages.columns, weights).argmax(axis=1) != pages.states
    others = len(wrong) - golden
    print(f"by the new weights {wrong[:golden].sum()} of them, and {wrong[golden:].sum()} of {others:,} others")
    for (kind, name), weight in zip(names, weights.tolist(), strict=True):
        facts["weights"][kind][name] = round(weight, 1)
    FILE.write_text(written(facts) + "\n", encoding="utf-8")


def written(value: object, indent: str = "") -> str:
    """JSON with a list a line."""
    if not isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    rows = ",\n".join(f"{indent}  {json.dumps(key)}: {written(each, indent + '  ')}" for key, each in value.items())
    return f"{{\n{rows}\n{indent}}}"


if __name__ == "__main__":
    main()
