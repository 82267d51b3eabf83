// A line at the edge of the page with progress and errors, for commands by keyboard without an open panel.

import { say } from "../shared/strings.js";
import { make, present } from "./host.js";

const DELAY = 400; // milliseconds of work before progress is shown
const DURATION = 5000; // milliseconds that a message is shown

export class Toast {
  /** @type {(() => void) | null} */
  #remove = null;
  #timer = 0;
  /** @type {HTMLProgressElement | null} */
  #bar = null;

  /** Show progress if the work takes long. @param {() => void} cancel */
  working(cancel) {
    if (this.#bar || this.#timer) return;
    this.clear();
    this.#timer = window.setTimeout(() => {
      this.#timer = 0;
      this.#bar = make("progress", { max: "1", value: "0", "aria-label": say("working") });
      const button = make("button", { type: "button", class: "tamis-button" }, say("cancel"));
      button.addEventListener("click", cancel);
      this.#show(make("span", {}, say("working")), this.#bar, button);
    }, DELAY);
  }

  /** @param {number} share */
  progress(share) {
    if (this.#bar) this.#bar.value = share;
  }

  /** Show a message for a while. @param {string} text */
  message(text) {
    this.clear();
    this.#show(make("span", {}, text));
    this.#timer = window.setTimeout(() => this.clear(), DURATION);
  }

  clear() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#bar = null;
    this.#remove?.();
    this.#remove = null;
  }

  /** @param {Node[]} content */
  #show(...content) {
    this.#remove?.();
    const line = make("div", { class: "tamis-surface tamis-toast", role: "status", popover: "manual" }, ...content);
    this.#remove = present(line);
    line.showPopover();
  }
}
