// The content alone, in one column over the page. The page below is not changed.

/** @import {Settings} from "../../shared/settings.js" */
/** @import {Result} from "../analysis.js" */

import { folded } from "../../core/characters.js";
import { contentOf } from "../../core/index.js";
import { Pace } from "../../core/pace.js";
import * as settings from "../../shared/settings.js";
import { asNumber, say } from "../../shared/strings.js";
import { addressOf, body, documentElement, getAttribute, selectAll, titleOf } from "../dom.js";
import { make } from "../host.js";
import { cover } from "./cover.js";
import { addShown } from "./shown.js";

const WORDS_PER_MINUTE = 230; // adults reading English silently (Brysbaert 2019: 238 for prose, 260 for fiction)
const THEME_NAMES = { auto: "themeAuto", light: "themeLight", sepia: "themeSepia", dark: "themeDark" };
const TOP = 90; // pixels from the edge of the window to below the toolbar
const FONT_NAMES = { serif: "fontSerif", sans: "fontSans" };

/**
 * @typedef {object} Shown the reader while it is open
 * @property {HTMLDialogElement} dialog
 * @property {HTMLElement} article
 * @property {() => void} uncover removes the dialog
 */

export class ReaderView {
  /** @type {Shown | null} */
  #shown = null;
  #written = ""; // the content of the article, as HTML
  /** @type {Settings} */
  #settings = { ...settings.DEFAULTS };
  #close;

  /** @param {() => void} close is called when the user closes the reader */
  constructor(close) {
    this.#close = close;
  }

  /** @param {Result} result @param {AbortSignal} signal */
  async show(result, signal) {
    this.#settings = await settings.readSettings();
    const pace = new Pace({ signal });
    const content = await contentOf(result.table, result.labels, { url: addressOf(document), pace });
    const written = content.innerHTML;
    if (this.#shown && written === this.#written) return; // the page has changed outside of the content
    const { article, facts } = frontOf(result);
    let restoreScroll = () => {};
    await pace.rest(1); // opening fills a task
    if (!this.#shown) this.#shown = this.#open(article, isHuge(result));
    else if (isHuge(result)) restoreScroll = exchange(this.#shown, article); // a full one would take long to lay out
    await pace.rest(1);
    await pace.finish(addShown(article, content));
    if (!article.querySelector("h1")) facts.after(make("h1", {}, titleOfPage()));
    if (this.#shown && this.#shown.article !== article) restoreScroll = exchange(this.#shown, article);
    restoreScroll();
    this.#written = written;
  }

  /** @param {HTMLElement} article @param {boolean} isHuge @returns {Shown} */
  #open(article, isHuge) {
    const dialog = make("dialog", { class: "tamis-surface tamis-reader", "aria-label": say("readerLabel") });
    dialog.append(this.#toolbar(), article);
    this.#applySettings(dialog);
    // The article has the focus, so that arrow keys and space scroll.
    return { dialog, article, uncover: cover(dialog, article, { isHuge, leave: this.#close }) };
  }

  /** Remove everything, in steps (frames.js). @returns {Generator<void, void, void>} */
  *hide() {
    this.#shown?.uncover();
    this.#shown = null;
    this.#written = "";
  }

  #toolbar() {
    /** @param {string} name @param {string} text @param {() => void} action */
    const button = (name, text, action) => {
      const words = say(name);
      const made = make("button", { type: "button", class: "tamis-button", "aria-label": words, title: words }, text);
      made.addEventListener("click", action);
      return made;
    };
    /**
     * @template {string} Value
     * @param {string} name
     * @param {"readerFont" | "readerTheme"} setting
     * @param {readonly Value[]} values
     * @param {Record<Value, string>} words the name of the string for each value
     */
    const choice = (name, setting, values, words) => {
      const select = make("select", { class: "tamis-button", "aria-label": say(name) });
      for (const value of values) select.append(make("option", { value }, say(words[value])));
      select.value = this.#settings[setting];
      select.addEventListener("change", () => this.#set({ [setting]: select.value }));
      return select;
    };
    return make(
      "div",
      { class: "tamis-toolbar", role: "toolbar", "aria-label": say("readerTools") },
      button("smaller", "A−", () => this.#resize(-1)),
      button("larger", "A+", () => this.#resize(1)),
      choice("font", "readerFont", settings.READER_FONTS, FONT_NAMES),
      choice("theme", "readerTheme", settings.READER_THEMES, THEME_NAMES),
      make("span", { class: "tamis-stretch" }),
      button("closeReader", "✕", () => this.#close()),
    );
  }

  /** @param {1 | -1} direction */
  #resize(direction) {
    const place = settings.READER_SIZES.indexOf(this.#settings.readerSize) + direction;
    if (place >= 0 && place < settings.READER_SIZES.length) this.#set({ readerSize: settings.READER_SIZES[place] });
  }

  /** @param {Partial<Settings>} changed */
  #set(changed) {
    this.#settings = { ...this.#settings, ...changed };
    if (this.#shown) this.#applySettings(this.#shown.dialog);
    settings.writeSettings(changed);
  }

  /** @param {HTMLDialogElement} dialog */
  #applySettings(dialog) {
    dialog.dataset.theme = this.#settings.readerTheme;
    dialog.dataset.font = this.#settings.readerFont;
    dialog.style.setProperty("--tamis-size", `${this.#settings.readerSize}px`);
  }
}

/**
 * Put another article in place. In a huge article most heights are estimates, so the same scroll position would show
 * another part: the element at the top has to be found again.
 *
 * @param {Shown} shown gets the new article
 * @param {HTMLElement} article
 * @returns {() => void} scrolls to where the user was; to be called when the article is complete
 */
function exchange(shown, article) {
  const { dialog, article: old } = shown;
  const { scrollTop } = dialog;
  const root = /** @type {ShadowRoot} */ (old.getRootNode());
  const top = root.elementFromPoint(innerWidth / 2, TOP);
  const place = top ? [...old.querySelectorAll("*")].indexOf(top) : -1;
  const before = top?.getBoundingClientRect().top ?? 0;
  old.replaceWith(article);
  shown.article = article;
  article.focus({ preventScroll: true });
  return () => {
    dialog.scrollTop = scrollTop;
    const now = place < 0 ? null : article.querySelectorAll("*")[place];
    if (now) dialog.scrollTop += now.getBoundingClientRect().top - before;
  };
}

// A browser that lays out all of such a page at once is blocked for a second.
const HUGE = 10_000; // leaves

/** @param {Result} result */
const isHuge = ({ table }) => table.leaves.length > HUGE;

/** An article without content, and the line with facts in it. @param {Result} result */
function frontOf(result) {
  const article = make("article", { tabindex: "-1" });
  if (isHuge(result)) article.className = "tamis-huge";
  article.lang = getAttribute(documentElement(document), "lang") ?? "";
  article.dir = getComputedStyle(body(document) ?? documentElement(document)).direction;
  const minutes = Math.max(1, Math.round(result.counts.kept / WORDS_PER_MINUTE));
  const text = [location.hostname, say("readingTime", asNumber(minutes))].filter(Boolean).join(" · ");
  const facts = make("p", { class: "tamis-facts" }, text);
  article.append(facts);
  article.addEventListener("click", (event) => goToNote(event, article));
  return { article, facts };
}

/** Scroll to a note, or from a note back to the text: the page itself knows nothing of them. */
function goToNote(/** @type {Event} */ event, /** @type {HTMLElement} */ article) {
  const link = /** @type {Element} */ (event.target).closest('a[href^="#fn"]');
  const note = link && article.querySelector(`[id="${CSS.escape(link.getAttribute("href")?.slice(1) ?? "")}"]`);
  if (!note) return;
  event.preventDefault();
  note.scrollIntoView({ block: "center" });
}

/** The first H1 that the page's title contains, or else the title, which often contains the name of the site too. */
function titleOfPage() {
  const headings = [...selectAll(document, "h1")].map((heading) => folded(heading.textContent ?? ""));
  const title = titleOf(document);
  return headings.find((heading) => heading && title.includes(heading)) ?? title;
}
