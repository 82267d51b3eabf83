"""What the HTML standard says of each tag, as sets and as codes for vectorised look-ups."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

# Embedded content. One such element is one leaf, whatever stands inside it.
MEDIA = frozenset({"img", "picture", "video", "audio", "iframe", "object", "embed", "svg", "canvas", "math"})

# What these hold is code and never text: no leaf is made of it.
CODE = frozenset({"script", "style"})

# Elements that a browser starts on a line of their own (the standard's style sheet), and the
# form controls, whose labels would otherwise run together.
BLOCK = frozenset(
    """
    address article aside blockquote body caption center col colgroup dd details dialog dir div dl
    dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr
    html legend li listing main menu nav noframes ol optgroup option p plaintext pre search section
    select summary table tbody td textarea tfoot th thead title tr ul xmp button
    """.split()
)

# Text below these is never shown: the standard gives them no box, or a browser that can show
# the medium shows it instead of its fallback text. `desc`, `metadata`, `defs` and `symbol` are SVG's;
# `annotation` holds a formula's TeX source in MathML.
INVISIBLE = frozenset(
    """
    annotation annotation-xml area audio base canvas datalist defs desc head iframe link meta metadata
    noembed noframes object param rp script source style symbol template title track video
    """.split()
)

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
PREFORMATTED = frozenset({"pre", "listing", "xmp", "plaintext", "textarea"})

_SPECIAL = {"a", "br", "hr", "noscript"}
OTHER = 0
CODES: dict[str, int] = {
    tag: code for code, tag in enumerate(sorted(MEDIA | BLOCK | INVISIBLE | PREFORMATTED | _SPECIAL), start=OTHER + 1)
}


def lookup(*tags: str) -> NDArray[np.bool_]:
    """A table from tag code to whether the tag is one of `tags`; index it with a column of codes."""
    table = np.zeros(len(CODES) + 1, dtype=np.bool_)
    table[[CODES[tag] for tag in tags]] = True
    return table
