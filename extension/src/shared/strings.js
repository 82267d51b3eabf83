// Words for people are in _locales; here they are looked up.

import { api } from "./api.js";

/** The string of this name; `values` stand in for $1, $2 ... A name without a string is a mistake of ours. */
export function say(name, ...values) {
  const text = api.i18n.getMessage(name, values.map(String));
  if (!text) throw new Error(`no string is called ${name}`);
  return text;
}

/** What an extractor is called: translations may have a string for it, the core has an English one. */
export function sayExtractor({ name, label }) {
  return api.i18n.getMessage(`extractor_${name.replaceAll("-", "_")}`) || label;
}

/** Give every element its words: data-say for its text, data-say-label and data-say-title for attributes. */
export function fillIn(root) {
  for (const element of root.querySelectorAll("[data-say]")) element.textContent = say(element.dataset.say);
  for (const element of root.querySelectorAll("[data-say-label]")) {
    element.setAttribute("aria-label", say(element.dataset.sayLabel));
  }
  for (const element of root.querySelectorAll("[data-say-title]")) element.title = say(element.dataset.sayTitle);
}

const number = new Intl.NumberFormat(undefined);
const percent = new Intl.NumberFormat(undefined, { style: "percent" });

export const asNumber = (value) => number.format(value);
export const asPercent = (share) => percent.format(share);
