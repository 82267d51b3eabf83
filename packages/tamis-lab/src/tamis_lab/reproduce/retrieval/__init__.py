"""What cleaning does for search: pages are indexed raw and cleaned, and the same queries are asked.

The question is that of boilerpipe (2010, section 6) and Web2Text (2018, section 4.3). Their collections, BLOGS06 and
ClueWeb12, are not available; here it is asked on Chaos and WCXB.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from tamis.render import safe
from tamis_lab.corpora.catalogue import open_corpus, require_corpora
from tamis_lab.corpora.reader import CorpusPage
from tamis_lab.metrics import holm, tokens
from tamis_lab.reproduce.page import Figure, ReproducedPage, Section, points
from tamis_lab.reproduce.retrieval import experiment, systems
from tamis_lab.reproduce.retrieval.experiment import (
    MANY,
    MODELS,
    ONE,
    Searched,
    SearchTask,
    analyser,
    randomisation,
    search,
)
from tamis_lab.reproduce.retrieval.systems import GOLD, LIMITS, MIN_WORDS, RAW, Cleaned, Reader

CHAOS = "chaos"
WCXB = "wcxb"
SPLIT = "dev"  # of WCXB
MakeTasks = Callable[[Sequence[CorpusPage]], list[SearchTask]]
LIMIT = 600  # pages of WCXB: with the default set, a run takes some three minutes on one core


@dataclass(frozen=True, eq=False)
class SearchedCollection:
    """Some pages, cleaned and searched."""

    pages: Sequence[CorpusPage]
    cleaned: dict[str, Cleaned]
    tasks: dict[str, SearchTask]
    results: dict[str, Searched]  # of the systems
    limits: dict[str, Searched]  # of min-words with each limit
    seen: set[str]  # systems that were trained on these pages


def reproduce(data: Path | None = None, extractors: Sequence[str] = (), limit: int | None = None) -> ReproducedPage:
    """Search Chaos and a sample of WCXB dev, with the default set of systems and others.

    Raises CorpusError, OptionError for an extractor that does not exist or draws pages, and MissingExtra.
    """
    require_corpora((CHAOS, WCXB), data)
    analyser()  # raises if the engine is missing, before minutes are spent
    readers, sweep = systems.systems(extractors), systems.min_words()
    with open_corpus(CHAOS, data) as corpus:
        chaos = searched(corpus.pages(), readers, sweep, chaos_tasks, (CHAOS, "all"))
    with open_corpus(WCXB, data) as corpus:
        every = len(corpus.entries(SPLIT))
        wcxb = searched(corpus.sample(SPLIT, limit or LIMIT), readers, sweep, wcxb_tasks, (WCXB, SPLIT))
    return compose(chaos, wcxb, every)


def chaos_tasks(pages: Sequence[CorpusPage]) -> list[SearchTask]:
    """The queries on Chaos."""
    return [
        SearchTask("topics", experiment.topics(pages), MANY),
        SearchTask("subjects", experiment.subjects(pages), MANY),
    ]


def wcxb_tasks(pages: Sequence[CorpusPage]) -> list[SearchTask]:
    """The queries on WCXB."""
    return [
        SearchTask("subjects", experiment.subjects(pages), MANY),
        SearchTask("titles", experiment.titles(pages), ONE),
        SearchTask("words", experiment.distinctive_words(pages), ONE),
    ]


def searched(
    found: Iterable[CorpusPage],
    readers: dict[str, Reader],
    sweep: dict[str, Reader],
    make: MakeTasks,
    source: tuple[str, str],
) -> SearchedCollection:
    """Clean the pages by all systems, and search what each returns."""
    pages, cleaned = systems.clean(found, readers | sweep)
    tasks = make(pages)
    results = {name: search(cleaned[name].texts, tasks) for name in readers}
    many = [task for task in tasks if task.has_many]
    limits = {name: search(cleaned[name].texts, many, with_costs=False) for name in sweep}
    seen = systems.trained_on([*readers], *source)
    return SearchedCollection(pages, cleaned, {task.name: task for task in tasks}, results, limits, seen)


def compose(chaos: SearchedCollection, wcxb: SearchedCollection, every: int) -> ReproducedPage:
    """The page of figures; `every` is the number of pages that the sample of WCXB was drawn from."""
    places = {
        "Chaos: the queries of the corpus": (chaos, "topics"),
        "Chaos: subjects": (chaos, "subjects"),
        "WCXB: subjects": (wcxb, "subjects"),
        "WCXB: titles": (wcxb, "titles"),
        "WCXB: three distinctive words": (wcxb, "words"),
    }
    sample = f"{len(wcxb.pages):,} of the {every:,} pages of {WCXB}:{SPLIT}"
    lines = [f"{len(chaos.pages)} pages of {CHAOS}, {sample}; BM25; * differs from raw (p < 0.05, adjusted by Holm)"]
    sections = []
    for title, (where, name) in places.items():
        facts = {"pages": len(where.pages), "every": every}
        sections.append(task_section(title, where.tasks[name], where.results, where.seen, facts))
        lines.append(summary_line(title, where.tasks[name], where.results))
    task = wcxb.tasks["titles"]
    where_titles = titles_section("WCXB: where the title stands", task, wcxb.results, is_shown(wcxb, task), wcxb.seen)
    many = {title: (where, name) for title, (where, name) in places.items() if where.tasks[name].has_many}
    curves = {title: (where.limits, where.results, name) for title, (where, name) in many.items()}
    both = {title: (where.results | where.limits, name) for title, (where, name) in many.items()}
    costs = {"Chaos": (chaos.results, chaos.cleaned), "WCXB": (wcxb.results, wcxb.cleaned)}
    sections += [
        where_titles,
        figure7("Figure 7 of boilerpipe: blocks of at least so many words", curves),
        beside_the_papers("Beside the papers", both),
        cost_section("What an index costs", costs),
    ]
    page = ReproducedPage.from_texts(Path(__file__).with_name("texts.toml"), sections)
    return replace(page, summary=tuple(lines))


def is_shown(where: SearchedCollection, task: SearchTask) -> list[bool]:
    """For each query: is the title in the visible text of a page that answers it?"""
    texts = [f" {' '.join(tokens(text))} " for text in where.cleaned[RAW].texts]
    return [
        any(f" {' '.join(tokens(query.text))} " in texts[number] for number in query.relevant) for query in task.queries
    ]


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


def summary_line(title: str, task: SearchTask, results: Results) -> str:
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
