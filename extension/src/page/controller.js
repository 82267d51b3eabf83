// Carries out the user's commands one after another: reads the page where needed, shows or hides a view, and reports
// the state after each change.

/** @import {Settings} from "../shared/settings.js" */
/** @import {Result} from "./analysis.js" */
/** @import {Message} from "./notice.js" */

import { extractors, htmlOf, markdownOf, textOf } from "../core/index.js";
import { Pace } from "../core/pace.js";
import { DEFAULTS, readSettings, writeSettings } from "../shared/settings.js";
import { Analysis } from "./analysis.js";
import { Changes } from "./changes.js";
import { addressOf, titleOf } from "./dom.js";
import { aFrame, atOnce, frameByFrame } from "./frames.js";
import { noticeOf } from "./notice.js";
import { HighlightView } from "./views/highlight.js";
import { IsolateView } from "./views/isolate.js";
import { ReaderView } from "./views/reader.js";
import { WhyView } from "./views/why.js";

// The views that change how the page itself looks.
const STYLED = new Set(["highlight", "isolate"]);
const FORMS = { markdown: markdownOf, html: htmlOf, text: textOf };

// After a change a page is read again when it has not changed for this many milliseconds, or for ten times as long as
// reading took: following the page never takes more than a tenth of the time.
const QUIET = 700;
const REST = 10;

/**
 * @typedef {"highlight" | "isolate" | "reader" | "why"} ViewName
 * @typedef {keyof typeof FORMS} Form
 *
 * @typedef {object} Command
 * @property {ViewName | "extractor" | "follow" | "refresh" | "look" | "cancel"} action a view is toggled, a setting gets
 *   a value; "look" is for a panel that opens
 * @property {string | boolean} [value]
 *
 * @typedef {object} View
 * @property {(result: Result, signal: AbortSignal) => Promise<void>} show replaces what was shown before
 * @property {() => Generator<void, void, void>} hide in steps (frames.js)
 *
 * @typedef {object} State what the panel shows
 * @property {{name: string, label: string}[]} extractors
 * @property {string} extractor the chosen one
 * @property {boolean} follow
 * @property {ViewName[]} on the views that are on
 * @property {number | null} busy the progress from 0 to 1 of work that is under way
 * @property {boolean} stale true if the page has changed since it was read
 * @property {Message | null} notice
 * @property {Result["counts"] | null} counts
 */

export class Controller {
  /** @type {Record<ViewName, View>} */
  #views = {
    highlight: new HighlightView(),
    isolate: new IsolateView(),
    reader: new ReaderView(() => this.do({ action: "reader" })),
    why: new WhyView(() => this.do({ action: "why" })),
  };
  /** @type {Set<ViewName>} */
  #on = new Set();
  /** @type {Settings | null} */
  #settings = null;
  /** @type {Promise<void>} */
  #queue = Promise.resolve();
  #abort = new AbortController();
  #analysis = new Analysis((share) => this.#report({ busy: share }));
  #changes = new Changes(() => this.#changed());
  #timer = 0;
  /** @type {Result | null} */
  #known = null; // the last result
  #stale = false;
  /** @type {number | null} */
  #busy = null;
  /** @type {Message | null} */
  #notice = null;
  #listen;
  #addStyles;
  /** @type {Set<Document | null>} */
  #styled = new Set(); // documents that have our styles

  /**
   * @param {(state: State) => void} listen is called with the state after each change
   * @param {() => Promise<void>} addStyles is called when the page, or a frame in it, lacks the styles of a view
   */
  constructor(listen, addStyles) {
    this.#listen = listen;
    this.#addStyles = addStyles;
  }

  /** @returns {State} */
  get state() {
    return {
      extractors,
      extractor: Analysis.choose(this.#settings?.extractor),
      follow: this.#settings?.follow ?? true,
      on: [...this.#on],
      busy: this.#busy,
      stale: this.#stale,
      notice: this.#notice,
      counts: this.#known?.counts ?? null,
    };
  }

  /**
   * Carry out a command after those before it; "cancel" does not wait.
   *
   * @param {Command} command
   * @returns {Promise<void>} resolves when done, never rejects
   */
  do(command) {
    if (command.action === "cancel") {
      this.#abort.abort(new DOMException("cancelled", "AbortError"));
      return Promise.resolve();
    }
    return this.#afterOthers(() => this.#carryOut(command));
  }

  // The content in a format, and the title of the page. Without content there is no text, and the state says why.
  /** @param {Form} form */
  render(form) {
    /** @type {{text?: string, title?: string}} */
    let answer = {};
    const done = this.#afterOthers(async () => {
      if (!(await this.#catchUp())) return;
      const text = await this.#attempt(async (signal) => {
        const { table, labels } = await this.#result(signal);
        return FORMS[form](table, labels, { url: addressOf(document), pace: new Pace({ signal }) });
      });
      answer = { text, title: titleOf(document) };
    });
    return done.then(() => answer);
  }

  /** @param {() => Promise<void>} work */
  #afterOthers(work) {
    // A command that fails must not stop the next.
    this.#queue = this.#queue.then(work).catch((error) => this.#report({ notice: this.#noticed(error) }));
    return this.#queue;
  }

  /** @param {Command} command */
  async #carryOut({ action, value }) {
    this.#settings = await readSettings();
    if (action === "extractor") await this.#change({ extractor: String(value) });
    else if (action === "follow") await this.#change({ follow: Boolean(value) });
    else if (action === "refresh") await this.#refresh();
    else if (action === "look") await this.#look();
    else if (action in this.#views) await this.#toggle(/** @type {ViewName} */ (action));
  }

  /** For a panel that opens: bring the state up to date. Without `follow`, views stay and the state says "stale". */
  async #look() {
    if (this.#settings?.follow && !(await this.#catchUp())) return;
    if (this.#stale && this.#on.size) this.#report({});
    else await this.#attempt((signal) => this.#result(signal));
  }

  /** Show the views that are on again if the page has changed. False when cancelled. */
  async #catchUp() {
    if (!this.#stale || !this.#on.size) return true;
    await this.#refresh();
    return this.#notice?.key !== "cancelled";
  }

  /** @param {ViewName} name */
  async #toggle(name) {
    const view = this.#views[name];
    if (this.#on.has(name)) {
      await frameByFrame(view.hide());
      this.#on.delete(name);
      this.#report({ notice: null });
      return;
    }
    if (!(await this.#catchUp())) return;
    const shown = await this.#attempt(async (signal) => {
      await this.#show(name, await this.#result(signal), signal);
      return true;
    });
    if (shown) this.#on.add(name);
    else await frameByFrame(view.hide());
    this.#report({});
  }

  /** @param {Partial<Settings>} setting */
  async #change(setting) {
    await writeSettings(setting);
    this.#settings = { ...(this.#settings ?? DEFAULTS), ...setting };
    if (setting.follow) await this.#catchUp();
    else if ("extractor" in setting) await this.#showAgain();
    this.#report({});
  }

  async #refresh() {
    this.#analysis.forget();
    await this.#showAgain();
  }

  /** Show every view that is on with a new result. Without a result they are hidden; when cancelled they stay. */
  async #showAgain() {
    const shown = await this.#attempt(async (signal) => {
      const result = await this.#result(signal);
      for (const name of this.#on) await this.#show(name, result, signal);
      return true;
    });
    if (shown || this.#notice?.key === "cancelled") return;
    for (const name of this.#on) await frameByFrame(this.#views[name].hide());
    this.#on.clear();
    this.#report({});
  }

  /** The result for the chosen extractor. @param {AbortSignal} signal */
  async #result(signal) {
    const wasStale = this.#stale;
    if (wasStale) this.#analysis.forget();
    // Set before reading: a change during it makes the result stale again.
    this.#stale = false;
    clearTimeout(this.#timer);
    let result;
    try {
      result = await this.#analysis.result(Analysis.choose(this.#settings?.extractor), signal);
    } catch (error) {
      this.#stale ||= wasStale; // the last result is still the old one
      throw error;
    }
    if (result.table !== this.#known?.table) this.#changes.watch(result.table.leaves);
    this.#known = result;
    return result;
  }

  /** @param {ViewName} name @param {Result} result @param {AbortSignal} signal */
  async #show(name, result, signal) {
    if (STYLED.has(name)) {
      const documents = new Set(result.table.leaves.map(({ node }) => node.ownerDocument));
      if ([...documents].some((each) => !this.#styled.has(each))) {
        await this.#addStyles();
        await aFrame(); // new styles fill a frame
      }
      this.#styled = documents;
    }
    await this.#views[name].show(result, signal);
  }

  /**
   * Do work that may be cancelled or fail.
   *
   * @template T
   * @param {(signal: AbortSignal) => Promise<T>} work
   * @returns {Promise<T | undefined>} undefined if it was cancelled or failed
   */
  async #attempt(work) {
    this.#settings ??= await readSettings();
    this.#abort = new AbortController();
    this.#report({ busy: 0, notice: null });
    try {
      return await work(this.#abort.signal);
    } catch (error) {
      this.#notice = this.#noticed(error);
      return undefined;
    } finally {
      this.#report({ busy: null });
    }
  }

  /** Hide all views and stop observing the page. */
  stop() {
    this.do({ action: "cancel" });
    clearTimeout(this.#timer);
    this.#changes.stop();
    for (const view of Object.values(this.#views)) atOnce(view.hide());
    this.#on.clear();
  }

  /** @param {unknown} error */
  #noticed(error) {
    const notice = noticeOf(error);
    if (notice.key === "failed") console.warn("tamis:", error); // for bug reports
    return notice;
  }

  #changed() {
    if (!this.#stale) {
      this.#stale = true;
      this.#report({});
    }
    if (!this.#settings?.follow || !this.#on.size) return;
    clearTimeout(this.#timer);
    const wait = Math.max(QUIET, REST * (this.#known?.milliseconds ?? 0));
    this.#timer = window.setTimeout(() => this.do({ action: "refresh" }), wait);
  }

  /** Report the state with some changes. @param {{busy?: number | null, notice?: Message | null}} changes */
  #report({ busy = this.#busy, notice = this.#notice }) {
    this.#busy = busy;
    this.#notice = notice;
    this.#listen(this.state);
  }
}
