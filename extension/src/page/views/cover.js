// A dialog over the whole page, with the focus in it.
//
// A modal one makes the page below inert. For that a browser computes the style of every element anew, in one piece,
// and a huge page is frozen meanwhile. There the dialog is a popover, which leaves the page alone, and the focus is
// held here.

import { activeElement, addListener, localName, selectAll } from "../dom.js";
import { present, TAG } from "../host.js";

/**
 * @param {HTMLDialogElement} dialog
 * @param {Element} first what gets the focus
 * @param {{isHuge: boolean, leave: () => void}} options `leave` is called when Escape is pressed
 * @returns {() => void} takes the dialog away and gives the focus back to where it was
 */
export function cover(dialog, first, { isHuge, leave }) {
  dialog.addEventListener("keydown", (event) => event.stopPropagation()); // the page has keys of its own
  // Below a modal dialog of the page's own a popover could not be used.
  const isBelow = selectAll(document, ":modal").length > 0;
  return isHuge && !isBelow ? coverHuge(dialog, first, leave) : coverModal(dialog, first, leave);
}

function coverModal(dialog, first, leave) {
  dialog.addEventListener("cancel", (event) => {
    event.preventDefault(); // Escape: by the same way out as a button
    leave();
  });
  const takeAway = present(dialog, { modal: true });
  dialog.showModal();
  focusOn(first);
  return () => {
    dialog.close(); // gives the focus back
    takeAway();
  };
}

function coverHuge(dialog, first, leave) {
  const before = activeElement(document);
  const listening = new AbortController();
  dialog.setAttribute("popover", "manual");
  dialog.setAttribute("aria-modal", "true");
  dialog.addEventListener("keydown", (event) => event.key === "Escape" && leave());
  const takeAway = present(dialog);
  dialog.showPopover();
  focusOn(first);
  const hold = ({ target }) => {
    if (localName(target) !== TAG) focusOn(dialog.querySelector("button"));
  };
  addListener(document, "focusin", hold, { capture: true, signal: listening.signal });
  return () => {
    listening.abort();
    takeAway();
    if (before?.isConnected) focusOn(before);
  };
}

const focusOn = (element) => element.focus({ preventScroll: true });
