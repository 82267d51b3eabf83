// The page read and judged, once for each extractor, until the page changes.

import { countWords } from "../core/characters.js";
import { analyse, extractors, readPage } from "../core/index.js";
import { Pace } from "../core/pace.js";
import { sayExtractor } from "../shared/strings.js";
import { contentType, documentElement } from "./dom.js";
import { models } from "./models.js";
import { Notice } from "./notice.js";

/**
 * @typedef {object} Result
 * @property {string} extractor
 * @property {object} table the page (core)
 * @property {object} labels score, keep, role and threshold (core)
 * @property {{words: number, kept: number}} counts
 * @property {number} milliseconds what it took
 */

const HTML = "http://www.w3.org/1999/xhtml";

// How much of the bar is for reading; the rest is for judging.
const READ_SHARE = 0.5;

export class Sieve {
  /** @type {object | null} */
  #table = null;
  /** @type {Map<string, Result>} */
  #results = new Map();
  #progress;

  /** @param {(share: number) => void} progress is told how far it is, from 0 to 1 */
  constructor(progress) {
    this.#progress = progress;
  }

  /** The extractor of this name, or the first where there is none. */
  static choose(name) {
    return extractors.some((each) => each.name === name) ? name : extractors[0].name;
  }

  /** The page has changed: what is known of it is no longer true. */
  forget() {
    this.#table = null;
    this.#results.clear();
  }

  /**
   * @param {string} extractor
   * @param {AbortSignal} signal
   * @returns {Promise<Result>} rejects with Notice where there is nothing to judge, AbortError when cancelled
   */
  async result(extractor, signal) {
    const known = this.#results.get(extractor);
    if (known) return known;
    const start = performance.now();
    if (contentType(document) === "application/pdf") throw new Notice("pdfPage");
    if (documentElement(document)?.namespaceURI !== HTML) throw new Notice("noHtml");
    this.#table ??= await readPage(document, {
      live: true,
      signal,
      progress: (share) => this.#progress(share * READ_SHARE),
    });
    const table = this.#table;
    if (!table.leaves.some((leaf) => leaf.visible)) throw new Notice("emptyPage");
    const labels = await analyse(table, extractor, {
      signal,
      progress: (share) => this.#progress(READ_SHARE + share * (1 - READ_SHARE)),
      models,
    });
    signal.throwIfAborted();
    if (!labels.keep.some(Boolean)) throw new Notice("nothingKept", labelOf(extractor));
    // An extractor may have read more of the page than is on the screen; its labels are for that.
    const judged = labels.table ?? table;
    const counts = await wordsOf(judged, labels, signal);
    const milliseconds = performance.now() - start;
    const result = { extractor, table: judged, labels, counts, milliseconds };
    // The page may have changed while it was judged; then this is an answer, and none to remember.
    if (this.#table === table) this.#results.set(extractor, result);
    return result;
  }
}

/** What an extractor is called, without the explanation behind the colon. */
export function labelOf(extractor) {
  const known = extractors.find((each) => each.name === extractor);
  return known ? sayExtractor(known).split(":")[0] : extractor;
}

async function wordsOf({ leaves }, { keep }, signal) {
  const counts = { words: 0, kept: 0 };
  await new Pace({ signal }).each(leaves.length, (index) => {
    const leaf = leaves[index];
    if (!leaf.visible || leaf.isMedia) return;
    const words = countWords(leaf.text);
    counts.words += words;
    if (keep[index]) counts.kept += words;
  });
  // Of scripts without spaces a character is half a word or a quarter.
  return { words: Math.round(counts.words), kept: Math.round(counts.kept) };
}
