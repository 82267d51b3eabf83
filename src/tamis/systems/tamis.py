"""The extractor of this project: a network over the rows of a page, steered by what kind of page it is.

Rows and their columns are in `features.tamis`, the network is in `networks.rows`, how it learned in
`training.tamis`. It takes the best of the five papers: shallow text features (boilerpipe), features of the
nodes above a text (Web2Text), the sequence of texts (BoilerNet), where in the tree a page parts (R4), and the
kind of page (GOCE), which the network guesses by itself.

What a page folds away (closed tabs, collapsed sections) is read like the rest. What a page carries only as data,
for a program that would show it, is read where the page itself shows next to nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tamis import weights
from tamis.arrays import Bools, Bytes, Floats
from tamis.document import Document, tags
from tamis.document.embedded import embedded
from tamis.document.table import PAGE
from tamis.features.tamis import COLUMNS, LEVELS, VERSION, PageRows
from tamis.labels import Labels, Role, from_text_scores
from tamis.networks.rows import RowNetwork
from tamis.networks.scaling import Singles
from tamis.weights import WeightsError, loaded

MODEL = "model.safetensors"

# What the network says of each row, in this order.
OUTPUTS = ("content", "comment", "related")

_ROLES = tuple(Role)
_TITLE, _TEXT, _CAPTION, _COMMENT, _RELATED, _BOILERPLATE = range(len(_ROLES))
_IN_CAPTION, _IN_TITLE = COLUMNS.index("in figcaption caption"), COLUMNS.index("in title")
_IS_HEADING, _IS_H1 = tags.lookup(*tags.HEADINGS), tags.lookup("h1")


@dataclass(frozen=True)
class Tamis:
    """The extractor over one folder of weights: a name below tamis.weights, or a path."""

    weights: str | Path = "tamis"

    def read(self, document: Document) -> Document:
        """The page with what it folds away, or the content that is in its data alone."""
        unfolded = document.unfolded
        if (found := embedded(unfolded)) is None:
            return unfolded
        return Document.from_html(found.html, url=document.url, source=found.source)

    def label(self, document: Document) -> Labels:
        """Rows, network, probabilities, roles. What was found in a page's data is content as it is."""
        if document.source != PAGE:
            return from_text_scores(document, np.ones(len(document.leaves)))
        rows = PageRows(document)
        if not len(rows):
            return from_text_scores(document, np.zeros(len(document.leaves)))
        network = self.network
        logits, _ = network.run(rows.values, rows.tags)
        threshold = float(_sigmoid(np.array(network.threshold)))
        keep = logits[:, 0] >= network.threshold
        roles = rows.to_leaves(_roles(rows, keep, logits), _BOILERPLATE).tolist()
        return from_text_scores(
            document,
            rows.to_leaves(_sigmoid(logits[:, 0].astype(np.float64)), 0.0),
            keep=rows.to_leaves(keep, False),
            roles=[_ROLES[code] for code in roles],
            threshold=threshold,
        )

    @loaded
    def network(self) -> RowNetwork:
        """The weights, read on first use. Raises WeightsError."""
        return load(self.weights)


def _sigmoid(logits: Floats) -> Floats:
    likely: Floats = 1 / (1 + np.exp(-np.clip(logits, -30, 30)))
    return likely


def _roles(rows: PageRows, keep: Bools, logits: Singles) -> Bytes:
    """For each row the number of its role.

    The network knows comments and teasers; a caption stands in a FIGCAPTION; the title is the first heading that
    is in the page's TITLE, or else the first H1 that stays.
    """
    values, code = rows.values, rows.tags[:, 0]
    roles = np.where(keep, np.uint8(_TEXT), np.uint8(_BOILERPLATE))
    roles[~keep & (logits[:, 2] >= 0)] = _RELATED
    roles[keep & (values[:, _IN_CAPTION] > 0)] = _CAPTION
    roles[logits[:, 1] >= 0] = _COMMENT
    for titles in (_IS_HEADING[code] & (values[:, _IN_TITLE] > 0), keep & _IS_H1[code]):
        if titles.any():
            roles[np.argmax(titles)] = _TITLE
            break
    return roles


def load(where: str | Path) -> RowNetwork:
    """Read the weights in a folder. Raises WeightsError."""
    from safetensors import SafetensorError
    from safetensors.numpy import load as read_tensors

    if weights.read_config(where).get("input") != VERSION:
        raise WeightsError(f"the weights of {where} were trained on other features than this tamis makes")
    try:
        network = RowNetwork.from_tensors(read_tensors(weights.read_weights(where, MODEL)))
    except (SafetensorError, KeyError, ValueError, IndexError, TypeError) as error:
        raise WeightsError(f"the network of {where} cannot be loaded: {error}") from error
    if (network.columns, network.tag_columns) != (len(COLUMNS), 1 + LEVELS):
        raise WeightsError(f"the network of {where} takes other columns than this tamis makes")
    return network


tamis = Tamis()
