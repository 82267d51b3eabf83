// Parts of a page are shown in frames that run nothing and load nothing.
//
// Every frame is a srcdoc, so it inherits the policy of this page: no script but our own files, no image, no frame, no
// form. Its content begins with a policy of its own that allows styles in the page and nothing else. And every frame is
// sandboxed without allow-scripts, allow-forms, allow-popups and allow-top-navigation: whatever markup is in it, the
// browser runs no script element, no handler and no javascript: address, follows no refresh, sends no form and leaves
// the other pages of the browser alone.

import { make } from "./dom.js";

const LONGEST = 8_000_000; // characters that are shown; a browser takes seconds for more

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

const STYLE = `
:root { color-scheme: light dark; }
body { font: 1.05rem/1.65 Georgia, serif; max-width: 42rem; margin: 1.2rem auto; padding: 0 1.1rem; overflow-wrap: anywhere; }
h1, h2, h3, h4 { line-height: 1.25; } pre { overflow-x: auto; } pre, code { font-size: .85rem; }
table { border-collapse: collapse; } td, th { padding: .25rem .7rem; border: 1px solid #8886; text-align: left; }
blockquote { margin-inline: 0; padding-inline-start: 1rem; border-inline-start: 3px solid #8886; }
a { text-decoration: underline; text-underline-offset: .15em; }
.medium { font: .85rem/1.4 system-ui, sans-serif; border: 1px dashed #888; border-radius: .3rem; padding: .15rem .5rem; }
`;

/**
 * The annotated copy of a page, whose texts can be chosen.
 *
 * The frame has allow-same-origin, so that this page can listen to clicks in it and mark the chosen block. That is safe
 * because the frame has not allow-scripts: nothing of the page can ever run, so nothing of it can use the origin. Never
 * give it both. The copy has no script and no address anyway (tamis.render.html.annotate).
 */
export class MarkedPage {
  #holder;
  #frame = null;
  #chosen = null;
  #onChoose;

  /** `onChoose` is called with the number of the block that was clicked. */
  constructor(holder, onChoose) {
    this.#holder = holder;
    this.#onChoose = onChoose;
  }

  /** Show a copy, scrolled as the one before if `stay`. */
  show(copy, stay) {
    const top = stay && this.#frame ? (this.#frame.contentWindow?.scrollY ?? 0) : 0;
    this.#frame = null;
    if (copy.length > LONGEST) {
      this.#holder.replaceChildren(
        make("p", { class: "empty" }, "The page is too large to be shown. Its texts are under “Why”."),
      );
      return;
    }
    const frame = make("iframe", {
      sandbox: "allow-same-origin",
      title: "The page, with its texts marked",
      referrerpolicy: "no-referrer",
      class: "page",
    });
    frame.srcdoc = copy;
    frame.addEventListener("load", () => {
      const inside = frame.contentDocument;
      inside.addEventListener("click", (event) => {
        event.preventDefault();
        const mark = event.target.closest?.("[data-block]");
        if (mark) this.#onChoose(Number(mark.dataset.block));
      });
      inside.addEventListener("submit", (event) => event.preventDefault());
      frame.contentWindow.scrollTo(0, top);
      if (this.#chosen !== null) this.#mark(this.#chosen, false);
    });
    this.#frame = frame;
    this.#holder.replaceChildren(frame);
  }

  /** Mark a block as chosen, or none; with `reveal` the page is scrolled to it. */
  choose(block, reveal) {
    this.#chosen = block;
    this.#mark(block, reveal);
  }

  #mark(block, reveal) {
    const inside = this.#frame?.contentDocument;
    if (!inside) return;
    for (const mark of inside.querySelectorAll("[data-chosen]")) mark.removeAttribute("data-chosen");
    if (block === null) return;
    const marks = inside.querySelectorAll(`[data-block="${Number(block)}"]`);
    for (const mark of marks) mark.setAttribute("data-chosen", "");
    const box = marks[0]?.getBoundingClientRect();
    if (reveal && box) {
      // only the frame is scrolled: scrollIntoView would move this page, too
      const view = this.#frame.contentWindow;
      view.scrollTo(0, view.scrollY + box.top - view.innerHeight / 3);
    }
  }
}

/** A frame with the content as the server wrote it in HTML; links and media stay texts. */
export function contentFrame(html, title) {
  const frame = make("iframe", { sandbox: "", title, referrerpolicy: "no-referrer", class: "content" });
  const inside = new DOMParser().parseFromString(html, "text/html"); // runs and loads nothing
  for (const link of inside.querySelectorAll("[href]")) {
    link.title ||= link.getAttribute("href");
    link.removeAttribute("href");
  }
  for (const medium of inside.querySelectorAll("img, video, audio, iframe, picture, object, embed")) {
    if (!medium.isConnected) continue;
    const words = medium.getAttribute("alt") || medium.getAttribute("title") || medium.getAttribute("src") || "";
    const kind = { img: "image", picture: "image", iframe: "embedded" }[medium.localName] ?? medium.localName;
    const place = inside.createElement("span");
    place.className = "medium";
    place.textContent = `${kind}: ${words.slice(0, 200)}`;
    medium.replaceWith(place);
  }
  const body = inside.body.innerHTML;
  frame.srcdoc =
    `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}">` +
    `<style>${STYLE}</style>${body.length > LONGEST ? "<p>The content is too long to be shown.</p>" : body}`;
  return frame;
}
