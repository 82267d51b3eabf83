"""The description of the server in OpenAPI 3.1. Requests are those of `models`, problems those of `problems`."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from http import HTTPStatus
from typing import Any

from pydantic.json_schema import models_json_schema

from tamis import __version__
from tamis.labels import Role
from tamis.page_type import PageType
from tamis.server import models, problems
from tamis.server.problems import Kind

Schema = dict[str, Any]

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
    "threshold": 0.5589,
    "words": 18,
    "tokens": 21,
    "markdown": "The sea rises and falls twice a day, because the moon pulls at it, and the earth turns below.",
}

_TEXT: Schema = {"type": "string"}
_TEXT_OR_NULL: Schema = {"type": ["string", "null"]}
_COUNT: Schema = {"type": "integer", "minimum": 0}
_SHARE: Schema = {"type": "number", "minimum": 0, "maximum": 1}
_OBJECTS: Schema = {"type": "array", "items": {"type": "object"}}

_BLOCK: Schema = {
    "type": "object",
    "required": ["text", "score", "keep", "role", "xpath"],
    "properties": {
        "text": _TEXT,
        "score": _SHARE,
        "keep": {"type": "boolean"},
        "role": {"enum": [role.value for role in Role]},
        "xpath": _TEXT,
        "tag_path": _TEXT,
    },
}
# What the answers to an extraction and an explanation have in common.
_ABOUT: Schema = {
    "url": _TEXT_OR_NULL,
    "extractor": _TEXT,
    "title": _TEXT_OR_NULL,
    "page_type": {"enum": [*(str(each) for each in PageType), None]},
    "page_type_confidence": {"type": ["number", "null"], "minimum": 0, "maximum": 1},
    "threshold": {"type": "number", "description": "the score from which text is kept"},
}
_ANSWER: Schema = {
    "type": "object",
    "description": "A page: what is always said about it, and the formats that were asked for.",
    "required": [*_ABOUT, "source", "words", "tokens"],
    "properties": {
        **_ABOUT,
        "source": {"type": "string", "description": "page, or the kind of data that the content was read from"},
        "words": _COUNT,
        "tokens": _COUNT,
        **dict.fromkeys(("text", "markdown", "html", "xml", "tei", "highlighted", "annotated"), _TEXT),
        **dict.fromkeys(("comments", "media", "chunks", "structured_data"), _OBJECTS),
        "metadata": {"type": "object", "description": "each value with its source and confidence"},
        "blocks": {"type": "array", "items": {"$ref": "#/components/schemas/Block"}},
    },
    "examples": [_EXAMPLE_ANSWER],
}
_EXPLANATION: Schema = {
    "type": "object",
    "required": [*_ABOUT, "remark", "blocks"],
    "properties": {
        **_ABOUT,
        "remark": {"type": "string", "description": "why there are no reasons; empty if there are"},
        "blocks": {
            "type": "array",
            "items": {
                **_BLOCK,
                "properties": {
                    **_BLOCK["properties"],
                    "kind": {"type": "string", "description": "what the block is and where it stands"},
                    "note": {
                        "type": "string",
                        "description": "the rule that changed the network's verdict, if one did",
                    },
                    "usual": {"type": ["number", "null"], "description": "the score of a typical block of this kind"},
                    "reasons": _OBJECTS,
                },
            },
        },
    },
}
_PROBLEM: Schema = {
    "type": "object",
    "description": "RFC 9457. `kind` is the last part of `type`.",
    "required": ["type", "title", "status", "detail", "kind"],
    "properties": {
        "type": {"type": "string", "format": "uri"},
        "title": _TEXT,
        "status": {"type": "integer"},
        "detail": _TEXT,
        "kind": {"enum": sorted(kind.name for kinds in problems.all_kinds().values() for kind in kinds)},
        "instance": _TEXT,
    },
}
_EXTRACTORS: Schema = {
    "type": "object",
    "required": ["version", "extractors"],
    "properties": {
        "version": _TEXT,
        "extractors": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["name", "summary", "paper", "default"],
                "properties": {"name": _TEXT, "summary": _TEXT, "paper": _TEXT, "default": {"type": "boolean"}},
            },
        },
    },
}
_HEALTH: Schema = {
    "type": "object",
    "required": ["status", "version"],
    "properties": {"status": {"enum": ["ok", "closing"]}, "version": _TEXT},
}

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
)
_OF_BODIES = (problems.BAD_JSON, problems.BODY_TOO_SLOW, problems.WRONG_TYPE)


@cache
def description(*, key: bool) -> Schema:
    """The description; with `key`, requests need an API key."""
    _, schemas = models_json_schema(
        [(model, "validation") for model in (models.ExtractRequest, models.FetchedOptions, models.AddressedOptions)],
        ref_template="#/components/schemas/{model}",
    )
    found = schemas["$defs"]
    request = found["ExtractRequest"] | {
        "anyOf": [{"required": [name], "properties": {name: {"type": "string"}}} for name in ("html", "url")],
        "examples": [{"html": _EXAMPLE_PAGE, "url": "https://example.org/tides", "formats": ["markdown"]}],
    }
    body = {"application/json": {"schema": {"$ref": "#/components/schemas/ExtractRequest"}}}
    page = {"text/html": {"schema": {}, "example": _EXAMPLE_PAGE}}
    in_query = _parameters(found["AddressedOptions"])
    pages = (*_OF_BODIES, *_OF_PAGES, *problems.OF_FETCHING)
    lines = {"application/x-ndjson": {"schema": {}, "example": '{"html": "<p>One</p>"}\n{"html": "<p>Two</p>"}\n'}}
    paths: Schema = {
        "/v1/extract": {
            "post": {
                "operationId": "extract",
                "summary": "The main content of a page, sent as HTML or JSON, or fetched",
                "description": "Options stand in the query, and beside JSON also in the body, which counts more.",
                "parameters": in_query,
                "requestBody": {"required": True, "content": body | page},
                "responses": _responses(_json("Page"), pages, key, counts=True),
            }
        },
        "/v1/extract/batch": {
            "post": {
                "operationId": "extractBatch",
                "summary": "Many pages: JSON lines in, JSON lines out, in order",
                "description": (
                    "Each line is a request as for /v1/extract; there may be any number. Each line of the answer has "
                    "the `index` and the `status` of its page, and is a Page or has a `problem`. One that fails stops "
                    "no other."
                ),
                "requestBody": {"required": False, "content": lines},
                "responses": _responses(
                    {"application/x-ndjson": {"schema": _TEXT}},
                    (problems.TOO_LARGE, problems.BODY_TOO_SLOW, problems.WRONG_TYPE, problems.WRONG_OPTION),
                    key,
                ),
            }
        },
        "/v1/explain": {
            "post": {
                "operationId": "explain",
                "summary": "Why each block of a page was kept or dropped",
                "description": "As /v1/extract; of the options only `extractor` and `url` count.",
                "parameters": in_query,
                "requestBody": {"required": True, "content": body | page},
                "responses": _responses(_json("Explanation"), pages, key),
            }
        },
        "/v1/extractors": {
            "get": {
                "operationId": "extractors",
                "summary": "The extractors that can be chosen",
                "responses": _responses(_json("Extractors"), (), key),
            }
        },
        "/read": {
            "get": {
                "operationId": "read",
                "summary": "An address, to be read: Markdown, HTML, JSON or text, as the Accept header asks for",
                "parameters": _parameters(found["FetchedOptions"]),
                "responses": _responses(
                    {
                        "text/markdown": {"schema": _TEXT},
                        "text/html": {"schema": _TEXT},
                        **_json("Page"),
                        "text/plain": {"schema": _TEXT},
                    },
                    (problems.NOT_ACCEPTABLE, *_OF_PAGES, *problems.OF_FETCHING),
                    key,
                    counts=True,
                ),
            }
        },
        "/healthz": {
            "get": {
                "operationId": "health",
                "summary": "Is the server ready?",
                "security": [],
                "responses": _responses(_json("Health"), (), False)
                | {"503": {"description": "The server is closing, or busy", "content": _json("Health")}},
            }
        },
        "/metrics": {
            "get": {
                "operationId": "metrics",
                "summary": "Counters in the format of Prometheus",
                "responses": _responses({"text/plain": {"schema": _TEXT}}, (), key),
            }
        },
    }
    components: Schema = {
        "schemas": {
            "ExtractRequest": request,
            "Page": _ANSWER,
            "Block": _BLOCK,
            "Explanation": _EXPLANATION,
            "Extractors": _EXTRACTORS,
            "Health": _HEALTH,
            "Problem": _PROBLEM,
        }
    }
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


def _parameters(options: Schema) -> list[Schema]:
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
    """The schema of a value that can be left out; a query has no null."""
    kept = {name: value for name, value in schema.items() if name not in ("anyOf", "title", "description")}
    one: Schema = next((each for each in schema.get("anyOf", ()) if each.get("type") != "null"), {})
    return {name: value for name, value in (kept | one).items() if (name, value) != ("default", None)}


def _json(name: str) -> Schema:
    return {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}"}}}


def _responses(fine: Schema, kinds: Iterable[Kind], key: bool, *, counts: bool = False) -> Schema:
    """The answer if all is well, and one entry for each status that a problem can have."""
    by_status: dict[HTTPStatus, list[Kind]] = {}
    for kind in (*_ANYWHERE, *((problems.NO_KEY,) if key else ()), *kinds):
        by_status.setdefault(kind.status, []).append(kind)
    headers = {
        "X-Word-Count": {"description": "words of the text", "schema": _COUNT},
        "X-Token-Count": {"description": "about as many tokens as a language model reads", "schema": _COUNT},
    }
    problem = {problems.MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {
        "200": {"description": "Fine", "content": fine, **({"headers": headers} if counts else {})},
        **{
            str(status.value): {
                "description": "; ".join(f"{kind.name}: {kind.title}" for kind in found),
                "content": problem,
                **({"headers": {"Retry-After": {"schema": _COUNT}}} if problems.BUSY in found else {}),
            }
            for status, found in sorted(by_status.items())
        },
    }
