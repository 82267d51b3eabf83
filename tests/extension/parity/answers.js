// Answers the questions of test_parity.py and test_live.py, inside a browser. Answers are plain data.

/** @import {Labels} from "/core/labels.js" */
/** @import {Leaf, PageTable} from "/core/page/table.js" */
/** @import {Vocabulary} from "/core/extractors/boilernet/counts.js" */

import { analyse, htmlOf, markdownOf, readPage, textOf } from "/core/index.js";
import { countLeaves } from "/core/extractors/boilernet/counts.js";
import { tablesOf } from "/core/extractors/tamis/tables.js";
import { labelsOf } from "/core/labels.js";
import { finished, Pace } from "/core/pace.js";
import { elsewhere, load, withRuntime } from "./models.js";

export * from "./steps.js";

/** A parser without a browsing context reads noscript as markup, as Python does. @param {string} html */
const parsed = (html) => new DOMParser().parseFromString(html, "text/html");

/** @param {ArrayLike<number>} array */
const column = (array) => Array.from(array);

/** @param {PageTable} table */
function described({ elements, leaves }) {
  return {
    elements: {
      tag: elements.tag,
      code: column(elements.code),
      parent: column(elements.parent),
      end: column(elements.end),
      depth: column(elements.depth),
      nodes: column(elements.childNodes),
    },
    leaves: {
      text: leaves.map((leaf) => leaf.text),
      gap: leaves.map((leaf) => leaf.gap),
      element: leaves.map((leaf) => leaf.element),
      opened: leaves.map((leaf) => leaf.opened),
      is_media: leaves.map((leaf) => leaf.isMedia),
      visible: leaves.map((leaf) => leaf.visible),
      folded: leaves.map((leaf) => leaf.folded),
      in_link: leaves.map((leaf) => leaf.inLink),
    },
  };
}

/** @param {PageTable} table @param {Labels} labels @param {string | null} url */
const written = async (table, labels, url) => ({
  text: await textOf(table, labels, { url }),
  html: await htmlOf(table, labels, { url }),
  markdown: await markdownOf(table, labels, { url }),
});

/** The tables of a page, on request with each text cut in two, as browsers cut long ones. @param {string} html */
export async function tables(html, isCut = false) {
  const page = parsed(html);
  const walker = page.createTreeWalker(page, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (isCut && walker.nextNode()) texts.push(/** @type {Text} */ (walker.currentNode));
  for (const text of texts) text.splitText(text.length >> 1);
  return described(await readPage(page));
}

/** The labels of a page by each of some extractors, and its content. @param {string} html @param {string[]} names */
export async function labels(html, names, isElsewhere = false) {
  const table = await readPage(parsed(html));
  /** @type {Record<string, object>} */
  const found = {};
  const models = isElsewhere ? await elsewhere() : await withRuntime();
  for (const name of names) {
    const given = await analyse(table, name, { models });
    const { score, keep, role, threshold, pageTypes = null } = given;
    found[name] = { score: column(score), keep: column(keep), role, threshold, pageTypes };
  }
  return found;
}

/** All visible content of each of some pages in each format. @param {string[]} htmls @param {string} url */
export async function rendered(htmls, url) {
  const found = [];
  for (const html of htmls) {
    const table = await readPage(parsed(html));
    const keep = Uint8Array.from(table.leaves, ({ visible }) => Number(visible));
    const { notes } = await analyse(table, "tamis", { models: { bytes: load } }); // the kernel finds them
    found.push(await written(table, { ...labelsOf(keep, keep), notes }, url));
  }
  return found;
}

/** The elements of each HTML as a browser with scripts and one without read it. @param {string[]} htmls */
export function elements(htmls) {
  return htmls.map((html) => {
    const live = document.createElement("template");
    live.innerHTML = html;
    const all = [...parsed(html).body.querySelectorAll("*"), ...live.content.querySelectorAll("*")];
    return all.map((each) => [each.localName, Object.fromEntries([...each.attributes].map(({ name, value }) => [name, value]))]);
  });
}

/** The input of BoilerNet for a page. @param {string} html @param {Vocabulary} vocabulary */
export async function counts(html, vocabulary, live = false) {
  const table = await readPage(live ? document : parsed(html), { live });
  const { leaves, bounds, columns, counts: values } = await countLeaves(table, vocabulary, new Pace());
  return leaves.map((leaf, place) => ({
    text: table.leaves[leaf].text,
    columns: column(columns.slice(bounds[place], bounds[place + 1])),
    counts: column(values.slice(bounds[place], bounds[place + 1])),
  }));
}

/** What the kernel is given of a page beside its tables; by default of the one that is shown. @param {string} [html] */
export async function given(html) {
  const table = await readPage(html === undefined ? document : parsed(html), { live: html === undefined });
  const found = finished(tablesOf(table.unfolded));
  /** @param {Int32Array} rows @param {string[]} values two for each row */
  const pairs = (rows, values) => column(rows).map((row, place) => [row, values.slice(2 * place, 2 * place + 2)]);
  return {
    titles: [found.title, found.ogTitle],
    declared: found.declared,
    names: found.names,
    openings: found.openings,
    page: column(found.page),
    called: pairs(found.named, found.called),
    marks: pairs(found.marked, found.marks),
  };
}

/** The visible texts of the page that is shown. */
export async function seen(live = true) {
  const { leaves, elements } = await readPage(document, { live });
  return leaves
    .filter((leaf) => leaf.visible)
    .map((leaf) => (leaf.isMedia ? `<${elements.tag[leaf.element]}>` : leaf.text.trim()));
}

/** The content of the page that is shown, by the default extractor: all of it, the visible part, roles, Markdown. */
export async function kept() {
  const table = await readPage(document, { live: true });
  const labels = await analyse(table, "tamis", { models: { bytes: load } });
  const texts = table.leaves.map((leaf, place) => ({ ...leaf, place })).filter((leaf) => labels.keep[leaf.place]);
  const words = (/** @type {Leaf[]} */ leaves) => leaves.map((leaf) => leaf.text.trim());
  return {
    all: words(texts),
    seen: words(texts.filter((leaf) => leaf.visible)),
    roles: texts.map((leaf) => labels.role[leaf.place]),
    markdown: await markdownOf(table, labels),
  };
}

/** The npm package. @returns {Promise<Awaited<ReturnType<typeof import("../../../npm/index.js").load>>>} */
async function fromPackage() {
  const address = "/npm/index.js"; // the file that the harness serves
  return (await import(address)).load();
}

/** What the npm package finds in a page, and writes of it. @param {string} html @param {string | null} url */
export async function packaged(html, url) {
  const page = (await fromPackage()).extract(parsed(html), { url });
  const { text, markdown, pageType, labels } = page;
  return { text, markdown, html: page.html, pageType, keep: labels.map(({ keep }) => keep) };
}

/** The same for the page that is shown. */
export async function packaged_here() {
  const before = document.documentElement.outerHTML;
  const { title, text, markdown, pageType, labels } = (await fromPackage()).extract(document);
  const isSame = document.documentElement.outerHTML === before;
  return { title, text, markdown, pageType, kept: labels.filter(({ keep }) => keep).length, isSame };
}

/** The texts of the nodes of each leaf of the page that is shown. */
export async function nodes() {
  const { leaves } = await readPage(document, { live: true });
  return leaves.map((leaf) => leaf.nodes.map((node) => node.nodeValue));
}

/** Read the page that is shown while a script moves, removes and adds elements in all of it. */
export async function churned() {
  let changes = 0;
  const churn = setInterval(() => {
    const cards = document.querySelectorAll(".card");
    for (let card = 0; card < cards.length; card += 7) {
      if (card % 2) cards[card].remove();
      else cards[card].before(cards[cards.length - 1 - card] ?? "text");
      changes++;
    }
  }, 1);
  const table = await readPage(document, { live: true });
  const labels = await analyse(table, "r4");
  clearInterval(churn);
  const { parent, end } = table.elements;
  const nests = parent.every((above, row) => above < row && end[row] > row && (above < 0 || end[row] <= end[above]));
  const holds = table.leaves.every(({ element, opened }) => element <= opened && opened < end[element]);
  return { changes, leaves: table.leaves.length, whole: nests && holds && labels.keep.length === table.leaves.length };
}

/** The names of the errors when reading and labelling a page is aborted. */
export async function given_up() {
  const abort = () => {
    const control = new AbortController();
    setTimeout(() => control.abort(), 1);
    return control.signal;
  };
  const failure = (/** @type {Promise<unknown>} */ work) => work.then(() => "finished", (error) => error.name);
  const table = await readPage(document, { live: true });
  return {
    read: await failure(readPage(document, { live: true, signal: abort() })),
    r4: await failure(analyse(table, "r4", { signal: abort() })),
    tamis: await failure(analyse(table, "tamis", { signal: abort(), models: { bytes: load } })),
  };
}

/** The progress that reading and labelling report. */
export async function shares() {
  /** @type {{read: number[], tamis: number[]}} */
  const found = { read: [], tamis: [] };
  const table = await readPage(document, { live: true, progress: (share) => found.read.push(share) });
  await analyse(table, "tamis", { models: { bytes: load }, progress: (share) => found.tamis.push(share) });
  return found;
}
