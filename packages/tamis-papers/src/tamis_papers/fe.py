"""FeatureExtractor and K-FeatureExtractor (Debnath, Mitra, Giles; SAC 2005 and ISMIS 2005).

Tags such as TABLE, TR and P divide a page into blocks. Each block has features: how much text, how many links,
pictures and so on. FeatureExtractor keeps one block: the one in which the desired feature, which is text, outweighs the
others most. K-FeatureExtractor clusters the blocks by their features, and keeps the cluster that this block is in.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tamis.arrays import Floats, Ints
from tamis.document import Document, tags
from tamis.errors import OptionError
from tamis.labels import Labels, from_text_scores
from tamis_papers.columns import Columns

# The tags that divide a page.
_DIVIDES = tags.lookup("body", "table", "tr", "p", "ul", "div")
_IS_RULE = tags.lookup("hr")

# k-means has long settled by then on all pages that were tried.
_MOST_ROUNDS = 100
# Features and distances are rounded, so that the result does not depend on the processor.
_DECIMALS = 9

# The tags that each feature counts; text is counted in characters, and pictures and objects are media.
_COUNTED = {
    "links": frozenset({"a"}),
    "lists": frozenset({"li", "dt", "dd"}),
    "tables": frozenset({"table", "td", "th"}),
    "forms": frozenset({"form", "input", "select", "textarea", "button", "option"}),
    "headings": frozenset(tags.HEADINGS),
}


@dataclass(frozen=True)
class FeatureExtractor:
    """Keeps the block in which text outweighs all other features most."""

    def label(self, document: Document) -> Labels:
        """Texts of the winning block score 1, others 0."""
        block = blocks_of_leaves(document)
        features = block_features(document, block)
        return _labels_of_blocks(
            document, block, np.array([best_block(features)]) if len(features.values) else np.zeros(0, np.int64)
        )


@dataclass(frozen=True)
class ClusterFeatureExtractor:
    """Keeps the cluster of the block that FeatureExtractor keeps; k-means with `clusters` clusters."""

    clusters: int = 3

    def __post_init__(self) -> None:
        if self.clusters < 2:
            raise OptionError(f"clusters is at least 2, not {self.clusters}")

    def label(self, document: Document) -> Labels:
        """Texts of the winning cluster score 1, others 0."""
        block = blocks_of_leaves(document)
        features = block_features(document, block)
        if not len(features.values):
            return _labels_of_blocks(document, block, np.zeros(0, np.int64))
        cluster = cluster_of_each_point(features.values, self.clusters)
        return _labels_of_blocks(document, block, np.flatnonzero(cluster == cluster[best_block(features)]))


def _labels_of_blocks(document: Document, block: Ints, chosen: Ints) -> Labels:
    return from_text_scores(document, np.isin(block, chosen).astype(np.float64))


def blocks_of_leaves(document: Document) -> Ints:
    """The number of the block of each visible leaf, from 0; -1 for what nobody sees.

    A block is a stretch of leaves with the same nearest dividing element and no rule between them.
    """
    elements, leaves = document.elements, document.leaves
    found = np.full(len(leaves), -1)
    shown = np.flatnonzero(leaves.visible)
    if shown.size:
        holder = elements.nearest(_DIVIDES[elements.code], leaves.element[shown])
        rules = _IS_RULE[elements.code].cumsum()[leaves.opened[shown]]
        found[shown] = ((np.diff(holder, prepend=-2) != 0) | (np.diff(rules, prepend=rules[0]) != 0)).cumsum() - 1
    return found


def block_features(document: Document, block: Ints) -> Columns:
    """The features of each block, each divided by its largest value on the page. (blocks, features)"""
    elements, leaves = document.elements, document.leaves
    count = int(block.max(initial=-1)) + 1
    of_block = block >= 0
    characters = np.fromiter((sum(map(len, text.split())) for text in leaves.text), np.int64, len(leaves))
    columns: dict[str, Floats | Ints] = {
        "text": np.bincount(block[of_block], characters[of_block], minlength=count),
        "media": np.bincount(block[of_block], leaves.is_media[of_block], minlength=count),
    }
    # An element counts in the block of the first leaf that comes with it or after it.
    first = np.searchsorted(leaves.opened, np.arange(len(elements)))
    holder = np.append(block, -1)[first]
    for name, names in _COUNTED.items():
        counts = np.fromiter((tag in names for tag in elements.tag), np.bool_, len(elements)) & (holder >= 0)
        columns[name] = np.bincount(holder[counts], minlength=count)
    return Columns.of({name: _scaled_to_one(values) for name, values in columns.items()})


def _scaled_to_one(values: Floats | Ints) -> Floats:
    scaled: Floats = values / max(float(values.max(initial=0.0)), 1.0)
    return scaled.round(_DECIMALS)


def best_block(features: Columns) -> int:
    """The block whose text has the largest share in the sum of its features; of equals the one with the most text."""
    text, every = features["text"], features.values.sum(axis=1)
    share = np.where(text > 0, text / np.maximum(every, 10.0**-_DECIMALS), 0.0).round(_DECIMALS)
    return int(np.lexsort((-text, -share))[0])  # of equals in both, the first


def cluster_of_each_point(points: Floats, clusters: int) -> Ints:
    """The cluster of each point, by k-means.

    It starts with the points at even steps in the order of their first column.
    """
    order = np.argsort(points[:, 0], kind="stable")
    starts = np.rint(np.linspace(0, len(points) - 1, clusters)).astype(np.int64)
    centroids = points[order[starts]].copy()  # (clusters, features)
    belongs = np.full(len(points), -1)
    for _ in range(_MOST_ROUNDS):
        distance = np.stack([((points - centroid) ** 2).sum(axis=1) for centroid in centroids])
        nearest = distance.round(_DECIMALS).argmin(axis=0)
        if np.array_equal(nearest, belongs):
            break
        belongs = nearest
        for cluster in range(clusters):
            members = points[belongs == cluster]
            if len(members):  # a cluster without points stays where it is
                centroids[cluster] = members.mean(axis=0)
    return belongs


fe = FeatureExtractor()
k_fe = ClusterFeatureExtractor()
