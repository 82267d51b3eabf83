"""A tiny invented corpus in each published layout, written as a folder or as a zip."""

from __future__ import annotations

import gzip
import json
import zipfile
from pathlib import Path

from tamis_lab.corpora.catalogue import corpora

PAGE = b"<html><body><h1>Title</h1><p>Words of the content.</p><div>Menu</div></body></html>"


def _json(value: object) -> bytes:
    return json.dumps(value).encode()


def _wcxb(page_id: str, **truth: object) -> dict[str, bytes]:
    record = {
        "url": f"https://example.org/{page_id}",
        "_internal": {"page_type": {"primary": "forum"}},
        "ground_truth": {"title": "Title", "author": None, "publish_date": "2025-01-02", **truth},
    }
    return {
        f"wcxb/dev/ground-truth/{page_id}.json": _json(record),
        f"wcxb/dev/html/{page_id}.html.gz": gzip.compress(PAGE, mtime=0),
    }


_L3S_STYLE = '<style type="text/css">\n<!--\n* {visibility: visible}\n.x-nc-sel0 { color: red }\n-->\n</style>'
_L3S_PAGE = f"""<html><head>{_L3S_STYLE}<title><SPAN class="x-nc-sel2">Site</SPAN></title></head>
<body class="news x-nc-linearized"><span class="x-nc-sel1">Headline</span>
<p><span class="x-nc-sel0"><span class="x-nc-sel2">Body text </span></span>\
<a href="/x"><span class="x-nc-sel2">link</span></a></p>
<div class="x-nc-sel3">Caption</div><span class="x-nc-sel5">A comment</span>
<p><span class="x-nc-sel4">Other article</span></p><p><span class="x-nc-sel0">Menu</span></p><p>Unmarked</p>
</body></html>"""

_CANOLA_PAGE = """<head><base href="http://example.org/"><title>T</title></head>
<body><p><kw class="krdwrd-tag-3">Good text</kw></p><p><kw class="krdwrd-tag-1">Bad</kw></p>
<p><kw class="krdwrd-tag-2">Unsure</kw></p><p><kw class="krdwrd-tag-mrgtie">Tie</kw></p>
<p><kw>Unjudged</kw></p></body>"""

_TRENDS_PAGE = """<!DOCTYPE html><body><h1 __label="title">Title</h1>
<div __label="main " class="story"><p>Main text</p><i __label="author">Ann</i><img src="x.png"></div>
<div __label="commen">Remark</div><div>Menu</div></body>"""


def _press(*lines: str, **section: list[str]) -> dict[str, object]:
    body = {"summary": list(lines), "sections": [{"headline": [], "paragraphs": [], **section}]}
    return {"title": "T", "authors": ["Ann", "Ben"], "publishing_date": "2024-05-06", "body": body}


_HARBOUR = """<html lang="en-GB"><head><link href='//www.harbour.example/1' rel=canonical></head><body>
<p>The ferry is late.</p><h2>Why</h2><p>There is ice in the bay.</p><p>Menu</p></body></html>"""
_HILL = "<html><body><p>Sheep were counted.</p><p>All are there.</p><p>Menu</p></body></html>"

_RECIPE_PAGE = """<html><head><title>Soup</title></head><body><p>My soup, with leeks and salt.</p>
<ul><li><b>1½</b> <span>cups</span> <span>leeks</span></li><li>Salt</li></ul>
<p>Boil the leeks in water.</p><p>Serve.</p><div class="tabs"><p>1 ½ cups leeks</p></div><img src="a.png">"""
_RECIPE = {
    "title": "Soup",
    "author": "Ann",
    "language": "en-US",
    "canonical_url": "https://soup.example/leek",
    "ingredients": ["1 ½ cups leeks", "salt"],
    "instructions_list": ["Boil the leeks in water.\nServe.", "Eat it while it is hot."],
}

# Saved as XML: the script closes itself, and would hold the rest of the page in HTML.
_THREAD_PAGE = """<html><head><meta charset="windows-1251"/><script src="a.js"/></head><body><div/>
<a href="/profile/ann-3"/><a href="/profile/ann-3"> Ann </a><i>3 May</i><p>Is the café open on Sundays?</p>
<b>Ben</b><i>4 May</i><p>It is, from nine to five.</p><br/><p>Powered by boards</p></body></html>"""


def _posted(text: str, user: str, date: str) -> dict[str, object]:
    fields = {"post_text": text, "user": user, "datetime": date, "post_link": "#1"}
    return {name: {"surface_form": value, "start": 0, "end": 1} for name, value in fields.items()}


_THREAD = {
    "id": "i1",
    "url": "https://boards.example/1",
    "html": _THREAD_PAGE,
    "gold_standard_annotation": [
        _posted("Is the café open on Sundays?", "/profile/ann-3", "3 May"),
        _posted("It is, from nine to five.", "Ben", "4 May"),
    ],
}

_SOURCE = """---
title: Harbour
---
# The harbour

* A [list](other.md) with `a*b*c` in it ![picture](a.png)

```{toctree}
other
```

```sh
ls *  # code
```

| a | b |
| --- | --- |
| see {ref}`there` | **two** |
"""
_BUILT = """<html><body><nav>Menu</nav><h1>The harbour</h1>
<ul><li>A <a href="other.html">list</a> with <code>a*b*c</code> in it <img alt="picture" src="a.png"></li></ul>
<pre>ls *  # code</pre>
<table><tr><th>a</th><th>b</th></tr><tr><td>see there</td><td>two</td></tr></table></body></html>"""

_DECLARING = b"""<html><head><meta content="https://shop.example/a" property="og:url">
<script type="application/ld+json">{"@type": "Question", "name": "When do you open the shop?",
"acceptedAnswer": {"@type": "Answer", "text": "<p>We open at nine, and close at five.</p>"}}</script></head><body>
<p>All our shops</p><p>When do <b>you</b> open the shop?</p><p>We open at nine, and close at five.</p>
<p>We open</p><p>Something else is said here.</p><div itemprop="articleBody"><p>A text that is marked.</p>
<p><a href="/b">A link that is marked.</a></p></div></body></html>"""
_SIBLING = b"""<html><head><link rel="canonical" href="https://www.shop.example/b"></head><body>
<p>All our shops</p><p>Nothing in common beside it.</p></body></html>"""

SAMPLES: dict[str, dict[str, bytes]] = {
    "wcxb": {
        "wcxb/LICENSE": b"CC BY 4.0",
        **_wcxb("0001", main_content="Words of the content.", **{"with": ["Words"], "without": ["Menu"]}),
        **_wcxb("0002", **{"with": [], "without": []}),
    },
    "cleaneval": {
        "cleaneval-dev/input/1.html": b'<text id="http://example.org/?a=1&amp;b" title="a > "b"" encoding="unset">\n'
        + PAGE
        + b"\n</text>\n",
        "cleaneval-dev/GoldStandard/1.txt": b"URL: http://example.org/\r\n\r\n<h>Title\r\n   <p>Caf\xe9 <br> words\r\n",
        "cleaneval-final/input/2.html": PAGE,
        "cleaneval-final/input/3.html": PAGE,
        "cleaneval-final/GoldStandard/2.txt": "\ufeff<p>Café <l>item".encode(),
    },
    "l3s-gn1": {
        "L3S-GN1/annotated/aa-1.html": _L3S_PAGE.encode(),
        "L3S-GN1/original/aa-1.html": PAGE,
        "L3S-GN1/url-mapping.txt": b"<urn:uuid:aa-1>\thttp://example.org/news\n",
    },
    "googletrends-2017": {
        **{f"googletrends-2017/raw_html/{name}.html": _TRENDS_PAGE.encode() for name in ("001", "010", "j-001")},
        "googletrends-2017/50-30-100-split/train_set.txt": b"gt_3.html\n",
        "googletrends-2017/50-30-100-split/dev_set.txt": b"gt_1.html\n",
        "googletrends-2017/50-30-100-split/test_set.txt": b"gt_2.html",
    },
    "news-2023": {
        "article-extraction-dataset/articles.json": _json(
            {
                name: {"articleBody": "Words.", "title": "T", "authors": "", "date": "2023-12-01", "site": site}
                | {"url": f"{site}/a"}
                for name, site in (("a1", "http://news1.example.com"), ("b2", "http://www.site2.org"))
            }
            | {"f7fa86e798f641b33aa19550a13305f4": {"articleBody": "gone", "site": "http://example.net"}}
        ),
        "article-extraction-dataset/html/a1.html": PAGE,
        "article-extraction-dataset/html/b2.html": PAGE,
    },
    "canola": {"canola/merged.20100908.plan.canola/685": _CANOLA_PAGE.encode()},
    "chaos": {
        "chaos/gold/elon,musk (1).txt": b"\x93Quoted\x94 words",
        "chaos/html/elon,musk (1).htm": PAGE,
        "chaos/gold/reef (2).txt": "Café – “words”".encode(),
        "chaos/html/reef (2).html": PAGE,
    },
    "scrapinghub": {
        "ground-truth.json": _json({"id1": {"articleBody": "Words.", "url": "https://example.org/"}}),
        "html/id1.html.gz": gzip.compress(PAGE, mtime=0),
    },
    "dragnet": {
        "HTML/R1.html": PAGE,
        "Corrected/R1.html.corrected.txt": b"Words.\n!@#$%^&*()  COMMENTS\nFirst!\n",
        "HTML/T2.html": PAGE,
        "Corrected/T2.html.corrected.txt": b"Other words.",
        "HTML/T3.html": PAGE,
        "Corrected/T3.html.corrected.txt": "Words.\r\n  #$%^&* \tCOMMNENTS\r\nFirst!".encode("utf-16"),
    },
    "readability": {
        "test-pages/001/source.html": PAGE,
        "test-pages/001/expected.html": b"<div><p>Words</p><p>of <b>it</b></p></div>",
        "test-pages/001/expected-metadata.json": _json({"title": "T", "byline": "Ann", "lang": "fr"}),
    },
    "cleanportaleval": {
        "CleanPortalEval-master/input/site1.html": b'<text id="http://example.org/">\n' + PAGE + b"</text>",
        "CleanPortalEval-master/GoldStandard/site1.txt": b"<p>Words",
    },
    "daniel": {
        "Corpus/html/x.html": PAGE,
        "Corpus/reference/x.html": "Слова".encode(),
        "Corpus/html/y": PAGE,
        "Corpus/reference/y.txt": b"<p>Words\n<p>of it</p>>\n<p>at 10:51/p>\n",
        "Corpus/html/z": PAGE,
        "Corpus/reference/z": b"\n<!DOCTYPE html>\n<html><p>Words</p></html>",
        "Corpus/doc_lg.json": _json({"x.html": "ru", "y": "English"}),
    },
    "trafilatura": {
        "tests/evaldata.json": _json(
            {
                "https://example.org/a": {"file": "a.html", "with": ["Words"], "without": ["Menu"]},
                "https://example.org/b": {"file": "b.html", "with": [], "without": [], "author": "Ann"},
            }
        ),
        "tests/cache/a.html": PAGE,
        "tests/eval/b.html": PAGE,
    },
    "press-2026": {
        "press-2026/de/Postillon.json": _json(
            {
                "V1": _press("The ferry is late.", headline=["Why"], paragraphs=["There is ice in the bay."]),
                "V1_1": _press("Sheep were counted.", paragraphs=["All are there."]),
            }
        ),
        "press-2026/de/Postillon_2024_05_06.html.gz": gzip.compress(_HARBOUR.encode(), mtime=0),
        "press-2026/de/Postillon_2025_05_06.html.gz": gzip.compress(_HILL.encode(), mtime=0),
        "press-2026/us/Lost.json": _json({"V1": _press("An article from another state of the page.")}),
        "press-2026/us/Lost_2025_01_02.html.gz": gzip.compress(_HILL.encode(), mtime=0),
    },
    "recipes": {
        "recipes/177milkstreet.com/soup.testhtml": _RECIPE_PAGE.encode(),
        "recipes/177milkstreet.com/soup.json": _json(_RECIPE),
        "recipes/empty.example/empty.testhtml": PAGE,
        "recipes/empty.example/empty.json": _json({"ingredients": "one\ntwo", "instructions_list": ["three"]}),
    },
    "threads": {"threads/bpdfamily.com.message_board.index.php.json": _json(_THREAD)},
    "sources": {"sources/_sources/docs/harbour.md.txt": _SOURCE.encode(), "sources/docs/harbour.html": _BUILT.encode()},
    "pages": {
        "pages/autopager-0000.html": _DECLARING,
        "pages/formasaurus-0000.html": _SIBLING,
        "pages/formasaurus-x.html": PAGE,
    },
}


def write_folder(data: Path, name: str, files: dict[str, bytes] | None = None) -> Path:
    """Write a sample below a data folder, unpacked."""
    folder = data / corpora()[name].folders[0]
    for path, content in (SAMPLES[name] if files is None else files).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    return folder


def write_zip(data: Path, name: str, files: dict[str, bytes] | None = None) -> Path:
    """Write a sample into a data folder, as a zip with LZMA members."""
    archive = data / corpora()[name].archives[0]
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_LZMA) as packed:
        for path, content in (SAMPLES[name] if files is None else files).items():
            packed.writestr(path, content)
    return archive
