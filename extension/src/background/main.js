// What has to run outside of pages: keys, the network of a model, styles for frames. It keeps nothing between events,
// so the browser may stop it whenever it likes.

import { scoreRows } from "../core/extractors/boilernet/network.js";
import { api } from "../shared/api.js";
import { packArray, unpackRows } from "../shared/messages.js";
import { say } from "../shared/strings.js";
import { addStyles, ClosedPage, enter } from "../shared/tabs.js";
import { models } from "./models.js";

const requests = {
  bytes: async ({ path }) => packArray(await models.bytes(path)),
  score: async ({ model, rows }) => packArray(await scoreRows(model, unpackRows(rows), models)),
  styles: async (_, sender) => addStyles(sender.tab.id),
  badge: async ({ badge, words }, sender) => mark(sender.tab.id, badge, words),
};

api.runtime.onMessage.addListener((message, sender, answer) => {
  const handle = Object.hasOwn(requests, message?.type) ? requests[message.type] : null;
  // Only our own script in a page asks here; pages themselves cannot, and the panel talks to the page.
  if (!handle || sender.id !== api.runtime.id || !sender.tab) return false;
  handle(message, sender).then(
    (result) => answer({ result: result ?? null }),
    (error) => answer({ error: String(error?.message ?? error) }),
  );
  return true; // the answer comes later
});

api.commands.onCommand.addListener(async (action, tab) => {
  if (!tab?.id) return;
  try {
    await enter(tab.id);
    await api.tabs.sendMessage(tab.id, { type: "do", action });
  } catch (error) {
    if (!(error instanceof ClosedPage)) throw error;
    await mark(tab.id, "!", say("closedPage"));
  }
});

// The badge is all that a key can be answered with where no script may run.
async function mark(tabId, badge, words) {
  await api.action.setBadgeText({ tabId, text: badge });
  await api.action.setTitle({ tabId, title: words || say("actionTitle") });
}
