// A line at the edge of the page for those who use keys and have no panel open: what goes on, and what went wrong.

import { say } from "../shared/strings.js";
import { make, present } from "./host.js";

const PATIENCE = 400; // milliseconds of work before it is worth a word
const STAY = 5000; // milliseconds that a word stays

export class Toast {
  #takeAway = null;
  #timer = 0;
  #bar = null;

  /** Work has begun: say so if it lasts. */
  working(cancel) {
    if (this.#bar || this.#timer) return;
    this.clear();
    this.#timer = setTimeout(() => {
      this.#timer = 0;
      this.#bar = make("progress", { max: "1", value: "0", "aria-label": say("working") });
      const button = make("button", { type: "button", class: "tamis-button" }, say("cancel"));
      button.addEventListener("click", cancel);
      this.#show(make("span", {}, say("working")), this.#bar, button);
    }, PATIENCE);
  }

  progress(share) {
    if (this.#bar) this.#bar.value = share;
  }

  /** Say a sentence for a while. */
  word(text) {
    this.clear();
    this.#show(make("span", {}, text));
    this.#timer = setTimeout(() => this.clear(), STAY);
  }

  clear() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#bar = null;
    this.#takeAway?.();
    this.#takeAway = null;
  }

  #show(...content) {
    this.#takeAway?.();
    const line = make("div", { class: "tamis-surface tamis-toast", role: "status", popover: "manual" }, ...content);
    this.#takeAway = present(line);
    line.showPopover();
  }
}
