// The one element that we ever add to a page: it holds what we show there, in a closed shadow root where neither the
// page's styles nor its scripts reach, and it is gone when nothing is shown.

import { documentElement } from "./dom.js";

export const TAG = "tamis-ui";
const HTML = "http://www.w3.org/1999/xhtml";

let host = null;
let root = null;

/** Show an element of ours; returns a function that takes it away again. A modal one stops the page's scrolling. */
export function present(element, { modal = false } = {}) {
  if (!host?.isConnected) {
    host = make(TAG);
    root = host.attachShadow({ mode: "closed" });
    documentElement(document).append(host);
  }
  root.append(element);
  if (modal) host.setAttribute("data-modal", "");
  const mine = host;
  return () => {
    if (modal) mine.removeAttribute("data-modal");
    const { parentNode } = element;
    element.remove();
    if (parentNode && !parentNode.hasChildNodes()) parentNode.host.remove();
  };
}

/** An element with a class, attributes and content; strings become text. */
export function make(tag, attributes = {}, ...content) {
  const element = Document.prototype.createElementNS.call(document, HTML, tag); // in documents of any kind
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...content);
  return element;
}
