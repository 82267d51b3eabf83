"""`tamis train`: learn an extractor's weights from corpora."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tamis.cli.arguments import add_verb
from tamis.cli.exits import Exit
from tamis.errors import OptionError
from tamis_lab.cli import add_data

if TYPE_CHECKING:
    from tamis_lab.training.loop import Epoch

_EPILOG = """\
examples:
  tamis train web2text --corpus wcxb:dev --corpus cleaneval:dev --seed 1 -o build/web2text
  tamis train boilernet --corpus googletrends-2017:train --epochs 50 --device cuda
  tamis train tamis --corpus MY_FOLDER -o build/mine    the shipped weights, tuned on NAME.html with NAME.txt beside it
  tamis bench --corpus MY_FOLDER --extractor tamis --extractor tamis=build/mine    before and after

The output folder gets the weights, a config and a card. A run that was stopped goes on where it was.
"""


def add_parser(verbs: Any) -> None:
    """Add the verb to the command line."""
    parser = add_verb(verbs, "train", run, epilog=_EPILOG)
    parser.add_argument("model", help="tamis, or a paper's model such as web2text; an unknown name lists all")
    parser.add_argument(
        "--corpus", action="append", required=True, metavar="NAME[:SPLIT]", help="or a folder of yours; repeatable"
    )
    add_data(parser)
    parser.add_argument("-o", "--output", type=Path, metavar="DIR", help="default: build/MODEL")
    how = parser.add_argument_group("how")
    how.add_argument(
        "--start",
        metavar="WEIGHTS",
        help="start from these, a name or a folder, or from 'nothing'; default: tamis for a folder of yours",
    )
    how.add_argument("--seed", type=int, default=1)
    how.add_argument("--epochs", type=int, help="at most; default: the model's own")
    how.add_argument("--patience", type=int, help="epochs without a better score before it stops")
    how.add_argument("--validation", type=float, default=0.1, help="share of the pages held out, by site")
    how.add_argument("--device", default="auto", help="cpu, cuda or auto")
    how.add_argument(
        "--folds", type=int, metavar="N", help="train N times, each without some sites, to measure on them"
    )
    how.add_argument(
        "--features", type=Path, metavar="FILE", help="prepared pages: read if it is there, else written (tamis only)"
    )
    how.add_argument("--fresh", action="store_true", help="ignore and delete an existing checkpoint")


def run(options: argparse.Namespace) -> Exit:
    """Read the pages, train, write the folder."""
    if options.folds is not None and options.folds < 2:
        raise OptionError("--folds is at least 2")
    if not 0 < options.validation < 1:
        raise OptionError("--validation is a share between 0 and 1")
    for name, least in (("epochs", 1), ("patience", 1), ("seed", 0)):
        if (value := getattr(options, name)) is not None and value < least:
            raise OptionError(f"--{name} is at least {least}")
    _check_names(options)
    from tamis_lab.training import models

    output: Path = options.output or Path("build") / options.model
    started = time.monotonic()
    models.train(
        options.model,
        options.corpus,
        output,
        data=options.data,
        seed=options.seed,
        epochs=options.epochs,
        patience=options.patience,
        validation=options.validation,
        device=options.device,
        fresh=options.fresh,
        folds=options.folds,
        features=options.features,
        start=_start(options),
        say=lambda words: print(f"{time.monotonic() - started:7.0f} s  {words}", file=sys.stderr),
        report=_report,
    )
    print(f"wrote {output}")
    return Exit.FINE


def _check_names(options: argparse.Namespace) -> None:
    """Raise OptionError or CorpusError for a model or corpus that is not there: nobody installs PyTorch to learn it."""
    from tamis_lab.training.pages import check_allowed
    from tamis_lab.training.recipes import entry_point

    entry_point(options.model)
    if not (options.features and options.features.exists()):
        check_allowed(options.corpus, options.data)


def _start(options: argparse.Namespace) -> str:
    """The weights to start from.

    By default they are the model's own, if it can be tuned, for a folder: it has too few pages to start from nothing.
    """
    from tamis_lab.corpora.catalogue import CorpusSource, is_folder
    from tamis_lab.training.models import recipe

    if options.start is not None:
        return "" if options.start == "nothing" else str(options.start)
    own_pages = all(is_folder(CorpusSource.parse(word).name) for word in options.corpus)
    return str(options.model) if own_pages and hasattr(recipe(options.model), "starting_from") else ""


def _report(epoch: Epoch) -> None:
    mark = "*" if epoch.score == epoch.best else " "
    print(
        f"epoch {epoch.number:3}  loss {epoch.loss:.4f}  validation {epoch.score:.4f}{mark} best {epoch.best:.4f}",
        file=sys.stderr,
    )
