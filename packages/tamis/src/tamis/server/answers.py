"""The answers of the server as JSON and as models: the records of `page_data`, and those that only a server has."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from typing import Annotated, Any, Literal

import pydantic

from tamis.explain import Explanation
from tamis.page_data import BLOCK, PAGE, Field, Record
from tamis.render.html import annotate
from tamis.server import problems
from tamis.server.models import FORMATS

# The fields of every answer about a page.
ALWAYS = (
    "url",
    "extractor",
    "source",
    "title",
    "page_type",
    "page_type_confidence",
    "state",
    "state_probability",
    "state_evidence",
    "confidence",
    "threshold",
    "words",
    "tokens",
)
_OF_EXPLANATION = (
    *("url", "extractor", "title", "page_type", "page_type_confidence"),
    *("state", "state_probability", "state_evidence", "confidence"),
)

ANSWER = Record(
    PAGE.name,
    PAGE.about,
    {name: PAGE.fields[name] for name in ALWAYS}
    | {name: PAGE.fields[name] for name in FORMATS if name in PAGE.fields}
    | {
        "annotated": Field(
            str,
            "a copy of the page with each text marked by its place in `blocks`",
            lambda page: annotate(page.document, page.labels, page.blocks),
        ),
        "metadata": PAGE.fields["metadata"],
        "blocks": PAGE.fields["blocks"],
    },
)
_REASON = Record(
    "Reason",
    "Something that raised or lowered the score.",
    {
        "group": Field(str),
        "words": Field(str),
        "effect": Field(float, "on the score, as log-odds", digits=4),
        "without": Field(float, "the score without it", digits=4),
    },
)
_EXPLAINED_BLOCK = Record(
    "ExplainedBlock",
    BLOCK.about,
    {name: BLOCK.fields[name] for name in ("text", "score", "keep", "role", "xpath")}
    | {
        "keep": Field(bool, read=lambda block: block.kept),
        "kind": Field(str, "what the block is and where it is"),
        "note": Field(str, "the rule that changed the network's verdict, if one did"),
        "usual": Field(float | None, "the score of a typical block of this kind", digits=4),
        "reasons": Field([_REASON]),
    },
)


def _doubts(found: Explanation) -> dict[str, float]:
    return {name: round(effect, 4) for name, effect in found.doubts}


EXPLANATION = Record(
    "Explanation",
    "Why each block was kept or dropped.",
    {name: PAGE.fields[name] for name in _OF_EXPLANATION}
    | {"doubts": Field(dict[str, float], "columns that lower the confidence most: effects in log-odds", _doubts)}
    | {
        "threshold": PAGE.fields["threshold"]._replace(read=lambda found: float(found.threshold)),
        "remark": Field(str, "why there are no reasons; empty if there are"),
        "blocks": Field([_EXPLAINED_BLOCK]),
    },
)


_URI: Any = Annotated[str, pydantic.Field(json_schema_extra={"format": "uri"})]
_KIND: Any = Annotated[str, pydantic.Field(json_schema_extra={"enum": [*problems.problem_names()]})]
PROBLEM = Record(
    "Problem",
    "RFC 9457. `kind` is the last part of `type`.",
    {
        "type": Field(_URI),
        "title": Field(str),
        "status": Field(int),
        "detail": Field(str),
        "kind": Field(_KIND),
        "instance": Field(str, "with the id of the request"),
    },
)
EXTRACTORS = Record(
    "Extractors",
    "The extractors that a request may name.",
    {
        "version": Field(str, "of tamis"),
        "extractors": Field(
            [
                Record(
                    "Extractor",
                    "An extractor.",
                    {name: Field(str) for name in ("name", "summary", "paper")} | {"default": Field(bool)},
                )
            ]
        ),
    },
)
_STATE: Any = Literal["ok", "closing"]
HEALTH = Record("Health", "Is the server ready?", {"status": Field(_STATE), "version": Field(str)})

# Fields that an answer may lack: formats that were not requested; the id of a problem in a line of a batch.
_OPTIONAL = {ANSWER.name: {*ANSWER.fields} - {*ALWAYS}, PROBLEM.name: {"instance"}}


def model_fields(fields: Mapping[str, Field], optional: Collection[str] = ()) -> dict[str, Any]:
    """Fields as `pydantic.create_model` takes them."""
    default = pydantic.Field(default_factory=object)  # with a factory, the description shows no value
    return {
        name: (
            Annotated[
                _field_type(field), pydantic.Field(description=field.about or None, ge=field.least, le=field.most)
            ],
            default if name in optional else ...,
        )
        for name, field in fields.items()
    }


def _field_type(field: Field) -> Any:
    each = field.type[0] if isinstance(field.type, list) else field.type
    kind: Any = model_of_record(each) if isinstance(each, Record) else each
    if isinstance(field.type, list):
        return list[kind]
    return kind | None if field.is_optional else kind


@cache
def model_of_record(record: Record) -> type[pydantic.BaseModel]:
    """A record as a model, for its description."""
    fields = model_fields(record.fields, _OPTIONAL.get(record.name, ()))
    return pydantic.create_model(record.name, __doc__=record.about, **fields)
