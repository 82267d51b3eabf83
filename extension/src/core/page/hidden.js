// Elements that an attribute of their own hides, by the rules of src/tamis/document/parse.py.

import { SPACE_CLASS, stripped } from "../characters.js";
import { getAttribute } from "./dom.js";

const space = `[${SPACE_CLASS}]*`;
// Python's \b: no letter, digit or underscore follows.
const HIDING_STYLE = new RegExp(
  `(?:^|;)${space}(?:display${space}:${space}none|visibility${space}:${space}hidden)(?![\\p{L}\\p{N}_])`,
  "u",
);

// The id of a part of a streamed page (React): a script moves the part into place as soon as it has arrived.
const STREAMED_PART = /^S:[0-9a-f]+$/;

/** True if the `hidden` or `style` attribute hides the element. @param {Element} element */
export function hides(element) {
  const hidden = getAttribute(element, "hidden");
  if (hidden !== null && !isUntilFound(hidden) && !isStreamed(element)) return true;
  const style = getAttribute(element, "style");
  return style !== null && HIDING_STYLE.test(style.toLowerCase());
}

/** @param {Element} element */
const isStreamed = (element) => STREAMED_PART.test(getAttribute(element, "id") ?? "");

/** "until-found" folds content like a closed <details>; such content counts as visible. @param {string} hidden */
const isUntilFound = (hidden) => stripped(hidden).toLowerCase() === "until-found";
