"""The name, default, help and flag of each option, without its type.

The help texts of the command line need no more, and appear sooner without the classes of `options.py`.
"""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

from tamis.registry import DEFAULT

CHUNK_TOKENS = 512  # what most models that embed texts read at once
TIMEOUT = 30.0  # seconds for a page among many
# Megabytes for a page among many, beyond what a worker used before it. Only Linux can limit them.
MEMORY = 2_048 if sys.platform == "linux" else None


class Option(NamedTuple):
    """An option without its name and type."""

    default: Any
    help: str
    flag: str = ""  # on the command line, for the fields of ContentOptions
    off: str = ""  # help of the flag that switches the option off, if it is on by default


OPTIONS = {
    "favor_precision": Option(False, "keep only what is surely content", "precision"),
    "favor_recall": Option(False, "also keep text that may be content", "recall"),
    "include_title": Option(False, "write the title above the content", "title"),
    "include_comments": Option(False, "also keep readers' comments", "comments"),
    "visible_only": Option(
        False, "keep nothing that the page folds away, such as closed tabs and details", "visible-only"
    ),
    "include_links": Option(True, "write links in Markdown and HTML", "links", "write links without their targets"),
    "include_images": Option(
        True, "write images in Markdown and HTML", "images", "leave images out of Markdown and HTML"
    ),
    "include_tables": Option(
        True, "write tables as tables in Markdown and HTML", "tables", "write tables as plain lines"
    ),
    "links_as_references": Option(
        False, "write numbers for links in Markdown, and their addresses at its end", "links-as-references"
    ),
    "prune": Option((), "CSS selectors of elements to drop, whatever the extractor says", "prune"),
    "keep": Option((), "CSS selectors of elements to keep; of nested matches the innermost decides", "keep"),
    "extractor": Option(DEFAULT, "a name that tamis extractors lists, a folder of weights of yours, or NAME=FOLDER"),
    "timeout": Option(None, "the most seconds for a page"),
    "chunk_tokens": Option(None, "divide pages into chunks of at most this many tokens"),
    "chunk_overlap": Option(0, "the most tokens that a chunk repeats of the one before, at most half of a chunk"),
    "memory": Option(MEMORY, "the most megabytes for a page; None means unlimited"),
    "workers": Option(None, "processes for pages; by default one a core"),
    "text": Option(True, "whether results have the text"),
    "metadata": Option(False, "whether results have authors, dates, tags and so on"),
    "markdown": Option(False, "whether results have the Markdown"),
    "title": Option(True, "whether results have the title"),
    "page_type": Option(True, "whether results have the type of the page"),
    "state": Option(False, "whether results have the state of the page: content, login, paywall, error-page ..."),
    "confidence": Option(False, "whether results have the confidence of the extraction"),
}
CONTENT = tuple(name for name, option in OPTIONS.items() if option.flag)  # the fields of ContentOptions
