"""The tags of the HTML standard as sets, and as codes for vectorised look-ups."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the build of the kernel runs this file by itself
    from tamis.arrays import Bools

# Embedded content. One such element is one leaf, whatever it contains.
MEDIA = frozenset({"img", "picture", "amp-img", "video", "audio", "iframe", "object", "embed", "svg", "canvas", "math"})

# These contain code, which does not become leaves.
CODE = frozenset({"script", "style"})

# Elements that start on a new line (the standard's style sheet), and form controls, whose labels would otherwise run
# together.
BLOCK = frozenset(
    """
    address article aside blockquote body caption center col colgroup dd details dialog dir div dl
    dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr
    html legend li listing main menu nav noframes ol optgroup option p plaintext pre search section
    select summary table tbody td textarea tfoot th thead title tr ul xmp button
    """.split()
)

# Text below these is never shown: the standard gives them no box, a medium is shown instead of its fallback text, an
# option only when its list is opened. `desc`, `metadata`, `defs` and `symbol` are SVG's; `annotation` holds the TeX
# source of a formula in MathML.
INVISIBLE = frozenset(
    """
    annotation annotation-xml area audio base canvas datalist defs desc head iframe link meta metadata
    noembed noframes object option param script source style symbol template title track video
    """.split()
)

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
PREFORMATTED = frozenset({"pre", "listing", "xmp", "plaintext", "textarea"})

# A code for each tag of interest. Code, preformatted text and media come first: one comparison with LAST_SPECIAL finds
# the few elements that the walk treats differently.
OTHER = 255
_PLAIN = (BLOCK | INVISIBLE | {"a", "br", "noscript"}) - CODE - PREFORMATTED - MEDIA
CODES: dict[str, int] = {
    tag: code
    for code, tag in enumerate([*sorted(CODE), *sorted(PREFORMATTED), *sorted(MEDIA), *sorted(_PLAIN)])
}  # fmt: skip
LAST_CODE = len(CODE) - 1
LAST_PREFORMATTED = LAST_CODE + len(PREFORMATTED)
LAST_SPECIAL = LAST_PREFORMATTED + len(MEDIA)


def lookup(*tags: str) -> Bools:
    """A table from tag code to whether the tag is one of `tags`; index it with a column of codes."""
    import numpy as np

    table = np.zeros(OTHER + 1, dtype=np.bool_)
    table[[CODES[tag] for tag in tags]] = True
    return table
