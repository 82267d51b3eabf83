// The script that a click or a key puts into a page: it listens to the panel and to keys.

import { api } from "../shared/api.js";
import { say } from "../shared/strings.js";
import { Controller } from "./controller.js";
import { ask } from "./models.js";
import { Toast } from "./toast.js";

function start() {
  const panels = new Set();
  const toast = new Toast();
  let badge = "";

  const controller = new Controller(
    (state) => {
      for (const port of panels) port.postMessage({ type: "state", state });
      if (!panels.size) speakUp(state);
      mark(state);
    },
    () => ask({ type: "styles" }),
  );

  // Without a panel the page itself is the place for a word.
  function speakUp({ busy, notice }) {
    if (busy !== null) {
      toast.working(() => controller.do({ action: "cancel" }));
      toast.progress(busy);
    } else if (notice) toast.word(say(notice.key, ...notice.values));
    else toast.clear();
  }

  function mark({ on, stale, notice }) {
    const bad = notice && notice.key !== "cancelled";
    const wanted = bad ? "!" : stale && on.length ? "↻" : "";
    if (wanted === badge) return;
    badge = wanted;
    const words = bad ? say(notice.key, ...notice.values) : wanted ? say("stale") : "";
    ask({ type: "badge", badge, words }).catch(() => {}); // the extension was reloaded; the page goes on
  }

  function hear(message, _, answer) {
    if (message?.type === "hello") answer("tamis");
    else if (message?.type === "do") controller.do(message);
    return false;
  }

  function welcome(port) {
    if (port.name !== "panel") return;
    panels.add(port);
    toast.clear();
    port.onDisconnect.addListener(() => panels.delete(port));
    port.onMessage.addListener(async (message) => {
      let answer = { type: "done" };
      if (message.type === "do") await controller.do(message);
      else answer = { type: "rendered", id: message.id, ...(await controller.render(message.form)) };
      if (panels.has(port)) port.postMessage(answer);
    });
  }

  api.runtime.onMessage.addListener(hear);
  api.runtime.onConnect.addListener(welcome);
  return () => {
    toast.clear();
    controller.stop();
    if (!api.runtime?.id) return; // the extension is gone, and its listeners with it
    api.runtime.onMessage.removeListener(hear);
    api.runtime.onConnect.removeListener(welcome);
  };
}

// A page gets this script once, and again when nobody answers there: after an update of the extension the old one is
// deaf, and what it shows has to go.
const STOP = Symbol.for("tamis");
globalThis[STOP]?.();
globalThis[STOP] = start();
