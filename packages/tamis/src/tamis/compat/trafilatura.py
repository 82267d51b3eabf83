"""The functions of trafilatura 2 with the same keywords: `from tamis.compat import trafilatura`.

A keyword is honoured or raises OptionError, which says what to do instead; docs/how-to/switch.md lists what differs.
"""

from __future__ import annotations

import csv
import io
import json
import logging
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date, datetime
from html import escape
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from xml.etree import ElementTree

import numpy as np

import tamis
from tamis.batch.duplicates import content_hash
from tamis.batch.language import language_of, primary_language
from tamis.cached import cached_property
from tamis.document.decode import clean_text, decode
from tamis.document.parse import root_attribute
from tamis.document.selectors import checked_xpaths, xpath_rows
from tamis.errors import FetchError, InputError, OptionError
from tamis.inputs import PageInput, RawPage
from tamis.labels import Role
from tamis.page import Page
from tamis.render.safe import fitting

__all__ = ["Document", "bare_extraction", "extract", "extract_metadata", "fetch_url"]

FORMATS = ("csv", "html", "json", "markdown", "python", "txt", "xml", "xmltei")
_CSV = ("url", "id", "fingerprint", "hostname", "title", "image", "date", "text", "comments", "license", "pagetype")
# The keys of JSON whose names are not those of the attributes.
_JSON_NAMES = {"url": "source", "sitename": "source-hostname", "description": "excerpt"}
_INLINE = re.compile(r"</?(?:b|del|em|hi|i|ins|mark|s|small|strong|sub|sup|u)(?: [^<>]*)?>")
_NO_CHARACTER = re.compile("[\x00-\x1f\ufffe\uffff]")  # of XML, not even as references
_DATE_KEYS = ("original_date", "outputformat", "min_date", "max_date", "extensive_search", "url")

_log = logging.getLogger(__name__)

Names = Collection[str] | None


@dataclass(eq=False)
class Document:
    """What is known about a page, by trafilatura's names; `body` and `commentsbody` are of xml.etree."""

    title: str | None = None
    author: str | None = None
    url: str | None = None
    hostname: str | None = None
    description: str | None = None
    sitename: str | None = None
    date: str | None = None
    categories: list[str] | None = None
    tags: list[str] | None = None
    fingerprint: str | None = None
    id: str | None = None
    license: str | None = None
    comments: str | None = None
    raw_text: str | None = None
    text: str | None = None
    language: str | None = None
    image: str | None = None
    pagetype: str | None = None
    filedate: str | None = None
    page: Page | None = None  # the result of tamis, which knows more

    def as_dict(self) -> dict[str, Any]:
        """All values by name, without `page`."""
        known = {each.name: getattr(self, each.name) for each in fields(self) if each.name != "page"}
        return known | {"body": self.body, "commentsbody": self.commentsbody}

    @property
    def body(self) -> ElementTree.Element:
        """The content with trafilatura's XML names."""
        return self._part("main")

    @property
    def commentsbody(self) -> ElementTree.Element:
        """The readers' comments, in the same form."""
        return self._part("comments")

    def _part(self, name: str) -> ElementTree.Element:
        found = None if self._xml is None else self._xml.find(name)
        if found is None:
            return ElementTree.Element("body")
        found.tag = "body"
        return found

    @cached_property
    def _xml(self) -> ElementTree.Element | None:
        return ElementTree.fromstring(self.page.xml) if self.page else None  # noqa: S314 it is our own output


class _Asked(NamedTuple):
    """The keywords that all extractions have."""

    url: str | None
    record_id: str | None
    comments: bool
    formatting: bool | None
    links: bool
    images: bool
    language: str | None
    dates: Mapping[str, Any]
    with_metadata: bool
    only_with_metadata: bool
    max_tree_size: int | None
    url_blacklist: Names
    author_blacklist: Names
    prune_xpath: str | Sequence[str] | None
    options: dict[str, Any]  # of `tamis.extract`


def extract(
    filecontent: PageInput,
    url: str | None = None,
    record_id: str | None = None,
    fast: bool = False,
    no_fallback: bool = False,
    favor_precision: bool = False,
    favor_recall: bool = False,
    include_comments: bool = True,
    output_format: str = "txt",
    tei_validation: bool = False,
    target_language: str | None = None,
    include_tables: bool = True,
    include_images: bool = False,
    include_formatting: bool | None = None,
    include_links: bool = False,
    deduplicate: bool = False,
    date_extraction_params: Mapping[str, Any] | None = None,
    with_metadata: bool = False,
    only_with_metadata: bool = False,
    max_tree_size: int | None = None,
    url_blacklist: Names = None,
    author_blacklist: Names = None,
    settingsfile: str | None = None,
    prune_xpath: str | Sequence[str] | None = None,
    config: object = None,
    options: object = None,
) -> str | None:
    """The main content of a page in an output format; None if there is none, or if a condition refuses the page.

    Raises OptionError for what can't be honoured. `fast` and `no_fallback` change nothing: there is one method.
    """
    if output_format == "python":
        raise OptionError("output_format: 'python' is for bare_extraction")
    if tei_validation:
        raise OptionError(
            "tei_validation: tamis ships no TEI schema; validate the xmltei with lxml.etree.RelaxNG and tei_all.rng"
        )
    _refuse(output_format, deduplicate=deduplicate, settingsfile=settingsfile, config=config, options=options)
    asked = _Asked(
        url=url,
        record_id=record_id,
        comments=include_comments,
        formatting=include_formatting,
        links=include_links,
        images=include_images,
        language=target_language,
        dates=_checked_dates(date_extraction_params),
        with_metadata=with_metadata or output_format == "xmltei",
        only_with_metadata=only_with_metadata,
        max_tree_size=max_tree_size,
        url_blacklist=url_blacklist,
        author_blacklist=author_blacklist,
        prune_xpath=prune_xpath,
        options=_tamis_options(favor_precision, favor_recall, include_tables, include_images, include_links),
    )
    try:
        found = _document(filecontent, asked, output_format)
        return None if found is None else _written(found, asked, output_format)
    except InputError as error:
        _log.warning("the page can't be read: %s", error)
        return None


def bare_extraction(
    filecontent: PageInput,
    url: str | None = None,
    fast: bool = False,
    no_fallback: bool = False,
    favor_precision: bool = False,
    favor_recall: bool = False,
    include_comments: bool = True,
    output_format: str = "python",
    target_language: str | None = None,
    include_tables: bool = True,
    include_images: bool = False,
    include_formatting: bool | None = None,
    include_links: bool = False,
    deduplicate: bool = False,
    date_extraction_params: Mapping[str, Any] | None = None,
    with_metadata: bool = False,
    only_with_metadata: bool = False,
    max_tree_size: int | None = None,
    url_blacklist: Names = None,
    author_blacklist: Names = None,
    as_dict: bool = False,
    prune_xpath: str | Sequence[str] | None = None,
    config: object = None,
    options: object = None,
) -> Document | dict[str, Any] | None:
    """The main content and, with `with_metadata`, the metadata as an object or a dict; None as with `extract`."""
    _refuse(output_format, deduplicate=deduplicate, settingsfile=None, config=config, options=options)
    asked = _Asked(
        url=url,
        record_id=None,
        comments=include_comments,
        formatting=include_formatting,
        links=include_links,
        images=include_images,
        language=target_language,
        dates=_checked_dates(date_extraction_params),
        with_metadata=with_metadata,
        only_with_metadata=only_with_metadata,
        max_tree_size=max_tree_size,
        url_blacklist=url_blacklist,
        author_blacklist=author_blacklist,
        prune_xpath=prune_xpath,
        options=_tamis_options(favor_precision, favor_recall, include_tables, include_images, include_links),
    )
    try:
        found = _document(filecontent, asked, output_format)
    except InputError as error:
        _log.warning("the page can't be read: %s", error)
        return None
    return found.as_dict() if found and as_dict else found


def extract_metadata(
    filecontent: PageInput,
    default_url: str | None = None,
    date_config: Mapping[str, Any] | None = None,
    extensive: bool = True,
    author_blacklist: Names = None,
) -> Document:
    """The metadata of a page, without its text. Raises OptionError and, unlike `extract`, InputError."""
    if not extensive:
        raise OptionError("extensive=False: tamis has one search for dates; leave it out")
    page = tamis.extract(_input(filecontent), url=default_url)
    return _with_metadata(Document(), page, _checked_dates(date_config), author_blacklist, default_url)


def fetch_url(url: str, no_ssl: bool = False, config: object = None, options: object = None) -> str | None:
    """The page at a URL as text, by `tamis.fetch` and its rules; None if it can't be fetched."""
    if no_ssl:
        raise OptionError("no_ssl: tamis always checks certificates; fetch the page yourself and give its bytes")
    if config is not None or options is not None:
        raise OptionError("config and options: call tamis.fetch(url, timeout=..., max_bytes=...) instead")
    try:
        raw = tamis.fetch(url)
    except FetchError as error:
        _log.warning("%s", error)
        return None
    return decode(raw.data, encoding=raw.charset).text


def _refuse(output_format: str, *, deduplicate: object, settingsfile: object, config: object, options: object) -> None:
    """Raise OptionError for what both functions can't honour."""
    if output_format not in FORMATS:
        raise OptionError(f"output_format is one of {', '.join(FORMATS)}, not {output_format!r}")
    if deduplicate:
        raise OptionError(
            "deduplicate: use tamis.Site or tamis batch --by-site, which leave out what repeats on the pages of a site"
        )
    for name, value in (("settingsfile", settingsfile), ("config", config), ("options", options)):
        if value is not None:
            raise OptionError(
                f"{name}: give the values as keywords; defaults of tamis are in docs/reference/options.md"
            )


def _tamis_options(precision: bool, recall: bool, tables: bool, images: bool, links: bool) -> dict[str, Any]:
    return {
        "favor_precision": precision,
        "favor_recall": recall,
        "include_images": images,
        "include_links": links,
        "prune": () if tables else "table",
    }


def _input(filecontent: Any) -> PageInput:
    """The page; a response of urllib3 or of trafilatura has its bytes in `data`."""
    data = getattr(filecontent, "data", None)
    if not isinstance(filecontent, RawPage) and isinstance(data, bytes):
        address = getattr(filecontent, "url", None)
        return RawPage(data, address if isinstance(address, str) and "://" in address else None)
    return filecontent


def _document(filecontent: PageInput, asked: _Asked, output_format: str) -> Document | None:
    """The page and what was asked for about it; None without text, or if a condition refuses it."""
    expressions = checked_xpaths("prune_xpath", asked.prune_xpath or ())
    page = tamis.extract(_input(filecontent), url=asked.url, **asked.options)
    if asked.max_tree_size is not None and len(page.original.elements) > asked.max_tree_size:
        return None
    if expressions:
        rows = xpath_rows(page.document, expressions)
        page = replace(page, labels=page.labels.with_elements(page.document, pruned=rows, kept=np.zeros_like(rows)))
    if not asked.comments and page.labels.roles:
        roles = tuple(Role.BOILERPLATE if role is Role.COMMENT else role for role in page.labels.roles)
        page = replace(page, labels=replace(page.labels, roles=roles))
    if not page.text:
        return None
    if asked.language is not None and _is_other_language(page, asked.language):
        return None
    found = Document(
        text=_text(page, asked, output_format),
        raw_text=" ".join(page.text.split()),
        comments="\n".join(comment.text for comment in page.comments),
        id=asked.record_id,
        page=page,
    )
    if not (asked.with_metadata or asked.only_with_metadata or asked.url_blacklist):
        return found
    found = _with_metadata(found, page, asked.dates, asked.author_blacklist, asked.url)
    is_refused = found.url is not None and found.url in (asked.url_blacklist or ())
    lacks = asked.only_with_metadata and not (found.date and found.title and found.url)
    return None if is_refused or lacks else found


def _text(page: Page, asked: _Asked, output_format: str) -> str:
    """The text: Markdown where formatting, links or images are shown."""
    formatted = output_format == "markdown" if asked.formatting is None else asked.formatting
    is_marked = (formatted and output_format != "json") or asked.links or asked.images
    return page.markdown if is_marked else page.text


def _is_other_language(page: Page, wanted: str) -> bool:
    code = primary_language(wanted)
    if code is None:
        raise OptionError(f"target_language is a code such as en or de, not {wanted!r}")
    found = language_of(page.text, root_attribute(page.original.tree, "lang"))
    return found is not None and found != code


def _with_metadata(
    found: Document, page: Page, dates: Mapping[str, Any], author_blacklist: Names, url: str | None
) -> Document:
    known = page.metadata
    unwanted = {name.casefold() for name in author_blacklist or ()}
    address = known.canonical_url or url or page.url
    try:
        host = urlsplit(address or "").hostname
    except ValueError:
        host = None
    return replace(
        found,
        title=known.title,
        author="; ".join(name for name in known.authors if name.casefold() not in unwanted) or None,
        url=address,
        hostname=host,
        description=known.description,
        sitename=known.site_name,
        date=_date(known.date, known.date_modified, dates),
        categories=[*known.categories],
        tags=[*known.tags],
        fingerprint=content_hash(page.text),
        license=known.license,
        language=known.language,
        image=known.image,
        pagetype=None if page.page_type is None else str(page.page_type),
        filedate=date.today().isoformat(),
        page=page,
    )


def _checked_dates(given: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """The parameters for dates. Raises OptionError for those that can't be honoured."""
    for name, value in (given or {}).items():
        if name not in _DATE_KEYS or (name == "extensive_search" and not value):
            raise OptionError(
                f"{name}={value!r} in the parameters for dates: tamis honours {', '.join(_DATE_KEYS[:4])}"
            )
    for name in ("min_date", "max_date"):
        _day(name, given or {})
    return given or {}


def _day(name: str, given: Mapping[str, Any]) -> str | None:
    value = given.get(name)
    if isinstance(value, date):
        return value.isoformat()[:10]
    if value is not None and not (isinstance(value, str) and re.match(r"\d{4}-\d\d-\d\d", value)):
        raise OptionError(f"{name} is a day as YYYY-MM-DD or a datetime, not {value!r}")
    return value and value[:10]


def _date(published: str | None, modified: str | None, given: Mapping[str, Any]) -> str | None:
    """The date that the parameters ask for, in their format; None outside of their limits."""
    found = published if given.get("original_date", True) else modified or published
    first, last = _day("min_date", given), _day("max_date", given)
    if not found or (first and found < first[: len(found)]) or (last and found > last):
        return None
    if not (form := given.get("outputformat")):
        return found
    return datetime.strptime(f"{found}-01-01"[:10], "%Y-%m-%d").strftime(form)


def _written(found: Document, asked: _Asked, output_format: str) -> str:
    page = found.page
    assert page is not None  # noqa: S101 the documents of `_document` have it
    if output_format in ("xml", "xmltei"):
        return _xml(found, page, asked, output_format)
    if output_format == "html":
        return _html(found, page, asked)
    if output_format == "json":
        shown = _json(found) if asked.with_metadata else {"text": found.text, "comments": found.comments}
        return json.dumps(shown, ensure_ascii=False)
    if output_format == "csv":
        line = io.StringIO()
        values = (getattr(found, name) for name in _CSV)
        csv.writer(line, delimiter="\t", lineterminator="\n").writerow(
            "null" if each is None else each for each in values
        )
        return line.getvalue()
    text = "\n\n".join(filter(None, (found.text, found.comments)))
    return f"{page.front_matter}\n{text}" if asked.with_metadata else text


def _json(found: Document) -> dict[str, Any]:
    known = {each.name: getattr(found, each.name) for each in fields(found) if each.name != "page"}
    known |= {name: ";".join(known[name] or ()) for name in ("categories", "tags")}
    return {_JSON_NAMES.get(name, name): value for name, value in known.items()}


def _xml(found: Document, page: Page, asked: _Asked, output_format: str) -> str:
    content = page.tei if output_format == "xmltei" else page.xml
    if output_format == "xml":
        start, end = content.index("<doc"), content.index(">", content.index("<doc"))
        known = _attributes(found) if asked.with_metadata else {"id": found.id, "fingerprint": content_hash(page.text)}
        shown = "".join(f' {name}="{_escaped(value)}"' for name, value in known.items() if value)
        content = f"{content[:start]}<doc{shown}{'/' * (content[end - 1] == '/')}{content[end:]}"
    return fitting(content if asked.formatting else _INLINE.sub("", content), page.document)


def _attributes(found: Document) -> dict[str, str | None]:
    names = ("sitename", "title", "author", "date", "url", "hostname", "description", "id", "fingerprint")
    lists = {"categories": ";".join(found.categories or ()), "tags": ";".join(found.tags or ())}
    more = ("license", "language", "image", "pagetype")
    return {name: getattr(found, name) for name in names} | lists | {name: getattr(found, name) for name in more}


def _html(found: Document, page: Page, asked: _Asked) -> str:
    content = page.html if asked.formatting else _INLINE.sub("", page.html)
    known = _attributes(found).items() if asked.with_metadata else ()
    head = "".join(f'<meta name="{name}" content="{_escaped(value)}">\n' for name, value in known if value)
    head = f"<head>\n{head}</head>\n" if head else ""
    return f"<html>\n{head}<body>\n{content}\n</body>\n</html>"


def _escaped(value: str) -> str:
    """The value of an attribute."""
    return escape(_NO_CHARACTER.sub("", " ".join(clean_text(value).split())))
