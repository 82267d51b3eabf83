// The names and the meaning of what the default extractor sees of a row (src/tamis/extractor/runs.py) and of what its
// network says (src/tamis/extractor/tamis.py). Words of texts are not looked at.

import { OTHER } from "../../tags.js";
import { CALLED, TYPES } from "./conventions.js";

// As features/tamis.py counts it. Weights name the version that they were trained with.
export const VERSION = 3;

// What the network says of each row, in this order.
export const OUTPUTS = ["content", "comment", "related"];

// The kinds of pages that it tells apart (src/tamis/page_type.py).
export const PAGE_TYPES = ["article", "documentation", "service", "forum", "product", "listing", "collection"];

// How many nodes above a row are looked at.
export const LEVELS = 6;

// Stands for the tag of a node above the top.
export const NO_TAG = OTHER - 1;

// Elements that a row can stand in, however far above; several tags may mean the same.
export const HOLDERS = [
  "nav", "header", "footer", "aside", "article", "main", "section", "form", "table", "ul ol menu dir", "dl", "figure",
  "blockquote", "pre listing xmp", "button", "noscript", "details summary", "fieldset legend", "h1", "h2", "h3",
  "h4 h5 h6", "p", "li", "td th", "a", "dialog", "address", "textarea select", "figcaption caption",
];

export const OWN = [
  "words", "characters", "word length", "linked", "digits", "capitals", "sentence ends", "commas", "separators",
  "quotes", "ends a sentence", "texts", "wordless", "place", "rows before", "rows after", "words before", "page rows",
  "page words", "page linked", "page prose", "depth", "after h1", "from h1", "from heading", "rows like it",
  "words like it", "linked like it", "share like it", "share of node", "folded", "in title", "repeated",
];

export const OF_NODES = [
  "words", "share", "linked", "rows", "row words", "prose", "sentence ends", "children", "share of parent",
  "place in parent", "media", "headings",
];

// What a page says of itself (src/tamis/extractor/declared.py): kinds of texts, kinds of Open Graph, and columns about
// the page as a whole.
export const TEXTS = ["body", "description", "meta", "review", "name"];
export const OG_TYPES = ["article", "product", "website", "profile", "other"];
export const PAGE = [
  ...OG_TYPES.map((name) => `og ${name}`),
  ...TYPES.map((name) => `data ${name}`),
  ...TYPES.map((name) => `marked ${name}`),
  "described", "address", "address depth", "address hyphens", "address digits", "address query", "address root",
  "address suffix", "address words",
];

// In these texts a row can be found, or a description begins in it.
export const SAID = [...TEXTS, "opening"];

const levels = Array.from({ length: LEVELS }, (_, level) => level + 1);

export const COLUMNS = [
  ...OWN,
  ...HOLDERS.map((holder) => `in ${holder}`),
  ...levels.flatMap((level) => OF_NODES.map((name) => `${name} ${level}`)),
  ...CALLED,
  ...SAID.map((kind) => `said as ${kind}`),
  ...PAGE,
];
