// What hides an element: its style, its attributes and the rules of the page (tamis/document/hiding.py).

import { first, length, SPACE_CLASS, split, stripped } from "../characters.js";
import { getAttribute, hasAttribute, localName } from "./dom.js";

// How an element is hidden: `closed` by what pages close and open their own parts with, `moving` the same with a
// transition, `unseen` where it is drawn so that nobody sees it, `indented` the same by an indent, `drawn` by the size
// or the colour of its letters, `faded` by opacity alone.
/** @typedef {"closed" | "moving" | "unseen" | "indented" | "drawn" | "faded"} Way */
/** @typedef {Map<string, Way>} Rules by class or id, each with its sign */
/** @typedef {Record<string, string | undefined>} Style declarations by name */

const space = `[${SPACE_CLASS}]*`;

// The id of a part of a streamed page (React): a script moves the part into place as soon as it has arrived.
const STREAMED_PART = /^S:[0-9a-f]+$/;

const SUSPICIOUS = [
  ...["none", "visib", "hidden", "opacity", "font-size:0", "font-size: 0", "font-size:1px", "font-size: 1px", ":-"],
  ...[": -", "(-", "clip", "transparent", "scale(0", "scale3d(0"],
];
const COLOURED = new RegExp(`(?:^|[;${SPACE_CLASS}])color${space}:`);
const NUMBER = /^(-?[0-9]*\.?[0-9]+)(px|r?em|pt|v[wh]|%|)/;
/** @type {Record<string, number | undefined>} */
const PIXELS = { "": 1, px: 1, pt: 4 / 3, em: 16, rem: 16, vw: 10, vh: 10 };
const OFF_SCREEN = -900;
const SHIFTS = ["left", "top", "right", "bottom", "margin-left", "margin-right"];
const SIZES = ["height", "width", "max-height", "max-width"];
const SHIFTED = /translate(?:x|y|3d)?\([^)]*?(-[0-9]{3,}(?:px|r?em))/;
const NO_CLIP_LEFT = new RegExp(
  `^(?:rect\\(${space}([01])(?:px)?[${SPACE_CLASS},]+\\1|inset\\(${space}(?:[5-9][0-9]|100)%|circle\\(${space}0` +
    `|polygon\\(${space}0[^1-9]*\\))`,
);
const SCALED_TO_NOTHING = new RegExp(`scale(?:x|y|3d)?\\(${space}0${space}[,)]`);
const MOVES = ["transform", "transition", "animation", "will-change"];
const HEX = /#([0-9a-f])([0-9a-f])([0-9a-f])/g;
/** @type {Record<string, string | undefined>} */
const COLOURS = { white: "#ffffff", black: "#000000", "rgb(255,255,255)": "#ffffff", "rgb(0,0,0)": "#000000" };
const NO_COLOURS = new Set(["", "none", "inherit", "initial", "unset", "transparent", "currentcolor"]);
const LONGEST = 1000;
const LONGEST_SHEET = 2000;
const MOST_RULES = 20;
const COMMENT = /\/\*.*?\*\//gs;
const PLAIN = /^(?:p|div|span)?([.#][a-zA-Z][\p{L}\p{N}_-]*)$/u;
const MARKED = new Set(["div", "li", "p", "section", "ul"]);

/**
 * How an element is hidden by itself, or null.
 *
 * @param {Element} element
 * @param {() => boolean} isRestyled true if something inside may have a size and a colour of its own
 * @returns {Way | null}
 */
export function wayOf(element, isRestyled) {
  const style = getAttribute(element, "style");
  const found = style === null ? null : wayOfStyle(style);
  if (found) return isExempt(element, found, isRestyled) ? null : found;
  const hidden = getAttribute(element, "hidden");
  if (hidden !== null && !isUntilFound(hidden) && !isStreamed(element)) return "closed";
  if (hasAttribute(element, "popover")) return "closed";
  const isMarked = MARKED.has(localName(element)) && getAttribute(element, "aria-hidden")?.toLowerCase() === "true";
  return isMarked ? "unseen" : null;
}

/**
 * True if an element that its style hides in this way is shown after all.
 *
 * @param {Element} element
 * @param {Way} way
 * @param {() => boolean} isRestyled
 */
function isExempt(element, way, isRestyled) {
  if (way === "indented") return localName(element) === "a";
  // An image has no letters, and some frameworks make those of its alternative text transparent.
  if (way === "drawn") return ["img", "amp-img"].includes(localName(element)) || isRestyled();
  return way === "faded" && ["div", "section"].includes(localName(element)) && hasAttribute(element, "class");
}

/** @param {Element} element */
const isStreamed = (element) => STREAMED_PART.test(getAttribute(element, "id") ?? "");

/** "until-found" folds content like a closed <details>; such content counts as visible. @param {string} hidden */
const isUntilFound = (hidden) => stripped(hidden).toLowerCase() === "until-found";

/** @param {string} text */
const isSuspicious = (text) => SUSPICIOUS.some((word) => text.includes(word));

/** How a style attribute hides an element. @param {string} attribute @returns {Way | null} */
function wayOfStyle(attribute) {
  const style = first(attribute, LONGEST).toLowerCase();
  if (!isSuspicious(style) && !(style.includes("background") && COLOURED.test(style))) return null;
  const given = declarations(style);
  const moves = MOVES.some((move) => style.includes(move));
  const isInvisible = given.visibility === "hidden" || given.visibility === "collapse";
  if (isInvisible && moves) return "moving";
  if (given.display === "none" || isInvisible || given["content-visibility"] === "hidden" || hasNoRoom(given)) {
    return "closed";
  }
  const transform = given.transform ?? "";
  const shift = SHIFTED.exec(transform);
  const isUnseen =
    SHIFTS.some((name) => pixels(given[name] ?? "") <= OFF_SCREEN) ||
    (shift && pixels(shift[1]) <= OFF_SCREEN) ||
    NO_CLIP_LEFT.test(given.clip || given["clip-path"] || "") ||
    SCALED_TO_NOTHING.test(transform);
  if (isUnseen) return "unseen";
  if (pixels(given["text-indent"] ?? "0") <= OFF_SCREEN) return "indented";
  if (isTiny(given["font-size"]) || hasNoColour(given)) return "drawn";
  return pixels(given.opacity ?? "1") <= 0.01 && !moves ? "faded" : null;
}

/** @param {string} style @returns {Style} */
function declarations(style) {
  /** @type {Style} */
  const given = Object.create(null);
  for (const declaration of style.replaceAll("!important", "").split(";")) {
    const [name, ...value] = declaration.split(":");
    given[stripped(name)] = stripped(value.join(":"));
  }
  return given;
}

/** A length in pixels, roughly; 100 for a share of another length, and for anything that is not a length. @param {string} size */
function pixels(size) {
  const found = NUMBER.exec(size);
  if (!found) return 100;
  const number = Number(found[1]);
  return found[2] === "%" && number ? 100 : number * (PIXELS[found[2]] ?? 0);
}

/** True if it is cut to a size of nothing, and no padding gives it room. @param {Style} given */
function hasNoRoom(given) {
  const cuts = ["overflow", "overflow-x", "overflow-y"].map((name) => given[name] ?? "");
  if (!cuts.some((cut) => cut.startsWith("hidden") || cut.startsWith("clip"))) return false;
  const padded = Object.entries(given).some(([name, value]) => name.startsWith("padding") && !/^(?:0|$)/.test(value ?? ""));
  return !padded && SIZES.some((name) => isTiny(given[name]));
}

/** @param {string | undefined} size */
const isTiny = (size) => size !== undefined && pixels(size) >= 0 && pixels(size) <= 1;

/** True if the letters are transparent, or of the colour of their background. @param {Style} given */
function hasNoColour(given) {
  const own = colour(given.color);
  if (own === "transparent") return !Object.keys(given).some((name) => name.includes("background"));
  return !NO_COLOURS.has(own) && (own === colour(given["background-color"]) || own === colour(given.background));
}

/** @param {string | undefined} value */
function colour(value) {
  const name = (value ?? "").replaceAll(" ", "");
  return COLOURS[name] ?? (name.length === 4 ? name.replace(HEX, "#$1$1$2$2$3$3") : name);
}

/**
 * How the rules of a page's style elements hide elements. Only rules without conditions count, in short sheets, for a
 * single class or id that no other rule names.
 *
 * @param {string[]} sheets
 * @returns {Rules}
 */
export function hidingRules(sheets) {
  /** @type {Rules} */
  const found = new Map();
  for (const sheet of sheets) {
    if (length(sheet) > LONGEST_SHEET || sheet.includes("@") || !isSuspicious(sheet)) continue;
    for (const rule of sheet.replace(COMMENT, "").split("}").slice(0, -1)) {
      const open = rule.lastIndexOf("{");
      const selector = rule.slice(0, Math.max(open, 0));
      const name = PLAIN.exec(stripped(selector.slice(selector.lastIndexOf("{") + 1)));
      const way = name && wayOfStyle(rule.slice(open + 1));
      if (way) found.set(name[1], way);
    }
  }
  if (!found.size || found.size > MOST_RULES) return new Map();
  const everything = sheets.join("");
  return new Map([...found].filter(([name]) => everything.split(name.slice(1)).length === 2));
}

/** How a rule hides an element. @param {Element} element @param {Rules} rules @returns {Way | null} */
export function wayByRules(element, rules) {
  const classes = split(getAttribute(element, "class") ?? "").map((name) => `.${name}`);
  const names = [`#${getAttribute(element, "id")}`, ...classes].filter((name) => rules.has(name));
  return names.length ? /** @type {Way} */ (rules.get(names[0])) : null;
}
