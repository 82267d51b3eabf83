"""What cleaning does for search: pages are indexed raw and cleaned, and the same queries are asked.

The question is that of boilerpipe (2010, section 6) and Web2Text (2018, section 4.3). Their collections, BLOGS06 and
ClueWeb12, are not available; here it is asked on Chaos and WCXB.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tamis_lab.corpora.catalogue import open_corpus, require_corpora
from tamis_lab.corpora.reader import CorpusPage
from tamis_lab.metrics import tokens
from tamis_lab.reproduce.page import Page
from tamis_lab.reproduce.retrieval import experiment, figures, systems
from tamis_lab.reproduce.retrieval.engine import analyser
from tamis_lab.reproduce.retrieval.experiment import MANY, ONE, Searched, SearchTask, search
from tamis_lab.reproduce.retrieval.systems import RAW, Cleaned, Reader

CHAOS, WCXB, SPLIT = "chaos", "wcxb", "dev"
MakeTasks = Callable[[Sequence[CorpusPage]], list[SearchTask]]
LIMIT = 600  # pages of WCXB: with the default set, a run takes some three minutes on one core


@dataclass(frozen=True, eq=False)
class Collection:
    """Some pages, cleaned and searched."""

    pages: Sequence[CorpusPage]
    cleaned: dict[str, Cleaned]
    tasks: dict[str, SearchTask]
    results: dict[str, Searched]  # of the systems
    limits: dict[str, Searched]  # of min-words with each limit
    seen: set[str]  # systems that were trained on these pages


def reproduce(data: Path | None = None, extractors: Sequence[str] = (), limit: int | None = None) -> Page:
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
) -> Collection:
    """Clean the pages by all systems, and search what each returns."""
    pages, cleaned = systems.clean(found, readers | sweep)
    tasks = make(pages)
    results = {name: search(cleaned[name].texts, tasks) for name in readers}
    many = [task for task in tasks if task.has_many]
    limits = {name: search(cleaned[name].texts, many, with_costs=False) for name in sweep}
    seen = systems.trained_on([*readers], *source)
    return Collection(pages, cleaned, {task.name: task for task in tasks}, results, limits, seen)


def compose(chaos: Collection, wcxb: Collection, every: int) -> Page:
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
        sections.append(figures.task_section(title, where.tasks[name], where.results, where.seen, facts))
        lines.append(figures.summary(title, where.tasks[name], where.results))
    task = wcxb.tasks["titles"]
    where_titles = figures.titles_section(
        "WCXB: where the title stands", task, wcxb.results, is_shown(wcxb, task), wcxb.seen
    )
    many = {title: (where, name) for title, (where, name) in places.items() if where.tasks[name].has_many}
    curves = {title: (where.limits, where.results, name) for title, (where, name) in many.items()}
    both = {title: (where.results | where.limits, name) for title, (where, name) in many.items()}
    costs = {"Chaos": (chaos.results, chaos.cleaned), "WCXB": (wcxb.results, wcxb.cleaned)}
    sections += [
        where_titles,
        figures.figure7("Figure 7 of boilerpipe: blocks of at least so many words", curves),
        figures.beside_the_papers("Beside the papers", both),
        figures.cost_section("What an index costs", costs),
    ]
    page = Page.from_texts(Path(__file__).with_name("texts.toml"), sections)
    return replace(page, summary=tuple(lines))


def is_shown(where: Collection, task: SearchTask) -> list[bool]:
    """For each query: is the title in the visible text of a page that answers it?"""
    texts = [f" {' '.join(tokens(text))} " for text in where.cleaned[RAW].texts]
    return [
        any(f" {' '.join(tokens(query.text))} " in texts[number] for number in query.relevant) for query in task.queries
    ]
