// The content alone, in one quiet column over the page. The page below stays as it is.

import { contentOf } from "../../core/index.js";
import { Pace } from "../../core/pace.js";
import { writtenTree } from "../../core/render/html.js";
import { READER_FONTS, READER_SIZES, READER_THEMES, readSettings, writeSettings } from "../../shared/settings.js";
import { asNumber, say } from "../../shared/strings.js";
import { addressOf, baseOf, body, documentElement, selectAll, titleOf } from "../dom.js";
import { make } from "../host.js";
import { addClean } from "./clean.js";
import { cover } from "./cover.js";

const WORDS_PER_MINUTE = 230; // adults reading English silently (Brysbaert 2019: 238 for prose, 260 for fiction)
const THEME_NAMES = { auto: "themeAuto", light: "themeLight", sepia: "themeSepia", dark: "themeDark" };
const TOP = 90; // pixels from the edge of the window to below the toolbar
const FONT_NAMES = { serif: "fontSerif", sans: "fontSans" };

export class ReaderView {
  #uncover = null;
  #dialog = null;
  #article = null;
  #written = null; // what is in the article, as HTML
  #settings = null;
  #close;

  /** @param {() => void} close is called when the reader wants to leave */
  constructor(close) {
    this.#close = close;
  }

  async show(result, signal) {
    this.#settings = await readSettings();
    const pace = new Pace({ signal });
    const tree = await contentOf(result.table, result.labels, { url: addressOf(document), pace });
    const written = await pace.finish(writtenTree(tree));
    if (this.#dialog && written === this.#written) return; // the page has changed elsewhere
    const article = frontOf(result);
    let stay = () => {};
    await pace.rest(1); // what comes is work enough for one task
    if (!this.#dialog) this.#open(article, isHuge(result));
    else if (isHuge(result)) stay = this.#exchange(article); // all of it at once would be too much to lay out
    await pace.rest(1);
    await pace.finish(addClean(article, tree, baseOf(document)));
    if (!article.querySelector("h1")) article.querySelector(".tamis-facts").after(make("h1", {}, titleOfPage()));
    if (this.#article !== article) stay = this.#exchange(article);
    stay();
    this.#written = written;
  }

  #open(article, isHuge) {
    this.#dialog = make("dialog", { class: "tamis-surface tamis-reader", "aria-label": say("readerLabel") });
    this.#dialog.append(this.#toolbar(), article);
    this.#article = article;
    this.#dress();
    // The article has the focus, so that arrows and space scroll.
    this.#uncover = cover(this.#dialog, article, { isHuge, leave: this.#close });
  }

  // Put another article in place. Returns what scrolls to where the reader was, when all is there. Of a huge article
  // most heights are guesses, and those of the new one are others, so it is not enough to scroll as far.
  #exchange(article) {
    const { scrollTop } = this.#dialog;
    const top = this.#article.getRootNode().elementFromPoint(innerWidth / 2, TOP);
    const place = [...this.#article.querySelectorAll("*")].indexOf(top);
    const before = top?.getBoundingClientRect().top;
    this.#article.replaceWith(article);
    this.#article = article;
    article.focus({ preventScroll: true });
    return () => {
      this.#dialog.scrollTop = scrollTop;
      const now = place < 0 ? null : article.querySelectorAll("*")[place];
      if (now) this.#dialog.scrollTop += now.getBoundingClientRect().top - before;
    };
  }

  /** Leave nothing, in steps (frames.js). */
  *hide() {
    this.#uncover?.();
    this.#uncover = this.#dialog = this.#article = this.#written = null;
  }

  #toolbar() {
    const button = (name, text, action) => {
      const words = say(name);
      const made = make("button", { type: "button", class: "tamis-button", "aria-label": words, title: words }, text);
      made.addEventListener("click", action);
      return made;
    };
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
      choice("font", "readerFont", READER_FONTS, FONT_NAMES),
      choice("theme", "readerTheme", READER_THEMES, THEME_NAMES),
      make("span", { class: "tamis-stretch" }),
      button("closeReader", "✕", () => this.#close()),
    );
  }

  #resize(direction) {
    const place = READER_SIZES.indexOf(this.#settings.readerSize) + direction;
    if (place >= 0 && place < READER_SIZES.length) this.#set({ readerSize: READER_SIZES[place] });
  }

  #set(changed) {
    Object.assign(this.#settings, changed);
    this.#dress();
    writeSettings(changed);
  }

  #dress() {
    this.#dialog.dataset.theme = this.#settings.readerTheme;
    this.#dialog.dataset.font = this.#settings.readerFont;
    this.#dialog.style.setProperty("--tamis-size", `${this.#settings.readerSize}px`);
  }
}

// A browser that lays out all of such a page at once is busy for a second.
const HUGE = 10_000; // leaves

const isHuge = ({ table }) => table.leaves.length > HUGE;

// The article before anything is in it.
function frontOf(result) {
  const article = make("article", { tabindex: "-1" });
  if (isHuge(result)) article.className = "tamis-huge";
  article.lang = documentElement(document).lang;
  article.dir = getComputedStyle(body(document) ?? documentElement(document)).direction;
  const minutes = Math.max(1, Math.round(result.counts.kept / WORDS_PER_MINUTE));
  const facts = [location.hostname, say("readingTime", asNumber(minutes))].filter(Boolean).join(" · ");
  article.append(make("p", { class: "tamis-facts" }, facts));
  return article;
}

// The page's title often has the name of the site in it; a heading that it repeats has not.
function titleOfPage() {
  const words = (heading) => heading.textContent.trim().replace(/\s+/g, " ");
  const headings = [...selectAll(document, "h1")].map(words);
  const title = titleOf(document);
  return headings.find((heading) => heading && title.includes(heading)) ?? title;
}
