// The tabs: what the server wrote, in all forms.

import { copy, count, download, make, percent, plural } from "./dom.js";
import { compare } from "./diff.js";
import { contentFrame } from "./frames.js";

const LONGEST = 400_000; // characters of a text that are shown; copy and download have the whole text

/** Tabs after the pattern of ARIA: arrows move and choose, Home and End go to the ends. */
export class Tabs {
  #tabs = [];
  #onChange;

  constructor(list, panels, names, onChange) {
    this.#onChange = onChange;
    for (const [id, name] of Object.entries(names)) {
      const tab = make(
        "button",
        {
          type: "button",
          role: "tab",
          id: `tab-${id}`,
          "aria-controls": `panel-${id}`,
          onclick: () => this.choose(id),
        },
        name,
      );
      panels.append(make("div", { role: "tabpanel", id: `panel-${id}`, "aria-labelledby": `tab-${id}` }));
      list.append(tab);
      this.#tabs.push(tab);
    }
    list.addEventListener("keydown", (event) => {
      const last = this.#tabs.length - 1;
      const at = this.#tabs.indexOf(document.activeElement);
      const to = { ArrowRight: at < last ? at + 1 : 0, ArrowLeft: at > 0 ? at - 1 : last, Home: 0, End: last }[
        event.key
      ];
      if (at < 0 || to === undefined) return;
      event.preventDefault();
      this.#tabs[to].focus();
      this.choose(this.#tabs[to].id.slice(4));
    });
    this.choose(Object.keys(names)[0]);
  }

  choose(id) {
    this.chosen = id;
    for (const tab of this.#tabs) {
      const chosen = tab.id === `tab-${id}`;
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
      document.getElementById(tab.getAttribute("aria-controls")).hidden = !chosen;
    }
    this.#onChange(id);
  }
}

/** Buttons to copy and to download a text. `say` tells everybody that it was done. */
function tools(text, name, type, say) {
  const button = make(
    "button",
    {
      type: "button",
      onclick: async () => {
        const done = await copy(text);
        say(done ? "Copied" : "The browser does not let this page copy");
        button.textContent = done ? "Copied" : "Not copied";
        setTimeout(() => {
          button.textContent = "Copy";
        }, 2000);
      },
    },
    "Copy",
  );
  return make(
    "div",
    { class: "tools" },
    button,
    make("button", { type: "button", onclick: () => download(text, name, type) }, "Download"),
  );
}

/** A text in a box that can be scrolled by keyboard. */
function source(text, label) {
  const cut = text.length > LONGEST;
  return make(
    "div",
    {},
    make("pre", { tabindex: "0", role: "region", "aria-label": label }, cut ? text.slice(0, LONGEST) : text),
    cut
      ? make(
          "p",
          { class: "quiet" },
          `The first ${count(LONGEST)} of ${count(text.length)} characters; the download has all.`,
        )
      : null,
  );
}

const nothing = () => make("p", { class: "empty" }, "No main content was found on this page.");

export function showText(panel, answer, say) {
  panel.replaceChildren(
    tools(answer.text, "tamis.txt", "text/plain", say),
    answer.text ? source(answer.text, "Text") : nothing(),
  );
}

/** A form with two views, rendered and source; the chosen one stays chosen for the next page. */
function twoViews(panel, name, file, type, text, html, say) {
  const chosen = panel.dataset.view ?? "rendered";
  const place = make("div", {});
  const show = (view) => {
    panel.dataset.view = view;
    if (!text) place.replaceChildren(nothing());
    else if (view === "source") place.replaceChildren(source(text, `${name}, source`));
    else place.replaceChildren(contentFrame(html, `${name}, rendered`));
  };
  const choice = (view) =>
    make(
      "label",
      {},
      make("input", {
        type: "radio",
        name: `view-${name}`,
        value: view,
        checked: view === chosen,
        onchange: () => show(view),
      }),
      make("span", {}, view),
    );
  panel.replaceChildren(
    make(
      "div",
      { class: "bar" },
      make(
        "fieldset",
        {},
        make("legend", { class: "unseen" }, `How ${name} is shown`),
        make("div", { class: "segments" }, choice("rendered"), choice("source")),
      ),
      tools(text, file, type, say),
    ),
    place,
  );
  show(chosen);
}

export function showMarkdown(panel, answer, say) {
  // Rendered is what the server wrote as HTML from the same content: no second reader of Markdown that could differ.
  twoViews(panel, "Markdown", "tamis.md", "text/markdown", answer.markdown, answer.html, say);
}

export function showHtml(panel, answer, say) {
  twoViews(panel, "HTML", "tamis.html", "text/html", answer.html, answer.html, say);
}

export function showJson(panel, answer, command, say) {
  const { annotated: _, ...rest } = answer; // as long as the page, and only for the frame
  const text = JSON.stringify(rest, null, 2);
  panel.replaceChildren(
    tools(text, "tamis.json", "application/json", say),
    make("p", { class: "quiet" }, "The same from a shell:"),
    make("pre", { class: "command", tabindex: "0", role: "region", "aria-label": "Command" }, command),
    source(text, "JSON"),
  );
}

const word = (name) => name.replaceAll("_", " ");

export function showMetadata(panel, answer, say) {
  const { sources, confidences, author: _, ...fields } = answer.metadata;
  const isThere = (value) => value !== null && !(Array.isArray(value) && !value.length);
  const rows = Object.entries(fields)
    .filter(([, value]) => isThere(value))
    .map(([name, value]) => {
      const base = name.replace("datetime", "date");
      const sure = confidences[name] ?? confidences[base];
      return make(
        "tr",
        {},
        make("th", { scope: "row" }, word(name)),
        make("td", {}, Array.isArray(value) ? value.join(", ") : String(value)),
        make("td", {}, sources[name] ?? sources[base] ?? ""),
        make("td", { class: "sure" }, ...(sure === undefined ? [] : [meter(sure), percent(sure)])),
      );
    });
  const missing = Object.entries(fields)
    .filter(([, value]) => !isThere(value))
    .map(([name]) => word(name));
  panel.replaceChildren(
    tools(JSON.stringify(answer.metadata, null, 2), "tamis-metadata.json", "application/json", say),
    rows.length
      ? make(
          "div",
          { class: "wide", tabindex: "0", role: "region", "aria-label": "Metadata" },
          make(
            "table",
            { class: "metadata" },
            make("caption", { class: "unseen" }, "Metadata with sources and confidences"),
            make(
              "thead",
              {},
              make(
                "tr",
                {},
                ...["field", "value", "found in", "how sure"].map((name) => make("th", { scope: "col" }, name)),
              ),
            ),
            make("tbody", {}, ...rows),
          ),
        )
      : make("p", { class: "empty" }, "The page says nothing about itself."),
    missing.length ? make("p", { class: "quiet" }, `Not found: ${missing.join(", ")}.`) : "",
  );
}

function meter(value) {
  const bar = make("i", { class: "meter", "aria-hidden": "true" });
  bar.style.setProperty("--w", percent(value).replace(" ", ""));
  return bar;
}

export function showChunks(panel, answer, size, onSize, say) {
  const field = make("input", {
    type: "number",
    id: "chunk-size",
    min: "16",
    max: "100000",
    step: "1",
    value: size,
    onchange: () => field.checkValidity() && onSize(Number(field.value)),
  });
  panel.replaceChildren(
    make(
      "div",
      { class: "bar" },
      make("label", { for: "chunk-size" }, "At most ", field, " tokens each"),
      tools(
        answer.chunks.map((chunk) => JSON.stringify(chunk)).join("\n"),
        "tamis-chunks.jsonl",
        "application/x-ndjson",
        say,
      ),
    ),
    answer.chunks.length
      ? make(
          "ol",
          { class: "chunks" },
          ...answer.chunks
            .slice(0, 500)
            .map((chunk, index) =>
              make(
                "li",
                {},
                make(
                  "p",
                  { class: "quiet" },
                  `${index + 1} · ${plural(chunk.tokens, "token")}${chunk.headings.length ? ` · ${chunk.headings.join(" › ")}` : ""}`,
                ),
                make("div", { class: "chunk" }, chunk.text),
              ),
            ),
        )
      : nothing(),
    answer.chunks.length > 500
      ? make("p", { class: "quiet" }, `The first 500 of ${count(answer.chunks.length)} chunks; the download has all.`)
      : "",
  );
}

/** Two texts side by side. What differs has a word beside it and a line under or through it, not only a colour. */
export function showComparison(place, first, second) {
  const rows = compare(first.text, second.text);
  const differing = rows.filter((row) => row.kind !== "same").length;
  const sentence = differing
    ? `${plural(rows.length - differing, "paragraph")} in common, ${count(differing)} different.`
    : "Both keep the same text.";
  const heading = (answer) =>
    make("p", { class: "head" }, make("b", {}, answer.extractor), ` ${plural(answer.words, "word")}`);
  const side = (runs, kind, name) => {
    if (!runs) return make("div", { class: "side none" }, make("span", { class: "quiet" }, `not in ${name}`));
    const marked = runs.map(({ text, differs }) => (differs ? make("mark", {}, text) : text));
    return make("div", { class: `side ${kind}` }, ...marked);
  };
  place.replaceChildren(
    make("p", { class: "sentence" }, sentence),
    make("div", { class: "heads" }, heading(first), heading(second)),
    make(
      "ol",
      { class: "rows", tabindex: "0", "aria-label": "Both texts, side by side" },
      ...rows.slice(0, 2000).map(({ kind, left, right }) => {
        const label = { left: `only ${first.extractor}`, right: `only ${second.extractor}`, changed: "differs" }[kind];
        return make(
          "li",
          { class: `row ${kind}` },
          label ? make("span", { class: "label" }, label) : "",
          ...(kind === "same"
            ? [
                make("div", { class: "side same" }, left[0].text),
                make("div", { class: "side same", "aria-hidden": "true" }, right[0].text),
              ]
            : [side(left, kind, first.extractor), side(right, kind, second.extractor)]),
        );
      }),
    ),
  );
  return sentence;
}
