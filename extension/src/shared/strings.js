// Looks up the strings of the user interface, which are in _locales.

import { api } from "./api.js";

/**
 * The string of this name. Throws an Error for an unknown name.
 *
 * @param {string} name
 * @param {(string | number)[]} values replace $1, $2 ...
 */
export function say(name, ...values) {
  const text = api.i18n.getMessage(name, values.map(String));
  if (!text) throw new Error(`no string is called ${name}`);
  return text;
}

// The label of an extractor: from the translation, or else the English one of the core.
/** @param {{name: string, label: string}} extractor */
export function sayExtractor({ name, label }) {
  return api.i18n.getMessage(`extractor_${name.replaceAll("-", "_")}`) || label;
}

// Fill in strings: data-say names the text of an element, data-say-label and data-say-title name attributes.
/** @param {Document} page */
export function fillIn(page) {
  for (const element of htmlElements(page, "[data-say]")) element.textContent = say(element.dataset.say ?? "");
  for (const element of htmlElements(page, "[data-say-label]")) {
    element.setAttribute("aria-label", say(element.dataset.sayLabel ?? ""));
  }
  for (const element of htmlElements(page, "[data-say-title]")) element.title = say(element.dataset.sayTitle ?? "");
}

/** @param {ParentNode} root @param {string} selector @returns {NodeListOf<HTMLElement>} */
export const htmlElements = (root, selector) => root.querySelectorAll(selector);

const number = new Intl.NumberFormat(undefined);
const percent = new Intl.NumberFormat(undefined, { style: "percent" });

/** @param {number} value */
export const asNumber = (value) => number.format(value);
/** @param {number} share */
export const asPercent = (share) => percent.format(share);
