// The models for the core. They are loaded and run in the extension's background (background/models.js says why).

/** @import {Request} from "../background/main.js" */
/** @import {Models} from "../core/extractors/boilernet/network.js" */

import { api } from "../shared/api.js";
import { pack, unpack } from "../shared/messages.js";

/** Send a request to the background. Rejects with the error there. @param {Request} request */
export async function ask(request) {
  const answer = await api.runtime.sendMessage(request);
  if (!answer) throw new Error("no answer from the background");
  if (answer.error) throw new Error(answer.error);
  return answer.result;
}

/** @type {Models} */
export const models = {
  bytes: async (path) => unpack(await ask({ type: "bytes", path })),
  score: async (model, rows) => unpack(await ask({ type: "score", model, rows: pack(rows) })),
  label: async (tables) => unpack(await ask({ type: "label", tables: pack(tables) })),
};
