// A dialog over the whole page, with the focus in it.
//
// A modal dialog makes the page below inert. For that a browser computes the style of every element again, in one
// piece, which blocks a huge page. Over a huge page the dialog is a popover instead, which does not change the page,
// and the focus is kept in it here.

import { activeElement, addListener, localName, selectAll } from "../dom.js";
import { present, TAG } from "../host.js";

/**
 * @param {HTMLDialogElement} dialog
 * @param {HTMLElement} first the element that gets the focus
 * @param {{isHuge: boolean, leave: () => void}} options `leave` is called when Escape is pressed
 * @returns {() => void} removes the dialog and gives the focus back to where it was
 */
export function cover(dialog, first, { isHuge, leave }) {
  dialog.addEventListener("keydown", (event) => event.stopPropagation()); // the page may handle keys too
  // A modal dialog of the page itself would make a popover inert.
  const isBelow = selectAll(document, ":modal").length > 0;
  return isHuge && !isBelow ? coverHuge(dialog, first, leave) : coverModal(dialog, first, leave);
}

/** @param {HTMLDialogElement} dialog @param {HTMLElement} first @param {() => void} leave */
function coverModal(dialog, first, leave) {
  dialog.addEventListener("cancel", (event) => {
    event.preventDefault(); // Escape closes the same way as the button
    leave();
  });
  const remove = present(dialog, { modal: true });
  dialog.showModal();
  focusOn(first);
  return () => {
    dialog.close(); // gives the focus back
    remove();
  };
}

/** @param {HTMLDialogElement} dialog @param {HTMLElement} first @param {() => void} leave */
function coverHuge(dialog, first, leave) {
  const before = /** @type {HTMLElement | null} */ (activeElement(document));
  const listening = new AbortController();
  dialog.setAttribute("popover", "manual");
  dialog.setAttribute("aria-modal", "true");
  dialog.addEventListener("keydown", (event) => event.key === "Escape" && leave());
  const remove = present(dialog);
  dialog.showPopover();
  focusOn(first);
  const keepFocus = (/** @type {{target: Element}} */ { target }) => {
    if (localName(target) !== TAG) focusOn(dialog.querySelector("button"));
  };
  addListener(document, "focusin", keepFocus, { capture: true, signal: listening.signal });
  return () => {
    listening.abort();
    remove();
    if (before?.isConnected) focusOn(before);
  };
}

/** @param {HTMLElement | null} element */
const focusOn = (element) => element?.focus({ preventScroll: true });
