"""Learns the weights of `page.confidence`: `python -m tamis_lab.training.confidence FOLDER`.

FOLDER holds the networks of `tamis train tamis --folds`, so that each page is extracted by a network that was not
trained on its site: a network's scores are too sure on pages that it has learned. A logistic model then learns the real
token F1 as a share. The weights go to FOLDER/confidence; what is printed are figures by models of folds, each measured
on the sites that it has not seen, and by the model of all pages on the validation sets.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tamis.weights import write_config
from tamis.worth.confidence import FOLDER, MODEL, Model, load
from tamis_lab.bench.confidence import LEARNED, MEASURED, Extraction, confidence_table, extractions_of_corpora
from tamis_lab.training.pages import check_allowed, fold_of

FOLDS = 5
# The inverse of the penalty. From .003 to .03 the areas under the curve differ by .01; this is calibrated best.
STRENGTH = 0.03
_FLAT = 1e-9  # a column with a smaller deviation says nothing


def learn_model(found: Sequence[Extraction], strength: float) -> Model:
    """The model that makes the F1 of these pages most likely."""
    from sklearn.linear_model import LogisticRegression

    names = tuple(found[0].columns)
    values = np.array([[each.columns[name] for name in names] for each in found])
    f1 = np.array([each.f1 for each in found])
    mean, deviation = values.mean(axis=0), values.std(axis=0)
    deviation = np.where(deviation < _FLAT, 1.0, deviation)
    scaled = (values - mean) / deviation
    # A page with an F1 of .7 counts as .7 of a right and .3 of a wrong one.
    twice, target = np.vstack([scaled, scaled]), np.repeat([1, 0], len(f1))
    fitted = LogisticRegression(C=strength, max_iter=5000).fit(twice, target, sample_weight=np.r_[f1, 1 - f1])
    return Model(names, mean, deviation, fitted.coef_[0], float(fitted.intercept_[0]))


def out_of_fold(found: Sequence[Extraction], strength: float) -> list[float]:
    """The confidence of each page by a model that has not seen its site."""
    folds = [fold_of(each.site, FOLDS) for each in found]
    models = [
        learn_model([each for each, fold in zip(found, folds, strict=True) if fold != left_out], strength)
        for left_out in range(FOLDS)
    ]
    return [models[fold].predict(each.columns) for each, fold in zip(found, folds, strict=True)]


def expected_f1(found: Sequence[Extraction]) -> tuple[str, list[float]]:
    """The confidence of each page, and how it was found.

    With all corpora that are learned from, each page of these is judged by a model that has not seen its site.
    """
    shipped = load(FOLDER)
    sure = [shipped.predict(each.columns) for each in found]
    names = {source.partition(":")[0] for source in LEARNED}
    learned = [number for number, each in enumerate(found) if each.corpus in names]
    if not names <= {each.corpus for each in found}:
        return "confidences by the shipped model", sure
    for number, confidence in zip(learned, out_of_fold([found[number] for number in learned], STRENGTH), strict=True):
        sure[number] = confidence
    return "confidences out of fold by site", sure


def write_weights(folder: Path, model: Model, scores: Sequence[str]) -> None:
    """Write the weights and their config."""
    from safetensors.numpy import save_file

    folder.mkdir(parents=True, exist_ok=True)
    tensors = {
        "mean": model.mean,
        "deviation": model.deviation,
        "weight": model.weight,
        "offset": np.array([model.offset]),
    }
    save_file({name: values.astype(np.float32) for name, values in tensors.items()}, folder / MODEL)
    facts = {"columns": list(model.names), "trained_on": list(LEARNED), "strength": STRENGTH, "scores": list(scores)}
    write_config(folder, facts, MODEL)


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the corpora, learn, write the weights, print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="as `tamis train tamis --folds` wrote it; the weights go into it")
    parser.add_argument("--data", type=Path, help="the folder of the corpora")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args(arguments)
    check_allowed(LEARNED, options.data)
    found = extractions_of_corpora((*LEARNED, *MEASURED), f"tamis={options.folder}", options.data, options.workers)
    learned = [each for each in found if each.corpus not in MEASURED]
    measured = [each for each in found if each.corpus in MEASURED]
    model = learn_model(learned, STRENGTH)
    expected = [*out_of_fold(learned, STRENGTH), *(model.predict(each.columns) for each in measured)]
    scores = list(confidence_table([*learned, *measured], expected))
    print("\n".join(scores), file=sys.stderr)
    write_weights(options.folder / "confidence", model, scores)


if __name__ == "__main__":
    main()
