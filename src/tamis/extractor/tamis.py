"""The default extractor: a network over the runs of a page, conditioned on the page type.

Read the modules in this order: `runs` (the input of the network), `network`, `policy` (what is content), `roles`.
Training is in `tamis.lab.training.tamis`.

It combines ideas of five papers: shallow text features (boilerpipe), features of the elements above a text (Web2Text),
the sequence of texts (BoilerNet), where the tree branches (R4), and the kind of page (GOCE), which the network
predicts itself.

Folded text (closed tabs, collapsed sections) is read like the rest. Of a shell, the content is read from its data.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import exp
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tamis import weights
from tamis.arrays import Floats
from tamis.deadline import check
from tamis.document import Document
from tamis.document.shells import embedded
from tamis.document.table import PAGE
from tamis.errors import WeightsError
from tamis.extractor import policy
from tamis.extractor.declared import Declared
from tamis.extractor.headline import headline
from tamis.extractor.network import CONTENT, OUTPUTS, RunNetwork
from tamis.extractor.roles import BOILERPLATE, ROLES, TITLE, comments_of, roles_of
from tamis.extractor.runs import COLUMNS, LEVELS, VERSION, PageRuns
from tamis.extractor.scaling import Singles
from tamis.labels import Labels, from_text_scores
from tamis.page_type import PageType, PageTypes
from tamis.weights import loaded

MODEL = "model.safetensors"
Tensors = dict[str, NDArray[Any]]
_PAGE_TYPES = tuple(PageType)


@dataclass(frozen=True)
class Tamis:
    """The extractor over one folder of weights."""

    weights: Path = Path(__file__).parent / "weights"

    def read(self, document: Document) -> Document:
        """The page with its folded parts visible, or the content of a shell."""
        unfolded = document.unfolded
        if (found := embedded(unfolded)) is None:
            return unfolded
        return Document.from_html(found.html, url=document.url, source=found.source)

    def label(self, document: Document) -> Labels:
        """Runs, network, policy, roles. The content of a shell is kept but for its headline. Raises WeightsError.

        The labels have page types if a text is kept: the network has learned from pages with content, and of others it
        says anything.
        """
        runs = PageRuns(document)
        if not len(runs):
            return from_text_scores(document, np.zeros(len(document.leaves)))
        if document.source != PAGE:
            scores = np.ones(len(document.leaves))
            scores[headline(runs, np.ones(len(runs), dtype=np.bool_))] = 0.0
            return from_text_scores(document, scores)
        check()
        values, tags = runs.values, runs.tags
        check()
        logits, type_logits = self.network.run(values, tags)
        check()
        page_types = _page_types(type_logits)
        page_type = page_types.best
        threshold = policy.threshold(self.network.threshold, page_type)
        comments = comments_of(logits, page_type)
        content = policy.content_logits(runs, logits[:, CONTENT], comments, page_type, threshold)
        keep = content >= threshold
        if not policy.has_content(runs, keep):
            return from_text_scores(document, np.zeros(len(document.leaves)), threshold=_probability(threshold))
        titles = headline(runs, keep)
        roles = runs.to_leaves(roles_of(runs, keep, comments, logits), BOILERPLATE)
        roles[titles] = TITLE
        scores, kept = runs.to_leaves(probability(content.astype(np.float64)), 0.0), runs.to_leaves(keep, False)
        scores[titles], kept[titles] = 0.0, False
        return from_text_scores(
            document,
            scores,
            keep=kept,
            roles=tuple(ROLES.take(roles).tolist()),
            threshold=_probability(threshold),
            page_types=page_types if kept.any() else None,
        )

    def page_types(self, document: Document) -> PageTypes | None:
        """How likely each page type is; None for a page of which no text is kept. Raises WeightsError."""
        read = self.read(document)
        if read.source == PAGE:
            return self.label(read).page_types
        runs = PageRuns(read, Declared.of(document))  # the content of a shell declares nothing
        return _page_types(self.network.run(runs.values, runs.tags)[1]) if len(runs) else None

    @loaded
    def network(self) -> RunNetwork:
        """The weights, read on first use. Raises WeightsError."""
        return load(self.weights)


def probability(logits: Floats) -> Floats:
    """The logistic function; logits are clipped at 30."""
    probabilities: Floats = 1 / (1 + np.exp(np.minimum(np.maximum(-logits, -30), 30)))
    return probabilities


@cache
def _probability(logit: float) -> float:
    """The same for one logit; cached, since all pages use the same few."""
    return float(probability(np.array(logit)))


def _page_types(logits: Singles) -> PageTypes:
    """The softmax of the network's logits."""
    given = logits.tolist()
    odds = [exp(logit - max(given)) for logit in given]
    return PageTypes({kind: odd / sum(odds) for kind, odd in zip(_PAGE_TYPES, odds, strict=True)})


def load(folder: Path) -> RunNetwork:
    """The network in a folder. Raises WeightsError."""
    try:
        network = RunNetwork.from_tensors(read_tensors(folder))
    except (KeyError, ValueError, IndexError, TypeError) as error:
        raise WeightsError(f"the network of {folder} cannot be loaded: {error}") from error
    if network.shape != (len(COLUMNS), 1 + LEVELS, len(OUTPUTS), len(PageType)):
        raise WeightsError(f"the network of {folder} has other inputs or outputs than this version of tamis")
    return network


def read_tensors(folder: Path) -> Tensors:
    """The weights in a folder as they were trained. Raises WeightsError."""
    from safetensors import SafetensorError
    from safetensors.numpy import load as load_tensors

    if weights.read_config(folder).get("input") != VERSION:
        raise WeightsError(f"the weights of {folder} were trained on other features than this version of tamis makes")
    try:
        return load_tensors(weights.read_weights(folder, MODEL))
    except SafetensorError as error:
        raise WeightsError(f"the network of {folder} cannot be loaded: {error}") from error


tamis = Tamis()
