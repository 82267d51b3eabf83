// Every extractor by name; the first is the default. A new one is a folder beside this file and an entry here.

/** @import {Labels} from "../labels.js" */
/** @import {PageTable} from "../page/table.js" */
/** @import {Models} from "./boilernet/network.js" */

import { boilernet } from "./boilernet/boilernet.js";
import { r4 } from "./r4/r4.js";
import { tamis } from "./tamis/tamis.js";

/**
 * @typedef {object} Options
 * @property {AbortSignal} [signal]
 * @property {(share: number) => void} [progress]
 * @property {Models} [models]
 *
 * @typedef {object} Extractor
 * @property {string} name as in Python
 * @property {string} label for people, in English; translations may replace it
 * @property {boolean} [hasModel] true if it needs the model of its name
 * @property {(table: PageTable, options: Options) => Promise<Labels>} run
 */

/** @type {Extractor[]} */
const ALL = [
  {
    name: "tamis",
    label: "tamis: a network over runs of text, conditioned on the page type",
    hasModel: true,
    run: tamis,
  },
  { name: "r4", label: "R4: the part of the page that stands out", run: r4 },
  {
    name: "boilernet-small",
    label: "BoilerNet: a trained network over tags and words",
    hasModel: true,
    run: boilernet("boilernet-small"),
  },
];

// The build puts the names of the packed models in place of SHIPPED_MODELS (tools/build.js). Outside of a build, in
// tests, every model counts as there.
/** @param {string} name */
const isShipped = (name) => typeof SHIPPED_MODELS === "undefined" || SHIPPED_MODELS.includes(name);

/** @type {readonly Extractor[]} those whose model is there */
export const EXTRACTORS = Object.freeze(ALL.filter(({ name, hasModel }) => !hasModel || isShipped(name)));
