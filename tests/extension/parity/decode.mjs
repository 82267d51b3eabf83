// The values that json.js finds in each of a list of texts, as JSON: keys marked, so that their order and names stay.
import { readFileSync } from "node:fs";
import { decoded } from "../../../extension/src/core/extractors/tamis/json.js";

/**
 * @param {unknown} value
 * @returns {unknown}
 */
const plain = (value) => {
  if (value instanceof Map) return { object: [...value].map(([key, inner]) => [key, plain(inner)]) };
  return Array.isArray(value) ? value.map(plain) : value;
};

/** @param {string} text */
function values(text) {
  const steps = decoded(text);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value.map(plain);
  }
}

process.stdout.write(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(values)));
