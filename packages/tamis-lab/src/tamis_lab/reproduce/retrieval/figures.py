"""The tables and charts of the page."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from tamis.render import safe
from tamis_lab.metrics import holm
from tamis_lab.reproduce.page import Figure, Section, points
from tamis_lab.reproduce.retrieval.experiment import MODELS, Searched, SearchTask, randomisation
from tamis_lab.reproduce.retrieval.systems import GOLD, LIMITS, MIN_WORDS, RAW, Cleaned

_LEVEL = 0.05
_BTE = "bte"

# Web2Text, Table 3, query likelihood on CW12-A: P@10 and MAP by those of raw pages (0.316 and 0.137).
_TABLE3 = {
    "web2text": (0.361, 0.154), _BTE: (0.301, 0.128), "boilerpipe-words": (0.318, 0.138),
    "boilerpipe-article": (0.298, 0.126), "boilerpipe-largest": (0.279, 0.112),
}  # fmt: skip
_TABLE3_RAW = (0.316, 0.137)
# Boilerpipe, section 6.2: P@10 of BTE and of blocks of at least 11 words, by that of raw pages (0.18).
_SECTION6 = {_BTE: 0.33, f"{MIN_WORDS} 11": 0.44}
_SECTION6_RAW = 0.18

Results = Mapping[str, Searched]  # by system


def significance(results: Results, task: str, model: str, measure: str) -> dict[str, float]:
    """For each system but the raw page: the p of its difference from the raw page, adjusted for their number."""
    scores = {name: each.scores[task, model, measure] for name, each in results.items()}
    raw = scores.pop(RAW)
    return dict(zip(scores, holm([randomisation(own, raw) for own in scores.values()]), strict=True))


def task_section(
    title: str, task: SearchTask, results: Results, seen: Collection[str], facts: Mapping[str, object]
) -> Section:
    """One row a system, one column for each model and measure."""
    columns = [(model, measure) for model in MODELS for measure in task.measures]
    ps = {column: significance(results, task.name, *column) for column in columns}
    rows = {}
    for name, each in results.items():
        cells = []
        for column in columns:
            p = ps[column].get(name)
            star = "*" if p is not None and p < _LEVEL else ""
            note = "" if p is None else f" <small>p {p:.3f}</small>"
            cells.append(f"{each.mean(task.name, *column):.3f}{star}{note}")
        rows[_shown(name, seen)] = cells
    head = [f"{safe.text(measure)}<small>{safe.text(model)}</small>" for model, measure in columns]
    return Section(title, chart=_table(head, rows), facts={**facts, "queries": len(task.queries)})


def titles_section(
    title: str, task: SearchTask, results: Results, is_shown: Sequence[bool], seen: Collection[str]
) -> Section:
    """The reciprocal rank of titles that are in the text of their page, and of all others."""
    shown = np.array(is_shown, dtype=np.bool_)
    rows = {}
    for name, each in results.items():
        scores = each.scores[task.name, MODELS[0], "MRR"]
        rows[_shown(name, seen)] = [f"{scores[part].mean():.3f}" if part.any() else "" for part in (shown, ~shown)]
    head = [
        f"{count} titles<small>{where}</small>"
        for count, where in ((shown.sum(), "on the page"), ((~shown).sum(), "not there"))
    ]
    return Section(title, chart=_table(head, rows))


def figure7(title: str, curves: Mapping[str, tuple[Results, Results, str]]) -> Section:
    """P@10 over the least number of words of a block, beside BTE; at 1 word the page is raw.

    `curves` has by name the results for each limit, those of the systems, and the task.
    """
    x = np.array(LIMITS, dtype=np.float64)
    lines, figures = {}, []
    for name, (limits, results, task) in curves.items():
        y = np.array([limits[f"{MIN_WORDS} {limit}"].mean(task, MODELS[0], "P@10") for limit in LIMITS])
        lines[name] = x, y
        if _BTE in results:
            lines[f"{name}, BTE"] = x[[0, -1]], np.repeat(results[_BTE].mean(task, MODELS[0], "P@10"), 2)
        figures += [
            Figure(f"{name}: at least {limit} words", None, float(p)) for limit, p in zip(LIMITS, y, strict=True)
        ]
    chart = points(lines, "least words of a block", "precision at 10")
    return Section(title, figures=figures, chart=chart)


def beside_the_papers(title: str, tasks: Mapping[str, tuple[Results, str]]) -> Section:
    """The measures by those of the raw page, beside the same quotients of the papers."""
    figures = []
    for where, (results, task) in tasks.items():
        raw = results[RAW]
        for name, published in _TABLE3.items():
            for measure, theirs, by in zip(("P@10", "MAP"), published, _TABLE3_RAW, strict=True):
                if name in results:
                    ours = _quotient(results[name], raw, task, MODELS[1], measure)
                    figures.append(
                        Figure(f"Web2Text, Table 3, {where}: {name}, {measure}", round(theirs / by, 2), ours)
                    )
        for name, theirs in _SECTION6.items():
            if name in results:
                ours = _quotient(results[name], raw, task, MODELS[0], "P@10")
                figures.append(
                    Figure(f"boilerpipe, 6.2, {where}: {name}, P@10", round(theirs / _SECTION6_RAW, 2), ours)
                )
    return Section(title, figures=figures)


def _quotient(one: Searched, raw: Searched, task: str, model: str, measure: str) -> float:
    by = raw.mean(task, model, measure)
    return one.mean(task, model, measure) / by if by else 0.0


def cost_section(title: str, collections: Mapping[str, tuple[Results, Mapping[str, Cleaned]]]) -> Section:
    """Bytes and seconds of an index by those of the raw one, and what it cost to clean the pages."""
    head, rows = [], dict[str, list[str]]()
    for where, (results, cleaned) in collections.items():
        raw = results[RAW]
        measures = ("words", "bytes", "time to index", "ms a page to clean", "empty", "failed")
        head += [f"{measure}<small>{safe.text(where)}</small>" for measure in measures]
        for name, each in results.items():
            own = cleaned[name]
            rows.setdefault(_shown(name), []).extend(
                [
                    f"{each.words / raw.words:.2f}",
                    f"{each.size / raw.size:.2f}",
                    f"{each.seconds / raw.seconds:.2f}",
                    "" if name == GOLD else f"{1000 * own.seconds / len(own.texts):.1f}",
                    str(sum(not text.strip() for text in own.texts) - own.failed),
                    str(own.failed),
                ]
            )
    return Section(title, chart=_table(head, rows))


def summary(title: str, task: SearchTask, results: Results) -> str:
    """One line for the terminal: the first measure by BM25."""
    measure = next(iter(task.measures))
    ps = significance(results, task.name, MODELS[0], measure)
    shown = []
    for name, each in results.items():
        star = "*" if ps.get(name, 1.0) < _LEVEL else ""
        shown.append(f"{'raw' if name == RAW else name} {each.mean(task.name, MODELS[0], measure):.3f}{star}")
    return f"{title}, {len(task.queries)} queries, {measure}: {', '.join(shown)}"


def _shown(name: str, seen: Collection[str] = ()) -> str:
    return (f"raw ({RAW})" if name == RAW else name) + ("†" if name in seen else "")


def _table(head: Sequence[str], rows: Mapping[str, Sequence[str]]) -> str:
    """A table; head and cells are HTML."""
    names = "".join(f"<th>{each}</th>" for each in head)
    body = "".join(
        f"<tr><th scope=row>{safe.text(name)}</th>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"
        for name, cells in rows.items()
    )
    return f"<div class=wide><table><thead><tr><th></th>{names}</tr></thead><tbody>{body}</tbody></table></div>"
