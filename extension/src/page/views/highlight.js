// Content in colour. Texts are painted by custom highlights, which do not change the page's tree. A medium can't be
// painted that way and gets an attribute while the view is on.

/** @import {Result} from "../analysis.js" */

import { Pace } from "../../core/pace.js";
import { addListener, hasAttribute, removeAttribute, setAttribute } from "../dom.js";
import { atOnce } from "../frames.js";
import { isAbort } from "../notice.js";
import { roleReader, stepOf } from "../roles.js";
import { Paint } from "./paint.js";
import { Ranges } from "./ranges.js";

export const KEPT = "data-tamis-kept";
const PREFIX = "tamis-";
// A dropped text is underlined if its score is at least this share of the threshold: favor_recall would keep it
// (tamis/api.py).
export const MAYBE_SHARE = 0.6;
const PAUSE = 80; // milliseconds

export class HighlightView {
  /** @type {Element[]} */
  #media = [];
  /** @type {AbortController | null} */
  #scrolling = null;
  #timer = 0;
  #paint = new Paint();

  /** Paint the content in place of what was painted before. @param {Result} result @param {AbortSignal} signal */
  async show({ table, labels }, signal) {
    const { leaves } = table;
    const { score, keep, threshold } = labels;
    const roleOf = roleReader(table, labels, { byTags: true });
    const ranges = new Ranges(leaves.length);
    /** @type {Element[]} */
    const media = [];
    await new Pace({ signal }).each(leaves.length, (index) => {
      const leaf = leaves[index];
      if (!leaf.visible) return;
      if (leaf.isMedia) {
        if (keep[index]) media.push(/** @type {Element} */ (leaf.node));
        return;
      }
      const name = keep[index]
        ? nameOf(roleOf(index), stepOf(score[index], threshold))
        : score[index] >= MAYBE_SHARE * threshold && "maybe";
      if (name) ranges.add(PREFIX + name, index, leaf);
    });
    const painted = await ranges.highlights(signal);
    atOnce(this.hide());
    this.#paint.replace(painted);
    if (ranges.isPartial) this.#followScrolling(ranges);
    this.#media = media.filter((element) => !hasAttribute(element, KEPT));
    for (const element of this.#media) setAttribute(element, KEPT, "");
  }

  /** Remove everything, in steps (frames.js). @returns {Generator<void, void, void>} */
  *hide() {
    this.#scrolling?.abort();
    clearTimeout(this.#timer);
    this.#paint.clear();
    for (const element of this.#media) removeAttribute(element, KEPT);
    this.#media = [];
  }

  /** Paint what is near the window whenever scrolling stops. @param {Ranges} ranges */
  #followScrolling(ranges) {
    this.#scrolling = new AbortController();
    const { signal } = this.#scrolling;
    const again = async () => {
      const painted = await ranges.highlights(signal);
      signal.throwIfAborted();
      this.#paint.replace(painted);
    };
    const later = () => {
      clearTimeout(this.#timer);
      this.#timer = window.setTimeout(() => again().catch(ignoreAbort), PAUSE);
    };
    addListener(document, "scroll", later, { capture: true, passive: true, signal });
    window.addEventListener("resize", later, { passive: true, signal });
  }
}

/** The highlight that hides a text (isolate.js). */
export const OFF = `${PREFIX}off`;

/** The name of the highlight for a role. @param {string} role @param {number} step of the score */
function nameOf(role, step) {
  return ["text", "note", "related", "boilerplate"].includes(role) ? `text-${step}` : role;
}

/** @param {unknown} error */
function ignoreAbort(error) {
  if (!isAbort(error)) throw error;
}
