// A message to the user in place of a result: the name of a string and the values in it.

/** @typedef {{key: string, values: string[]}} Message */

import { CoreError, messageOf } from "../core/errors.js";

export class Notice extends Error {
  /** @param {string} key @param {string[]} values */
  constructor(key, ...values) {
    super(key);
    this.key = key;
    this.values = values;
  }
}

/** The message for an error. @param {unknown} error @returns {Message} */
export function noticeOf(error) {
  if (error instanceof Notice) return { key: error.key, values: error.values };
  if (isAbort(error)) return { key: "cancelled", values: [] };
  if (error instanceof CoreError && error.code === "too-large") return { key: "tooLarge", values: [] };
  return { key: "failed", values: [messageOf(error)] };
}

/** @param {any} error */
export const isAbort = (error) => error?.name === "AbortError";
