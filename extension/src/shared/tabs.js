// How the panel and the background reach the page in front. The click or key that started them is what allows it.

import { api } from "./api.js";

/** Pages that no extension may see: the browser's own, its shop, its PDF viewer. */
export class ClosedPage extends Error {}

/**
 * Make sure that our script runs in the tab, once. Rejects with ClosedPage where the browser does not allow it.
 */
export async function enter(tabId) {
  if (await answers(tabId)) return;
  try {
    await api.scripting.insertCSS({ target: { tabId, allFrames: true }, ...OWN_STYLES });
    await api.scripting.executeScript({ target: { tabId }, files: ["page.js"] });
  } catch (error) {
    throw new ClosedPage(String(error?.message ?? error), { cause: error });
  }
  // A script may be refused without an error (Firefox's PDF viewer).
  if (!(await answers(tabId))) throw new ClosedPage("no answer from the page");
}

// A user's styles hold in shadow trees as well, and no rule of the page beats them. In Chrome highlights have colours
// by an author's styles only, which shadow trees inherit; in Firefox they do not.
const OWN_STYLES = { files: ["page.css"], origin: "USER" };
const IN_FIREFOX = typeof api.runtime.getBrowserInfo === "function";
const HIGHLIGHTS = { files: ["highlights.css"], origin: IN_FIREFOX ? "USER" : "AUTHOR" };

/**
 * All styles in every frame of the tab that we may see. Those of highlights are not there from the beginning: a browser
 * computes the style of every element anew for them, which a huge page feels.
 */
export async function addStyles(tabId) {
  const target = { tabId, allFrames: true };
  await Promise.all([OWN_STYLES, HIGHLIGHTS].map((styles) => api.scripting.insertCSS({ target, ...styles })));
}

async function answers(tabId) {
  try {
    return (await api.tabs.sendMessage(tabId, { type: "hello" })) === "tamis";
  } catch {
    return false; // nobody listens there yet
  }
}
