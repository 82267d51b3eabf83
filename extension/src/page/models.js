// The core's way to its models: they lie and run in the extension's background (background/models.js says why).

import { api } from "../shared/api.js";
import { packRows, unpackArray } from "../shared/messages.js";

/** Ask the background. Rejects with what went wrong there. */
export async function ask(request) {
  const answer = await api.runtime.sendMessage(request);
  if (!answer) throw new Error("no answer from the background");
  if (answer.error) throw new Error(answer.error);
  return answer.result;
}

export const models = {
  /** A packed file, such as "boilernet-small/config.json". */
  bytes: async (path) => unpackArray(await ask({ type: "bytes", path })),
  /** For each row the probability that the network of this name gives it. */
  score: async (model, rows) => unpackArray(await ask({ type: "score", model, rows: packRows(rows) })),
};
