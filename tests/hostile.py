"""Pages that want to hurt: each kind named in the plan's section on the parser, and a few more."""

from __future__ import annotations

from collections.abc import Callable

HOSTILE: dict[str, Callable[[int], str | bytes]] = {
    "nested divs": lambda size: "<div>" * size + "text",
    "nested divs with text": lambda size: "<div>some words here " * size,
    "nested inline tags": lambda size: "<b><i><span>x " * (size // 3),
    "nested tables": lambda size: "<table><tr><td>x" * (size // 4),
    "nested lists": lambda size: "<ul><li>x" * (size // 2),
    "nested links": lambda size: "<a href=x><div>y" * (size // 2),
    "many attributes": lambda size: "<p " + " ".join(f"a{number}=1" for number in range(size)) + ">text</p>",
    "huge attribute": lambda size: '<p title="' + "a" * (size * 95) + '">text</p>',
    "NULs": lambda size: "\0" * size + "<p>te\0xt</p>",
    "lone surrogates": lambda size: "<p>" + "\ud800 a \udfff" * size,
    "only openings": lambda size: "<" * size,
    "only ampersands": lambda size: "&" * size,
    "entities": lambda size: "&amp;&lt;&#x1F600;&bogus;&#xD800;" * size,
    "unclosed comment": lambda size: "<p>text</p><!--" + "-" * size,
    "unclosed script": lambda size: "<p>text</p><script>" + "<p>no" * size,
    "one long word": lambda size: "<p>" + "x" * (size * 20),
    "many siblings": lambda size: "<p>word</p>" * size,
    "mis-nested formatting": lambda size: "<b><p><i></b>text" * (size // 4),
    "entity bomb": lambda size: (
        '<!DOCTYPE x [<!ENTITY a "' + "b" * size + '"><!ENTITY c "&a;&a;&a;">]><p>&c;&c; text</p>'
    ),
    "many cells": lambda size: "<table><tr>" + "<td rowspan=9999999 colspan=9999999>x" * (size // 2),
    "random bytes": lambda size: bytes(range(256)) * (size // 50),
}
