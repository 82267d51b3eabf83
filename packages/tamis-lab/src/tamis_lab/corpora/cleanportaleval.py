"""CleanPortalEval: input/NAME.html and GoldStandard/NAME.txt, written like CleanEval."""

from __future__ import annotations

from tamis_lab.corpora.cleaneval import CleanEval


class CleanPortalEval(CleanEval):
    """Several pages each of four sites, for methods that learn a site's template."""

    folders = {"all": ""}  # noqa: RUF012
