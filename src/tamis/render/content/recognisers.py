"""All recognisers."""

from __future__ import annotations

from tamis.render.content.anchors import anchors
from tamis.render.content.callouts import callouts
from tamis.render.content.code import code_blocks
from tamis.render.content.embeds import embeds
from tamis.render.content.formulas import formulas
from tamis.render.content.lists import lists
from tamis.render.content.marks import Recogniser
from tamis.render.content.media import copies
from tamis.render.content.notes import notes
from tamis.render.content.tables import role_tables

# The first that knows a row wins.
RECOGNISERS: tuple[Recogniser, ...] = (
    formulas, notes, callouts, anchors, code_blocks, role_tables, lists, embeds, copies,
)  # fmt: skip
