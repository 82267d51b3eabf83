// What the reader asked for, one wish after the other: read the page where needed, show or hide a view, and tell
// whoever listens how things stand.

import { extractors, htmlOf, markdownOf, textOf } from "../core/index.js";
import { Pace } from "../core/pace.js";
import { readSettings, writeSettings } from "../shared/settings.js";
import { Changes } from "./changes.js";
import { addressOf, titleOf } from "./dom.js";
import { aFrame, atOnce, frameByFrame } from "./frames.js";
import { noticeOf } from "./notice.js";
import { Sieve } from "./sieve.js";
import { HighlightView } from "./views/highlight.js";
import { IsolateView } from "./views/isolate.js";
import { ReaderView } from "./views/reader.js";
import { WhyView } from "./views/why.js";

// Views that change how the page itself looks.
const STYLED = new Set(["highlight", "isolate"]);
const FORMS = { markdown: markdownOf, html: htmlOf, text: textOf };

// After a change a page is read again when it has been quiet for this long, or has taken ten times as long as reading
// it took: never more than a tenth of the time goes into following it.
const QUIET = 700;
const REST = 10;

export class Controller {
  #views = {
    highlight: new HighlightView(),
    isolate: new IsolateView(),
    reader: new ReaderView(() => this.do({ action: "reader" })),
    why: new WhyView(() => this.do({ action: "why" })),
  };
  #on = new Set();
  #settings = null;
  #queue = Promise.resolve();
  #abort = new AbortController();
  #sieve = new Sieve((share) => this.#tell({ busy: share }));
  #changes = new Changes(() => this.#changed());
  #timer = 0;
  #known = null; // the last result
  #stale = false;
  #busy = null; // a share from 0 to 1
  #notice = null;
  #listen;
  #addStyles;
  #styled = new Set(); // documents that have our styles

  /**
   * @param {(state: object) => void} listen is told the state whenever it changes
   * @param {() => Promise<void>} addStyles is called when the page, or a frame in it, lacks the styles of a view
   */
  constructor(listen, addStyles) {
    this.#listen = listen;
    this.#addStyles = addStyles;
  }

  /** All that the panel shows. */
  get state() {
    return {
      extractors,
      extractor: Sieve.choose(this.#settings?.extractor),
      follow: this.#settings?.follow ?? true,
      on: [...this.#on],
      busy: this.#busy,
      stale: this.#stale,
      notice: this.#notice,
      counts: this.#known?.counts ?? null,
    };
  }

  /** Carry out one wish after those before it; cancelling does not wait. Resolves when done, never rejects. */
  do(wish) {
    if (wish.action === "cancel") {
      this.#abort.abort(new DOMException("cancelled", "AbortError"));
      return Promise.resolve();
    }
    return this.#afterOthers(() => this.#carryOut(wish));
  }

  /** The content in a form to take away, and the page's title; no text where there is none, and the state says why. */
  render(form) {
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

  // One wish that fails must not hold up the next.
  #afterOthers(work) {
    this.#queue = this.#queue.then(work).catch((error) => this.#tell({ notice: this.#noticed(error) }));
    return this.#queue;
  }

  async #carryOut({ action, value }) {
    this.#settings = await readSettings();
    if (action in this.#views) await this.#toggle(action);
    else if (action === "extractor") await this.#change({ extractor: value });
    else if (action === "follow") await this.#change({ follow: Boolean(value) });
    else if (action === "refresh") await this.#refresh();
    else if (action === "look") await this.#look();
  }

  // For a panel that opens. Who does not want the page to be followed is told that it has changed, and sees what was.
  async #look() {
    if (this.#settings.follow && !(await this.#catchUp())) return;
    if (this.#stale && this.#on.size) this.#tell({});
    else await this.#attempt((signal) => this.#result(signal));
  }

  // Where the page is about to be read again, the views that are on must not stay behind. False when cancelled.
  async #catchUp() {
    if (!this.#stale || !this.#on.size) return true;
    await this.#refresh();
    return this.#notice?.key !== "cancelled";
  }

  async #toggle(name) {
    const view = this.#views[name];
    if (this.#on.has(name)) {
      await frameByFrame(view.hide());
      this.#on.delete(name);
      this.#tell({ notice: null });
      return;
    }
    if (!(await this.#catchUp())) return;
    const shown = await this.#attempt(async (signal) => {
      await this.#show(name, await this.#result(signal), signal);
      return true;
    });
    if (shown) this.#on.add(name);
    else await frameByFrame(view.hide());
    this.#tell({});
  }

  async #change(setting) {
    await writeSettings(setting);
    Object.assign(this.#settings, setting);
    if (setting.follow) await this.#catchUp();
    else if ("extractor" in setting) await this.#showAgain();
    this.#tell({});
  }

  async #refresh() {
    this.#sieve.forget();
    await this.#showAgain();
  }

  // Every view that is on, with the present answer. Where there is none, the page is given back; where the reader would
  // not wait for it, the views stay as they were.
  async #showAgain() {
    const shown = await this.#attempt(async (signal) => {
      const result = await this.#result(signal);
      for (const name of this.#on) await this.#show(name, result, signal);
      return true;
    });
    if (shown || this.#notice?.key === "cancelled") return;
    for (const name of this.#on) await frameByFrame(this.#views[name].hide());
    this.#on.clear();
    this.#tell({});
  }

  async #result(signal) {
    const wasStale = this.#stale;
    if (wasStale) this.#sieve.forget();
    // A change from now on is a change of what is being read.
    this.#stale = false;
    clearTimeout(this.#timer);
    let result;
    try {
      result = await this.#sieve.result(Sieve.choose(this.#settings.extractor), signal);
    } catch (error) {
      this.#stale ||= wasStale; // what is known is no younger for that
      throw error;
    }
    if (result.table !== this.#known?.table) this.#changes.watch(result.table.leaves);
    this.#known = result;
    return result;
  }

  async #show(name, result, signal) {
    if (STYLED.has(name)) {
      const documents = new Set(result.table.leaves.map(({ node }) => node.ownerDocument));
      if ([...documents].some((each) => !this.#styled.has(each))) {
        await this.#addStyles();
        await aFrame(); // new styles are work enough for one
      }
      this.#styled = documents;
    }
    await this.#views[name].show(result, signal);
  }

  // Work that may be cancelled or fail; undefined where it did.
  async #attempt(work) {
    this.#settings ??= await readSettings();
    this.#abort = new AbortController();
    this.#tell({ busy: 0, notice: null });
    try {
      return await work(this.#abort.signal);
    } catch (error) {
      this.#notice = this.#noticed(error);
      return undefined;
    } finally {
      this.#tell({ busy: null });
    }
  }

  /** Give the page back and forget about it. */
  stop() {
    this.do({ action: "cancel" });
    clearTimeout(this.#timer);
    this.#changes.stop();
    for (const view of Object.values(this.#views)) atOnce(view.hide());
    this.#on.clear();
  }

  #noticed(error) {
    const notice = noticeOf(error);
    if (notice.key === "failed") console.warn("tamis:", error); // for whoever reports it
    return notice;
  }

  #changed() {
    if (!this.#stale) {
      this.#stale = true;
      this.#tell({});
    }
    if (!this.#settings?.follow || !this.#on.size) return;
    clearTimeout(this.#timer);
    const wait = Math.max(QUIET, REST * (this.#known?.milliseconds ?? 0));
    this.#timer = setTimeout(() => this.do({ action: "refresh" }), wait);
  }

  #tell({ busy = this.#busy, notice = this.#notice }) {
    this.#busy = busy;
    this.#notice = notice;
    this.#listen(this.state);
  }
}
