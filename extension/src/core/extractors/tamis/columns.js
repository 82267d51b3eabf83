// The columns that describe a run (src/tamis/extractor/runs.py) and the outputs of the network
// (src/tamis/extractor/tamis.py). No column depends on particular words. Names of columns are those of Python.

import { OTHER } from "../../tags.js";
import { CALLED, TYPES } from "./conventions.js";

// The version of the columns, as in Python. Weights name the version that they were trained with.
export const VERSION = 4;

// The outputs of the network for each run, in this order.
export const OUTPUTS = ["content", "comment", "related"];

// The page types that it tells apart, in this order (src/tamis/page_type.py).
export const PAGE_TYPES = ["article", "documentation", "service", "forum", "product", "listing", "collection"];

// How many nodes above a run are described.
export const LEVELS = 6;

// The tag code of a node above the top.
export const NO_TAG = OTHER - 1;

// Elements that a run can stand in, at any distance; several tags may mean the same.
export const HOLDERS = [
  "nav", "header", "footer", "aside", "article", "main", "section", "form", "table", "ul ol menu dir", "dl", "figure",
  "blockquote", "pre listing xmp", "button", "noscript", "details summary", "fieldset legend", "h1", "h2", "h3",
  "h4 h5 h6", "p", "li", "td th", "a", "dialog", "address", "textarea select", "figcaption caption",
];

export const OWN = [
  "words", "characters", "word length", "linked", "digits", "capitals", "sentence ends", "commas", "separators",
  "quotes", "ends a sentence", "texts", "wordless", "place", "runs before", "runs after", "words before", "page runs",
  "page words", "page linked", "page prose", "depth", "after h1", "from h1", "from heading", "runs like it",
  "words like it", "linked like it", "share like it", "share of node", "folded", "in title", "repeated",
];

export const OF_NODES = [
  "words", "share", "linked", "runs", "run words", "prose", "sentence ends", "children", "share of parent",
  "place in parent", "media", "headings",
];

// What a page declares about itself (src/tamis/extractor/declared.py): kinds of texts, Open Graph types, and columns
// about the page as a whole.
export const TEXTS = ["body", "description", "meta", "review", "name"];
export const OG_TYPES = ["article", "product", "website", "profile", "other"];
export const PAGE = [
  ...OG_TYPES.map((name) => `og ${name}`),
  ...TYPES.map((name) => `data ${name}`),
  ...TYPES.map((name) => `marked ${name}`),
  "described", "address", "address depth", "address hyphens", "address digits", "address query", "address root",
  "address suffix", "address words",
];

// A run can be found in declared texts of these kinds; "opening" means that a description begins in it.
export const SAID = [...TEXTS, "opening"];

const levels = Array.from({ length: LEVELS }, (_, level) => level + 1);

export const COLUMNS = [
  ...OWN,
  ...HOLDERS.map((holder) => `in ${holder}`),
  ...levels.flatMap((level) => OF_NODES.map((name) => `${name} ${level}`)),
  ...CALLED,
  ...SAID.map((kind) => `declared as ${kind}`),
  ...PAGE,
];
