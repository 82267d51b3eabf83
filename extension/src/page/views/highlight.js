// Content in colour. Texts are painted by custom highlights, which leave the page's tree as it is; a medium cannot be
// painted so and carries an attribute while the highlight is on.

import { Pace } from "../../core/pace.js";
import { addListener, hasAttribute, removeAttribute, setAttribute } from "../dom.js";
import { atOnce } from "../frames.js";
import { roleReader, stepOf } from "../roles.js";
import { Paint } from "./paint.js";
import { Runs } from "./runs.js";

export const KEPT = "data-tamis-kept";
const PREFIX = "tamis-";
// Below the threshold and yet not clear: what favor_recall would keep (src/tamis/api.py).
export const MAYBE_SHARE = 0.6;
const PAUSE = 80; // milliseconds

export class HighlightView {
  #media = [];
  #scrolling = null;
  #timer = 0;
  #paint = new Paint();

  /** Paint, in place of what was painted before. */
  async show({ table, labels }, signal) {
    const { leaves } = table;
    const { score, keep, threshold } = labels;
    const roleOf = roleReader(table, labels, { byTags: true });
    const runs = new Runs(leaves.length);
    const media = [];
    await new Pace({ signal }).each(leaves.length, (index) => {
      const leaf = leaves[index];
      if (!leaf.visible) return;
      if (leaf.isMedia) {
        if (keep[index]) media.push(leaf.node);
        return;
      }
      const name = keep[index]
        ? nameOf(roleOf(index), stepOf(score[index], threshold))
        : score[index] >= MAYBE_SHARE * threshold && "maybe";
      if (name) runs.add(PREFIX + name, index, leaf);
    });
    const painted = await runs.highlights(signal);
    atOnce(this.hide());
    this.#paint.replace(painted);
    if (runs.isPartial) this.#followScrolling(runs);
    this.#media = media.filter((element) => !hasAttribute(element, KEPT));
    for (const element of this.#media) setAttribute(element, KEPT, "");
  }

  /** Leave nothing, in steps (frames.js). */
  *hide() {
    this.#scrolling?.abort();
    clearTimeout(this.#timer);
    this.#paint.clear();
    for (const element of this.#media) removeAttribute(element, KEPT);
    this.#media = [];
  }

  // What has come near the window is painted when scrolling rests.
  #followScrolling(runs) {
    this.#scrolling = new AbortController();
    const { signal } = this.#scrolling;
    const again = async () => {
      const painted = await runs.highlights(signal);
      signal.throwIfAborted();
      this.#paint.replace(painted);
    };
    const later = () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => again().catch(ignoreAbort), PAUSE);
    };
    addListener(document, "scroll", later, { capture: true, passive: true, signal });
    window.addEventListener("resize", later, { passive: true, signal });
  }
}

/** The highlight that hides a text (isolate.js). */
export const OFF = `${PREFIX}off`;

function nameOf(role, step) {
  return role === "text" || role === "related" || role === "boilerplate" ? `text-${step}` : role;
}

function ignoreAbort(error) {
  if (error?.name !== "AbortError") throw error;
}
