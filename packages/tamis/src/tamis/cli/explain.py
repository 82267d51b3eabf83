"""`tamis explain`: why each block of a page was kept or dropped."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tamis.cli.arguments import add_extractor, add_reading, add_verb
from tamis.cli.exits import Exit
from tamis.cli.outputs import add_output, complain, files_of, is_folder, message, refuse_to_overwrite, save, show
from tamis.cli.sources import Source, expand, read
from tamis.errors import InputError, OptionError
from tamis.registry import check

if TYPE_CHECKING:
    from tamis.explain import Explanation

# The most blocks that --text prints: a question about one paragraph needs no more.
_MOST_BLOCKS = 20

_DESCRIPTION = """\
Find out why a paragraph is missing: write a page that shows every block of a web page, coloured by its
score, with its role and the reasons. Or ask about one paragraph by some of its words.

SOURCE is a file, an http(s) URL, or - for standard input. Only the extractor tamis gives reasons; all
others give scores, verdicts and roles. It explains what extract does by default, without --precision,
--recall, --comments and --visible-only.
"""

_EPILOG = """\
examples:
  tamis explain page.html                             writes page-explained.html
  tamis explain page.html --text "sign up for our"    prints why, for the blocks with these words
  curl -s https://example.org/ | tamis explain - -o why.html

exit codes: 0 fine, 1 the page shows no text or none with these words, 2 wrong use, 3 input could not be read
"""


def add_parser(verbs: Any) -> None:
    """Add `explain` to the command line."""
    parser = add_verb(verbs, "explain", run, description=_DESCRIPTION, epilog=_EPILOG)
    parser.add_argument("source", metavar="SOURCE", help="file, URL or -")
    add_output(parser, help="a file, a folder, or - for standard output; default: NAME-explained.html in this folder")
    parser.add_argument(
        "--text", metavar="WORDS", help="print the blocks with these words; a page is written only with -o"
    )
    add_extractor(parser)
    add_reading(parser)


def run(options: argparse.Namespace) -> Exit:
    """Explain one page, to a file or to the terminal."""
    check(options.extractor)
    if options.text is not None and not options.text.strip():
        raise OptionError("--text needs some words")
    if options.text is not None and options.output == "-":
        raise OptionError("--text and the page can't both go to standard output")
    # One page is too little work for threads: they take nine times the processor time, and no less time.
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    pages = expand([options.source])
    if len(pages) > 1:
        raise OptionError(f"explain takes one page, and {options.source} holds {len(pages)}")
    source = pages[0]
    target = _target(source, options)
    refuse_to_overwrite(pages, [target] if target else [])
    explanation = _explain(source, options)
    from tamis.explain.words import confidence_sentence, state_sentence

    if options.output == "-":
        show(explanation.html, end="")
    elif target:
        save(target, explanation.html)
        complain(f"wrote {target}")
    if options.output != "-" and options.text is None:
        complain(f"state: {state_sentence(explanation)}")
        complain(f"confidence: {confidence_sentence(explanation)}")
    if options.text is not None:
        return _print_blocks(explanation, source, options.text)
    if not explanation.blocks:
        complain(f"{source.shown}: the page shows no text")
    return Exit.FINE if explanation.blocks else Exit.NOTHING


def _target(source: Source, options: argparse.Namespace) -> Path | None:
    """The file to write; None if no file is wanted."""
    if options.output == "-" or (options.text is not None and options.output is None):
        return None
    output = options.output or "./"
    (target,) = files_of(output, is_folder(output, [options.source], [source]), [source], "-explained.html")
    return target


def _explain(source: Source, options: argparse.Namespace) -> Explanation:
    from tamis.explain import explain

    raw = read(source, url=options.url, charset=options.encoding, allow_private=options.allow_private)
    try:
        return explain(raw, extractor=options.extractor)
    except InputError as error:
        raise InputError(message(source, error)) from None


def _print_blocks(explanation: Explanation, source: Source, words: str) -> Exit:
    """Print the blocks with these words; if there are none, where the page hides them."""
    from tamis.explain.words import to_lines

    blocks = explanation.find(words)
    for block in blocks[:_MOST_BLOCKS]:
        show("\n".join(to_lines(block)) + "\n")
    if more := len(blocks[_MOST_BLOCKS:]):
        print(f"and {more:,} more block{'s' * (more > 1)} with these words")
    if blocks:
        if explanation.remark:
            complain(explanation.remark)
        return Exit.FINE
    complain(f"{source.shown}: no block has the words {words!r}")
    for xpath in explanation.hidden(words)[:_MOST_BLOCKS]:
        complain(f"the text with them at {xpath} is hidden in a browser")
    return Exit.NOTHING
