r"""Formulas, whatever writes them, each once, as TeX.

KaTeX and MathJax leave MathML or a script beside what they draw; Wikipedia has MathML beside an image; other pages have
MathML alone, images whose alternative text is TeX, or TeX between delimiters, such as \(..\), that a script would draw.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from urllib.parse import unquote

from tamis.document import Document, parse, tags
from tamis.render.content import Child, Node, mathml
from tamis.render.content.formula_text import clean_tex, is_definition, plain_formula
from tamis.render.content.source import TEX_CLASSES, Marks, PageSource, has_formulas, names_tex
from tamis.render.content.tex import content_of

_ATTRIBUTES = ("mathvariant", "linethickness", "columnalign", "columnspan", "rowspan", "stretchy", "accent", "fence",
               "accentunder", "displaystyle", "open", "close", "separators", "width", "linebreak", "form")  # fmt: skip
_DRAWN = ("MathJax", "mjx-chtml", "MJX")  # how the classes of what MathJax 2 draws begin
_PREVIEW = "MathJax_Preview"
# Programs that draw the TeX in their address, with the text before it.
_DRAWING = ("latex.codecogs.com/", "latex.php?", "mathtex.cgi?", "mimetex.cgi?", "chart?cht=tx&chl=", "tex.s2cms.ru/")
_IN_ADDRESS = re.compile(r"(?:latex=|chl=|\?)((?:&space;|&plus;|[^&#])*)")
_SIZES = re.compile(r"\\(?:dpi|bg|fg)(?:_[a-z]+|\{[^{}]{0,20}\})|\\(?:inline|large|huge|small|LARGE)(?![a-zA-Z])")
_WORDS = re.compile(r"[A-Za-z]{3,}")
_DOLLARS = ("'$'", '"$"')
_RAW_CLASSES = ("math", "arithmatex", "tex", "latex", "MathJax_Preview")
_NO_MATH_CLASSES = frozenset({"tex2jax_ignore", "mathjax_ignore", "no-mathjax"})
_NO_MATH_TAGS = frozenset({"pre", "code", "kbd", "samp", "textarea", "option", "svg", "math"})
_DELIMITERS = (("$$", "$$", True), (r"\[", r"\]", True), (r"\(", r"\)", False), ("$", "$", False))  # display?
_BLOCK_CLASSES = frozenset(
    {"mwe-math-element-block", "mwe-math-mathml-display", "mwe-math-fallback-image-display"}
)  # Wikipedia
_DIGITS = frozenset("0123456789")
_NUMBER = re.compile(r"[\s.,;]*(?:\([\w.*′'-]{1,12}\))?[\s.,;]*")  # what may be beside a formula in an item
_HIGHEST = 6  # elements around one that are looked at


class Formula(Node):
    """A formula. Its content is what plain text shows for it."""

    __slots__ = ("content",)

    def __init__(self, tex: str, display: bool, content: Callable[[], Node] | None = None) -> None:
        super().__init__("formula", {"tex": tex, **({"display": "block"} if display else {})}, [plain_formula(tex)])
        self.content = content


def mathml_of(formula: Node) -> list[Child]:
    """A formula as one element of MathML: the page's own, or made from the TeX."""
    if isinstance(formula, Formula) and formula.content is not None:
        found = mathml.presentation(formula.content())
        return found if len(found) == 1 and isinstance(found[0], Node) else [Node("mrow", {}, found)]
    return [content_of(formula.attributes["tex"])]


def formulas(source: PageSource) -> Marks | None:
    """The formulas of a page."""
    if not has_formulas(source.document, source.keep):
        return None
    found = _FormulaFinder(source).find()
    dollars = raw_math(source.document)
    if dollars is not None:
        found |= _raw_leaves(source, dollars, found)
    return found if found.replaced or found.skipped or found.split else None


class _FormulaFinder:
    """Collects the formulas that are elements."""

    def __init__(self, source: PageSource) -> None:
        self.source = source
        self.end, self.parent = source.elements.end, source.elements.parent
        self.found: dict[int, Formula] = {}
        self.skipped: set[int] = set()
        self.named: dict[int, Node] = {}

    def find(self) -> Marks:
        """All formulas, each mechanism after those that it may repeat."""
        source = self.source
        for each in self.outermost(source.classes.get("katex", [])):
            self.katex(each)
        for each in self.outermost(source.tagged("mjx-container")):
            self.add(each, self.formula_in(each, source.attribute(each, "display") == "true"))
        for each in source.tagged("script"):
            self.script(each)
        for name in source.classes:
            if name.startswith(_DRAWN):
                for each in source.classes[name]:
                    self.drawn(each, name)
        for each in self.outermost(source.classes.get("mwe-math-element", [])):
            self.add(each, self.formula_in(each, self.is_block(each)))
        for each in self.outermost(source.tagged("math")):
            if self.formula_around(each) < 0:
                self.add(self.drawn_around(each), self.formula_of(each, self.is_display(each)))
        for each in source.tagged("img"):
            self.image(each)
        for each in source.tagged("math-renderer"):  # GitHub
            self.marked(each, "")
        for name in _RAW_CLASSES:
            for each in source.classes.get(name, ()):
                self.marked(each, name)
        for each in source.classes.get("ltx_eqn_table", []):
            self.equations(each)
        for each in self.outermost(sorted(self.found)):
            self.indented(each)
        return self.marks()

    def equations(self, table: int) -> None:
        """The equations of LaTeXML are in a table, one a row, in several cells."""
        source = self.source
        for row in range(table, int(self.end[table])):
            if source.tag(row) in ("table", "thead", "tbody", "tr", "td", "th"):
                self.named[row] = Node("div" if source.tag(row) in ("table", "tr") else "")
            if source.tag(row) != "tr":
                continue
            parts = [each for each in range(row, int(self.end[row])) if each in self.found]
            self.skipped.update(parts)
            found = [self.found.pop(each) for each in parts]
            if found:
                tex = " ".join(formula.attributes["tex"] for formula in found)
                self.skipped.discard(parts[0])
                self.found[parts[0]] = Formula(tex, True, found[0].content if len(found) == 1 else None)

    def indented(self, each: int) -> None:
        """An item that holds nothing but a formula, and its number, is there to indent it."""
        source, item = self.source, int(self.parent[each])
        formula, inside = self.found[each], set(source.leaves_in(each))
        for _ in range(_HIGHEST):
            if item < 0 or source.tag(item) not in ("span", "p", "div"):
                break
            item = int(self.parent[item])
        if item < 0 or source.tag(item) not in ("dd", "li"):
            return
        around = int(self.parent[item])
        if any(source.tag(child) == "dt" for child in source.children(around)):
            return
        rest = "".join(source.leaves.text[leaf] for leaf in source.leaves_in(item) if leaf not in inside)
        if _NUMBER.fullmatch(rest):
            self.found[each] = Formula(formula.attributes["tex"], True, formula.content)
            self.named[item] = Node("div")
            others = [child for child in source.children(around) if source.holds[child] and child not in self.named]
            if not others:
                self.named[around] = Node("div")

    def outermost(self, rows: list[int]) -> Iterator[int]:
        """The elements that are not inside of others."""
        reach = -1
        for each in rows:
            if each >= reach:
                reach = int(self.end[each])
                yield each

    def add(self, each: int, formula: Formula | None) -> None:
        if formula is not None and each not in self.found:
            if is_definition(formula.attributes["tex"]):
                self.skipped.add(each)
            else:
                self.found[each] = formula

    def marks(self) -> Marks:
        """The formulas that are not inside of others."""
        replaced: dict[int, Node] = {}
        text: dict[int, str] = {}
        for each in self.outermost(sorted(self.found)):
            replaced[each] = self.found[each]
            shown = self.found[each].text()
            if "display" in self.found[each].attributes:
                text[each] = f"\n{shown}\n"
            elif shown[:1] in _DIGITS and (first := self.source.leaves_in(each).start):
                leaves = self.source.leaves
                is_beside = not leaves.gap[first] and leaves.block[first] == leaves.block[first - 1]
                if is_beside and leaves.text[first - 1][-1:] in _DIGITS:  # as in 1½
                    text[each] = f" {shown}"
        return Marks(replaced, self.named, self.skipped - replaced.keys(), text)

    def formula_around(self, each: int) -> int:
        """The row of the formula that an element is in, -1 without one."""
        for _ in range(_HIGHEST):
            if each in self.found or each in self.skipped:
                return each
            each = int(self.parent[each]) if each >= 0 else -1
        return -1

    def classes_above(self, each: int) -> Iterator[tuple[int, list[str]]]:
        """The elements around one, and their classes."""
        for _ in range(_HIGHEST):
            each = int(self.parent[each])
            if each < 0:
                return
            yield each, self.source.class_names(each)

    def katex(self, each: int) -> None:
        above = int(self.parent[each])
        is_display = above >= 0 and "katex-display" in self.source.class_names(above)
        formula = self.formula_in(each, is_display)
        if formula is None and (tex := clean_tex(mathml.drawn_to_tex(self.source.subtree(each, ("class",))))):
            formula = Formula(tex, is_display)
        self.add(above if is_display else each, formula)

    def script(self, each: int) -> None:
        """A formula for MathJax 2."""
        kind = (self.source.attribute(each, "type") or "").lower()
        if kind.startswith("math/tex"):
            tex = clean_tex(self.source.elements.source(each))
            self.add(each, Formula(tex, "mode=display" in kind) if tex else None)

    def drawn(self, each: int, name: str) -> None:
        """What MathJax 2 has drawn for the script that follows it; both are siblings."""
        if self.source.tag(each) == "mjx-container" or self.formula_around(each) >= 0:
            return
        sibling = each
        for _ in range(3):
            after = int(self.end[sibling])
            if after == len(self.end) or self.parent[after] != self.parent[each]:
                return
            sibling = after
            if self.source.tag(sibling) == "script":
                break
        if not (self.source.attribute(sibling, "type") or "").lower().startswith("math/tex"):
            return
        if sibling not in self.found and sibling not in self.skipped and name != _PREVIEW:
            self.script(sibling)
            if sibling in self.found and not self.source.holds[sibling]:
                self.found[each] = self.found.pop(sibling)  # only the drawing is kept
                return
        self.skipped.add(each)

    def drawn_around(self, each: int) -> int:
        """The drawing of MathJax around this MathML, or the MathML itself."""
        outer = each
        for above, names in self.classes_above(each):
            outer = above if any(name.startswith(_DRAWN) for name in names) else outer
        return outer

    def is_display(self, math: int) -> bool:
        is_block = (self.source.attribute(math, "display") or "").lower() == "block"
        return is_block or self.source.attribute(math, "mode") == "display"

    def is_block(self, each: int) -> bool:
        """Is an element of Wikipedia's a formula on a line of its own?"""
        inside = range(each, min(int(self.end[each]), each + 4))
        return any(not _BLOCK_CLASSES.isdisjoint(self.source.class_names(inner)) for inner in inside)

    def formula_in(self, each: int, display: bool) -> Formula | None:
        """The formula that an element holds as MathML, as an attribute, or as an image."""
        source = self.source
        inner = range(each, int(self.end[each]))
        for name in ("data-latex", "data-tex"):
            for inside in inner[:3]:
                if tex := clean_tex(source.attribute(inside, name) or ""):
                    return Formula(tex, display)
        for inside in inner:
            if source.tag(inside) == "math":
                return self.formula_of(inside, display or self.is_display(inside))
        for inside in inner:
            if source.tag(inside) == "img" and (tex := clean_tex(source.attribute(inside, "alt") or "")):
                return Formula(tex, display)
        return None

    def formula_of(self, math: int, display: bool) -> Formula | None:
        """The formula of a `math` element."""
        source = self.source
        content = partial(source.subtree, math, _ATTRIBUTES)
        for inside in range(int(self.end[math]) - 1, math, -1):  # an annotation comes last
            if source.tag(inside) == "annotation" and "tex" in (source.attribute(inside, "encoding") or "").lower():
                tex = clean_tex(source.text(inside))
                return Formula(tex, display, content) if tex else None
        for name in ("data-latex", "alttext"):
            tex = clean_tex(source.attribute(math, name) or "")
            if tex and _is_tex(tex):
                return Formula(tex, display, content)
        tex = clean_tex(mathml.to_tex(content()))
        return Formula(tex, display, content) if tex else None

    def image(self, each: int) -> None:
        """An image of a formula, with the TeX as its alternative text or in its address."""
        source = self.source
        address = source.attribute(each, "src") or source.attribute(each, "data-src") or ""
        is_drawn = any(program in address for program in _DRAWING)
        alt = " ".join((source.attribute(each, "alt") or source.attribute(each, "title") or "").split())
        display = True if alt.startswith(r"\begin{") else _delimited(alt)  # LaTeX2HTML
        if not is_drawn and display is None and TEX_CLASSES.isdisjoint(source.class_names(each)):
            return
        tex = clean_tex(alt)
        if is_drawn and not (tex and _is_tex(tex)) and (found := _IN_ADDRESS.search(address)):
            tex = unquote(found[1].replace("+", " ").replace("&space;", " ").replace("&plus;", "+"))
            tex = clean_tex(_SIZES.sub(" ", tex))
        if tex and _is_tex(tex):
            above = next(self.classes_above(each), (0, []))[1]
            by_class = not {"display", "displaymath", "math-display"}.isdisjoint([*source.class_names(each), *above])
            self.add(each, Formula(tex, by_class or bool(display)))

    def marked(self, each: int, name: str) -> None:
        """TeX in an element of its own, with delimiters or with classes that say what it is."""
        source = self.source
        numbers = [row for row in source.children(each) if "eqno" in source.class_names(row)] if name == "math" else []
        is_plain = self.end[each] == each + 1 or (numbers and len(numbers) == len(source.children(each)))
        if not is_plain or self.formula_around(each) >= 0 or source.tag(each) in tags.MEDIA:
            return
        leaves = [leaf for leaf in source.leaves_in(each) if source.leaves.element[leaf] == each]
        text = " ".join("".join(source.leaves.text[leaf] for leaf in leaves).split())
        names = source.class_names(each)
        by_class = name == "math" and ("inline" in names or "display" in names)
        display = _delimited(text)
        if display is None and by_class and not text.startswith(("$", r"\(", r"\[")):
            display = "display" in names
        if display is not None and (tex := clean_tex(text)):
            self.add(each, Formula(tex, display))


def _delimited(text: str) -> bool | None:
    """Do the delimiters of a formula put it on a line of its own? None if the text is not one formula."""
    for left, right, display in _DELIMITERS:
        if text.startswith(left) and text.endswith(right) and len(text) > len(left + right):
            return None if left in text[len(left) : -len(right)] else display
    return None


def _is_tex(text: str) -> bool:
    """Is an alternative text a formula, and not words about one?"""
    return any(sign in text for sign in "\\^_{") or not _WORDS.search(text)


def raw_math(document: Document) -> bool | None:
    """Does a script of the page draw TeX in its text? None if not; else whether single dollars are delimiters, too."""
    scripts = parse.select(document.tree, "script")
    if not any(names_tex(node) and not (node.attr("type") or "").lower().startswith("math/tex") for node in scripts):
        return None
    for node in scripts:
        text = node.text
        if ("inlineMath" in text or "delimiters" in text) and any(dollar in text for dollar in _DOLLARS):
            return True
    return False


_OPENING = re.compile(r"\\\(|\\\[|\$\$?|\\begin\{([a-zA-Z]{1,20}\*?)\}|\\[\s\S]")
_DOLLAR = re.compile(r"(?<!\\)\$")
_CLOSING = {r"\(": r"\)", r"\[": r"\]", "$$": "$$", "$": "$"}
_ENVIRONMENTS = frozenset(
    "equation align gather multline eqnarray alignat flalign displaymath math".split()
)  # that need no delimiters
_LONGEST = 20_000  # characters of a formula
_LONGEST_IN_DOLLARS = 1_000  # single dollars are also the signs of prices


def raw_formulas(text: str, dollars: bool) -> Iterator[tuple[int, int, Child]]:
    """The formulas in a text, and dollars that are escaped because others are delimiters, with their ranges."""
    at = 0
    ends: dict[str, int] = {}  # where each end is next; -1 if nowhere
    while found := _OPENING.search(text, at):
        at = found.end()
        opening, name = found[0], found[1]
        if opening == r"\$" and dollars:
            yield found.start(), at, "$"
        closing = f"\\end{{{name}}}" if name else _CLOSING.get(opening, "")
        if not closing or (opening == "$" and not dollars) or (name and name.rstrip("*") not in _ENVIRONMENTS):
            continue
        if -1 < ends.get(closing, 0) < at:
            dollar = _DOLLAR.search(text, at) if opening == "$" else None
            ends[closing] = (dollar.start() if dollar else -1) if opening == "$" else text.find(closing, at)
        end = ends[closing]
        if end < 0 or end - at > _LONGEST:
            continue
        inside = text[at:end]
        if not inside.strip() or (opening == "$" and not _between_dollars(inside, text[end + 1 : end + 2])):
            continue
        last = end + len(closing)
        tex = clean_tex(text[found.start() : last] if name else inside)
        if tex:
            yield found.start(), last, Formula(tex, opening in ("$$", r"\[") or bool(name))
        at = last


def _between_dollars(inside: str, after: str) -> bool:
    """Is it a formula, and not the text between two prices?"""
    if len(inside) > _LONGEST_IN_DOLLARS or inside[0].isspace() or inside[-1].isspace() or "\n\n" in inside:
        return False
    return after not in _DIGITS


def _raw_leaves(source: PageSource, dollars: bool, found: Marks) -> Marks:
    """The texts with raw formulas, by leaf. A formula may go on after a line break: then it is in its first text."""
    texts, opened = source.leaves.text, source.leaves.opened
    taken = {leaf for each in (*found.replaced, *found.skipped) for leaf in source.leaves_in(each)}
    split: dict[int, list[Child]] = {}
    breaks: set[int] = set()  # those inside of formulas
    in_code: dict[int, bool] = {}
    for group in _lines_of_leaves(source):
        if not any("\\" in texts[leaf] or "$" in texts[leaf] for leaf in group):
            continue
        if group[0] in taken or _is_code(source, int(source.leaves.element[group[0]]), in_code):
            continue
        ranges = list(raw_formulas("\n".join(texts[leaf] for leaf in group), dollars))
        for leaf, parts, goes_on in _parts_by_leaf([texts[leaf] for leaf in group], group, ranges):
            split[leaf] = parts
            if goes_on:
                breaks.update(range(int(opened[leaf]) + 1, int(opened[leaf + 1]) + 1))
    return Marks(split=split, skipped=breaks)


def _lines_of_leaves(source: PageSource) -> Iterator[list[int]]:
    """Kept texts, those with only line breaks between them together."""
    leaves = source.leaves
    opened, holders = leaves.opened.tolist(), leaves.element.tolist()
    group: list[int] = []
    for leaf in source.kept.tolist():
        if leaves.is_media[leaf]:
            continue
        if group:
            last = group[-1]
            between = range(opened[last] + 1, opened[leaf] + 1)
            joined = leaf == last + 1 and holders[leaf] == holders[last] and len(between) < 4
            if not (joined and all(source.tag(each) in ("br", "wbr") for each in between)):
                yield group
                group = []
        group.append(leaf)
    if group:
        yield group


def _is_code(source: PageSource, each: int, known: dict[int, bool]) -> bool:
    """Is it in an element whose text is not read for formulas? The answers are added to `known`."""
    path: list[int] = []
    for above in source.elements.ancestors(each):
        if above not in known:
            path.append(above)
            if source.tag(above) not in _NO_MATH_TAGS and _NO_MATH_CLASSES.isdisjoint(source.class_names(above)):
                continue
            known[above] = True
        known.update(dict.fromkeys(path, known[above]))
        return known[above]
    known.update(dict.fromkeys(path, False))
    return False


def _parts_by_leaf(
    texts: list[str], group: list[int], ranges: list[tuple[int, int, Child]]
) -> Iterator[tuple[int, list[Child], bool]]:
    """The parts of each text of a group that has formulas, and whether the last goes on in the next text.

    A formula is in the text in which it begins.
    """
    start, number = 0, 0
    for leaf, text in zip(group, texts, strict=True):
        end = start + len(text)
        parts: list[Child] = []
        at, touched, goes_on = start, False, False
        while number < len(ranges) and ranges[number][0] < end and not goes_on:
            first, last, child = ranges[number]
            touched = True
            if first > at:
                parts.append(text[at - start : first - start])
            if first >= start:
                parts.append(child)
            at, goes_on = min(last, end), last > end
            number += not goes_on
        if at < end:
            parts.append(text[at - start :])
        if touched:
            yield leaf, parts, goes_on
        start = end + 1
