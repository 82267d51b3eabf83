// The list of all texts of the page, and why each was kept or dropped. It needs no frame: it is the way for keyboards
// and screen readers, and for texts that the page does not show at once.

import { count, make, percent } from "./dom.js";

const AT_ONCE = 300; // blocks that are listed until more are asked for
export const ROLES = {
  text: "text",
  title: "title",
  caption: "caption",
  note: "note",
  comment: "comment",
  related: "related",
  boilerplate: "boilerplate",
};
const FILTERS = { all: () => true, kept: (block) => block.keep, dropped: (block) => !block.keep };

/** From 1, a close call, to 4, a sure one: as the marks of the server have it. */
export function certainty(block, threshold) {
  const room = block.keep ? 1 - threshold : threshold;
  return Math.min(Math.floor((room ? Math.abs(block.score - threshold) / room : 1) * 4) + 1, 4);
}

const CERTAINTIES = ["", "a close call", "rather sure", "sure", "very sure"];

/**
 * For each block, the index of its explanation. An explanation can be of several blocks, such as the lines of a poem,
 * and at another threshold blocks begin elsewhere. Both tell the same text in the same order, so places in it decide.
 */
export function explanationsOf(blocks, explained) {
  const lengths = (list) => list.map((each) => each.text.replace(/\s+/g, "").length);
  const ends = [];
  let place = 0;
  for (const length of lengths(explained)) ends.push((place += length));
  const total = place;
  const byPath = new Map(explained.map((each, index) => [each.xpath, index]));
  let at = 0;
  place = 0;
  const sizes = lengths(blocks);
  const same = sizes.reduce((sum, each) => sum + each, 0) === total;
  return blocks.map((block, index) => {
    while (at < ends.length - 1 && ends[at] <= place) at++;
    place += sizes[index];
    return byPath.get(block.xpath) ?? (same ? at : -1);
  });
}

/** The list. */
export class Why {
  #panel;
  #list = make("ol", { class: "blocks" });
  #more = make("button", { type: "button", hidden: true, onclick: () => this.#showMore() });
  #filter = "all";
  #blocks = [];
  #threshold = 0.5;
  #shown = 0;
  #open = null;
  #explain;
  #onChoose;

  /**
   * `explain` gives a promise of the explanation of a block: { explained, remark, threshold }; explained may be null.
   * `onChoose` is called with the number of a block that is chosen here, or null.
   */
  constructor(panel, explain, onChoose) {
    this.#panel = panel;
    this.#explain = explain;
    this.#onChoose = onChoose;
    const choice = ([value]) =>
      make(
        "label",
        {},
        make("input", {
          type: "radio",
          name: "filter",
          value,
          checked: value === "all",
          onchange: () => {
            this.#filter = value;
            this.#list.replaceChildren();
            this.#shown = 0;
            this.#showMore();
          },
        }),
        make("span", {}, value),
      );
    panel.append(
      make(
        "fieldset",
        { class: "filter" },
        make("legend", { class: "unseen" }, "Which texts are listed"),
        make("div", { class: "segments" }, ...Object.entries(FILTERS).map(choice)),
      ),
      this.#list,
      this.#more,
    );
  }

  /** List the blocks of a page. The one that was open stays open; its number is returned, or null. */
  show(blocks, threshold) {
    const before = this.#open === null ? null : this.#blocks[this.#open];
    this.#blocks = blocks;
    this.#threshold = threshold;
    this.#open = null;
    this.#shown = 0;
    this.#list.replaceChildren();
    this.#showMore();
    // At another threshold numbers differ, and a block may have become a part of a larger one.
    const isSame = (block) => block.xpath === before.xpath;
    const holds = (block) => block.text.includes(before.text);
    const open = before === null ? -1 : [isSame, holds].map((is) => blocks.findIndex(is)).find((at) => at >= 0) ?? -1;
    if (open < 0) return null;
    this.choose(open, false);
    return open;
  }

  /** Forget which block is open: there is another page. */
  forget() {
    this.#open = null;
  }

  /** Open a block, and with `reveal` go to it. */
  choose(number, reveal) {
    if (!FILTERS[this.#filter](this.#blocks[number])) {
      this.#panel.querySelector("input[value=all]").click();
    }
    while (!this.#item(number) && !this.#more.hidden) this.#showMore();
    const item = this.#item(number);
    if (!item) return;
    const shown = this.#toggle(item, number, true);
    if (!reveal) return;
    item.querySelector("button").focus({ preventScroll: true });
    this.#reach(item);
    shown.then(() => this.#reach(item)); // the reasons need room, too
  }

  /** Scroll the list to an item, and the page only if that is not enough. */
  #reach(item) {
    if (!item.isConnected) return;
    const [list, box] = [this.#list.getBoundingClientRect(), item.getBoundingClientRect()];
    if (box.top < list.top || box.bottom > list.bottom) this.#list.scrollTop += box.top - list.top;
    const { top } = item.getBoundingClientRect();
    if (top < 0 || top > 0.8 * innerHeight) item.scrollIntoView({ block: "nearest" });
  }

  #item(number) {
    return this.#list.querySelector(`:scope > [data-number="${number}"]`);
  }

  #showMore() {
    const wanted = this.#blocks
      .map((block, number) => [block, number])
      .filter(([block]) => FILTERS[this.#filter](block));
    this.#list.append(
      ...wanted.slice(this.#shown, this.#shown + AT_ONCE).map(([block, number]) => this.#entry(block, number)),
    );
    this.#shown = Math.min(this.#shown + AT_ONCE, wanted.length);
    this.#more.hidden = this.#shown >= wanted.length;
    this.#more.textContent = `Show more of ${count(wanted.length)} texts`;
    if (!wanted.length) this.#list.append(make("li", { class: "empty" }, "There is no such text."));
  }

  #entry(block, number) {
    const verdict = block.keep ? "kept" : "dropped";
    const button = make(
      "button",
      { type: "button", "aria-expanded": "false" },
      make(
        "span",
        {
          class: `mark role-${block.role} ${verdict} sure-${certainty(block, this.#threshold)}`,
          "aria-hidden": "true",
        },
        block.keep ? "✓" : "–",
      ),
      make(
        "span",
        { class: "verdict" },
        `${verdict} `,
        make("small", {}, `${ROLES[block.role] ?? block.role} ${block.score.toFixed(2)}`),
      ),
      make("span", { class: "words" }, " ", block.text.slice(0, 300)),
    );
    const item = make("li", { "data-number": number, class: verdict }, button);
    button.addEventListener("click", () => {
      const opens = button.getAttribute("aria-expanded") !== "true";
      this.#toggle(item, number, opens);
      this.#onChoose(opens ? number : null);
    });
    return item;
  }

  /** At most one is open. */
  #toggle(item, number, opens) {
    for (const button of this.#list.querySelectorAll("[aria-expanded=true]")) {
      button.setAttribute("aria-expanded", "false");
      button.parentElement.querySelector(".reasons")?.remove();
    }
    this.#open = opens ? number : null;
    if (!opens) return Promise.resolve();
    item.querySelector("button").setAttribute("aria-expanded", "true");
    const place = make(
      "div",
      { class: "reasons", "aria-live": "polite" },
      make("p", { class: "quiet" }, "Looking for reasons …"),
    );
    item.append(place);
    const block = this.#blocks[number];
    return this.#explain(number).then(
      (found) => place.replaceChildren(...reasons(block, this.#threshold, found)),
      (problem) => place.replaceChildren(make("p", {}, `${problem.title ?? problem}: ${problem.detail ?? ""}`)),
    );
  }
}

function reasons(block, threshold, { explained, remark, threshold: own }) {
  const limit =
    Math.abs(threshold - own) < 0.00005
      ? `kept from ${threshold.toFixed(2)} on`
      : `kept from ${threshold.toFixed(2)} on; the extractor's own threshold is ${own.toFixed(2)}`;
  const parts = [
    make(
      "p",
      {},
      make("b", {}, block.keep ? "Kept" : "Dropped"),
      `, ${CERTAINTIES[certainty(block, threshold)]}: its score is ${block.score.toFixed(2)} (${limit}). Its role is ${ROLES[block.role] ?? block.role}.`,
    ),
  ];
  if (explained?.note) parts.push(make("p", {}, `Note: ${explained.note}.`));
  if (explained?.usual !== null && explained?.usual !== undefined) {
    parts.push(
      make(
        "p",
        {},
        `A typical ${explained.kind} would get ${explained.usual.toFixed(2)} here. What makes the difference:`,
      ),
    );
    parts.push(table(explained.reasons));
  }
  if (!explained) parts.push(make("p", {}, remark || "There are no reasons for this text."));
  else if (remark) parts.push(make("p", {}, `No reasons: ${remark}.`));
  parts.push(make("p", { class: "path" }, make("code", {}, block.xpath)));
  return parts;
}

function table(list) {
  const strongest = Math.max(...list.map((reason) => Math.abs(reason.effect)), 1);
  const rows = list
    .filter((reason) => Math.abs(reason.effect) >= 0.05)
    .map((reason) => {
      const bar = make("i", { class: reason.effect > 0 ? "for" : "against", "aria-hidden": "true" });
      bar.style.setProperty("--w", percent(Math.abs(reason.effect) / strongest).replace(" ", ""));
      const sign = reason.effect > 0 ? "+" : "−";
      return make(
        "tr",
        {},
        make("td", { class: "effect" }, bar, `${sign}${Math.abs(reason.effect).toFixed(1)}`),
        make("th", { scope: "row" }, reason.group),
        make("td", {}, reason.words),
      );
    });
  return make(
    "table",
    {},
    make("caption", { class: "unseen" }, "Reasons, the strongest first; above zero they speak for keeping"),
    make(
      "thead",
      { class: "unseen" },
      make("tr", {}, ...["effect", "what", "here"].map((name) => make("th", { scope: "col" }, name))),
    ),
    make("tbody", {}, ...rows),
  );
}
