"""The role of each run: title, text, caption, comment, related or boilerplate."""

from __future__ import annotations

import numpy as np

from tamis.arrays import Bools, Bytes
from tamis.extractor.network import COMMENT, RELATED
from tamis.extractor.runs import COLUMNS, PageRuns
from tamis.extractor.scaling import Singles
from tamis.labels import Role
from tamis.page_type import PageType

ROLES = np.array(list(Role), dtype=object)
TITLE, _TEXT, _CAPTION, _COMMENT, _RELATED, BOILERPLATE = range(len(ROLES))

# The logits from which a run is a comment or related. On Dragnet, any from -0.25 to -0.8 is as good for the text, and
# the lowest finds most comments.
COMMENT_FROM, RELATED_FROM = -0.75, -0.25

_IN_CAPTION = COLUMNS.index("in figcaption caption")


def comments_of(logits: Singles, page_type: PageType) -> Bools:
    """Which runs are readers' comments: in a forum none, since the posts of a thread are its content."""
    comments: Bools = logits[:, COMMENT] >= (np.inf if page_type is PageType.FORUM else COMMENT_FROM)
    return comments


def roles_of(runs: PageRuns, keep: Bools, comments: Bools, logits: Singles) -> Bytes:
    """For each run the index of its role in ROLES.

    The network predicts comments and teasers. A caption is in a FIGCAPTION or CAPTION. What is kept, as a cell of
    a data table, is no comment. `headline` finds the title.
    """
    roles = np.where(keep, np.uint8(_TEXT), np.uint8(BOILERPLATE))
    roles[~keep & (logits[:, RELATED] >= RELATED_FROM)] = _RELATED
    roles[keep & (runs.values[:, _IN_CAPTION] > 0)] = _CAPTION
    roles[comments & ~keep] = _COMMENT
    return roles
