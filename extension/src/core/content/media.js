// Images by their real address, videos and sounds, frames as links.

import names from "../../../../src/tamis/render/content/names.json" with { type: "json" };
import { folded } from "../characters.js";
import { getAttribute, matches, selectIn } from "../page/dom.js";
import { safeAddress } from "./clean.js";

const { lazy, sets, others } = names.media;
const UNSEEN_FRAMES = names.embeds.unseen_frames;
const IMAGES = "img, picture, amp-img";
const PLACEHOLDER =
  /(?:^|[/_-])(?:blank|placeholder|spacer|pixel|transparent|loading|loader|lazy|lazyload|empty|dummy|1x1)[^/]*\.(?:gif|png|svg|jpe?g|webp)(?:[?#]|$)/i;
const TINY = new Set(["0", "1", "2", "0px", "1px", "2px"]);
// Frames with the page on which a reader sees what they show.
/** @type {[RegExp, string][]} */
const WATCHED = [
  [/^https?:\/\/(?:www\.)?youtube(?:-nocookie)?\.com\/embed\/([\w-]{6,40})(?:[?#].*)?$/, "https://www.youtube.com/watch?v=$1"],
  [/^https?:\/\/player\.vimeo\.com\/video\/(\d{1,20}).*$/, "https://vimeo.com/$1"],
  [/^https?:\/\/platform\.twitter\.com\/embed\/.*[?&]id=(\d{1,25}).*$/, "https://twitter.com/i/status/$1"],
  [/^(https?:\/\/(?:[\w.-]+\/@[^?#]+|(?:www\.)?instagram\.com\/[^?#]+))\/embed\/?(?:[?#].*)?$/, "$1"],
];
const CANDIDATE = /[\s,]*([^\s,]\S*)(?:\s+(\d+(?:\.\d+)?)[wx])?\s*(?:,|$)/g;

/**
 * A medium of the page as content; null if it shows nothing.
 *
 * @param {Element} element
 * @param {Document} inert
 * @param {string | null} base
 */
export function medium(element, inert, base) {
  if (matches(element, IMAGES)) return image(element, inert, base);
  const video = getAttribute(element, "videoid") ?? "";
  const source = video ? safeAddress(`https://www.youtube.com/watch?v=${video}`, null) : address([element, ...selectIn(element, "source")], base, false);
  if (!source) return null;
  const title = folded(["title", "aria-label", "playlabel"].map((name) => getAttribute(element, name)).find(Boolean) ?? "");
  if (matches(element, "video, audio")) {
    const player = inert.createElement(matches(element, "video") ? "video" : "audio");
    player.setAttribute("src", source);
    player.setAttribute("controls", "");
    player.setAttribute("title", title);
    return player;
  }
  if (!matches(element, "iframe, embed, object, lite-youtube") || UNSEEN_FRAMES.some((part) => source.includes(part))) return null;
  const link = inert.createElement("a");
  link.setAttribute("href", WATCHED.reduce((found, [frame, page]) => found.replace(frame, page), source));
  link.append(title.replace(/^Play: /, "") || source);
  const line = inert.createElement("p");
  line.append(link);
  return line;
}

/** @param {Element} element @param {Document} inert @param {string | null} base */
function image(element, inert, base) {
  const inner = [...selectIn(element, "img, source")];
  // The <img> of a <picture> comes last in it, and every browser knows it.
  const order = matches(element, "picture") ? inner.reverse() : [element, ...inner];
  if (order.some((each) => ["width", "height"].every((side) => TINY.has(getAttribute(each, side) ?? "")))) return null;
  const source = address(order, base, true);
  if (!source) return null;
  const copy = inert.createElement("img");
  copy.setAttribute("src", source);
  copy.setAttribute("alt", folded(order.map((each) => getAttribute(each, "alt")).find(Boolean) ?? ""));
  return copy;
}

/** The first safe address that is not that of a placeholder. @param {Element[]} order @param {string | null} base @param {boolean} isImage */
function address(order, base, isImage) {
  for (const element of order) {
    const said = (/** @type {string} */ name) => getAttribute(element, name) ?? "";
    const given = [...lazy.map(said), ...sets.map((name) => largest(said(name))), said("src"), said("data"), ...others.map(said)];
    for (const each of given) {
      const found = each && !each.includes("{") ? safeAddress(each, base, isImage) : null;
      if (found && !(isImage && (PLACEHOLDER.test(found) || found.startsWith("data:")))) return found;
    }
  }
  return isImage ? address(order, base, false) : null;
}

/** The largest image of a set. @param {string} set */
function largest(set) {
  const found = [...set.matchAll(CANDIDATE)].map(([, url, size]) => ({ url, size: Number(size ?? 0) }));
  return found.reduce((best, each) => (each.size > best.size ? each : best), found[0] ?? { url: "", size: 0 }).url;
}
