// Formulas as MathML with their TeX in an annotation, from what their program left in the page: annotations, alternative
// texts, scripts, delimiters. MathML without TeX is converted.

import { MathMLToLaTeX } from "mathml-to-latex";
import { getAttribute, matches, nextElementSibling, previousElementSibling, selectIn, textContent } from "../page/dom.js";

const MATHML = "http://www.w3.org/1998/Math/MathML";
const DRAWN = ".MathJax, .MathJax_SVG, .MathJax_CHTML, .MathJax_Display, .MathJax_SVG_Display";
const SCRIPT = "script[type^='math/tex' i]";
const MARKED = "math-renderer, .math.inline, .math.display, .math.notranslate, .arithmatex, span.math:not(:has(*))";
const IMAGES =
  "img.latex, img.tex, img.math, img[class*='mwe-math-fallback'], img[src*='latex.php'], img[src*='latex.codecogs']";
const HOLDERS =
  `math, .katex, .katex-display, mjx-container, .mwe-math-element, ${DRAWN}, ${SCRIPT}, ${MARKED}, img[alt], img[title]`;
const DISPLAYED =
  ".katex-display, [display=block], [display=true], .MathJax_Display, .MathJax_SVG_Display, .math.display, div.math, " +
  ".js-display-math, div.arithmatex, [type*='mode=display'], [class*='fallback-image-display'], " +
  "[alt*='{displaymath}'], [alt*='{equation']";
const DELIMITERS =
  /^\s*(?:\$\$([^]+)\$\$|\$([^]+)\$|\\\[([^]+)\\\]|\\\(([^]+)\\\)|\\begin\{(?:displaymath|equation\*?)\}([^]+)\\end\{.*)\s*$/;
const IS_TEX = /[\\^_{}=]|^\S{1,3}$/;
const DEFINITION = /^\s*\\(?:re)?(?:newcommand|def|let|DeclareMathOperator)\b/;
const STYLE = /^\{?\\(?:displaystyle|textstyle)\s*([^]*?)\}?$/;
const FUNCTION = /(?<![\\a-z{])(?:arc)?(?:cosh?|sinh?|tanh?|cot|deg|det|dim|exp|gcd|inf|lim|ln|log|max|min|sup)(?![a-z])/gi;
// Larger ones are left as their text: they are read by recursion and in one piece.
const MOST_ELEMENTS = 1_000;
const TOO_DEEP = "* > ".repeat(60);
const LONGEST = 10_000;

// Delimiters in the text of a page whose program for formulas has not run.
const RAW =
  /\\\[([^]+?)\\\]|\$\$([^$]+?)\$\$|(\\begin\{(align|equation|gather)(\*?)\}[^]+?\\end\{\4\5\})|\\\(([^]+?)\\\)/g;

// The formula that an element is, as `math`; an empty text for one that shows nothing; null if it is not a formula.
/** @param {Element} element @param {Document} inert */
export function formula(element, inert) {
  if (!matches(element, HOLDERS)) return null;
  if (matches(element, SCRIPT) && isDrawn(previousElementSibling(element))) return inert.createTextNode("");
  const script = isDrawn(element) ? [nextElementSibling(element)].find((each) => each && matches(each, SCRIPT)) : null;
  const [math] = matches(element, "math") ? [element] : selectIn(element, "math");
  const shown = math && !isTooLarge(math) ? math : null;
  const tex = cleaned(script ? textContent(script) : texOf(element)) || (shown ? converted(shown) : "");
  if (!tex) return null;
  if (DEFINITION.test(tex)) return inert.createTextNode("");
  const isDisplay = [element, ...selectIn(element, "math, img"), script].some((each) => each && matches(each, DISPLAYED));
  return mathOf(tex, isDisplay || /^\s*(?:\$\$|\\\[)/.test(textContent(element) ?? ""), shown, inert);
}

/** Has MathJax drawn the formula of a script beside it here? @param {Element | null} element */
const isDrawn = (element) => Boolean(element && matches(element, DRAWN));

/** The TeX that a page says for a formula; empty if it does not. @param {Element} element */
function texOf(element) {
  if (matches(element, `${SCRIPT}, ${MARKED}`)) return textContent(element);
  const [annotation] = selectIn(element, "annotation[encoding='application/x-tex' i]");
  if (annotation) return textContent(annotation);
  for (const each of [element, ...selectIn(element, "math, [data-latex], img")]) {
    const alt = matches(each, "img") ? getAttribute(each, "alt") || getAttribute(each, "title") : null;
    if (alt && (matches(each, IMAGES) ? IS_TEX.test(alt) : DELIMITERS.test(alt))) return alt;
    const said = getAttribute(each, "data-latex") ?? getAttribute(each, "alttext");
    if (said && IS_TEX.test(said)) return said;
  }
  return "";
}

/** TeX without delimiters and style, in one line. @param {string | null} said */
function cleaned(said) {
  const bare = (said ?? "").trim();
  const tex = bare.length > LONGEST ? "" : (DELIMITERS.exec(bare)?.slice(1).find(Boolean) ?? bare);
  return (STYLE.exec(tex)?.[1] ?? tex).replace(/\s+/g, " ").trim();
}

/** @param {Element} math */
const isTooLarge = (math) => selectIn(math, "*").length > MOST_ELEMENTS || selectIn(math, `${TOO_DEEP} *`).length > 0;

/** MathML as TeX, with names of functions and without needless braces. @param {Element} math */
function converted(math) {
  const tex = cleaned(MathMLToLaTeX.convert(math.outerHTML.replaceAll("&nbsp;", " ")));
  const short = tex.replace(/([_^])\{(\w)\}/g, "$1$2").replace(/\\left\|([^|]*)\\right\|/g, "|$1|");
  return short.replaceAll("\\rightarrow", "\\to").replace(FUNCTION, "\\$&");
}

// A formula as MathML; without any on the page, its TeX is shown.
/** @param {string} tex @param {boolean} isDisplay @param {Element | null} shown @param {Document} inert */
function mathOf(tex, isDisplay, shown, inert) {
  /** @param {string} name @param {(Node | string)[]} content */
  const make = (name, ...content) => {
    const made = inert.createElementNS(MATHML, name);
    made.append(...content);
    return made;
  };
  const copy = shown ? inert.importNode(shown, true) : make("math", make("mtext", tex));
  for (const other of copy.querySelectorAll("annotation, annotation-xml")) other.remove();
  for (const other of [...copy.querySelectorAll("*")].reverse()) {
    if (other.namespaceURI !== MATHML || other.localName === "semantics") other.replaceWith(...other.childNodes);
  }
  const annotation = make("annotation", tex);
  annotation.setAttribute("encoding", "application/x-tex");
  const math = make("math", make("semantics", make("mrow", ...copy.childNodes), annotation));
  if (isDisplay) math.setAttribute("display", "block");
  return math;
}

// Make formulas of the delimiters in the texts of a copy.
/** @param {Element} root @returns {Generator<void, void, void>} */
export function* rawFormulas(root) {
  const walker = root.ownerDocument.createTreeWalker(root, 4);
  const texts = [];
  while (walker.nextNode()) texts.push(/** @type {Text} */ (walker.currentNode));
  for (const text of texts) {
    yield;
    if (!/[$\\]/.test(text.data) || text.parentElement?.closest("pre, code, math")) continue;
    let end = 0;
    const parts = [];
    for (const found of text.data.matchAll(RAW)) {
      const [whole, display, dollars, environment, , , inline] = found;
      const tex = cleaned(display ?? dollars ?? environment ?? inline);
      if (!tex) continue;
      parts.push(text.data.slice(end, found.index), mathOf(tex, !inline, null, root.ownerDocument));
      end = found.index + whole.length;
    }
    if (end) text.replaceWith(...parts, text.data.slice(end));
  }
}
