// What has to run outside of pages: keyboard commands, the kernel, BoilerNet's network, styles for frames. It keeps no
// state between events, so the browser may stop it at any time.

/** @import {Rows} from "../core/extractors/boilernet/network.js" */
/** @import {Tables} from "../core/extractors/tamis/tables.js" */
/** @import {Packed} from "../shared/messages.js" */

import { messageOf } from "../core/errors.js";
import { scoreRows } from "../core/extractors/boilernet/network.js";
import { label } from "../core/extractors/tamis/label.js";
import { networksOf } from "../core/extractors/tamis/network.js";
import { api } from "../shared/api.js";
import { pack, unpack } from "../shared/messages.js";
import { say } from "../shared/strings.js";
import { addStyles, ClosedPage, enter } from "../shared/tabs.js";
import { models } from "./models.js";

/**
 * The requests of our script in a page (page/models.js).
 *
 * @typedef {{type: "bytes", path: string} | {type: "score", model: string, rows: Packed<Rows>} |
 *   {type: "label", tables: Packed<Tables>} | {type: "styles"} | {type: "badge", badge: string, title: string}} Request
 */

/** @param {Request} request @param {number} tabId */
async function handle(request, tabId) {
  switch (request.type) {
    case "bytes":
      return pack(await models.bytes(request.path));
    case "score":
      return pack(await scoreRows(request.model, unpack(request.rows), models));
    case "label":
      return pack(label(unpack(request.tables), await networksOf(models)));
    case "styles":
      return addStyles(tabId);
    case "badge":
      return setBadge(tabId, request.badge, request.title);
    default:
      throw new Error("unknown request");
  }
}

api.runtime.onMessage.addListener((message, sender, answer) => {
  // Only our own script in a page sends requests here. Pages themselves can't, and the panel talks to the page.
  const tabId = sender.tab?.id;
  if (!message?.type || sender.id !== api.runtime.id || tabId === undefined) return false;
  handle(message, tabId).then(
    (result) => answer({ result: result ?? null }),
    (error) => answer({ error: messageOf(error) }),
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
    await setBadge(tab.id, "!", say("closedPage"));
  }
});

/**
 * Set the badge and the tooltip of the button. Where no script may run, this is the only answer to a key.
 *
 * @param {number} tabId
 * @param {string} badge
 * @param {string} title empty for the usual one
 */
async function setBadge(tabId, badge, title) {
  await api.action.setBadgeText({ tabId, text: badge });
  await api.action.setTitle({ tabId, title: title || say("actionTitle") });
}
