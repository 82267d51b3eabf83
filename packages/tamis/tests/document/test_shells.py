from __future__ import annotations

import json
import time
from html import escape

import pytest

from tamis import Document
from tamis.document.shells import Embedded, embedded
from tamis.document.shells.state import is_boilerplate_key, is_label, is_markup, is_prose, words

TITLE = "The last ferry to Sandholm"
LEAVES = (
    "The ferry leaves at a quarter past six, and whoever misses it sleeps on the mainland. On the quay a dozen people "
    "wait with bags of flour, a bicycle and a dog that knows the way better than they do."
)
STORM = (
    "In the autumn of that year a storm tore the pier from its posts, and for three weeks no boat could land. The "
    "islanders ate what they had and told each other stories, most of which were about food."
)
REPLY = (
    "My grandfather was on that boat, and he told it differently. According to him nobody was hungry for a single day, "
    "because the cellar of the inn had been filled for a wedding that never took place."
)
ARTICLE = f"<p>{LEAVES}</p><p>{STORM}</p>"
CHINESE = (
    "清晨六点一刻，最后一班渡轮离开码头，错过的人只能在岸上过夜。码头上站着十几个人，带着面粉、自行车和一只比他们更认识路的狗。"
    "那年秋天，一场风暴把栈桥从桩子上扯了下来，三个星期没有船能够靠岸。岛上的人吃着存粮，互相讲故事，大多数故事都与食物有关。"
)
JSON = 'type="application/json"'


HOSTILE = {
    "nested lists in code": "window.a = " + "[" * 200_000,
    "a long number in code": "window.a = [" + "9" * 100_000 + "]",
    "more than is read": 'a = ["' + "x" * 5_000_000 + '"]; b = ' + json.dumps({"title": TITLE, "body": ARTICLE}),
    "nested lists": "[" * 200_000 + "]" * 200_000,
    "unclosed objects": '{"a":' * 200_000,
    "an unclosed string": '{"title":"' + TITLE + '","body":"' + LEAVES,
    "a long number": '{"a":' + "9" * 100_000 + "}",
    "no JSON": "{'title': 'x'}" * 100,
    "beginnings": "=[" * 500_000,
    "quotes": '("' * 500_000,
    "unclosed strings": '="a\\"' * 300_000,
    "JSON in JSON": '=[1,2,"=[1,2,' * 100_000,
    "undefined": ":undefined" * 200_000,
    "empty objects": "[" + ",".join(["{}"] * 500_000) + "]",
    "one text many times": json.dumps([LEAVES[:80]] * 30_000),
    "many labels": json.dumps({f"k{n}": f"{n} {LEAVES[:70]}" for n in range(30_000)}),
    "a long word": json.dumps({"body": "x" * 2_000_000}),
    "rows of a stream": "self.__next_f.push([1," + json.dumps("1:T1,x" * 200_000) + "])",
    "a row that is too short": 'self.__next_f.push([1,"1:Tffffffff,' + "x" * 300 + '"])',
    "a list of itself": "[" + '{"a":1},[0,1,2],{"b":0,"c":1},' * 20_000 + '"x"]',
}


def script(text: str, attributes: str = "") -> str:
    """A script element; what would end it early is written as JSON in pages does."""
    return f"<script {attributes}>{text.replace('</', '<' + chr(92) + '/')}</script>"


def shell(*parts: str, title: str = TITLE) -> str:
    """A page that shows a menu and a spinner and nothing else."""
    body = '<nav><a href="/">Home</a> <a href="/news">News</a></nav><div id="root">Loading …</div>'
    return f"<!doctype html><title>{escape(title)} | Island News</title><body>{body}{''.join(parts)}"


def state(value: object) -> str:
    return script(json.dumps(value), f'id="__NEXT_DATA__" {JSON}')


def linked(value: object) -> str:
    return script(json.dumps(value), 'type="application/ld+json"')


def found(*parts: str, title: str = TITLE) -> Embedded:
    result = embedded(Document.from_html(shell(*parts, title=title)))
    assert result is not None
    return result


def nothing(*parts: str, title: str = TITLE) -> bool:
    return embedded(Document.from_html(shell(*parts, title=title))) is None


def seen(result: Embedded) -> list[str]:
    """The visible texts of the page that was made, white space folded."""
    leaves = Document.from_html(result.html).leaves
    return [" ".join(leaves.text[row].split()) for row in leaves.visible_text.tolist()]


class TestWhenToLook:
    def test_a_page_that_shows_its_content_is_left_alone(self) -> None:
        page = shell(
            f"<main>{ARTICLE}{ARTICLE}</main>", linked({"@type": "NewsArticle", "articleBody": LEAVES + STORM})
        )
        assert embedded(Document.from_html(page)) is None

    def test_a_list_of_headlines_is_content_too(self) -> None:
        headlines = [f"<a href=/{n}>Harbour master number {n} explains why the pier is late</a>" for n in range(20)]
        assert nothing(*headlines, linked({"@type": "NewsArticle", "articleBody": LEAVES + STORM}))

    def test_a_long_menu_is_not(self) -> None:
        menu = "".join(f"<li><a href=/{n}>Section {n}</a>" for n in range(300))
        assert found(menu, linked({"@type": "NewsArticle", "articleBody": LEAVES + STORM})).source == "json-ld"

    def test_hidden_text_does_not_count_as_shown(self) -> None:
        assert found(f"<div hidden>{ARTICLE * 5}</div><template>{ARTICLE * 5}</template>", state({"body": ARTICLE * 1,
                     "title": TITLE})).source == "state"  # fmt: skip

    def test_white_space_does_not_count_as_shown(self) -> None:
        blank = f"<p>x{' ' * 5_000}</p><a>y{' ' * 5_000}</a>"
        assert found(blank, state({"title": TITLE, "body": ARTICLE})).source == "state"

    @pytest.mark.parametrize("html", ["", "<p>", "<script></script>", shell(), shell(state({})), shell(linked([]))])
    def test_nothing_is_invented(self, html: str) -> None:
        assert embedded(Document.from_html(html)) is None


class TestLinkedData:
    def test_the_body_of_an_article(self) -> None:
        result = found(linked({"@type": "NewsArticle", "headline": TITLE, "articleBody": f"{LEAVES}\n\n{STORM}"}))
        assert result.source == "json-ld"
        assert seen(result) == [TITLE, LEAVES, STORM]

    def test_things_around_the_content_are_left_out(self) -> None:
        graph = [
            {"@type": "WebSite", "name": "Island News", "description": REPLY},
            {"@type": ["Organization"], "description": REPLY},
            {"@type": "WebPage", "mainEntity": {"@type": "Article", "headline": TITLE, "articleBody": LEAVES + STORM}},
        ]
        assert seen(found(linked({"@context": "https://schema.org", "@graph": graph}))) == [TITLE, LEAVES + STORM]

    def test_a_description_is_used_where_there_is_no_body(self) -> None:
        thing = {"@type": "Article", "headline": TITLE, "description": LEAVES, "articleBody": STORM + REPLY}
        assert seen(found(linked(thing))) == [TITLE, STORM + REPLY]
        product = {"@type": "Product", "name": "Oilskin", "description": LEAVES, "review": {"reviewBody": STORM}}
        assert seen(found(linked(product))) == ["Oilskin", LEAVES, STORM]

    def test_a_thread_with_its_comments(self) -> None:
        thread = {
            "@type": "DiscussionForumPosting",
            "headline": TITLE,
            "text": LEAVES,
            "author": {"@type": "Person", "name": "Ida", "description": REPLY},
            "comment": [{"@type": "Comment", "text": STORM}, {"@type": "Comment", "text": REPLY}],
        }
        assert seen(found(linked(thread))) == [TITLE, LEAVES, STORM, REPLY]

    def test_a_question_with_its_answers(self) -> None:
        question = {"@type": "Question", "name": TITLE, "text": LEAVES, "acceptedAnswer": {"text": STORM}}
        page = {"@type": "QAPage", "mainEntity": question | {"suggestedAnswer": [{"text": REPLY}]}}
        assert seen(found(linked(page))) == [TITLE, LEAVES, STORM, REPLY]

    def test_a_recipe_with_its_steps(self) -> None:
        steps = [
            {"@type": "HowToSection", "name": "The dough", "itemListElement": [{"@type": "HowToStep", "text": STORM}]}
        ]
        recipe = {"@type": "Recipe", "name": TITLE, "description": LEAVES, "recipeIngredient": ["500 g of flour"]}
        texts = seen(found(linked(recipe | {"recipeInstructions": steps})))
        assert texts == [TITLE, LEAVES, "500 g of flour", "The dough", STORM]

    def test_html_in_it_is_read_as_html(self) -> None:
        assert seen(found(linked({"@type": "JobPosting", "title": "x", "description": ARTICLE}))) == [
            TITLE,
            LEAVES,
            STORM,
        ]

    def test_a_summary_gives_way_to_the_whole_text_in_the_state(self) -> None:
        whole = {"title": TITLE, "body": ARTICLE + f"<p>{REPLY}</p>" + f"<p>{CHINESE}</p>"}
        assert found(linked({"@type": "Article", "description": LEAVES + " And more."}), state(whole)).source == "state"

    @pytest.mark.parametrize(
        "value",
        [
            None,
            1,
            "text",
            [[]],
            {"@graph": 3},
            {"@type": 5, "text": {"a": 1}},
            {"articleBody": [None, 3, {"text": []}]},
        ],
    )
    def test_odd_values_are_no_content(self, value: object) -> None:
        assert nothing(linked(value))


class TestState:
    def test_next(self) -> None:
        page = {"props": {"pageProps": {"post": {"title": TITLE, "body": ARTICLE, "slug": "last-ferry"}}}}
        result = found(state(page))
        assert result.source == "state"
        assert seen(result) == [TITLE, LEAVES, STORM]

    @pytest.mark.parametrize(
        "code",
        [
            "window.__INITIAL_STATE__ = {};",
            "var a=1;window.__PRELOADED_STATE__={};(function(){{return a}})()",
            'window["__APOLLO_STATE__"] = {}\nwindow.other = [1, 2]',
            "(window[Symbol.for('transport')] ??= []).push({})",
            "if (a == [1] && b(function(){{}})) {{}} self.data = {}",
        ],
    )
    def test_a_literal_in_code(self, code: str) -> None:
        literal = json.dumps({"article": {"name": TITLE, "text": LEAVES, "more": STORM}})
        assert seen(found(script(code.format(literal)))) == [TITLE, LEAVES, STORM]

    def test_a_literal_with_undefined_in_it(self) -> None:
        literal = json.dumps({"title": TITLE, "author": None, "body": ARTICLE}).replace("null", "undefined")
        assert seen(found(script(f"window.state = {literal}"))) == [TITLE, LEAVES, STORM]

    def test_code_is_never_run_or_guessed_at(self) -> None:
        assert nothing(script(f"window.__NUXT__=(function(a){{return {{title:a,body:'{LEAVES}'}}}}('{STORM}'))"))
        assert nothing(script(f'alert("{LEAVES} {STORM}")'))

    def test_a_flat_list_of_places(self) -> None:
        record = {"title": 5, "body": 6, "again": 1, "beyond": 99}
        flat = [["Reactive", 1], {"data": 2}, {"page": 3, "labels": 7}, ["Ref", 4], record, TITLE, ARTICLE, [8], REPLY]
        assert seen(found(script(json.dumps(flat), f'id="__NUXT_DATA__" {JSON}'))) == [TITLE, LEAVES, STORM]

    def test_a_flat_list_with_its_keys_in_it(self) -> None:
        flat = [{"_1": 2}, "loaderData", {"_3": 4, "_5": 6, "_99": -5}, "title", TITLE, "html", ARTICLE]
        code = f"window.__reactRouterContext.streamController.enqueue({json.dumps(json.dumps(flat))});"
        assert seen(found(script(code))) == [TITLE, LEAVES, STORM]

    def test_the_stream_of_server_components(self) -> None:
        html = f"<p>{REPLY} Så det så.</p>"  # a letter of two bytes: lengths are in bytes
        inner = {"dangerouslySetInnerHTML": {"__html": "$3"}}
        texts = [f"{text} That was in year {year}." for text in (LEAVES, STORM) for year in range(5)]
        children = [["$", "h1", None, {"children": TITLE}], *texts, ["$", "div", None, inner], "$L9"]
        row = ["$", "div", None, {"className": "flex px-4", "children": children}]
        rows = f'1:{json.dumps(row)}\n2:I[55,[],"default"]\n3:T{len(html.encode()):x},{html}4:{json.dumps("menu")}\n'
        parts = (rows[:9], rows[9:700], rows[700:])
        pushes = [f"self.__next_f.push([1,{json.dumps(part)}])" for part in parts]
        result = found(script("(self.__next_f=self.__next_f||[]).push([0])"), *map(script, pushes))
        assert seen(result) == [TITLE, *texts, f"{REPLY} Så det så."]

    def test_a_text_of_the_stream_that_no_row_names(self) -> None:
        html = f"<h1>{TITLE}</h1>{ARTICLE * 1}<p>{REPLY}</p>" + "".join(f"<p>{LEAVES} {n}</p>" for n in range(9))
        push = json.dumps(f"3:T{len(html.encode()):x},{html}")
        assert seen(found(script(f"self.__next_f.push([1,{push}])")))[1:5] == [TITLE, LEAVES, STORM, REPLY]

    def test_what_stands_around_the_content_is_left_out(self) -> None:
        record = {"title": TITLE, "content": {"blocks": [{"text": LEAVES}, {"text": STORM}]}}
        page = {
            "navigation": [{"text": REPLY}],
            "i18n": {"consent": REPLY},
            "cookieBanner": {"text": REPLY},
            "page": record | {"relatedArticles": [{"title": "Another", "text": REPLY}]},
            "footer": {"about": REPLY},
        }
        assert seen(found(state(page))) == [TITLE, LEAVES, STORM]

    def test_the_record_that_bears_the_title_wins(self) -> None:
        teasers = [{"title": f"Story {n}", "text": f"{REPLY} {n}"} for n in range(8)]
        page = {"stories": teasers, "main": {"headline": TITLE, "text": ARTICLE}}
        assert seen(found(state(page))) == [TITLE, LEAVES, STORM]

    def test_without_it_much_prose_about_the_title_is_needed(self) -> None:
        assert nothing(state({"text": LEAVES, "more": STORM}))
        long = [f"{text} So says witness {number}." for text in (LEAVES, STORM, REPLY) for number in range(4)]
        assert nothing(state({"texts": long}))
        about = "This is the story of the last ferry to Sandholm."
        assert seen(found(state({"texts": [*long, about]}))) == [TITLE, *long, about]

    def test_texts_of_forms_and_players_are_no_content(self) -> None:
        labels = {f"key{n}": f"Please enter at least {n} letters of your name, then try again." for n in range(60)}
        assert nothing(state({"title": TITLE, "strings": labels}))
        assert nothing(state({"messages": list(labels.values())}))

    def test_headings_and_pieces_of_sentences_come_along(self) -> None:
        spans = [
            {"type": "text", "text": "In the autumn of that year a storm tore the "},
            {"type": "text", "text": "pier", "marks": ["bold"]},
            {"type": "text", "text": " from its posts, and for three weeks no boat could land."},
        ]
        blocks = [
            {"type": "h2", "text": "The evening"},
            {"type": "p", "text": LEAVES},
            {"text": REPLY},
            {"children": spans},
        ]
        whole = (
            "In the autumn of that year a storm tore the pier from its posts, and for three weeks no boat could land."
        )
        assert seen(found(state({"title": TITLE, "blocks": blocks}))) == [TITLE, "The evening", LEAVES, REPLY, whole]

    def test_repetitions_and_excerpts_are_left_out(self) -> None:
        record = {
            "title": TITLE,
            "excerpt": LEAVES[:90] + "…",
            "body": LEAVES,
            "variants": [{"body": LEAVES}, {"b": STORM}],
        }
        assert seen(found(state(record))) == [TITLE, LEAVES, STORM]

    def test_a_script_without_spaces_between_words(self) -> None:
        title = "最后一班渡轮"
        result = found(state({"文章": {"标题": title, "正文": CHINESE}}), title=title)
        assert seen(result) == [title, CHINESE]

    def test_other_types_of_script_are_not_state(self) -> None:
        text = json.dumps({"title": TITLE, "body": ARTICLE})
        assert nothing(script(text, 'type="importmap"'), script(text, 'type="speculationrules+json"'))


class TestAttributes:
    def test_a_preloaded_thread(self) -> None:
        posts = [{"username": name, "cooked": f"<p>{text}</p>"} for name, text in
                 (("ida", LEAVES), ("per", STORM), ("asta", REPLY))]  # fmt: skip
        topic = {"title": TITLE, "post_stream": {"posts": posts}, "suggested_topics": [{"excerpt": REPLY + " More."}]}
        site = {"categories": [{"description": f"{REPLY} This is rule {n}."} for n in range(6)]}
        value = json.dumps({"site": json.dumps(site), "topic_7": json.dumps(topic)})
        result = found(f'<div class="hidden" id="data-preloaded" data-preloaded="{escape(value)}"></div>')
        assert result.source == "preloaded"
        assert seen(result) == [TITLE, LEAVES, STORM, REPLY]

    def test_props_of_a_component(self) -> None:
        value = escape(json.dumps({"title": TITLE, "body": ARTICLE}))
        assert seen(found(f'<reader-view props="{value}"></reader-view>' * 2)) == [TITLE, LEAVES, STORM]

    def test_what_is_not_json_is_no_content(self) -> None:
        assert nothing(f'<div data-text="{{{escape(LEAVES + STORM)}}}"></div>')


class TestHostile:
    @pytest.mark.nightly
    @pytest.mark.parametrize("kind", HOSTILE)
    @pytest.mark.parametrize("attributes", [JSON, "", 'type="application/ld+json"'])
    def test_it_ends_soon_and_finds_nothing(self, kind: str, attributes: str) -> None:
        document = Document.from_html(shell(script(HOSTILE[kind], attributes)))
        start = time.process_time()
        assert embedded(document) is None
        assert time.process_time() - start < 20

    @pytest.mark.nightly
    def test_a_string_of_20_mb_is_no_text_but_does_no_harm(self) -> None:
        huge = script(json.dumps({"title": TITLE, "body": LEAVES * (19_000_000 // len(LEAVES))}), JSON)
        assert nothing(huge)
        assert seen(found(huge, linked({"@type": "Article", "articleBody": LEAVES + STORM}))) == [TITLE, LEAVES + STORM]

    def test_what_is_too_much_is_cut_and_stays_a_page(self) -> None:
        texts = [f"{number}: {LEAVES}" for number in range(9_000)]
        result = found(linked({"@type": "Article", "articleBody": [STORM, *texts, "a\n" * 100_000]}))
        assert seen(result)[:3] == [TITLE, STORM, texts[0]]
        assert 400_000 < len(result.html) < 600_000

    def test_broken_data_does_not_hide_what_is_whole(self) -> None:
        whole = state({"title": TITLE, "body": ARTICLE})
        assert seen(found(script("{broken" * 50, JSON), linked(3), script("=[" * 200), whole)) == [TITLE, LEAVES, STORM]

    def test_deep_data_is_read_as_far_as_can_be(self) -> None:
        deep: object = {"title": TITLE, "body": ARTICLE}
        for _ in range(300):
            deep = {"a": [deep]}
        assert seen(found(state(deep))) == [TITLE, LEAVES, STORM]

    def test_plain_text_never_becomes_markup(self) -> None:
        text = f"{LEAVES} 1 < 2 & 3 > 2 {STORM} &lt;script&gt;alert(1)&lt;/script&gt;"
        result = found(linked({"@type": "Article", "headline": "A <b & c", "articleBody": text}))
        assert "<script" not in result.html
        assert seen(result) == ["A <b & c", f"{LEAVES} 1 < 2 & 3 > 2 {STORM} <script>alert(1)</script>"]

    @pytest.mark.parametrize(
        "evil",
        """
        <script>alert(1)|<style>p{}|<!-- |<textarea>|<plaintext>|<title>|<template>|</article></body>|<iframe src=x>
        |<base href=//evil.example>|<table><tr><td>|<svg><script>alert(1)</script>|<noframes>
        """.split("|"),
    )
    def test_markup_does_not_reach_beyond_its_text(self, evil: str) -> None:
        posts = [{"html": f"<p>{LEAVES}</p>{evil}"}, {"html": f"<p>{STORM}</p>"}, {"html": f"<p>{REPLY}</p>"}]
        result = found(state({"title": TITLE, "posts": posts}))
        assert [text for text in seen(result) if len(text) > 40] == [LEAVES, STORM, REPLY]
        for forbidden in ("<script", "<iframe", "<base", "<template", "<plaintext"):
            assert forbidden not in result.html

    def test_tags_that_are_closed_are_kept(self) -> None:
        bold = "".join(f"<b>{word}</b> " for word in STORM.split())
        result = found(state({"title": TITLE, "body": f"<p>{LEAVES}</p></b></i><p>{bold}</p>"}))
        assert result.html.count("<b>") == len(STORM.split())

    def test_tags_that_a_parser_would_repeat_without_end_are_left_out(self) -> None:
        tangle = "<p>" + "".join(f"<b class=c{n}>" for n in range(2_000)) + "<p>x" * 20_000
        result = found(state({"title": TITLE, "body": f"{ARTICLE}{tangle}"}))
        assert len(result.html) < 200_000
        assert LEAVES in " ".join(seen(result))


class TestProse:
    @pytest.mark.parametrize("text", [LEAVES, STORM, ARTICLE, CHINESE, f"See https://example.org/a_b=c {LEAVES}"])
    def test_prose(self, text: str) -> None:
        assert is_prose(text)

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "Add to cart",
            "https://example.org/a/very/long/address?with=many&parts=in_it&and=more",
            "flex items-center justify-between px-4 py-2 text-sm font-medium hover:bg-blue md:w-1/2 lg:w-1/3, rounded",
            "query Page($id: ID!) { page(id: $id) { title body author { name } comments { text user { name } } } }",
            "function (a, b) { var c = a + b; if (c > 3) { return c; } else { return b[0] || a; } }",
            "(max-width: 600px) 100vw, (max-width: 900px) 50vw, (max-width: 1200px) 33vw, 400px",
            "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9wcXJzdHV2d3h5ejAxMjM0NTY3ODk=",
            "Hello {name}, you have {{count}} new messages in your inbox, do you want to read them now?",
            "%s people like this, and %d of them are friends of yours from the island.",
            "red green blue yellow white black brown orange pink",
            "2024-01-01 12:00 2024-01-02 12:00 2024-01-03 12:00 2024-01-04 12:00 2024-01-05 12:00.",
            "x" * 1_500_000,
        ],
    )
    def test_no_prose(self, text: str) -> None:
        assert not is_prose(text)

    def test_words_are_counted_in_scripts_without_spaces(self) -> None:
        assert words("one two three") == 3
        assert words("最后一班渡轮") == 4  # one run, and six letters at two a word

    def test_markup_labels_and_names_of_fields(self) -> None:
        assert is_markup("a <b>c</b>")
        assert not is_markup("1 < 2 and 3 > 2")
        assert all(map(is_label, ("The evening", "Evening", "晚上")))
        assert not any(map(is_label, ("paragraph", "A snake_case name", "https://example.org A", "2024")))
        assert all(map(is_boilerplate_key, ("relatedArticles", "cookie_banner", "SEO")))
        assert not any(map(is_boilerplate_key, ("articleBody", "posts")))
