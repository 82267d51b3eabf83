// What differs between two texts: first by paragraphs, then by words inside of paragraphs that are alike.

const MOST_CELLS = 4_000_000; // of a table of common parts; larger ones are compared from the front only
const AHEAD = 20; // paragraphs among which another version of one is looked for
const ALIKE = 0.4; // the share of common words from which two paragraphs are versions of one

/** Pairs of indices [in a, in b] of equal items, in order: a longest common subsequence, if the lists are not huge. */
export function commonParts(a, b) {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const head = Array.from({ length: start }, (_, index) => [index, index]);
  const tail = Array.from({ length: end }, (_, index) => [a.length - end + index, b.length - end + index]);
  const inner = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  const found = inner[0].length * inner[1].length > MOST_CELLS ? fromTheFront(...inner) : longest(...inner);
  return [...head, ...found.map(([left, right]) => [left + start, right + start]), ...tail];
}

function longest(a, b) {
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width); // of the longest common subsequence from (i, j) on
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const at = i * width + j;
      lengths[at] = a[i] === b[j] ? lengths[at + width + 1] + 1 : Math.max(lengths[at + width], lengths[at + 1]);
    }
  }
  const pairs = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if (lengths[(i + 1) * width + j] >= lengths[i * width + j + 1]) i++;
    else j++;
  }
  return pairs;
}

/** Common items, each taken at its next place in b: not the most there are, but in linear time. */
function fromTheFront(a, b) {
  const places = new Map();
  b.forEach((item, index) => places.set(item, [...(places.get(item) ?? []).slice(-20), index]));
  const pairs = [];
  let next = 0;
  a.forEach((item, index) => {
    const place = places.get(item)?.find((each) => each >= next);
    if (place !== undefined) {
      pairs.push([index, place]);
      next = place + 1;
    }
  });
  return pairs;
}

const words = (text) => text.match(/\S+\s*/g) ?? [];

/** How much of two texts is the same, from 0 to 1, whatever the order of words. */
function likeness(a, b) {
  const left = new Set(words(a).map((word) => word.trim()));
  const right = new Set(words(b).map((word) => word.trim()));
  let shared = 0;
  for (const word of left) if (right.has(word)) shared++;
  return shared / Math.max(left.size, right.size, 1);
}

/** The words of two texts as runs: { text, differs }, for the left and for the right. */
function wordRuns(a, b) {
  const left = words(a);
  const right = words(b);
  const pairs = commonParts(
    left.map((word) => word.trim()),
    right.map((word) => word.trim()),
  );
  const runs = (list, side) => {
    const same = new Set(pairs.map((pair) => pair[side]));
    const found = [];
    list.forEach((text, index) => {
      const differs = !same.has(index);
      if (found.at(-1)?.differs === differs) found.at(-1).text += text;
      else found.push({ text, differs });
    });
    return found;
  };
  return [runs(left, 0), runs(right, 1)];
}

/**
 * Rows for two columns: { kind, left, right }. The kind is "same", "left" or "right" if only one has the paragraph, or
 * "changed"; left and right are runs of words, or null.
 */
export function compare(a, b) {
  const left = a.split(/\n+/).filter((each) => each.trim());
  const right = b.split(/\n+/).filter((each) => each.trim());
  const whole = (text) => [{ text, differs: false }];
  const rows = [];
  let i = 0;
  let j = 0;
  for (const [toLeft, toRight] of [...commonParts(left, right), [left.length, right.length]]) {
    for (; i < toLeft; i++) {
      const near = right.slice(j, Math.min(toRight, j + AHEAD));
      const alike = near.findIndex((text) => likeness(left[i], text) >= ALIKE);
      if (alike < 0) {
        rows.push({ kind: "left", left: whole(left[i]), right: null });
        continue;
      }
      for (const text of near.slice(0, alike)) rows.push({ kind: "right", left: null, right: whole(text) });
      j += alike + 1;
      const [first, second] = wordRuns(left[i], near[alike]);
      rows.push({ kind: "changed", left: first, right: second });
    }
    for (; j < toRight; j++) rows.push({ kind: "right", left: null, right: whole(right[j]) });
    if (i < left.length) rows.push({ kind: "same", left: whole(left[i++]), right: whole(right[j++]) });
  }
  return rows;
}
