// The content alone, in one quiet column over the page. The page below stays as it is.

import { htmlOf } from "../../core/index.js";
import { Pace } from "../../core/pace.js";
import { READER_FONTS, READER_SIZES, READER_THEMES, readSettings, writeSettings } from "../../shared/settings.js";
import { asNumber, say } from "../../shared/strings.js";
import { addressOf, baseOf, body, documentElement, selectAll, titleOf } from "../dom.js";
import { make, present } from "../host.js";
import { addClean } from "./clean.js";

const WORDS_PER_MINUTE = 230; // adults reading English silently (Brysbaert 2019: 238 for prose, 260 for fiction)
const THEME_NAMES = { auto: "themeAuto", light: "themeLight", sepia: "themeSepia", dark: "themeDark" };
const FONT_NAMES = { serif: "fontSerif", sans: "fontSans" };

export class ReaderView {
  #takeAway = null;
  #dialog = null;
  #article = null;
  #settings = null;
  #close;

  /** @param {() => void} close is called when the reader wants to leave */
  constructor(close) {
    this.#close = close;
  }

  async show(result, signal) {
    this.#settings = await readSettings();
    const pace = new Pace({ signal });
    const html = await htmlOf(result.table, result.labels, { url: addressOf(document) });
    await pace.rest(0);
    const article = frontOf(result);
    if (this.#dialog) {
      this.#article.replaceWith(article);
    } else {
      this.#dialog = make("dialog", { class: "tamis-surface tamis-reader", "aria-label": say("readerLabel") });
      this.#dialog.append(this.#toolbar(), article);
      this.#dialog.addEventListener("cancel", (event) => {
        event.preventDefault(); // Escape: by the same way out as the button
        this.#close();
      });
      this.#dialog.addEventListener("keydown", (event) => event.stopPropagation()); // the page has keys of its own
      this.#takeAway = present(this.#dialog, { modal: !isHuge(result) });
      this.#dialog.showModal();
      article.focus({ preventScroll: true }); // so that arrows and space scroll
    }
    this.#article = article;
    this.#dress();
    await pace.rest(0);
    await addClean(article, html, baseOf(document), pace);
    if (!article.querySelector("h1")) article.querySelector(".tamis-facts").after(make("h1", {}, titleOfPage()));
  }

  hide() {
    this.#dialog?.close(); // gives the focus back to where it was
    this.#takeAway?.();
    this.#takeAway = this.#dialog = this.#article = null;
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
