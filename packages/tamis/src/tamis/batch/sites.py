"""`tamis batch --by-site`: the sites of a crawl are learned first; then each page is extracted with its site.

    OUT/_sites/pages/       a batch of its own: what each page tells about its site; it is resumed like any other
    OUT/_sites/learned/     one file for each site, which gets its name when all sites are learned

Few sites are in memory at a time: one that others push out is written to its file, and read again when it comes back.
"""

from __future__ import annotations

import binascii
import json
import shutil
from base64 import b64decode
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path

from tamis import registry
from tamis.batch.outputs import Output
from tamis.batch.outputs.folder import Folder
from tamis.batch.rows import BatchOptions
from tamis.batch.run import Plan, Watcher, run
from tamis.document import Document
from tamis.document.addresses import site_of
from tamis.errors import InputError, OptionError
from tamis.labels import Labels
from tamis.site import Site
from tamis.site.evidence import Evidence

# At most 5 MB each; most take less than 100 kB.
_IN_MEMORY = 64
_COLUMNS = ("url", "site_evidence")


def learned_sites(
    patterns: Sequence[str],
    output: Output,
    options: BatchOptions,
    *,
    workers: int | None = None,
    shard_bytes: int | None = None,
    begin: Callable[[Plan], Watcher] | None = None,
) -> BatchOptions:
    """Learn the sites of the inputs, below the output folder; returns the options that extract with them.

    What an earlier run has learned is not learned again. Raises what `run` raises, and OptionError for an output in a
    store and for other extractors than the default.
    """
    if options.extractor != registry.DEFAULT:
        raise OptionError("--by-site is for the default extractor")
    if not isinstance(output.place, Folder):
        raise OptionError("--by-site writes to a folder of this machine")
    folder = output.place.path / "_sites"
    learned = folder / "learned"
    if not learned.is_dir():
        pages = replace(options, columns=_COLUMNS)
        run(patterns, Output(folder / "pages", "jsonl"), pages, workers=workers, shard_bytes=shard_bytes, begin=begin)
        try:
            _learn(folder / "pages", learned)
        except OSError as error:
            raise OptionError(f"{learned}: can't be written: {error.strerror or error}") from None
    return replace(options, extractor=BySite(learned.absolute()))


def _learn(pages: Path, learned: Path) -> None:
    """From the evidence of pages to the files of their sites."""
    draft = learned.with_name(f"{learned.name}.tmp")
    shutil.rmtree(draft, ignore_errors=True)  # of a run that was killed
    draft.mkdir()
    sites: OrderedDict[str, Site] = OrderedDict()
    for name, evidence in _read_evidence(pages):
        if name not in sites:
            file = draft / _file_name(name)
            sites[name] = Site.load(file) if file.exists() else Site()
            if len(sites) > _IN_MEMORY:
                oldest, site = sites.popitem(last=False)
                site.save(draft / _file_name(oldest))
        sites.move_to_end(name)
        sites[name].add_evidence(evidence)
    for name, site in sites.items():
        site.save(draft / _file_name(name))
    draft.replace(learned)


def _read_evidence(pages: Path) -> Iterator[tuple[str, Evidence]]:
    """The site of each page, and what the page tells about it. Raises InputError."""
    for path in sorted(pages.glob("*.jsonl")):
        with path.open(encoding="utf-8") as lines:
            for line in lines:
                try:
                    row = json.loads(line)
                    evidence = Evidence.from_bytes(b64decode(row["site_evidence"], validate=True))
                except (ValueError, KeyError, TypeError, binascii.Error, InputError) as error:
                    raise InputError(f"{path}: this is damaged: {error}") from None
                if site := site_of(row["url"]):
                    yield site, evidence


def _file_name(site: str) -> str:
    """No name of a page reaches the file system."""
    return f"{blake2b(site.encode('utf-8', 'replace'), digest_size=12).hexdigest()}.safetensors"


@dataclass(frozen=True)
class BySite:
    """The default extractor with what the site of each page shows. Pages of unknown sites are extracted as without."""

    folder: Path
    name = "tamis"

    def read(self, document: Document) -> Document:
        """As the default extractor reads it."""
        return Site().extractor.read(document)

    def label(self, document: Document) -> Labels:
        """The labels, with the evidence of the page's site. Raises InputError for a damaged file."""
        return _site(self.folder, site_of(document.url)).extractor.label(document)


@lru_cache(maxsize=16)
def _site(folder: Path, name: str) -> Site:
    path = folder / _file_name(name)
    return Site.load(path) if name and path.exists() else Site()
