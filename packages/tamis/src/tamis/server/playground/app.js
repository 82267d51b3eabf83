// The playground: a page in, its main content out, and why.

import { ask, examplePage, extractors, Problem, useKey } from "./api.js";
import { byId, copy, count, debounced, make, percent, plural } from "./dom.js";
import { MarkedPage } from "./frames.js";
import {
  showChunks,
  showComparison,
  showHtml,
  showJson,
  showMarkdown,
  showMetadata,
  showText,
  Tabs,
} from "./outputs.js";
import { explanationsOf, ROLES, Why } from "./why.js";

const FORMATS = "text,markdown,html,chunks,annotated";
const ADDRESS = /^https?:\/\/\S+$/i;
const RIVAL = "boilerpipe-article"; // the first extractor to compare with, if the server has it
const CHUNK = 512; // tokens, as the server's own default
const TABS = {
  text: "Text",
  markdown: "Markdown",
  html: "HTML",
  json: "JSON",
  metadata: "Metadata",
  chunks: "Chunks",
  why: "Why",
  compare: "Compare",
};
// Checkboxes that are the default of the server when they are as here.
const DEFAULTS = {
  include_title: false,
  include_comments: false,
  include_links: true,
  include_images: true,
  include_tables: true,
  hidden: true,
};

const input = byId("input");
const field = byId("page");
const options = byId("options");
const extractor = byId("extractor");
const threshold = byId("threshold");

let file = null; // a File in place of the text
let source = null; // what was asked for last: { body } or { url }, and a name
let answer = null;
let running = null; // AbortController
let chunkSize = CHUNK;
let own = { extractor: "", threshold: null }; // the threshold that the extractor chose for the page
let explanation = null; // { source, extractor, promise }
let other = null; // the answer of the other extractor, and what it was asked for
let summaries = {};

const seen = new MarkedPage(byId("seen"), (block) => {
  tabs.choose("why");
  seen.choose(block, false);
  why.choose(block, true);
});
const tabs = new Tabs(byId("tabs"), byId("panels"), TABS, (id) => id === "compare" && answer && showOther());
const panel = (id) => byId(`panel-${id}`);
const why = new Why(panel("why"), explained, (block) => seen.choose(block, true));
const secondChoice = make("select", {
  id: "second",
  onchange: () => {
    other = null;
    showOther();
  },
});
const comparison = make("div", { class: "comparison" });
panel("compare").append(
  make("div", { class: "bar" }, make("label", { for: "second" }, "Compare with ", secondChoice)),
  comparison,
);

// ---- the request

/** The options as the server knows them; defaults are left out. */
function chosenOptions() {
  const chosen = { extractor: extractor.value };
  const favor = options.elements.favor.value;
  if (favor === "threshold") chosen.threshold = Number(threshold.value);
  else if (favor) chosen[`favor_${favor}`] = true;
  for (const [name, usual] of Object.entries(DEFAULTS)) {
    const checked = options.elements[name].checked;
    if (checked === usual) continue;
    if (name === "hidden") chosen.visible_only = true;
    else chosen[name] = checked;
  }
  if (chunkSize !== CHUNK) chosen.chunk_tokens = chunkSize;
  return chosen;
}

function useOptions(given) {
  if ([...extractor.options].some((each) => each.value === given.get("extractor")))
    extractor.value = given.get("extractor");
  for (const favor of ["precision", "recall"])
    if (given.get(`favor_${favor}`) === "true") options.elements.favor.value = favor;
  const score = given.get("threshold");
  if (score !== null && Number(score) >= 0 && Number(score) <= 1) {
    options.elements.favor.value = "threshold";
    threshold.value = score;
  }
  for (const name of Object.keys(DEFAULTS))
    if (given.has(name)) options.elements[name].checked = given.get(name) === "true";
  if (given.get("visible_only") === "true") options.elements.hidden.checked = false;
  const size = Number(given.get("chunk_tokens"));
  if (Number.isInteger(size) && size >= 16) chunkSize = size;
  showSummary();
}

/** Formats and lists are of no use in a link; neither is the page. */
const linkParts = () => new URLSearchParams({ url: source.url, ...chosenOptions() });

function command() {
  const { extractor: name, ...rest } = chosenOptions();
  const server = location.origin + location.pathname.replace(/\/$/, "");
  const wanted = { formats: "markdown", extractor: name, ...rest };
  const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;
  if (source.url) {
    const body = JSON.stringify({ url: source.url, ...wanted, formats: ["markdown"] });
    return `curl -H 'content-type: application/json' -d ${quoted(body)} ${server}/v1/extract`;
  }
  return `curl --data-binary @page.html ${quoted(`${server}/v1/extract?${new URLSearchParams(wanted)}`)}`;
}

// ---- a run

async function run({ stay = false } = {}) {
  if (!source) return;
  running?.abort();
  running = new AbortController();
  const { signal } = running;
  const asked = source;
  const chosen = chosenOptions();
  byId("results").setAttribute("aria-busy", "true");
  byId("error").replaceChildren();
  if (!stay) say("Working …");
  const start = performance.now();
  try {
    const formats = asked.url ? FORMATS.split(",") : FORMATS;
    const found = await ask("v1/extract", asked, { ...chosen, formats, blocks: true }, signal);
    answer = found;
    show(performance.now() - start, chosen, stay);
  } catch (error) {
    if (error.name === "AbortError") return;
    fail(error);
  }
  if (running?.signal === signal) byId("results").removeAttribute("aria-busy");
}

function show(milliseconds, chosen, stay) {
  byId("results").hidden = false;
  if (!["threshold", "favor_precision", "favor_recall"].some((name) => name in chosen)) {
    own = { extractor: chosen.extractor, threshold: answer.threshold };
  } else if (own.extractor !== chosen.extractor || !stay) own = { extractor: chosen.extractor, threshold: null };
  showThreshold();
  if (!stay) why.forget();
  const kept = answer.blocks.filter((block) => block.keep).length;
  byId("results-title").textContent = answer.title || source.name;
  showNumbers(milliseconds, kept);
  showText(panel("text"), answer, say);
  showMarkdown(panel("markdown"), answer, say);
  showHtml(panel("html"), answer, say);
  showJson(panel("json"), answer, command(), say);
  showMetadata(panel("metadata"), answer, say);
  showChunks(
    panel("chunks"),
    answer,
    chunkSize,
    (size) => {
      chunkSize = size;
      run({ stay: true });
    },
    say,
  );
  seen.choose(why.show(answer.blocks, answer.threshold), false);
  seen.show(answer.annotated, stay);
  other = null;
  if (tabs.chosen === "compare") showOther();
  byId("share").hidden = !source.url;
  history.replaceState(null, "", source.url ? `#${linkParts()}` : location.pathname + location.search);
  say(
    `${plural(answer.words, "word")} of main content: ${count(kept)} of ${plural(answer.blocks.length, "text")} kept.`,
  );
}

function showNumbers(milliseconds, kept) {
  const sure = answer.page_type_confidence;
  const numbers = {
    words: count(answer.words),
    tokens: `about ${count(answer.tokens)}`,
    "texts kept": `${count(kept)} of ${count(answer.blocks.length)}`,
    "page type": answer.page_type ? `${answer.page_type}${sure === null ? "" : `, ${percent(sure)} sure`}` : "none",
    "round trip": `${count(Math.round(milliseconds))} ms`,
    ...(answer.source === "page" ? {} : { "found in": answer.source }),
  };
  byId("numbers").replaceChildren(
    ...Object.entries(numbers).map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value))),
  );
}

function showThreshold() {
  const mine = options.elements.favor.value === "threshold";
  if (answer && !mine) threshold.value = answer.threshold;
  byId("threshold-value").textContent = answer || mine ? Number(threshold.value).toFixed(2) : "–";
  const known = own.threshold !== null && own.extractor === extractor.value;
  byId("threshold-own").textContent = known
    ? `${extractor.value}'s own for this page: ${own.threshold.toFixed(2)}`
    : "The extractor has a threshold of its own.";
  byId("own-mark").hidden = !known;
  if (known) byId("own-mark").style.setProperty("--at", own.threshold);
}

/** The explanation of a block. It is asked for once for a page and an extractor, when the first block is chosen. */
async function explained(number) {
  const name = extractor.value;
  if (explanation?.source !== source || explanation.extractor !== name) {
    const fresh = { source, extractor: name, promise: ask("v1/explain", source, { extractor: name }) };
    explanation = fresh;
    fresh.promise.catch(() => {
      if (explanation === fresh) explanation = null;
    });
  }
  const { blocks } = answer; // another page may be shown when the explanation comes
  const asked = explanation;
  const found = await asked.promise;
  if (own.threshold === null && asked.source === source && asked.extractor === extractor.value) {
    own = { extractor: name, threshold: found.threshold };
    showThreshold();
  }
  const index = explanationsOf(blocks, found.blocks)[number];
  return { explained: found.blocks[index] ?? null, remark: found.remark, threshold: found.threshold };
}

async function showOther() {
  const name = secondChoice.value;
  const { signal } = (running ??= new AbortController());
  if (other?.name === name) return;
  comparison.setAttribute("aria-busy", "true");
  try {
    const chosen = { ...chosenOptions(), extractor: name };
    const found = await ask(
      "v1/extract",
      source,
      { ...chosen, formats: source.url ? ["text"] : "text", metadata: false },
      signal,
    );
    if (secondChoice.value !== name) return;
    other = { name };
    say(showComparison(comparison, answer, found));
  } catch (error) {
    if (error.name === "AbortError") return;
    comparison.replaceChildren(make("p", { class: "empty" }, `${error.title ?? error.message}. ${error.detail ?? ""}`));
  }
  comparison.removeAttribute("aria-busy");
}

// ---- words to the user

function say(words) {
  byId("status").textContent = words;
}

function fail(error) {
  const problem =
    error instanceof Problem ? error : new Problem({ title: "The playground has an error", detail: String(error) });
  if (problem.status === 401) {
    byId("key-form").hidden = false;
    byId("key").focus();
  }
  say("");
  byId("results").hidden = true;
  answer = null;
  own = { extractor: "", threshold: null };
  showThreshold();
  byId("error").replaceChildren(
    make(
      "div",
      { class: "card problem" },
      make("h2", {}, problem.title),
      problem.detail ? make("p", {}, problem.detail) : "",
      problem.kind ? make("p", { class: "quiet" }, `${problem.kind}, status ${problem.status}`) : "",
    ),
  );
}

// ---- what the user does

function useFile(chosen) {
  file = chosen;
  byId("file-line").hidden = !file;
  field.hidden = Boolean(file);
  document.querySelector("label[for=page]").hidden = Boolean(file);
  if (!file) return;
  byId("file-name").textContent = `${file.name} (${count(Math.ceil(file.size / 1000))} kB)`;
  start();
}

function start() {
  const text = field.value.trim();
  if (file) source = { body: file, name: file.name };
  else if (ADDRESS.test(text)) source = { url: text, name: text };
  else if (text) source = { body: field.value, name: "Pasted page" };
  else {
    fail(
      new Problem({
        title: "There is no page yet",
        detail: "Paste the HTML of one or its address, choose a file, or try the example.",
      }),
    );
    field.focus();
    return;
  }
  run();
}

input.addEventListener("submit", (event) => {
  event.preventDefault();
  start();
});
field.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    start();
  }
});
byId("choose").addEventListener("click", () => byId("file").click());
byId("file").addEventListener("change", (event) => {
  if (event.target.files[0]) useFile(event.target.files[0]);
  event.target.value = "";
});
byId("file-remove").addEventListener("click", () => {
  useFile(null);
  field.focus();
});
byId("example").addEventListener("click", async () => {
  try {
    const text = await examplePage();
    useFile(null);
    field.value = text;
    start();
  } catch (error) {
    fail(error);
  }
});
byId("key-form").addEventListener("submit", (event) => {
  event.preventDefault();
  useKey(byId("key").value);
  byId("key-form").hidden = true;
  byId("error").replaceChildren();
  begin();
});
byId("share").addEventListener("click", async () => {
  const link = `${location.origin}${location.pathname}#${linkParts()}`;
  say((await copy(link)) ? "The link is copied" : link);
  byId("share").textContent = "Copied";
  setTimeout(() => {
    byId("share").textContent = "Copy a link to this";
  }, 2000);
});

const runSoon = debounced(() => run({ stay: true }), 150);
options.addEventListener("submit", (event) => event.preventDefault());
options.addEventListener("input", (event) => {
  if (event.target === threshold) options.elements.favor.value = "threshold";
  showThreshold();
  runSoon();
});
extractor.addEventListener("change", showSummary);

function showSummary() {
  byId("extractor-summary").textContent = summaries[extractor.value] ?? "";
}

// Without these, a file that misses would replace this page.
let inside = 0;
addEventListener("dragenter", () => document.body.classList.toggle("dropping", ++inside > 0));
addEventListener("dragleave", () => document.body.classList.toggle("dropping", --inside > 0));
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  inside = 0;
  document.body.classList.remove("dropping");
  const dropped = event.dataTransfer.files[0];
  if (dropped) useFile(dropped);
});

// ---- the start

byId("legend").append(
  ...Object.entries(ROLES).map(([role, name]) =>
    make("li", {}, make("span", { class: `mark role-${role} sure-4` }), name),
  ),
  make("li", {}, make("span", { class: "mark kept role-text sure-3" }), "kept: a solid line"),
  make("li", {}, make("span", { class: "mark dropped role-boilerplate sure-2" }), "dropped: a dashed line"),
  make(
    "li",
    {},
    ...[1, 2, 3, 4].map((step) => make("span", { class: `mark ramp role-text sure-${step}` })),
    "the stronger, the surer",
  ),
);

async function begin() {
  try {
    const found = await extractors();
    summaries = Object.fromEntries(found.extractors.map((each) => [each.name, each.summary]));
    const entry = (each) => make("option", { value: each.name, selected: each.default }, each.name);
    extractor.replaceChildren(...found.extractors.map(entry));
    const others = found.extractors.filter((each) => !each.default);
    const rival = others.find((each) => each.name === RIVAL) ?? others[0];
    secondChoice.replaceChildren(
      ...found.extractors.map((each) =>
        make("option", { value: each.name, selected: each.name === rival?.name }, each.name),
      ),
    );
    byId("version").textContent = `Version ${found.version}`;
    showSummary();
  } catch (error) {
    fail(error);
    return;
  }
  if (source) run();
  else followLink();
}

/** Do what a shared link says, if this page was opened by one. */
function followLink() {
  const given = new URLSearchParams(location.hash.slice(1));
  if (!ADDRESS.test(given.get("url") ?? "")) return;
  options.reset();
  chunkSize = CHUNK;
  useOptions(given);
  useFile(null);
  field.value = given.get("url");
  start();
}
addEventListener("hashchange", followLink);

begin();
