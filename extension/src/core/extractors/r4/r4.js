// Page-Level Main Content Extraction from Heterogeneous Webpages (Alarte, Silva; 2020), as in
// tamis_papers/r4/extractor.py: each element that may hold the content becomes a point of four standardised ratios;
// the few points farthest from the centroid are candidates; of those the one with most words for its tags is the
// content, with its siblings among them; groups of links are dropped. A chosen element is kept with its media.

/** @import {PageTable} from "../../page/table.js" */
/** @import {Options} from "../index.js" */

import { labelsOf } from "../../labels.js";
import { Pace } from "../../pace.js";
import { candidateSet, mainContent, reduced, withoutGroupsOfLinks } from "./choose.js";
import { columnsOf } from "./columns.js";

// Tables 1 and 2 of the paper: the number of candidates, and the limits for a group of links.
const CANDIDATES = 3;
const TR = 1.5;
const HR = 7;

// Scores of leaves that were not chosen but came close.
const GROUP_OF_LINKS = 0.45;
const CANDIDATE = 0.35;

/**
 * @param {PageTable} table
 * @param {Options} options
 */
export async function r4(table, { signal, progress }) {
  const pace = new Pace({ signal, progress });
  const page = await columnsOf(table, pace);
  // All of BODY is the content of a wide page, and of a page without elements to choose from.
  let candidates = page.root;
  let chosen = page.root;
  /** @type {number[]} */
  let groups = [];
  if (page.rated.length && !page.isWide) {
    candidates = candidateSet(page, CANDIDATES);
    await pace.rest(0.9);
    chosen = mainContent(page, reduced(page, candidates));
    [chosen, groups] = withoutGroupsOfLinks(page, chosen, TR, HR);
  }
  const { elements, leaves } = table;
  const [inCandidates, inChosen, inGroups] = [candidates, chosen, groups].map((rows) =>
    elements.inside(elements.mask(rows)),
  );
  const scores = Float64Array.from(leaves, ({ visible, element }) => {
    if (!visible) return 0;
    if (inGroups[element]) return GROUP_OF_LINKS;
    if (inChosen[element]) return 1;
    return inCandidates[element] ? CANDIDATE : 0;
  });
  return labelsOf(scores, Uint8Array.from(scores, (score) => (score === 1 ? 1 : 0)));
}
