// The small panel behind the button. It holds nothing itself: what is on and what is off is known in the page, so it
// may be closed and opened at any time.

import { api } from "../shared/api.js";
import { asNumber, fillIn, say, sayExtractor } from "../shared/strings.js";
import { ClosedPage, enter } from "../shared/tabs.js";
import { fileName, FORMS, saveFile } from "./files.js";

const byId = (id) => document.getElementById(id);
const controls = byId("controls");
const extractor = byId("extractor");
const status = byId("status");

// What no other extractor and no second try changes.
const HOPELESS = new Set(["pdfPage", "noHtml", "emptyPage", "tooLarge"]);

let port = null;
const awaited = new Map(); // wishes for text that are not answered yet
let done = ""; // what was done last: "copied"
let open = 0; // wishes that are not carried out yet

function connect(tabId) {
  port = api.tabs.connect(tabId, { name: "panel", frameId: 0 });
  port.onMessage.addListener((message) => {
    if (message.type === "state") draw(message.state);
    else if (message.type === "done") count(-1);
    else if (message.type === "rendered") {
      awaited.get(message.id)?.(message);
      awaited.delete(message.id);
    }
  });
  port.onDisconnect.addListener(() => {
    port = null; // the page went elsewhere
    count(-open);
    refuse(say("pageGone"));
  });
}

function refuse(words) {
  controls.inert = true;
  extractor.disabled = true;
  for (const id of ["working", "stale", "legend"]) byId(id).hidden = true;
  speak(words, true);
}

function speak(words, isNotice) {
  status.classList.toggle("notice", isNotice);
  if (status.textContent !== words) status.textContent = words; // else it would be read out again
}

function draw({ extractors, extractor: chosen, follow, on, busy, stale, notice, counts }) {
  if (extractor.options.length !== extractors.length) {
    extractor.replaceChildren(...extractors.map((each) => new Option(sayExtractor(each), each.name)));
  }
  extractor.value = chosen;
  extractor.disabled = false;
  byId("follow").checked = follow;
  for (const button of controls.querySelectorAll("[data-action]")) {
    button.setAttribute("aria-pressed", String(on.includes(button.dataset.action)));
  }
  byId("legend").hidden = !on.includes("highlight");
  byId("working").hidden = busy === null;
  if (busy !== null) byId("progress").value = busy;
  byId("stale").hidden = !stale || busy !== null;
  controls.inert = Boolean(notice) && HOPELESS.has(notice.key);
  if (notice) speak(say(notice.key, ...notice.values), true);
  else if (busy !== null) speak(say("working"), false);
  else if (done) speak(done, false);
  else if (counts) speak(say("counts", asNumber(counts.kept), asNumber(counts.words)), false);
  else speak("", false);
}

function wish(action, value) {
  if (!port) return;
  done = "";
  count(1);
  port.postMessage({ type: "do", action, value });
}

function count(change) {
  open += change;
  document.body.setAttribute("aria-busy", String(open > 0));
}

/** The content in one of the forms; rejects where there is none. */
function content(form) {
  const id = crypto.randomUUID();
  return new Promise((resolve, reject) => {
    if (!port) return reject(new Error("no page"));
    awaited.set(id, (answer) => (answer.text === undefined ? reject(new Error("no content")) : resolve(answer)));
    port.postMessage({ type: "render", id, form });
  });
}

async function copy() {
  // The promise goes to the clipboard, not what it will hold: the click counts as one only for a short while.
  const markdown = content("markdown").then(({ text }) => new Blob([text], { type: "text/plain" }));
  await navigator.clipboard.write([new ClipboardItem({ "text/plain": markdown })]);
  report(say("copied"));
}

async function save(form) {
  const { text, title } = await content(form);
  const name = fileName(title, form);
  saveFile(FORMS[form].wrap(text, title), name, FORMS[form].type);
  report(say("saved", name));
}

function report(words) {
  done = words;
  speak(words, false);
}

function listen() {
  controls.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    const { action, form } = button.dataset;
    if (action) {
      const opens = button.getAttribute("aria-pressed") === "false";
      wish(action);
      // The reader and the explanations want the keyboard, which the panel has as long as it is open.
      if (opens && (action === "reader" || action === "why")) closeWhenOn(action);
    } else {
      const work = form === "copy" ? copy() : save(form);
      work.catch((error) => {
        // Where there is no content the page has said why.
        if (!status.classList.contains("notice")) speak(say("failed", error.message), true);
      });
    }
  });
  extractor.addEventListener("change", () => wish("extractor", extractor.value));
  byId("follow").addEventListener("change", (event) => wish("follow", event.target.checked));
  byId("cancel").addEventListener("click", () => wish("cancel"));
  byId("refresh").addEventListener("click", () => wish("refresh"));
  document.addEventListener("keydown", (event) => {
    if (event.repeat || event.ctrlKey || event.altKey || event.metaKey || event.target === extractor) return;
    document.querySelector(`[data-key="${CSS.escape(event.key.toLowerCase())}"]`)?.click();
  });
}

function closeWhenOn(action) {
  port?.onMessage.addListener(({ type, state }) => {
    if (type === "state" && state.on.includes(action)) window.close();
  });
}

function showKeys() {
  for (const button of document.querySelectorAll("[data-key]")) {
    const key = document.createElement("kbd");
    key.textContent = button.dataset.key.toUpperCase();
    key.setAttribute("aria-hidden", "true");
    button.setAttribute("aria-keyshortcuts", button.dataset.key);
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
    if (!tab) throw new ClosedPage("no tab");
    await enter(tab.id);
    connect(tab.id);
    wish("look"); // what there is to say about this page is said at once
  } catch (error) {
    if (!(error instanceof ClosedPage)) throw error;
    refuse(say("closedPage"));
  }
}

start();
