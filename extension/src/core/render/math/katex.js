// What KaTeX draws, to TeX: for pages that were made without MathML (src/tamis/render/math/katex.py).

/** @import {Child, Node} from "../node.js" */

import { folded, split } from "../../characters.js";
import { escaped, joined, script } from "./mathml.js";
import { FUNCTIONS } from "./symbols.js";

const DEEPEST = 60;
const UNSEEN = new Set(split("strut pstrut frac-line vlist-s hide-tail svg-align katex-mathml overline-line"));

/** An element of class "katex" as TeX. @param {Node} node */
export const toTex = (node) => rowOf(node, 0);

/** @param {Node} node */
const classesOf = ({ attributes }) => split(attributes.class ?? "");

/** @param {Node} node @param {number} depth @returns {string} */
const rowOf = (node, depth) => joined(node.children.map((child) => texOf(child, depth + 1)));

/** @param {Child} node @param {number} depth @returns {string} */
function texOf(node, depth) {
  if (typeof node === "string") return escaped(folded(node));
  const classes = classesOf(node);
  if (depth >= DEEPEST) return escaped(node.text());
  if (node.name === "svg" || classes.some((name) => UNSEEN.has(name))) return "";
  if (classes.includes("msupsub")) return scripts(node, depth);
  if (classes.includes("mfrac")) {
    const parts = partsOf(node, depth);
    return parts.length === 2 ? `\\frac{${parts[1]}}{${parts[0]}}` : rowOf(node, depth);
  }
  if (classes.includes("sqrt")) return `\\sqrt{${rowOf(node, depth)}}`;
  if (classes.includes("op-limits")) return limits(node, depth);
  if (classes.includes("mop") && FUNCTIONS.has(node.text())) return `\\${node.text()}`;
  if (classes.includes("mathbb")) return `\\mathbb{${node.text()}}`;
  if (classes.includes("mspace") && !node.children.length) return "";
  return rowOf(node, depth);
}

/**
 * The TeX of the entries of the first list in an element that are not empty, from the bottom to the top.
 *
 * @param {Node} node
 * @param {number} depth
 */
function partsOf(node, depth) {
  const found = [...node.walk()].find((each) => classesOf(each).includes("vlist"));
  return (found?.children ?? [])
    .map((entry) => (typeof entry === "string" ? "" : rowOf(entry, depth + 1)))
    .filter(Boolean);
}

/** @param {Node} node @param {number} depth */
function scripts(node, depth) {
  const parts = partsOf(node, depth);
  if (parts.length === 2) return `_${script(parts[0])}^${script(parts[1])}`;
  // A list that goes below the line has a second row, for its depth.
  const isBelow = [...node.walk()].some((each) => classesOf(each).includes("vlist-t2"));
  return parts.map((part) => (isBelow ? "_" : "^") + script(part)).join("");
}

/** @param {Node} node @param {number} depth */
function limits(node, depth) {
  const parts = partsOf(node, depth);
  if (parts.length === 3) return `${parts[1]}_${script(parts[0])}^${script(parts[2])}`;
  return parts.length === 2 ? `${parts[1]}_${script(parts[0])}` : parts.join("");
}
