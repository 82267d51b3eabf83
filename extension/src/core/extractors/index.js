// Every extractor by name; the first is the default. A new one is a folder beside this file and a line here.

import { boilernet } from "./boilernet/boilernet.js";
import { r4 } from "./r4/r4.js";
import { tamis } from "./tamis/tamis.js";

/**
 * @typedef {object} Options
 * @property {AbortSignal} [signal]
 * @property {(share: number) => void} [progress]
 * @property {import("./boilernet/network.js").Models} [models]
 *
 * @typedef {object} Extractor
 * @property {string} name as in Python
 * @property {string} label for people; in English, as a fallback for translations
 * @property {(table: import("../page/table.js").PageTable, options: Options) =>
 *   Promise<import("../labels.js").Labels>} run
 */

/** @type {readonly Extractor[]} */
export const EXTRACTORS = Object.freeze([
  { name: "tamis", label: "tamis: a network over rows of text, steered by the kind of page", run: tamis },
  { name: "r4", label: "R4: the part of the page that stands out", run: r4 },
  {
    name: "boilernet-small",
    label: "BoilerNet: a trained network over tags and words",
    run: boilernet("boilernet-small"),
  },
]);
