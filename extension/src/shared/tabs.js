// How the panel and the background reach the active page. The user's click or key press gives the permission.

import { messageOf } from "../core/errors.js";
import { api } from "./api.js";

/** The error for pages that no extension may read: the browser's own, its shop, its PDF viewer. */
export class ClosedPage extends Error {}

/**
 * Start our script in the tab unless it runs already.
 *
 * @param {number} tabId
 * @returns {Promise<void>} rejects with ClosedPage if the browser does not allow it
 */
export async function enter(tabId) {
  if (await isRunning(tabId)) return;
  try {
    await api.scripting.insertCSS({ target: { tabId, allFrames: true }, ...OWN_STYLES });
    await api.scripting.executeScript({ target: { tabId }, files: ["page.js"] });
  } catch (error) {
    throw new ClosedPage(messageOf(error), { cause: error });
  }
  // A script may be refused without an error (Firefox's PDF viewer).
  if (!(await isRunning(tabId))) throw new ClosedPage("no answer from the page");
}

/** @typedef {{files: string[], origin: "USER" | "AUTHOR"}} Styles */

// Styles of origin "user" apply in shadow trees too, and no rule of the page overrides them. In Chrome only author
// styles give highlights their colours, and shadow trees inherit those; in Firefox shadow trees do not inherit them.
/** @type {Styles} */
const OWN_STYLES = { files: ["page.css"], origin: "USER" };
const IN_FIREFOX = "getBrowserInfo" in api.runtime;
/** @type {Styles} */
const HIGHLIGHTS = { files: ["highlights.css"], origin: IN_FIREFOX ? "USER" : "AUTHOR" };

// Add all styles to every readable frame of the tab. Those of highlights are added when they are needed: a browser
// computes the style of every element again for them, which takes long on a huge page.
/** @param {number} tabId */
export async function addStyles(tabId) {
  const target = { tabId, allFrames: true };
  await Promise.all([OWN_STYLES, HIGHLIGHTS].map((styles) => api.scripting.insertCSS({ target, ...styles })));
}

/** @param {number} tabId */
async function isRunning(tabId) {
  try {
    return (await api.tabs.sendMessage(tabId, { type: "hello" })) === "tamis";
  } catch {
    return false; // there is no listener in the page
  }
}
