"""What becomes of a page by the logits of its runs: comments, roles, page types, and pages without content."""

from __future__ import annotations

import re

import pytest

from tamis import Document
from tamis.labels import Role
from tamis.page_type import PageType
from tests.extractor.pages import MORE, PROSE, decide
from tests.project import PACKAGE

SAID = "The ferry does not sail on Sundays, and on Mondays it sails late."


class TestOrder:
    """The kernel gives numbers for what has names here."""

    def test_of_roles(self) -> None:
        header = (PACKAGE / "kernel" / "tamis.h").read_text(encoding="utf-8")
        (names,) = re.findall(r"enum \{ (TAMIS_TITLE\b.*?) \};", header)
        assert names.lower().replace("tamis_", "").split(", ") == list(Role)

    def test_of_outputs(self) -> None:
        found = decide("<p>a<p>b<p>c", [9, -9, -9], comment=[-9, 9, -9], related=[-9, -9, 9])
        assert [found.of_role(role) for role in (Role.TEXT, Role.COMMENT, Role.RELATED)] == [["a"], ["b"], ["c"]]

    @pytest.mark.parametrize("page_type", PageType)
    def test_of_page_types(self, page_type: PageType) -> None:
        found = decide("<p>a", 9, page_type=page_type).labels.page_types
        assert found is not None
        assert found.best is page_type
        assert sum(found.probabilities.values()) == pytest.approx(1)

    @pytest.mark.parametrize("page_type", PageType)
    def test_of_what_types_add_to_the_threshold(self, page_type: PageType) -> None:
        assert decide("<p>a", 9, page_type=page_type).labels.threshold == pytest.approx(0.5), "see pages.py"


class TestRoles:
    def test_by_logits(self) -> None:
        """A comment is one from -0.25 on, and a teaser from -0.25."""
        found = decide("<p>a<p>b<p>c<p>d", -9, comment=[-0.2, -0.3, -9, -9], related=[9, -9, -0.2, -0.3])
        assert found.of_role(Role.COMMENT) == ["a"]
        assert found.of_role(Role.RELATED) == ["c"]
        assert found.of_role(Role.BOILERPLATE) == ["b", "d"]

    def test_captions(self) -> None:
        html = f"<p>{PROSE}<figure><img><figcaption>a</figcaption></figure><table><caption>b</caption><tr><td>c</table>"
        assert decide(html, 9).of_role(Role.CAPTION) == ["a", "b"]

    def test_a_comment_has_no_score(self) -> None:
        found = decide(f"<p>{PROSE}<p>{MORE}", 9, comment=[-9, 9])
        assert found.kept == [PROSE]
        assert found.labels.scores[1] < 1e-12

    def test_the_posts_of_a_thread_are_no_comments(self) -> None:
        assert decide(f"<p>{PROSE}<p>{MORE}", 9, comment=9, page_type=PageType.FORUM).kept == [PROSE, MORE]


class TestNoscript:
    HTML = f"<p>{PROSE * 5}</p><noscript><p>{SAID}</p></noscript>"

    def test_a_page_that_has_its_content_there_keeps_it(self) -> None:
        assert decide(self.HTML, [-9, 9]).kept == [SAID]


class TestCopies:
    HTML = f"<p>{SAID}</p><div><p>{SAID}</p></div><section><p>{SAID}</p></section>"

    @pytest.mark.parametrize("likeliest", range(3))
    def test_the_likeliest_stays(self, likeliest: int) -> None:
        found = decide(self.HTML, [3 if run == likeliest else 2 for run in range(3)])
        assert found.labels.keep.tolist() == [run == likeliest for run in range(3)]

    def test_a_comment_is_not_the_likeliest(self) -> None:
        assert decide(self.HTML, [9, 2, 1], comment=[9, -9, -9]).labels.keep.tolist() == [False, True, False]

    def test_what_is_dropped_has_copies_too(self) -> None:
        assert decide(self.HTML, [-2, -1, -3]).labels.scores.tolist() == pytest.approx([0, 0.2689, 0], abs=1e-4)

    def test_a_folded_copy_beside_it_goes(self) -> None:
        document = Document.from_html(f"<p>{SAID}</p><p hidden class=tab>{SAID}</p>").unfolded
        assert decide(document, [2, 1]).labels.keep.tolist() == [True, False]

    def test_of_a_text_and_its_quotation_the_text_stays(self) -> None:
        html = (
            f"<div>{PROSE}</div><div><p>{SAID}</p></div><div><blockquote><p>{SAID}</p></blockquote><p>{MORE}</p></div>"
        )
        found = decide(html, [2, 0, 2, 2], page_type=PageType.FORUM)
        assert found.kept == [PROSE, SAID, MORE]
        assert found.labels.scores[1] == found.labels.scores[0], "it is as likely as its quotation"

    def test_of_two_lists_with_the_same_lines_one_stays_whole(self) -> None:
        lines = [f"{number} {SAID}" for number in range(4)]
        steps = "".join(f"<li>{line}</li>" for line in lines)
        found = decide(f"<div><ol>{steps}</ol></div><section><ol>{steps}</ol></section>", [1, 3, 1, 1, 2, 1, 2, 2])
        assert found.labels.keep.tolist() == [*4 * [False], *4 * [True]]
        assert found.kept == lines

    def test_documentation_repeats_itself_on_purpose(self) -> None:
        assert decide(self.HTML, 2, page_type=PageType.DOCUMENTATION).kept == [SAID] * 3


class TestPosts:
    """In a thread, a kind of run stays in all posts, or in none."""

    POST = "<div class=post><b><a href=u>ann</a></b><p>12 May 2024, 10:20</p><div>{}</div></div>"
    HTML = "".join(map(POST.format, ("yes yes yes yes yes yes", "no no no no no", "yes yes yes yes yes", "no")))

    @staticmethod
    def logit(text: str) -> float:
        return 1 if text.startswith("yes") else -3

    def test_a_reply_like_most_others_stays(self) -> None:
        found = decide(self.HTML, self.logit, page_type=PageType.FORUM)
        assert found.kept == ["yes yes yes yes yes yes", "no no no no no", "yes yes yes yes yes"]

    def test_where_most_go_each_is_for_itself(self) -> None:
        html = self.HTML + 3 * self.POST.format("no no no no no no")
        assert decide(html, self.logit, page_type=PageType.FORUM).kept[1:] == ["yes yes yes yes yes"]

    def test_lines_that_all_posts_have_are_not_lifted(self) -> None:
        shared = "no one but you likes it"
        html = "".join(
            self.POST.format(f"<p>{text}</p><p>{shared}</p>") for text in ("yes " * 30, "yes " * 40, "yes " * 50)
        )
        assert shared not in decide(html, self.logit, page_type=PageType.FORUM).kept

    @pytest.mark.parametrize("page_type", [PageType.ARTICLE, PageType.LISTING])
    def test_other_pages_have_none(self, page_type: PageType) -> None:
        assert "no no no no no" not in decide(self.HTML, self.logit, page_type=page_type).kept

    def test_records_without_dates_are_none(self) -> None:
        html = self.HTML.replace("12 May 2024, 10:20", "a friend of the pump house")
        assert "no no no no no" not in decide(html, self.logit, page_type=PageType.FORUM).kept


class TestHeadingsAboveNothing:
    """A heading goes with its section."""

    HTML = f"<h2>Water</h2><p>{PROSE}</p><h2>Related</h2><p>{MORE}</p>"

    @staticmethod
    def logit(text: str) -> float:
        return -9 if text == MORE else 9

    def test_one_whose_section_is_dropped_goes(self) -> None:
        assert decide(self.HTML, self.logit).kept == ["Water", PROSE]

    def test_one_above_a_lower_heading_with_text_stays(self) -> None:
        html = f"<h2>Water</h2><p>{MORE}</p><h3>Wells</h3><p>{PROSE}</p><h3>Mills</h3><p>{MORE}</p>"
        assert decide(html, self.logit).kept == ["Water", "Wells", PROSE]

    def test_one_with_nothing_below_it_on_the_page_stays(self) -> None:
        assert decide(f"<p>{PROSE}</p><h2>Water</h2><h2>Wells</h2><p>{PROSE}", 9).kept[1:3] == ["Water", "Wells"]

    def test_one_above_a_picture_stays(self) -> None:
        html = f"<p>{PROSE}</p><h2>Water</h2><img src=a.png><h2>Wells</h2><p>{PROSE}</p><p>{MORE}</p>"
        assert "Water" in decide(html, self.logit).kept

    @pytest.mark.parametrize("page_type", [PageType.LISTING, PageType.PRODUCT, PageType.DOCUMENTATION])
    def test_one_that_names_a_thing_stays(self, page_type: PageType) -> None:
        assert "Related" in decide(self.HTML, self.logit, page_type=page_type).kept


@pytest.mark.parametrize(
    "inside",
    [
        "<a href=x>Home of the ferry</a>",
        "<p>or <a href=x>Home of the ferry</a></p>",
        "<nav>Home of the ferry</nav>",
        "<footer>All rights reserved</footer>",
        "<form><p>Your name</p></form>",
        "<button>Send it</button>",
        "<textarea>Your words</textarea>",
        "<body><noscript><p>Switch it on</p></noscript>",
        "<p hidden class=tab>Folded away</p>",
        "<p>-</p><p>…</p>",
    ],
)
def test_a_small_page_of_nothing_else_has_no_content(inside: str) -> None:
    nothing = decide(Document.from_html(inside).unfolded, 9).labels
    assert (nothing.keep.tolist(), nothing.scores.tolist()) == ([False] * len(nothing.keep), [0] * len(nothing.keep))
    assert (nothing.roles, nothing.page_types) == (None, None)
    for more in ("<p>One line of text", f"<nav>{'word ' * 150}</nav>"):
        assert decide(Document.from_html(inside + more).unfolded, 9).labels.keep[-1]


def test_a_page_of_which_nothing_is_kept_has_roles() -> None:
    labels = decide("<nav>Home</nav><p>Some words", -9).labels
    assert labels.roles == (Role.BOILERPLATE,) * 2
    assert labels.page_types is None
