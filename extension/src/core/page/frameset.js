// A frameset page shows other pages. Its own text is in <noframes>, for browsers without frames. A parser takes
// <noframes> as raw text, so that text is parsed here as the body (`_without_frames` of tamis/document/parse.py).

import { children, defaultView, documentElement, localName, outerHTML, selectAll, textContent } from "./dom.js";

/** The page to read: `page` itself, or for a frameset with <noframes> the page in that. @param {Document} page */
export function withoutFrames(page) {
  const root = documentElement(page);
  if (!root || ![...children(root)].some((child) => localName(child) === "frameset")) return page;
  const notes = [...selectAll(page, "frameset noframes, frameset ~ noframes")];
  if (!notes.length) return page;
  const head = [...selectAll(page, "head > *")].map(outerHTML);
  const text = [...head, ...notes.map(textContent)].join("");
  const Parser = globalThis.DOMParser ?? /** @type {typeof globalThis} */ (defaultView(page)).DOMParser;
  return new Parser().parseFromString(text, "text/html");
}
