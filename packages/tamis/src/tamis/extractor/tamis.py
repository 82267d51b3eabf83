"""The default extractor: two networks over the runs of a page, of which a gate chooses one.

The kernel does the work, from the tables of a page to its labels; read its files in this order: runs.c, columns.c and
records.c (the input of the networks), gate.c, network.c, policy.c (the decision), structures.c, notes.c, noise.c,
headline.c. Training is in `tamis_lab.training.tamis`.

It combines ideas of five papers: shallow text features (boilerpipe), features of the elements above a text (Web2Text),
the sequence of texts (BoilerNet), where the tree branches (R4), and the kind of page (GOCE), which the network
predicts itself.

Folded text (closed tabs, collapsed sections) is read like the rest. Of a shell, the content is read from its data.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tamis import weights
from tamis.deadline import check
from tamis.document import Document
from tamis.document.shells import embedded
from tamis.document.table import PAGE
from tamis.errors import WeightsError
from tamis.extractor.declared import Declared
from tamis.extractor.network import OUTPUTS, Networks
from tamis.extractor.runs import COLUMNS, LEVELS, VERSION, PageRuns
from tamis.labels import Labels
from tamis.page_type import PageType, PageTypes
from tamis.weights import loaded

MODEL = "model.safetensors"
Tensors = dict[str, NDArray[Any]]


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

        The labels have page types if a text is kept: the network was trained on pages with content, and its answers for
        other pages are arbitrary.
        """
        if document.source != PAGE or not document.leaves.is_visible_text.any():
            return PageRuns(document).label_all()
        networks = self.networks
        runs = PageRuns(document, width=networks.width)
        check()
        return runs.label(networks.of(runs).model)

    def page_types(self, document: Document) -> PageTypes | None:
        """How likely each page type is; None for a page of which no text is kept. Raises WeightsError."""
        read = self.read(document)
        if read.source == PAGE:
            return self.label(read).page_types
        runs = PageRuns(read, Declared.of(document))  # the content of a shell declares nothing
        if not len(runs):
            return None
        _, logits = self.networks.of(runs).run(runs.values, runs.tags)
        odds = np.exp(logits.astype(np.float64) - logits.max())
        return PageTypes(dict(zip(PageType, (odds / odds.sum()).tolist(), strict=True)))

    @loaded
    def networks(self) -> Networks:
        """The weights, read on first use. Raises WeightsError."""
        return load(self.weights)


def load(folder: Path) -> Networks:
    """The networks in a folder. Raises WeightsError."""
    try:
        networks = Networks.from_tensors(read_tensors(folder))
    except (KeyError, ValueError, IndexError, TypeError) as error:
        raise WeightsError(f"the networks of {folder} cannot be loaded: {error}") from error
    fitting = (len(COLUMNS), 1 + LEVELS, len(OUTPUTS), len(PageType))
    if (networks.modern.shape, networks.old.shape) != (fitting, fitting):
        raise WeightsError(f"the networks of {folder} have other inputs or outputs than this version of tamis")
    return networks


def read_tensors(folder: Path) -> Tensors:
    """The weights in a folder as they were trained. Raises WeightsError."""
    from safetensors import SafetensorError
    from safetensors.numpy import load as load_tensors

    if weights.read_config(folder).get("input") != VERSION:
        raise WeightsError(f"the weights of {folder} were trained on other features than this version of tamis makes")
    try:
        return load_tensors(weights.read_weights(folder, MODEL))
    except SafetensorError as error:
        raise WeightsError(f"the networks of {folder} cannot be loaded: {error}") from error


tamis = Tamis()
