// The panel behind the button. It keeps no state: the page knows which views are on, so the panel may close at any
// time.

/** @import {Command, Form, State} from "../page/controller.js" */
/** @import {PageMessage, PanelMessage, Rendered} from "../page/main.js" */

import { api } from "../shared/api.js";
import { messageOf } from "../core/errors.js";
import { asNumber, fillIn, htmlElements, say, sayExtractor } from "../shared/strings.js";
import { ClosedPage, enter } from "../shared/tabs.js";
import { fileName, FORMS, saveFile } from "./files.js";

/** @param {string} id @returns {any} the element, which is in panel.html */
const byId = (id) => document.getElementById(id);
/** @type {HTMLElement} */
const controls = byId("controls");
/** @type {HTMLSelectElement} */
const extractor = byId("extractor");
/** @type {HTMLElement} */
const status = byId("status");

// Errors that another extractor or a second try can't change.
const FINAL_ERRORS = new Set(["pdfPage", "noHtml", "emptyPage", "tooLarge"]);

/** @type {chrome.runtime.Port | null} */
let port = null;
/** @type {Map<string, (answer: Rendered) => void>} */
const awaited = new Map(); // requests for content without an answer so far
let done = ""; // the message about the last success, such as "copied"
let open = 0; // commands that are not carried out yet

/** @param {PanelMessage} message */
const send = (message) => port?.postMessage(message);

/** @param {number} tabId */
function connect(tabId) {
  port = api.tabs.connect(tabId, { name: "panel", frameId: 0 });
  port.onMessage.addListener((/** @type {PageMessage} */ message) => {
    if (message.type === "state") draw(message.state);
    else if (message.type === "done") count(-1);
    else if (message.type === "rendered") {
      awaited.get(message.id)?.(message);
      awaited.delete(message.id);
    }
  });
  port.onDisconnect.addListener(() => {
    port = null; // the tab shows another page
    count(-open);
    refuse(say("pageGone"));
  });
}

/** Disable the panel. @param {string} message */
function refuse(message) {
  controls.inert = true;
  extractor.disabled = true;
  for (const id of ["working", "stale", "legend"]) byId(id).hidden = true;
  showStatus(message, true);
}

/** @param {string} message @param {boolean} isNotice */
function showStatus(message, isNotice) {
  status.classList.toggle("notice", isNotice);
  if (status.textContent !== message) status.textContent = message; // a screen reader reads every assignment out
}

/** @param {State} state */
function draw({ extractors, extractor: chosen, follow, on, busy, stale, notice, counts }) {
  if (extractor.options.length !== extractors.length) {
    extractor.replaceChildren(...extractors.map((each) => new Option(sayExtractor(each), each.name)));
  }
  extractor.value = chosen;
  extractor.disabled = false;
  byId("follow").checked = follow;
  for (const button of htmlElements(controls, "[data-action]")) {
    button.setAttribute("aria-pressed", String(on.some((view) => view === button.dataset.action)));
  }
  byId("legend").hidden = !on.includes("highlight");
  byId("working").hidden = busy === null;
  if (busy !== null) byId("progress").value = busy;
  byId("stale").hidden = !stale || busy !== null;
  controls.inert = notice !== null && FINAL_ERRORS.has(notice.key);
  if (notice) showStatus(say(notice.key, ...notice.values), true);
  else if (busy !== null) showStatus(say("working"), false);
  else if (done) showStatus(done, false);
  else if (counts) showStatus(say("counts", asNumber(counts.kept), asNumber(counts.words)), false);
  else showStatus("", false);
}

/** Send a command to the page. @param {Command["action"]} action @param {Command["value"]} [value] */
function command(action, value) {
  if (!port) return;
  done = "";
  count(1);
  send({ type: "do", action, value });
}

/** Count the open commands. @param {number} change */
function count(change) {
  open += change;
  document.body.setAttribute("aria-busy", String(open > 0));
}

/**
 * The content in a format, and the title of the page.
 *
 * @param {Form} form
 * @returns {Promise<{text: string, title: string}>} rejects if there is no content
 */
function content(form) {
  const id = crypto.randomUUID();
  return new Promise((resolve, reject) => {
    if (!port) {
      reject(new Error("no page"));
      return;
    }
    awaited.set(id, ({ text, title = "" }) => {
      if (text === undefined) reject(new Error("no content"));
      else resolve({ text, title });
    });
    send({ type: "render", id, form });
  });
}

async function copy() {
  // The clipboard gets a promise, because the user's click allows writing for a short time only.
  const markdown = content("markdown").then(({ text }) => new Blob([text], { type: "text/plain" }));
  await navigator.clipboard.write([new ClipboardItem({ "text/plain": markdown })]);
  report(say("copied"));
}

/** @param {Form} form */
async function save(form) {
  const { text, title } = await content(form);
  const name = fileName(title, form);
  saveFile(FORMS[form].wrap(text, title), name, FORMS[form].type);
  report(say("saved", name));
}

/** @param {string} message about a success */
function report(message) {
  done = message;
  showStatus(message, false);
}

function listen() {
  controls.addEventListener("click", ({ target }) => {
    const button = /** @type {Element} */ (target).closest("button");
    if (!button) return;
    const action = /** @type {State["on"][number] | undefined} */ (button.dataset.action);
    const form = /** @type {Form | "copy"} */ (button.dataset.form);
    if (action) {
      const opens = button.getAttribute("aria-pressed") === "false";
      command(action);
      // The reader and the explanations need the keyboard, which an open panel has.
      if (opens && (action === "reader" || action === "why")) closeWhenOn(action);
    } else {
      const work = form === "copy" ? copy() : save(form);
      work.catch((error) => {
        // Without content, the state of the page has said why.
        if (!status.classList.contains("notice")) showStatus(say("failed", messageOf(error)), true);
      });
    }
  });
  /** @type {HTMLInputElement} */
  const follow = byId("follow");
  extractor.addEventListener("change", () => command("extractor", extractor.value));
  follow.addEventListener("change", () => command("follow", follow.checked));
  byId("cancel").addEventListener("click", () => command("cancel"));
  byId("refresh").addEventListener("click", () => command("refresh"));
  document.addEventListener("keydown", (event) => {
    if (event.repeat || event.ctrlKey || event.altKey || event.metaKey || event.target === extractor) return;
    htmlElements(document, `[data-key="${CSS.escape(event.key.toLowerCase())}"]`)[0]?.click();
  });
}

/** Close the panel when a view is on. @param {State["on"][number]} view */
function closeWhenOn(view) {
  port?.onMessage.addListener((/** @type {PageMessage} */ message) => {
    if (message.type === "state" && message.state.on.includes(view)) window.close();
  });
}

/** Write its key on each button. */
function showKeys() {
  for (const button of htmlElements(document, "[data-key]")) {
    const name = button.dataset.key ?? "";
    const key = document.createElement("kbd");
    key.textContent = name.toUpperCase();
    key.setAttribute("aria-hidden", "true");
    button.setAttribute("aria-keyshortcuts", name);
    button.append(key);
  }
}

async function start() {
  document.documentElement.lang = say("language");
  fillIn(document);
  showKeys();
  listen();
  try {
    const [tab] = await api.tabs.query({ active: true, currentWindow: true });
    if (tab?.id === undefined) throw new ClosedPage("no tab");
    await enter(tab.id);
    connect(tab.id);
    command("look"); // reads the page, so that the panel shows its state at once
  } catch (error) {
    if (!(error instanceof ClosedPage)) throw error;
    refuse(say("closedPage"));
  }
}

start();
