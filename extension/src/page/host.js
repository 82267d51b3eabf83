// The only element that the extension adds to a page. It holds the reader, the card and the toast in a closed shadow
// root, which the page's styles and scripts do not reach. It is removed when nothing is shown.

import { documentElement } from "./dom.js";

export const TAG = "tamis-ui";
const HTML = "http://www.w3.org/1999/xhtml";

/** @type {{host: HTMLElement, root: ShadowRoot} | null} */
let shown = null;

/**
 * Show an element.
 *
 * @param {Element} element
 * @param {{modal?: boolean}} [options] a modal element stops the page's scrolling
 * @returns {() => void} removes the element
 */
export function present(element, { modal = false } = {}) {
  if (!shown?.host.isConnected) {
    const host = make(TAG);
    shown = { host, root: host.attachShadow({ mode: "closed" }) };
    documentElement(document).append(host);
  }
  const { host, root } = shown;
  root.append(element);
  if (modal) host.setAttribute("data-modal", "");
  return () => {
    if (modal) host.removeAttribute("data-modal");
    element.remove();
    if (!root.hasChildNodes()) host.remove();
  };
}

/**
 * An HTML element with attributes and content, in documents of any kind.
 *
 * @template {string} Tag
 * @param {Tag} tag
 * @param {Record<string, string>} [attributes]
 * @param {(Node | string)[]} content strings become text
 * @returns {Tag extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[Tag] : HTMLElement}
 */
export function make(tag, attributes = {}, ...content) {
  /** @type {any} */
  const element = Document.prototype.createElementNS.call(document, HTML, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...content);
  return element;
}
