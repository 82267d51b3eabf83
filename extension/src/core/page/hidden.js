// What hides an element by an attribute of its own, as src/tamis/document/parse.py reads it.

import { SPACE_CLASS, stripped } from "../characters.js";
import { getAttribute } from "./dom.js";

const space = `[${SPACE_CLASS}]*`;
// Python's \b: no letter, digit or underscore follows.
const HIDING_STYLE = new RegExp(
  `(?:^|;)${space}(?:display${space}:${space}none|visibility${space}:${space}hidden)(?![\\p{L}\\p{N}_])`,
  "u",
);

// What a page that arrives in parts calls them: a script puts them where they belong as soon as they are there.
const STREAMED_PART = /^S:[0-9a-f]+$/;

/** Does the `hidden` or `style` attribute hide the element? */
export function hides(element) {
  const hidden = getAttribute(element, "hidden");
  if (hidden !== null && !isUntilFound(hidden) && !isStreamed(element)) return true;
  const style = getAttribute(element, "style");
  return style !== null && HIDING_STYLE.test(style.toLowerCase());
}

const isStreamed = (element) => STREAMED_PART.test(getAttribute(element, "id") ?? "");

/** "until-found" folds content away like a closed <details>: it is there to be read. */
const isUntilFound = (hidden) => stripped(hidden).toLowerCase() === "until-found";
