// Something to say to the reader instead of a result: the name of a string, and what stands in it.

export class Notice extends Error {
  constructor(key, ...values) {
    super(key);
    this.key = key;
    this.values = values;
  }
}

/** What to say about anything that went wrong. */
export function noticeOf(error) {
  if (error instanceof Notice) return { key: error.key, values: error.values };
  if (error?.name === "AbortError") return { key: "cancelled", values: [] };
  if (error?.code === "too-large") return { key: "tooLarge", values: [] };
  return { key: "failed", values: [error?.message ?? String(error)] };
}
