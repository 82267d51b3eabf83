// The script that the extension starts in a page. It listens to the panel and to keyboard commands.

/** @import {Command, Form, State} from "./controller.js" */

import { api } from "../shared/api.js";
import { say } from "../shared/strings.js";
import { Controller } from "./controller.js";
import { ask } from "./models.js";
import { Toast } from "./toast.js";

/**
 * @typedef {{type: "do"} & Command} CommandMessage
 * @typedef {CommandMessage | {type: "render", id: string, form: Form}} PanelMessage from the panel to the page
 * @typedef {{type: "rendered", id: string, text?: string, title?: string}} Rendered
 * @typedef {{type: "state", state: State} | {type: "done"} | Rendered} PageMessage from the page to the panel
 */

/** Start listening. Returns a function that stops it. */
function start() {
  /** @type {Set<chrome.runtime.Port>} */
  const panels = new Set();
  const toast = new Toast();
  let badge = "";

  const controller = new Controller(
    (state) => {
      for (const port of panels) port.postMessage({ type: "state", state });
      if (!panels.size) showToast(state);
      showBadge(state);
    },
    () => ask({ type: "styles" }),
  );

  /** Show progress and errors in the page, when no panel is open. @param {State} state */
  function showToast({ busy, notice }) {
    if (busy !== null) {
      toast.working(() => controller.do({ action: "cancel" }));
      toast.progress(busy);
    } else if (notice) toast.message(say(notice.key, ...notice.values));
    else toast.clear();
  }

  /** @param {State} state */
  function showBadge({ on, stale, notice }) {
    const error = notice?.key === "cancelled" ? null : notice;
    const wanted = error ? "!" : stale && on.length ? "↻" : "";
    if (wanted === badge) return;
    badge = wanted;
    const title = error ? say(error.key, ...error.values) : wanted ? say("stale") : "";
    ask({ type: "badge", badge, title }).catch(() => {}); // fails after an update of the extension, which does no harm
  }

  /** @param {any} message @param {unknown} _ @param {(answer: string) => void} answer */
  function onMessage(message, _, answer) {
    if (message?.type === "hello") answer("tamis");
    else if (message?.type === "do") controller.do(message);
    return false;
  }

  /** @param {chrome.runtime.Port} port */
  function onConnect(port) {
    if (port.name !== "panel") return;
    panels.add(port);
    toast.clear();
    port.onDisconnect.addListener(() => panels.delete(port));
    port.onMessage.addListener(async (/** @type {PanelMessage} */ message) => {
      /** @type {PageMessage} */
      let answer = { type: "done" };
      if (message.type === "do") await controller.do(message);
      else answer = { type: "rendered", id: message.id, ...(await controller.render(message.form)) };
      if (panels.has(port)) port.postMessage(answer);
    });
  }

  api.runtime.onMessage.addListener(onMessage);
  api.runtime.onConnect.addListener(onConnect);
  return () => {
    toast.clear();
    controller.stop();
    if (!api.runtime?.id) return; // the extension was removed, and its listeners with it
    api.runtime.onMessage.removeListener(onMessage);
    api.runtime.onConnect.removeListener(onConnect);
  };
}

// A page gets this script a second time after an update of the extension. The old script no longer receives messages,
// and what it shows has to be removed.
const STOP = Symbol.for("tamis");
const page = /** @type {Record<symbol, (() => void) | undefined>} */ (/** @type {unknown} */ (globalThis));
page[STOP]?.();
page[STOP] = start();
