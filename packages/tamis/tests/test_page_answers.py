"""What a page is worth and what it holds, as its user sees it: attributes, JSON, Markdown, commands, batches."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

import tamis
from tamis import page_data
from tamis.batch.records import Kind, Letter, Record, Row
from tamis.batch.rows import BatchOptions, answer_item
from tamis.cli.main import main
from tamis.errors import OptionError
from tamis.page_type import PageState
from tamis.records import facts as facts_module
from tamis.records.items import Item
from tamis.records.links import ContentLink
from tamis.records.posts import Post
from tests.test_api import ARTICLE_PAGE

_SAID = {
    "Ann": "I kneaded the dough for ten minutes and let it rest for a night, but it comes out flat; why?",
    "Bob": "Your starter may be too young; feed it for a week, and try again with warm water and a little more time.",
    "Cy": "I agree with the one above, and I would use flour with more protein than you have, such as that of spelt.",
}
THREAD = f"""<title>My sourdough is flat - Bread board</title><div id=nav><a href=/>Home</a> <a href=/faq>FAQ</a></div>
<h1>My sourdough is flat</h1><div class=posts>{
    "".join(
        f'''<div class=post id=p{number}><div class=head>
<a class=username href=/u/{name}>{name}</a> <time datetime="2024-03-0{number}">March {number}, 2024</time></div>
<div class=body><p>{text}</p>
<p>Then I baked it for {number}0 minutes, as <a href="/notes/{name}">the notes of loaf {number}</a> say.</p></div>
<a href=/reply>Reply</a></div>'''
        for number, (name, text) in enumerate(_SAID.items(), 1)
    )
}</div><footer>Imprint</footer>"""
URL = "https://board.example/t/1"
SHELL = "<title>Oven</title><div id=root></div><script src=/app.js></script>"
LOGIN = """<title>Log in - Oven</title><h1>Log in</h1><form action=/login method=post><label>User name
<input name=user></label><label>Password <input type=password name=password></label><button>Log in</button></form>
<a href=/lost>Forgot your password?</a>"""

Capture = pytest.CaptureFixture[str]


def thread() -> tamis.Page:
    return tamis.extract(THREAD, url=URL)


def test_json_has_every_answer_as_the_attributes_have_it() -> None:
    page = thread()
    found = json.loads(page.json)
    assert [(post["author"], post["date"], post["number"]) for post in found["posts"]] == [
        ("Ann", "2024-03-01", 1),
        ("Bob", "2024-03-02", 2),
        ("Cy", "2024-03-03", 3),
    ]
    assert found["posts"][0] == page.posts[0].as_dict()
    assert found["posts"][1]["text"].startswith(_SAID["Bob"])
    assert [link["url"] for link in found["links"]] == [f"https://board.example/notes/{name}" for name in _SAID]
    assert (found["state"], found["state_evidence"]) == ("content", list(page.state_evidence))
    assert found["confidence"] == round(page.confidence or 0, 4) > 0.5
    assert found["facts"] == {**dict.fromkeys(page_data.FACTS.fields), "questions": []}
    assert (found["items"], found["comments"]) == ([], [])


def test_json_forgets_no_field() -> None:
    """The records of JSON are written apart from the classes, which need more than a help text may load."""

    def names(kind: type) -> set[str]:
        return {each.name for each in fields(kind) if not each.name.startswith("_")}

    assert {*page_data.POST.fields} == names(Post) | {"markdown", "xpath"}
    assert {*page_data.ITEM.fields} == names(Item)
    assert {*page_data.LINK.fields} == names(ContentLink)
    assert {*page_data.FACTS.fields} == names(tamis.Facts)
    for field in page_data.FACTS.fields.values():
        record = field.type[0] if isinstance(field.type, list) else field.type
        assert {*record.fields} == names(getattr(facts_module, record.name)), record.name
    assert {*page_data.STATES} == {*PageState}


def test_a_status_and_headers_help_to_tell_the_state() -> None:
    page = tamis.RawPage(
        b"<title>One moment</title><p>One moment, please.", status=403, headers={"CF-Mitigated": "challenge"}
    )
    found = tamis.extract(page)
    assert found.state is tamis.PageState.BOT_CHALLENGE
    assert "cf-mitigated" in " ".join(found.state_evidence)
    assert (tamis.extract(SHELL).state, tamis.extract(LOGIN).state) == ("empty-shell", "login")
    with pytest.raises(OptionError, match="status"):
        tamis.extract(tamis.RawPage(b"<p>x", status="200"))  # type: ignore[arg-type]


def test_a_page_without_content_has_no_confidence_and_no_records() -> None:
    page = tamis.extract(SHELL)
    assert page.confidence is None
    assert (page.posts, page.comments, page.items, page.links) == ((), (), (), ())
    assert not any(vars(page.facts).values())


def test_text_needs_none_of_it() -> None:
    program = f"""
import sys, tamis
assert tamis.extract({ARTICLE_PAGE!r}).text
assert not [name for name in sys.modules if name.startswith(("tamis.records", "tamis.worth", "tamis.metadata"))]
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_markdown_and_html_of_a_thread_say_who_says_what() -> None:
    page = thread()
    assert "Ann" not in page.text
    blocks = page.markdown.split("\n\n")
    first = blocks.index(f"[#1]({URL}#p1) · **Ann** · 2024-03-01")
    assert blocks[first + 1].startswith("I kneaded")
    assert f'<header><a href="{URL}#p2">#2</a> · <b>Bob</b> · <time datetime="2024-03-02">' in page.html
    chunks = page.chunks(chunk_tokens=80)
    for name, text in _SAID.items():
        (chunk,) = (each for each in chunks if text in each.text)
        assert f"**{name}**" in chunk.markdown, "a post stays below the line that says whose it is"
        assert (chunk.url or "").startswith(f"{URL}#:~:text=")


def test_language_models_get_names_and_entries_without_invisible_characters() -> None:
    pytest.importorskip("pydantic", reason="the extra server is not installed")
    from tamis.server.jobs import Job, _reading_reply
    from tamis.server.models import PageOptions

    hostile = THREAD.replace(">Ann<", ">A\u200b\U000e0049nn<")
    reply = _reading_reply(Job(hostile, URL, PageOptions(formats=["markdown"]), "reading")).body.decode()
    assert "**Ann**" in json.loads(reply)["text"]


def test_where_names_are_kept_markdown_has_them_once() -> None:
    page = tamis.extract(THREAD, url=URL, extractor="keep-all")
    assert [post.author for post in page.posts] == [*_SAID]
    assert "[Ann](https://board.example/u/Ann)" in page.markdown
    assert "**Ann**" not in page.markdown


def test_addresses_of_links_can_go_to_the_end_of_markdown() -> None:
    markdown = tamis.extract(THREAD, url=URL, links_as_references=True).markdown
    assert "as [the notes of loaf 1][2] say" in markdown
    assert markdown.endswith("[6]: https://board.example/notes/Cy")


def test_the_command_line_has_two_spellings_for_references(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "page.html"
    file.write_text(THREAD, encoding="utf-8")
    for words in (["--links-as-references"], ["--links", "as-references"], ["--links=as-references"]):
        assert main(["extract", str(file), "-f", "markdown", *words]) == 0
        assert "[the notes of loaf 1][" in capsys.readouterr().out
    assert main(["extract", "--no-links", "--links", str(file), "-f", "markdown"]) == 0
    assert "[the notes of loaf 1](" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("only", "page", "said"),
    [
        ("posts", THREAD, [{"author": name} for name in _SAID]),
        ("links", THREAD, [{"text": f"the notes of loaf {number}"} for number in (1, 2, 3)]),
        ("state", LOGIN, [{"state": "login", "confidence": None}]),
    ],
)
def test_only_one_answer(only: str, page: str, said: list[dict[str, object]], tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "page.html"
    file.write_text(page, encoding="utf-8")
    assert main(["extract", str(file), "--only", only]) == 0
    out = capsys.readouterr().out
    found = [json.loads(out)] if only == "state" else [json.loads(line) for line in out.splitlines()]
    assert [each["page"] for each in found] == [str(file)] * len(found)
    assert [{name: each[name] for name in known} for each, known in zip(found, said, strict=True)] == said


@pytest.mark.parametrize("only", ["posts", "items", "facts", "links"])
def test_only_without_a_result_ends_as_an_empty_page(only: str, tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "page.html"
    file.write_text(LOGIN, encoding="utf-8")
    assert main(["extract", str(file), "--only", only]) == 1
    assert capsys.readouterr().err == f"tamis: {file}: no {only} found: this is a log-in page\n"


def record(html: str, status: int = 200) -> Record:
    return Record(html.encode(), "a.warc", 17, url=URL, status=status)


def test_rows_have_states_and_records_as_json() -> None:
    found = answer_item(record(THREAD), BatchOptions(columns="state,confidence,posts,facts,links"))
    assert isinstance(found, Row)
    assert found.values["state"] == "content"
    assert json.loads(str(found.values["posts"])) == json.loads(thread().json)["posts"]
    assert json.loads(str(found.values["facts"]))["recipe"] is None
    shell = answer_item(record(SHELL), BatchOptions(columns="state,error"))
    assert isinstance(shell, Row)
    assert shell.values == {"state": "empty-shell", "error": "empty"}


def test_pages_below_a_confidence_are_set_aside() -> None:
    sure = tamis.extract(THREAD, url=URL).confidence or 0
    low, high = (BatchOptions(min_confidence=sure + step) for step in (-0.01, 0.01))
    assert isinstance(answer_item(record(THREAD), low), Row)
    letter = answer_item(record(THREAD), high)
    assert isinstance(letter, Letter)
    assert (letter.kind, letter.url, letter.offset) == (Kind.LOW_CONFIDENCE, URL, 17)
    assert isinstance(answer_item(record(SHELL), high), Row), "a page without content says so in its row"
    with pytest.raises(OptionError, match="keep-all has no confidence"):
        answer_item(record(THREAD), BatchOptions(extractor="keep-all", min_confidence=0.5))
    with pytest.raises(OptionError, match="between 0 and 1"):
        BatchOptions(min_confidence=70)


def test_explain_says_what_lowers_the_confidence() -> None:
    from tamis.explain import explain

    found = explain(THREAD)
    assert (found.state, found.confidence) == ("content", tamis.extract(THREAD).confidence)
    assert all(effect < 0 for _, effect in found.doubts)
    assert "content (" in found.html
