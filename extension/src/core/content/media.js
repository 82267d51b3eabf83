// Images by their real address, videos and sounds, frames as links.

import names from "../../../../packages/tamis/src/tamis/render/content/names.json" with { type: "json" };
import { folded } from "../characters.js";
import { getAttribute, matches, selectIn } from "../page/dom.js";
import { safeAddress } from "./clean.js";

const { lazy, sets, others } = names.media;
const IMAGES = "img, picture, amp-img";
const PLACEHOLDER =
  /(?:^|[/_-])(?:blank|placeholder|spacer|pixel|transparent|loading|loader|lazy|lazyload|empty|dummy|1x1)[^/]*\.\w+(?:[?#]|$)/i;
const TINY = /^[0-2](?:px)?$/;
const CANDIDATE = /[\s,]*([^\s,]\S*)(?:\s+(\d+(?:\.\d+)?)[wx])?\s*(?:,|$)/g;
// Frames, and the page on which a reader sees what they show.
/** @type {[RegExp, string][]} */
const WATCHED = [
  [/^https?:\/\/(?:www\.)?youtube(?:-nocookie)?\.com\/embed\/([\w-]{6,40})(?:[?#].*)?$/, "https://www.youtube.com/watch?v=$1"],
  [/^https?:\/\/player\.vimeo\.com\/video\/(\d{1,20}).*$/, "https://vimeo.com/$1"],
  [/^https?:\/\/platform\.twitter\.com\/embed\/.*[?&]id=(\d{1,25}).*$/, "https://twitter.com/i/status/$1"],
  [/^(https?:\/\/(?:[\w.-]+\/@[^?#]+|(?:www\.)?instagram\.com\/[^?#]+))\/embed\/?(?:[?#].*)?$/, "$1"],
];

// A medium of the page as content; null if it shows nothing.
/** @param {Element} element @param {Document} inert @param {string | null} base */
export function medium(element, inert, base) {
  const isImage = matches(element, IMAGES);
  const inner = [...selectIn(element, "img, source")];
  const order = matches(element, "picture") ? inner.reverse() : [element, ...inner];
  const said = (/** @type {string} */ name) => order.map((each) => getAttribute(each, name)).find(Boolean) ?? "";
  const video = said("videoid"); // of <lite-youtube>
  const found = video ? `https://www.youtube.com/watch?v=${encodeURIComponent(video)}` : addressIn(order, base, isImage);
  if (!found || order.some((each) => ["width", "height"].every((side) => TINY.test(getAttribute(each, side) ?? "")))) return null;
  /** @param {string} tag @param {Record<string, string>} attributes @param {(Node | string)[]} content */
  const make = (tag, attributes, ...content) => {
    const made = inert.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...content);
    return made;
  };
  if (isImage) return make("img", { src: found, alt: folded(said("alt")) });
  const title = folded(said("title") || said("aria-label") || said("playlabel"));
  if (matches(element, "video, audio")) {
    return make(matches(element, "video") ? "video" : "audio", { src: found, controls: "", title });
  }
  const isFrame = matches(element, "iframe, embed, object, lite-youtube");
  if (!isFrame || names.embeds.unseen_frames.some((part) => found.includes(part))) return null;
  const href = WATCHED.reduce((url, [frame, page]) => url.replace(frame, page), found);
  return make("p", {}, make("a", { href }, title.replace(/^Play: /, "") || found));
}

// The first safe address that is not a placeholder, else the first safe one.
/** @param {Element[]} order @param {string | null} base @param {boolean} isImage */
function addressIn(order, base, isImage) {
  const given = order.flatMap((element) => {
    const said = (/** @type {string} */ name) => getAttribute(element, name) ?? "";
    return [...lazy.map(said), ...sets.map((name) => largest(said(name))), said("src"), said("data"), ...others.map(said)];
  });
  const safe = given.flatMap((each) => (each.includes("{") ? [] : (safeAddress(each, base, isImage) ?? [])));
  return safe.find((each) => !isImage || !(PLACEHOLDER.test(each) || each.startsWith("data:"))) ?? safe[0];
}

/** The largest image of a set. @param {string} set */
function largest(set) {
  const found = [...set.matchAll(CANDIDATE)].map(([, url, size]) => ({ url, size: Number(size ?? 0) }));
  return found.sort((one, other) => other.size - one.size)[0]?.url ?? "";
}
