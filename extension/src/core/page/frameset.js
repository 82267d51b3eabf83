// A frameset page shows other pages; its own words are what it tells browsers without frames. A parser reads
// <noframes> as raw text, so that text is parsed here as the page's body (`_without_frames` of document/parse.py).

import { children, documentElement, localName, outerHTML, selectAll, textContent } from "./dom.js";

/** The page to read: `page` itself, or for a frameset with a word to say the page that it says. */
export function withoutFrames(page) {
  const root = documentElement(page);
  if (!root || ![...children(root)].some((child) => localName(child) === "frameset")) return page;
  const notes = [...selectAll(page, "frameset noframes, frameset ~ noframes")];
  if (!notes.length) return page;
  const head = [...selectAll(page, "head > *")].map(outerHTML);
  const text = head.concat(notes.map(textContent)).join("");
  return new DOMParser().parseFromString(text, "text/html");
}
