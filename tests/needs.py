"""Which tests need a package that a core install does not have.

`make check` installs `tamis[test]` only. A rule here skips a folder, a module or a test by name, with the missing
packages as the reason. Everything else has to pass there, so a core that needs a new package fails `make check`.
"""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase
from importlib.util import find_spec

BATCH = ("fastwarc", "pyarrow")
STORES = (*BATCH, "moto", "s3fs")
BENCH = ("jinja2", "matplotlib", "rapidfuzz", "scipy", "sklearn")
TRAIN = (*BENCH, "torch")
SERVER = ("httptools", "httpx", "prometheus_client", "protego", "pydantic", "starlette", "uvicorn", "uvloop")

# A folder, a module, or a test as module::test, each relative to tests/; * stands for any characters.
RULES: dict[str, tuple[str, ...]] = {
    "lab/browser": ("PIL", "playwright"),
    "extension": ("PIL", "playwright"),
    "integrations/test_datatrove.py": ("datatrove", "orjson"),
    "integrations/test_ray.py": (*BATCH, "ray"),
    "integrations/test_spark.py": ("pandas", "pyarrow", "pyspark"),
    "integrations/test_haystack.py": ("haystack", "httpx"),
    "integrations/test_langchain.py": ("httpx", "langchain_core"),
    "integrations/test_llama_index.py": ("httpx", "llama_index"),
    "integrations/test_pandas.py": ("pandas",),
    "integrations/test_polars.py": ("polars",),
    "integrations/test_scrapy.py": ("scrapy",),
    "server": SERVER,
    "server/test_mcp.py": (*SERVER, "mcp"),
    "server/test_openapi.py": (*SERVER, "schemathesis"),
    "server/test_playground.py": (*SERVER, "PIL", "playwright"),
    "cli/test_mcp.py": (*SERVER, "mcp"),
    "container/test_files.py": (*SERVER, "yaml"),
    "container/test_steps.py": (*SERVER, "yaml"),
    "batch/test_bodies.py": BATCH,
    "batch/test_drill.py": BATCH,
    "batch/test_drill.py::test_the_same_in_a_store": STORES,
    "batch/test_stores.py": STORES,
    "batch/test_folder.py": BATCH,
    "batch/test_neighbours.py": BATCH,
    "batch/test_parquet.py": BATCH,
    "batch/test_progress.py": (*BATCH, "rich"),
    "batch/test_reading.py": BATCH,
    "batch/test_run.py": BATCH,
    "batch/test_warc.py": BATCH,
    "batch/test_inputs.py::test_rows_become_records": BATCH,
    "batch/test_inputs.py::test_text_columns_are_read_as_text": BATCH,
    "batch/test_inputs.py::test_a_broken_row_group_costs_itself_alone": BATCH,
    "batch/test_inputs.py::test_a_file_that_is_no_parquet_is_damage": BATCH,
    "batch/test_inputs.py::test_parquet_without_html_is_refused": BATCH,
    "batch/test_inputs.py::test_the_first_items_can_be_skipped": BATCH,
    "batch/test_inputs.py::test_the_pages_of_a_glob_are_one_input": BATCH,
    "batch/test_inputs.py::test_shards_are_the_same_each_time_and_have_names_of_their_own": BATCH,
    "batch/test_inputs.py::test_shards_grow_with_the_input": BATCH,
    "batch/test_workers.py::test_input_that_is_gone_is_said_and_not_finished": BATCH,
    "batch/test_workers.py::test_answers_are_those_of_the_same_pages_in_this_process": BATCH,
    "cli/test_batch.py": BATCH,
    "cli/test_extract.py::test_only_http_and_https_are_fetched": ("httpx",),
    "cli/test_extract.py::test_a_url_that_is_none_is_one_line": ("httpx",),
    "cli/test_extract.py::test_a_progress_bar_does_not_swallow_the_pages": ("rich",),
    "web/test_request.py": ("httpx",),
    "web/test_refused.py": ("httpx",),
    "web/test_rules.py": ("httpx",),
    "web/test_robots.py": ("httpx", "protego"),
    "web/test_tls.py": ("cryptography", "httpx"),
    "render/test_browser.py": ("PIL", "markdown_it", "playwright"),
    "render/test_markdown_rendered.py": ("markdown_it",),
    "inputs/test_trees.py": ("bs4", "html5lib", "lxml", "parsel", "selectolax"),
    "lab/bench": BENCH,
    "lab/bench/test_structure.py": ("html2text", "markdown_it", "markdownify", "mdit_py_plugins"),
    "lab/cli": TRAIN,
    "lab/corpora/test_alignment.py": BENCH,
    "lab/metrics": BENCH,
    "lab/report": BENCH,
    "lab/reproduce": BENCH,
    "lab/reproduce/test_retrieval.py": (*BENCH, "tantivy"),
    "lab/test_align.py": BENCH,
    "lab/test_gold.py": BENCH,
    "test_registry.py::test_a_batch_goes_on_with_the_same_weights_alone": BATCH,
    "lab/training": TRAIN,
    "papers/*/test_table*.py": TRAIN,
    "papers/*/test_*training.py": TRAIN,
    "papers/*/test_train_command.py": TRAIN,
    "papers/web2text/test_extractor.py": TRAIN,
}

# Parametrised tests are skipped for these extractors alone.
EXTRACTORS: dict[str, tuple[str, ...]] = {"boilernet": ("onnxruntime",), "boilernet-small": ("onnxruntime",)}


def missing_for(name: str) -> list[str]:
    """The packages that a folder, module or test lacks on this machine; its name is as in RULES."""
    return _missing(package for rule, needed in RULES.items() if fnmatchcase(name, rule) for package in needed)


def missing_for_extractors(parameters: Iterable[object]) -> list[str]:
    """The packages that a test with these parameters lacks on this machine."""
    names = [value for value in parameters if isinstance(value, str)]
    return _missing(package for name in names for package in EXTRACTORS.get(name, ()))


def _missing(packages: Iterable[str]) -> list[str]:
    return [package for package in sorted(set(packages)) if find_spec(package) is None]
