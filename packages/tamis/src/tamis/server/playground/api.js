// Requests to the server that this page came from.

/** What went wrong, as the server says it (RFC 9457). */
export class Problem extends Error {
  constructor({ title, detail = "", status = 0, kind = "" }) {
    super(title);
    Object.assign(this, { title, detail, status, kind });
  }
}

let key = ""; // in memory only

export function useKey(value) {
  key = value;
}

async function call(path, init = {}) {
  const headers = { ...init.headers, ...(key ? { "x-api-key": key } : {}) };
  let response, body;
  try {
    response = await fetch(path, { ...init, headers, referrerPolicy: "no-referrer", credentials: "same-origin" });
    body = await response.text();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem({ title: "The server does not answer", detail: "Is it still running? Try again." });
  }
  let value = null;
  try {
    value = JSON.parse(body);
  } catch {
    // a proxy may answer in its own words
  }
  if (!response.ok || value === null) {
    throw new Problem({ title: `The server answers ${response.status}`, status: response.status, ...value });
  }
  return value;
}

/** The extractors that the server has, and its version. */
export const extractors = () => call("v1/extractors");

/** The text of the example page. */
export async function examplePage() {
  const response = await fetch("playground/example.html");
  if (!response.ok) throw new Problem({ title: "The example is not there", status: response.status });
  return response.text();
}

/**
 * Ask for a page. `source` has the `url` to be fetched, or the `body`: a text, or a file whose bytes go as they are, so
 * that the server finds its encoding. `path` is "v1/extract" or "v1/explain".
 */
export function ask(path, source, options, signal) {
  if (source.url) {
    const body = JSON.stringify({ url: source.url, ...options });
    return call(path, { method: "POST", body, signal, headers: { "content-type": "application/json" } });
  }
  const type = typeof source.body === "string" ? "text/html; charset=utf-8" : "text/html";
  const query = new URLSearchParams(options);
  return call(`${path}?${query}`, { method: "POST", body: source.body, signal, headers: { "content-type": type } });
}
