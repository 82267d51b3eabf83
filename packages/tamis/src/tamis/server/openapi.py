"""The description of the server in OpenAPI 3.1, made from its operations, models, answers and problems."""

from __future__ import annotations

from functools import cache
from http import HTTPStatus
from typing import Any, NamedTuple

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from tamis import __version__
from tamis.page_data import Record
from tamis.server import models, problems
from tamis.server.answers import ANSWER, EXPLANATION, EXTRACTORS, HEALTH, PROBLEM, model_of_record
from tamis.server.problems import ProblemKind

Schema = dict[str, Any]

_REF = "#/components/schemas/"
_TEXT: Schema = {"type": "string"}
_COUNT: Schema = {"type": "integer", "minimum": 0}
_EXAMPLE_PAGE = (
    "<html lang=en><title>Tides</title><nav><a href=/>Home</a> <a href=/about>About</a></nav><article><h1>Tides</h1>"
    "<p>The sea rises and falls twice a day, because the moon pulls at it, and the earth turns below.</p></article>"
    "<footer>Imprint</footer></html>"
)
_EXAMPLE_ANSWER = {
    "url": "https://example.org/tides",
    "extractor": "tamis",
    "source": "page",
    "title": "Tides",
    "page_type": "article",
    "page_type_confidence": 0.93,
    "state": "content",
    "state_probability": 0.99,
    "state_evidence": ["1 texts of 94 bytes in all are kept"],
    "confidence": 0.9,
    "threshold": 0.5589,
    "words": 18,
    "tokens": 21,
    "markdown": "The sea rises and falls twice a day, because the moon pulls at it, and the earth turns below.",
}
_EXAMPLE_LINES = '{"html": "<p>One</p>"}\n{"html": "<p>Two</p>"}\n'

_ANYWHERE = (
    problems.BAD_HOST,
    problems.CROSS_ORIGIN,
    problems.HEAD_TOO_SLOW,
    problems.HEAD_TOO_LARGE,
    problems.INTERNAL,
    problems.BUSY,
)
_OF_PAGES = (
    problems.TOO_LARGE,
    problems.OUT_OF_MEMORY,
    problems.NOT_A_PAGE,
    problems.WRONG_OPTION,
    problems.UNREADABLE,
    problems.MISSING_EXTRA,
    problems.CRASH,
    problems.TOO_SLOW,
    *problems.OF_FETCHING,
)
_OF_BODIES = (problems.BAD_JSON, problems.BODY_TOO_SLOW, problems.WRONG_TYPE)


class Operation(NamedTuple):
    """An operation of the server: a path, its method, the request and the answer."""

    path: str
    method: str
    name: str
    summary: str
    answer: Record | tuple[str, ...]  # JSON, or texts of these media types
    description: str = ""
    query: type[models.PageOptions] | None = None
    body: Schema | None = None  # by media type
    must_have_body: bool = True
    problems: tuple[ProblemKind, ...] = ()
    counts: bool = False  # with headers for words and tokens
    open: bool = False  # without a key


_PAGE_BODY: Schema = {
    "application/json": {"schema": {"$ref": f"{_REF}ExtractRequest"}},
    "text/html": {"schema": {}, "example": _EXAMPLE_PAGE},
}
OPERATIONS = (
    Operation(
        "/v1/extract",
        "POST",
        "extract",
        "The main content of a page, sent as HTML or JSON, or fetched",
        ANSWER,
        "Pass options in the query or in the JSON body; the body wins.",
        query=models.AddressedOptions,
        body=_PAGE_BODY,
        problems=(*_OF_BODIES, *_OF_PAGES),
        counts=True,
    ),
    Operation(
        "/v1/extract/batch",
        "POST",
        "extractBatch",
        "Many pages: JSON lines in, JSON lines out, in order",
        ("application/x-ndjson",),
        "Each line is a request as for /v1/extract; there may be any number. Each line of the answer has the `index` "
        "and the `status` of its page, and is a Page or has a `problem`. One that fails stops no other.",
        body={"application/x-ndjson": {"schema": {}, "example": _EXAMPLE_LINES}},
        must_have_body=False,
        problems=(problems.TOO_LARGE, problems.BODY_TOO_SLOW, problems.WRONG_TYPE, problems.WRONG_OPTION),
    ),
    Operation(
        "/v1/explain",
        "POST",
        "explain",
        "Why each block of a page was kept or dropped",
        EXPLANATION,
        "As /v1/extract; of the options only `extractor` and `url` count.",
        query=models.AddressedOptions,
        body=_PAGE_BODY,
        problems=(*_OF_BODIES, *_OF_PAGES),
    ),
    Operation("/v1/extractors", "GET", "extractors", "The extractors that can be chosen", EXTRACTORS),
    Operation(
        "/read",
        "GET",
        "read",
        "An address, to be read: Markdown, HTML, JSON or text, as the Accept header asks for",
        ("text/markdown", "text/html", "application/json", "text/plain"),
        query=models.FetchedOptions,
        problems=(problems.NOT_ACCEPTABLE, *_OF_PAGES),
        counts=True,
    ),
    Operation("/healthz", "GET", "health", "Is the server ready?", HEALTH, open=True),
    Operation("/metrics", "GET", "metrics", "Counters in the format of Prometheus", ("text/plain",)),
)


@cache
def openapi_description(*, key: bool) -> Schema:
    """The description; with `key`, requests need an API key."""
    schemas = _component_schemas()
    paths: dict[str, Schema] = {}
    for each in OPERATIONS:
        paths.setdefault(each.path, {})[each.method.lower()] = _described_operation(
            each, schemas, key=key and not each.open
        )
    components: Schema = {"schemas": schemas}
    if key:
        components["securitySchemes"] = {
            "bearer": {"type": "http", "scheme": "bearer"},
            "header": {"type": "apiKey", "in": "header", "name": "X-API-Key"},
        }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "tamis",
            "version": __version__,
            "summary": "Give it any web page, get back the main content and nothing else.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "paths": paths,
        "components": components,
        **({"security": [{"bearer": []}, {"header": []}]} if key else {}),
    }


def _component_schemas() -> Schema:
    """The schemas of requests and answers, by name."""
    requests = (models.ExtractRequest, models.AddressedOptions, models.FetchedOptions)
    answers = (ANSWER, EXPLANATION, EXTRACTORS, HEALTH, PROBLEM)
    all_models: list[type[BaseModel]] = [*requests, *map(model_of_record, answers)]
    _, found = models_json_schema([(each, "validation") for each in all_models], ref_template=f"{_REF}{{model}}")
    schemas: Schema = found["$defs"]
    schemas["ExtractRequest"] |= {
        "anyOf": [{"required": [name], "properties": {name: {"type": "string"}}} for name in ("html", "url")],
        "examples": [{"html": _EXAMPLE_PAGE, "url": "https://example.org/tides", "formats": ["markdown"]}],
    }
    schemas["Page"]["examples"] = [_EXAMPLE_ANSWER]
    return schemas


def _described_operation(operation: Operation, schemas: Schema, *, key: bool) -> Schema:
    """An operation; with `key`, it needs one."""
    found: Schema = {"operationId": operation.name, "summary": operation.summary}
    if operation.description:
        found["description"] = operation.description
    if operation.query:
        found["parameters"] = _query_parameters(schemas[operation.query.__name__])
    if operation.body:
        found["requestBody"] = {"required": operation.must_have_body, "content": operation.body}
    if operation.open:
        found["security"] = []
    answer = {"200": {"description": "Fine", "content": _answer_content(operation.answer)}}
    if operation.counts:
        answer["200"]["headers"] = {
            "X-Word-Count": {"description": "words of the text", "schema": _COUNT},
            "X-Token-Count": {"description": "about as many tokens as a language model reads", "schema": _COUNT},
        }
    kinds = (*_ANYWHERE, *((problems.NO_KEY,) if key else ()), *operation.problems)
    found["responses"] = answer | _failure_responses(kinds)
    if operation.answer is HEALTH:
        closing = {"description": "The server is closing, or busy", "content": _answer_content(HEALTH)}
        found["responses"]["503"] = closing
    return found


def _answer_content(answer: Record | tuple[str, ...]) -> Schema:
    if isinstance(answer, Record):
        return {"application/json": {"schema": {"$ref": f"{_REF}{answer.name}"}}}
    return {kind: _answer_content(ANSWER)[kind] if kind == "application/json" else {"schema": _TEXT} for kind in answer}


def _failure_responses(kinds: tuple[ProblemKind, ...]) -> Schema:
    """One entry for each status that a problem can have."""
    by_status: dict[HTTPStatus, list[ProblemKind]] = {}
    for kind in kinds:
        by_status.setdefault(kind.status, []).append(kind)
    problem = {problems.MEDIA_TYPE: {"schema": {"$ref": f"{_REF}{PROBLEM.name}"}}}
    return {
        str(status.value): {
            "description": "; ".join(f"{kind.name}: {kind.title}" for kind in found),
            "content": problem,
            **({"headers": {"Retry-After": {"schema": _COUNT}}} if problems.BUSY in found else {}),
        }
        for status, found in sorted(by_status.items())
    }


def _query_parameters(options: Schema) -> list[Schema]:
    """The options of a model as parameters of the query."""
    return [
        {
            "name": name,
            "in": "query",
            "required": name in options.get("required", ()),
            "description": schema.get("description", ""),
            "schema": _without_null(schema),
            **({"style": "form", "explode": False} if schema.get("type") == "array" else {}),
        }
        for name, schema in options["properties"].items()
    ]


def _without_null(schema: Schema) -> Schema:
    """The schema of an optional value without null, which a query can't express."""
    kept = {name: value for name, value in schema.items() if name not in ("anyOf", "title", "description")}
    one: Schema = next((each for each in schema.get("anyOf", ()) if each.get("type") != "null"), {})
    return {name: value for name, value in (kept | one).items() if (name, value) != ("default", None)}
