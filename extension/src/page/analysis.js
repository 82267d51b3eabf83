// The page and its labels by each extractor, kept until the page changes.

/** @import {Labels} from "../core/labels.js" */
/** @import {PageTable} from "../core/page/table.js" */

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
 * @property {PageTable} table the page as the extractor read it
 * @property {Labels} labels
 * @property {{words: number, kept: number}} counts
 * @property {number} milliseconds the time it took
 */

const HTML = "http://www.w3.org/1999/xhtml";

// The share of reading in the progress; the rest is for the extractor.
const READ_SHARE = 0.5;

export class Analysis {
  /** @type {PageTable | null} */
  #table = null;
  /** @type {Map<string, Result>} */
  #results = new Map();
  #progress;

  /** @param {(share: number) => void} progress is called with a share from 0 to 1 */
  constructor(progress) {
    this.#progress = progress;
  }

  /** The name of the extractor of this name, or of the default if there is none. @param {string} [name] */
  static choose(name) {
    return (extractors.find((each) => each.name === name) ?? extractors[0]).name;
  }

  /** Forget the results, because the page has changed. */
  forget() {
    this.#table = null;
    this.#results.clear();
  }

  /**
   * @param {string} extractor
   * @param {AbortSignal} signal
   * @returns {Promise<Result>} rejects with Notice if there is no content, with AbortError when cancelled
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
    // An extractor may read more of the page than is on the screen; its labels are for that.
    const labelled = labels.table ?? table;
    const counts = await wordsOf(labelled, labels, signal);
    const milliseconds = performance.now() - start;
    const result = { extractor, table: labelled, labels, counts, milliseconds };
    // If the page has changed meanwhile, the result is returned but not kept.
    if (this.#table === table) this.#results.set(extractor, result);
    return result;
  }
}

/** The label of an extractor without the explanation behind the colon. @param {string} extractor */
export function labelOf(extractor) {
  const known = extractors.find((each) => each.name === extractor);
  return known ? sayExtractor(known).split(":")[0] : extractor;
}

/** @param {PageTable} table @param {Labels} labels @param {AbortSignal} signal */
async function wordsOf({ leaves }, { keep }, signal) {
  const counts = { words: 0, kept: 0 };
  await new Pace({ signal }).each(leaves.length, (index) => {
    const leaf = leaves[index];
    if (!leaf.visible || leaf.isMedia) return;
    const words = countWords(leaf.text);
    counts.words += words;
    if (keep[index]) counts.kept += words;
  });
  // In scripts without spaces a character counts as half a word or a quarter.
  return { words: Math.round(counts.words), kept: Math.round(counts.kept) };
}
