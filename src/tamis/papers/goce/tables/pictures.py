"""The picture networks, out of fold. Needs torch and the pictures: no browser, and none of the other classifiers."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from tamis.lab.training.loop import seed_everything
from tamis.lab.training.models import fit_stages
from tamis.papers.goce import picture_training as pictures
from tamis.papers.goce.picture_training import Example, PictureTask
from tamis.papers.goce.tables import answers
from tamis.papers.goce.tables.folds import FOLDS, SEED, folds

SIZES = ("lite0", "lite2")


def picture_answers(
    examples: Sequence[Example], sites: Mapping[str, str], size: str, *, device: str, seed: int = SEED
) -> dict[str, float]:
    """For each page the probability of being an article, by a network that learned from other sites.

    `sites` has the site of each page by its name. Raises MissingExtra without the ImageNet weights, and
    InputError for too few pages.
    """
    by_name = {example.name: example for example in examples}
    schedule = replace(pictures.SCHEDULE, seed=seed, device=device)
    found: dict[str, float] = {}
    for number, fold in enumerate(folds({name: sites[name] for name in by_name}, seed), start=1):
        print(f"{size}, fold {number} of {FOLDS}: {len(fold.training)} pages to learn from", file=sys.stderr)
        training, validation, test = ([by_name[name] for name in part] for part in fold)
        seed_everything(seed)
        task = PictureTask(training, validation, size=size, device=device)
        fit_stages(task, schedule)
        found |= dict(zip(fold.test, task.probabilities(test).tolist(), strict=True))
    return found


def kept_answers(
    examples: Sequence[Example],
    sites: Mapping[str, str],
    size: str,
    *,
    device: str,
    seed: int = SEED,
    folder: Path = answers.FOLDER,
) -> dict[str, float]:
    """The same, from the file in `folder`; where it has none for these inputs, they are made and written to it."""
    inputs = digest(examples, sites, size, seed=seed)
    found: dict[str, float] | None = answers.read(size, inputs, folder)
    if found is None:
        found = picture_answers(examples, sites, size, device=device, seed=seed)
        answers.write(size, inputs, found, folder)
    return found


def digest(examples: Sequence[Example], sites: Mapping[str, str], size: str, *, seed: int = SEED) -> str:
    """A hash of pages, genres, sites, size of the pictures, network and schedule.

    Colours are no part of it, nor is the device: fonts differ from machine to machine, and what was
    trained on one may be written up on another.
    """
    pages = sorted((example.name, sites[example.name], example.is_article) for example in examples)
    shapes = sorted({example.pixels.shape for example in examples})
    schedule = asdict(replace(pictures.SCHEDULE, seed=seed, device=""))
    return answers.digest(pages, shapes, schedule, size, FOLDS)
