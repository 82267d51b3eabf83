// What a page embeds from elsewhere: videos, players, frames, and posts of social networks
// (src/tamis/render/content/embeds.py).

/** @import {Elements} from "../page/elements.js" */
/** @import {Marks} from "./marks.js" */
/** @import {Child} from "./node.js" */
/** @import {Source} from "./source.js" */

import names from "../../../../src/tamis/render/content/names.json" with { type: "json" };
import { folded as joined, stripped } from "../characters.js";
import { safeUrl } from "./links.js";
import { marksOf } from "./marks.js";
import { Node } from "./node.js";
import { firstFrom } from "./notes.js";
import { folded } from "./source.js";

// The host and the path of an address, and the page on which a reader sees what a frame shows.
const HOST = /^https?:\/\/(?:www\.)?([^/?#]{1,200})(\/[^?#]*)?(?:\?([^#]*))?/i;
const NAME = /^[\p{L}\p{N}_-]{1,40}$/u;
const NUMBER = /^[0-9]{1,25}$/;
const YOUTUBE = new Set(["youtube.com", "youtube-nocookie.com", "m.youtube.com"]);
/** @type {[string, string[]][]} */
const POST_LINKS = [
  ["instagram-media", ["data-instgrm-permalink"]],
  ["mastodon-embed", ["data-embed-url", "data-href"]],
];

/**
 * A player or a frame with this address; null for a frame that shows nothing.
 *
 * @param {Elements} elements
 * @param {number} row
 * @param {string} source
 * @param {string | null} base
 */
export function embed(elements, row, source, base) {
  const tag = elements.tag[row];
  if (tag === "iframe" && names.embeds.unseen_frames.some((part) => source.includes(part))) return null;
  const titles = ["title", "aria-label"].map((name) => joined(elements.attribute(row, name) ?? ""));
  const kind = tag === "iframe" ? "frame" : tag;
  const href = safeUrl(pageOfPost(elements.attribute(row, "data-tweet-id")) ?? watchPage(source), base);
  /** @type {Record<string, string>} */
  const values = { src: source, title: titles.find(Boolean) ?? "", kind };
  if (href) values.href = href;
  return new Node("embed", values, [], row);
}

/** @param {string | null} name */
const pageOfPost = (name) => (name && NUMBER.test(name) ? `https://twitter.com/i/status/${name}` : null);

/** The page on which a reader sees what a frame with this address shows, or null. @param {string} source */
export function watchPage(source) {
  const found = HOST.exec(source);
  if (!found) return null;
  const host = found[1].toLowerCase();
  const path = (found[2] ?? "/").split("/").slice(1);
  const [first, second = "", third = ""] = path;
  const last = path[path.length - 1];
  if (YOUTUBE.has(host) && first === "embed") {
    if (second === "videoseries" || !second) {
      const name = valueOf(found[3], "list");
      return NAME.test(name) ? `https://www.youtube.com/playlist?list=${name}` : null;
    }
    return NAME.test(second) ? `https://www.youtube.com/watch?v=${second}` : null;
  }
  if (host === "player.vimeo.com" && first === "video" && NUMBER.test(second)) return `https://vimeo.com/${second}`;
  if (host === "dailymotion.com" || host === "geo.dailymotion.com") {
    const isPath = first === "embed" && second === "video" && NAME.test(third);
    const name = isPath ? third : valueOf(found[3], "video");
    return NAME.test(name) ? `https://www.dailymotion.com/video/${name}` : null;
  }
  if (host === "open.spotify.com" && first === "embed") return `https://open.spotify.com/${path.slice(1).join("/")}`;
  const whole = source.split("?")[0];
  if (last === "embed" && first.startsWith("@")) return whole.replace(/\/embed$/, ""); // Mastodon
  if (host === "instagram.com" && last === "embed") return whole.replace(/embed$/, "");
  return null;
}

/** The last value of a name in a query. @param {string | undefined} query @param {string} name */
function valueOf(query, name) {
  const parts = (query ?? "").split("&").slice(0, 20);
  const found = parts.findLast((part) => part === name || part.startsWith(`${name}=`));
  return found ? found.slice(name.length + 1) : "";
}

/**
 * Videos that are elements of their own, and posts whose markup is not what a reader sees.
 *
 * @param {Source} source
 * @returns {Generator<void, Marks | null, void>}
 */
export function* embeds(source) {
  const { tags, classes } = source;
  const { replaced, text } = marksOf();
  for (const row of ["lite-youtube", "lite-vimeo"].flatMap((tag) => tags.get(tag) ?? [])) {
    const node = lite(source, row);
    if (!node) continue;
    replaced.set(row, node);
    text.set(row, "");
  }
  for (const [name, attributes] of POST_LINKS) {
    for (const row of classes.get(name) ?? []) {
      yield;
      const addresses = attributes.map((each) => safeUrl(source.attribute(row, each), source.base));
      const address = addresses.find(Boolean);
      if (source.tag(row) !== "blockquote" || !address) continue;
      const node = post(source, row, address);
      replaced.set(row, node);
      text.set(row, folded(node.text()));
    }
  }
  for (const row of (tags.has("blockquote") && classes.get("tiktok-embed")) || []) {
    const address = safeUrl(source.attribute(row, "cite"), source.base);
    const links = tags.get("a") ?? [];
    const author = links[firstFrom(links, row)];
    if (!address || author === undefined || author >= source.elements.end[row]) continue;
    replaced.set(author, new Node("a", { href: address }, [stripped(folded(source.text(author)))]));
  }
  return replaced.size ? marksOf({ replaced, text }) : null;
}

/** @param {Source} source @param {number} row */
function lite(source, row) {
  const name = source.attribute(row, "videoid") ?? "";
  if (!NAME.test(name)) return null;
  const host = source.tag(row) === "lite-vimeo" ? "player.vimeo.com/video" : "www.youtube-nocookie.com/embed";
  const player = `https://${host}/${name}`;
  const label = source.attribute(row, "playlabel") || source.attribute(row, "title") || source.text(row);
  const title = joined(label).replace(/^Play: /, "").replace(/^Play Video: /, "");
  return new Node("embed", { src: player, title, kind: "frame", href: watchPage(player) ?? player }, [], row);
}

/**
 * A post as a quotation: its paragraphs, and a link to it with the last words, which name its author.
 *
 * @param {Source} source
 * @param {number} row
 * @param {string} address
 */
function post(source, row, address) {
  /** @type {string[]} */
  const texts = [];
  let block = -1;
  for (const leaf of source.leavesIn(row)) {
    const { element, gap, text, isMedia } = source.leaves[leaf];
    if (!source.keep[leaf] || isMedia) continue;
    const holder = source.table.blocks[element];
    if (holder !== block || !texts.length) texts.push("");
    texts[texts.length - 1] += gap + text;
    block = holder;
  }
  const lines = [...new Set(texts.map(joined))].filter((line) => line && !line.startsWith("View this post on"));
  const last = lines.pop() ?? address;
  /** @type {Child[]} */
  const content = lines.map((line) => new Node("p", {}, [line]));
  content.push(new Node("p", {}, [new Node("a", { href: address }, [last])]));
  return new Node("blockquote", {}, content, row);
}
