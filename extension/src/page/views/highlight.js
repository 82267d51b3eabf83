// Content in colour. Texts are painted by custom highlights, which leave the page's tree as it is; a medium cannot be
// painted so and carries an attribute while the highlight is on.

import { Pace } from "../../core/pace.js";
import { addListener } from "../dom.js";
import { roleReader, stepOf } from "../roles.js";
import { Runs } from "./runs.js";

export const KEPT = "data-tamis-kept";
const PREFIX = "tamis-";
// Below the threshold and yet not clear: favor_recall's cut (src/tamis/api.py).
const MAYBE = 0.3;
const PAUSE = 80; // milliseconds

export class HighlightView {
  #media = [];
  #scrolling = null;
  #timer = 0;
  #painted = new Map(); // registry to the names that are ours in it; Firefox lets no extension list a page's

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
        : score[index] >= MAYBE && "maybe";
      if (name) runs.add(PREFIX + name, index, leaf);
    });
    const painted = await runs.highlights(signal);
    this.hide();
    this.#paint(painted);
    if (runs.isPartial) this.#followScrolling(runs);
    this.#media = media.filter((element) => !element.hasAttribute(KEPT));
    for (const element of this.#media) element.setAttribute(KEPT, "");
  }

  hide() {
    this.#scrolling?.abort();
    clearTimeout(this.#timer);
    this.#paint(new Map());
    for (const element of this.#media) element.removeAttribute(KEPT);
    this.#media = [];
  }

  // In place of what was painted before.
  #paint(painted) {
    for (const [registry, names] of this.#painted) {
      for (const name of names) if (!painted.get(registry)?.has(name)) registry.delete(name);
    }
    this.#painted.clear();
    for (const [registry, byName] of painted) {
      this.#painted.set(registry, [...byName.keys()]);
      for (const [name, highlight] of byName) registry.set(name, highlight);
    }
  }

  // What has come near the window is painted when scrolling rests.
  #followScrolling(runs) {
    this.#scrolling = new AbortController();
    const { signal } = this.#scrolling;
    const again = async () => {
      const painted = await runs.highlights(signal);
      signal.throwIfAborted();
      this.#paint(painted);
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
