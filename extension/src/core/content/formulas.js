// Formulas as MathML with their TeX in an annotation, from what their program left in the page: annotations, alternative
// texts, scripts, delimiters. MathML without TeX is converted.

import { MathMLToLaTeX } from "mathml-to-latex";
import { isBlank } from "../characters.js";
import { getAttribute, matches, nextElementSibling, previousElementSibling, selectIn, textContent } from "../page/dom.js";

export const MATHML = "http://www.w3.org/1998/Math/MathML";
const DRAWN = ".MathJax, .MathJax_SVG, .MathJax_CHTML, .MathJax_Display, .MathJax_SVG_Display";
const SCRIPT = "script[type^='math/tex' i]";
const MARKED = "math-renderer, .math.inline, .math.display, .math.notranslate, .arithmatex, span.math:not(:has(*))";
const IMAGES = "img.latex, img.tex, img.math, img[class*='mwe-math-fallback'], img[src*='latex.php'], img[src*='latex.codecogs']";
const HOLDERS = `math, .katex, .katex-display, mjx-container, .mwe-math-element, ${DRAWN}, ${SCRIPT}, ${MARKED}, img[alt]`;
const DISPLAYED =
  ".katex-display, [display=block], [display=true], .MathJax_Display, .MathJax_SVG_Display, .math.display, div.math, " +
  ".js-display-math, div.arithmatex, [type*='mode=display'], [class*='fallback-image-display'], .mwe-math-element-block";
const TEX_ANNOTATION = "annotation[encoding='application/x-tex' i]";
const DELIMITERS = /^\s*(?:\$\$([^]+)\$\$|\$([^]+)\$|\\\[([^]+)\\\]|\\\(([^]+)\\\)|\\begin\{(?:displaymath|equation\*?)\}([^]+)\\end\{\w+\*?\})\s*$/;
const IS_TEX = /[\\^_{}=]|^\S{1,3}$/;
const DEFINITION = /^\s*\\(?:re)?(?:newcommand|def|let|DeclareMathOperator)\b/;
const STYLE = /^\{?\\(?:displaystyle|textstyle)\s*([^]*?)\}?$/;
const FUNCTION = /(?<![\\a-z{])(?:arc)?(?:cosh?|sinh?|tanh?|cot|deg|det|dim|exp|gcd|inf|lim|ln|log|max|min|sup)(?![a-z])/gi;
// Larger ones are left as their text: they are read by recursion and in one piece.
const MOST_ELEMENTS = 1_000;
const DEEPEST = 60;
const LONGEST = 10_000;

// Delimiters in the text of a page whose program for formulas has not run.
const RAW = /\\\(([^]+?)\\\)|\\\[([^]+?)\\\]|\$\$([^$]+?)\$\$|(\\begin\{(align|equation|gather)(\*?)\}[^]+?\\end\{\5\6\})/g;
const RAW_DOLLARS = new RegExp(`${RAW.source}|(?<![\\\\\\w$])\\$(?=\\S)([^$\\n]*?[^\\s\\\\$])\\$(?!\\d)`, "g");

/**
 * The formula that an element is, as `math`; an empty text for one that shows nothing; null if it is not a formula.
 *
 * @param {Element} element
 * @param {Document} inert
 */
export function formula(element, inert) {
  if (!matches(element, HOLDERS)) return null;
  if (matches(element, SCRIPT) && isDrawn(previousElementSibling(element))) return inert.createTextNode("");
  const script = isDrawn(element) ? nextElementSibling(element) : null;
  const tex = cleaned(script && matches(script, SCRIPT) ? textContent(script) : texOf(element));
  const [math] = matches(element, "math") ? [element] : selectIn(element, "math");
  const shown = math && !isTooLarge(math) ? math : null;
  if (!tex && !shown) return null;
  if (DEFINITION.test(tex)) return inert.createTextNode("");
  const holds = [element, ...selectIn(element, "math"), ...(script ? [script] : [])];
  const isDisplay = holds.some((each) => matches(each, DISPLAYED)) || /^\s*(?:\$\$|\\\[)/.test(textContent(element) ?? "");
  return mathOf(tex || converted(/** @type {Element} */ (shown)), isDisplay || isAlone(element), shown, inert);
}

/** Has MathJax drawn the formula of a script beside it here? @param {Element | null} element */
const isDrawn = (element) => Boolean(element && matches(element, DRAWN));

/** Is it the image of an equation that has a line for itself? @param {Element} element */
const isAlone = (element) => /^\s*\\begin\{(?:displaymath|equation)/.test(getAttribute(element, "alt") ?? "");

/** The TeX that a page says for a formula; empty if it does not. @param {Element} element */
function texOf(element) {
  if (matches(element, "img")) return imageTex(element);
  if (matches(element, `${SCRIPT}, ${MARKED}`)) return textContent(element);
  const [annotation] = selectIn(element, TEX_ANNOTATION);
  if (annotation) return textContent(annotation);
  for (const each of [element, ...selectIn(element, "math, [data-latex], img")]) {
    const said = getAttribute(each, "data-latex") ?? getAttribute(each, "alttext");
    if (said && IS_TEX.test(said)) return said;
    if (matches(each, IMAGES)) return imageTex(each);
  }
  return "";
}

/** @param {Element} image */
function imageTex(image) {
  const alt = getAttribute(image, "alt") || getAttribute(image, "title") || "";
  if (matches(image, IMAGES)) return IS_TEX.test(alt) ? alt : "";
  return DELIMITERS.test(alt) ? alt : "";
}

/** TeX without delimiters and style, in one line. @param {string | null} said */
function cleaned(said) {
  const bare = (said ?? "").trim();
  const tex = (DELIMITERS.exec(bare) ?? [bare, bare]).slice(1).find(Boolean) ?? "";
  const [, inner = tex] = STYLE.exec(tex) ?? [];
  return tex.length > LONGEST ? "" : inner.replace(/\s+/g, " ").trim();
}

/** @param {Element} math */
function isTooLarge(math) {
  const inside = selectIn(math, "*");
  if (inside.length > MOST_ELEMENTS) return true;
  return [...inside].some((each) => {
    let depth = 0;
    for (let above = each; above !== math; above = /** @type {Element} */ (above.parentElement)) depth++;
    return depth > DEEPEST;
  });
}

/** MathML as TeX, with names of functions and without needless braces. @param {Element} math */
function converted(math) {
  const tex = cleaned(MathMLToLaTeX.convert(math.outerHTML.replaceAll("&nbsp;", " ")));
  return tex
    .replace(/([_^])\{(\w)\}/g, "$1$2")
    .replace(/\\left\|([^|]*)\\right\|/g, "|$1|")
    .replaceAll("\\rightarrow", "\\to")
    .replace(FUNCTION, "\\$&");
}

/**
 * A formula as MathML; without any on the page, its TeX is shown.
 *
 * @param {string} tex
 * @param {boolean} isDisplay
 * @param {Element | null} shown
 * @param {Document} inert
 */
function mathOf(tex, isDisplay, shown, inert) {
  const make = (/** @type {string} */ name) => inert.createElementNS(MATHML, name);
  const math = make("math");
  if (isDisplay) math.setAttribute("display", "block");
  const semantics = make("semantics");
  const annotation = make("annotation");
  annotation.setAttribute("encoding", "application/x-tex");
  annotation.append(tex);
  const row = make("mrow");
  if (shown) {
    const copy = inert.importNode(shown, true);
    for (const other of copy.querySelectorAll("annotation, annotation-xml")) other.remove();
    for (const other of [...copy.querySelectorAll("*")].reverse()) {
      if (other.namespaceURI !== MATHML || other.localName === "semantics") other.replaceWith(...other.childNodes);
    }
    row.append(...copy.childNodes);
  } else {
    const text = make("mtext");
    text.append(tex);
    row.append(text);
  }
  semantics.append(row, annotation);
  math.append(semantics);
  return math;
}

/**
 * Make formulas of the delimiters in the texts of a copy.
 *
 * @param {Element} root
 * @param {boolean} hasDollars whether single ones count
 * @returns {Generator<void, void, void>}
 */
export function* rawFormulas(root, hasDollars) {
  const inert = root.ownerDocument;
  const walker = inert.createTreeWalker(root, 4);
  /** @type {Text[]} */
  const texts = [];
  while (walker.nextNode()) texts.push(/** @type {Text} */ (walker.currentNode));
  for (const text of texts) {
    yield;
    if (!/[$\\]/.test(text.data) || text.parentElement?.closest("pre, code, math")) continue;
    let end = 0;
    const parts = [];
    for (const found of text.data.matchAll(hasDollars ? RAW_DOLLARS : RAW)) {
      const [whole, inline, display, dollars, environment, , , single] = found;
      const tex = inline ?? display ?? dollars ?? environment ?? single;
      if (isBlank(tex)) continue;
      parts.push(text.data.slice(end, found.index), mathOf(cleaned(tex), !(inline ?? single), null, inert));
      end = found.index + whole.length;
    }
    if (end) text.replaceWith(...parts, text.data.slice(end));
  }
}
