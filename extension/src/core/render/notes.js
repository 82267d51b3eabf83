// Footnotes: marks in the text and the notes that they refer to (src/tamis/render/content/notes.py, which explains the
// rules).

/** @import {Marks} from "./marks.js" */
/** @import {Child} from "./node.js" */
/** @import {Source} from "./source.js" */

import names from "../../../../src/tamis/render/content/names.json" with { type: "json" };
import {
  isBlank, length, SPACE_CLASS, split, stripped, strippedEnd, strippedStart, withoutEnd, withoutStart,
} from "../characters.js";
import { HEADINGS, lookup } from "../tags.js";
import { safeUrl } from "./links.js";
import { marksOf } from "./marks.js";
import { Node } from "./node.js";
import { folded } from "./source.js";

// What is read of a link, of the begin of a note and of the elements around either: more is no mark.
const [LONGEST_MARK, MOST_LEAVES, LEVELS] = [24, 8, 4];
// Links of one note that are looked at for one that leads back, and its leaves.
const [MOST_LINKS, LONGEST_NOTE] = [200, 400];
const MOST_TARGETS = 50; // elements with the same id
const FEW = 10; // elements in one that is there only for its notes

const [OPENING, CLOSING] = ["[(（［{", "])）］}"];
const AROUND = OPENING + CLOSING + ".:,;^ \t\r\n\f\xa0\u2009\u200b\ufe0e\ufe0f";
const AFTER_MARK = `${CLOSING}.:`;
const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const RAISED_DIGIT = /[⁰¹²³⁴⁵⁶⁷⁸⁹]/g;
const PLAIN_MARK = /^(?:[0-9]{1,4}[a-z]?|[A-Za-z]{1,2}|[ivxlc]{1,7}|[*†‡§¶‖#]{1,4})$/;
const NUMBER = /^[0-9]{1,4}$/;
const LABEL = /^[\p{L}\p{N}_+.:-]{1,24}(?: [\p{L}\p{N}_+.:-]{1,12})?$/u;
const SIGNS = /^[*†‡§¶‖#]+$/;
const BACK = new RegExp(`^[↩⤴↑⇧⏎↵^▲⬆\\ufe0e\\ufe0f0-9${SPACE_CLASS}]{1,8}$`);
const ALNUM = /^[\p{L}\p{N}]/u;
const ENCODED = /(?:%[0-9a-fA-F]{2})+/g;

/** @param {string} words */
const setOf = (words) => new Set(words.split(" "));
const REFERENCE_NAMES = new Set(names.notes.references);
const NOTE_NAMES = new Set(names.notes.notes);
const BACK_NAMES = new Set(names.notes.backs);
const HIDDEN_NAMES = new Set(names.notes.hidden);
const HOLDERS = setOf("li p div dd aside td table section blockquote footer small");
const WRAPPERS = setOf("aside div section");
const LISTS = setOf("ol ul dl");
const INLINE = setOf("abbr b cite code em i q strong");
// Notes in one of these are written at the end.
const WITHOUT_NOTES = setOf("a b cite dl em i ol p h1 h2 h3 h4 h5 h6 q small span strong sub sup u ul");
const IS_HEADING = lookup(...HEADINGS);
const LATEXML_MARKS = new Set(["ltx_note_mark", "ltx_tag_note"]);

/** @typedef {{row: number, mark: string, references: number[]}} Note its element, its mark, and the links to it */

/**
 * The references whose notes are kept, and those notes.
 *
 * @param {Source} source
 * @returns {Generator<void, Marks | null, void>}
 */
export function* notes(source) {
  /** @type {Map<number, string>} */
  const links = new Map();
  for (const row of source.tags.get("a") ?? []) {
    const href = source.attribute(row, "href") ?? "";
    const place = href.indexOf("#");
    if (place >= 0) links.set(row, href.slice(place + 1));
  }
  const inline = [
    ...(source.classes.get("modern-footnotes-footnote__note") ?? []),
    ...(source.classes.get("sidenote") ?? []),
  ];
  if (!inline.length && !links.size && !source.classes.has("ltx_note_outer")) return null;
  return yield* new Finder(source, links).marks(inline);
}

/** Reads links and what they lead to. */
class Finder {
  /** @param {Source} source @param {Map<number, string>} links fragments by row */
  constructor(source, links) {
    this.source = source;
    this.links = links;
    this.rows = [...links.keys()];
    this.parent = source.elements.parent;
    this.end = source.elements.end;
    this.blocks = source.table.blocks;
    this.found = marksOf();
    /** @type {Set<string>} ids of notes */
    this.used = new Set();
    /** @type {Map<string, number>} how often a mark came before */
    this.repeated = new Map();
    /** @type {Map<number, number>} by target */
    this.holders = new Map();
    /** @type {Map<number, Set<number>>} by holder */
    this.backs = new Map();
    /** @type {Map<number, number[]>} */
    this.childRows = new Map();
    /** @type {Map<string, number[]> | null} */
    this.idRows = null;
  }

  /** All references and notes. @param {number[]} inline @returns {Generator<void, Marks | null, void>} */
  *marks(inline) {
    const { found } = this;
    const all = yield* this.notes();
    for (const note of all) {
      yield;
      this.write(note);
    }
    for (const row of inline) {
      yield;
      this.writeInline(row);
    }
    for (const row of this.source.classes.get("ltx_note_outer") ?? []) {
      yield;
      this.writeLatexml(row);
    }
    yield* this.writeLists(all.map(({ row }) => row).sort((one, other) => one - other));
    yield* this.writeLost();
    for (const row of this.source.classes.get("mw-cite-backlink") ?? []) found.skipped.add(row);
    return found.named.size || found.replaced.size ? found : null;
  }

  // Which links are references

  /** @returns {Generator<void, Note[], void>} */
  *notes() {
    /** @type {Map<number, Note>} */
    const found = new Map();
    for (const [row, fragment] of this.links) {
      yield;
      const mark = this.mark(row);
      if (!mark) continue;
      const targets = this.targets(fragment);
      if (!targets.length) continue;
      // A page of several articles repeats the ids: the next one is meant.
      const target = targets[firstFrom(targets, row + 1)] ?? targets[0];
      const holder = this.holder(target);
      if (holder < 0 || (holder <= row && row < this.end[holder])) continue;
      if (!this.isReference(row, mark, target, holder)) continue;
      const note = found.get(holder) ?? { row: holder, mark, references: [] };
      note.references.push(row);
      found.set(holder, note);
    }
    return [...found.values()].filter(({ row }) => !this.isInsideAnother(row, found));
  }

  /** @param {number} row @param {string} mark @param {number} target @param {number} holder */
  isReference(row, mark, target, holder) {
    const isNamedNote = this.isNamed(holder, NOTE_NAMES) || this.isNamed(target, NOTE_NAMES);
    const isNamed = isNamedNote || this.isNamed(row, REFERENCE_NAMES);
    const isRaised = this.isRaised(row);
    if (target < row && (!isNamedNote || this.isNamed(row, BACK_NAMES) || this.isAnswered(target, row))) return false;
    if (!PLAIN_MARK.test(mark)) return isNamed && (isRaised || this.isNamed(row, REFERENCE_NAMES));
    if (isNamed || this.backBlocks(holder).has(this.blocks[row])) return true;
    return isRaised && this.beginsWith(holder, mark);
  }

  /**
   * Does a link at this target lead to where an element is? Then that link is the reference.
   *
   * @param {number} target
   * @param {number} row
   */
  isAnswered(target, row) {
    return this.linksIn(target).slice(0, LEVELS).some((link) => {
      const first = this.before(link, row + 1).at(-1);
      return first !== undefined && first <= row && row < this.end[first];
    });
  }

  /** @param {number} row @param {Map<number, Note>} found */
  isInsideAnother(row, found) {
    for (let level = 0; level < LEVELS; level++) {
      row = this.parent[row];
      if (row < 0) return false;
      if (found.has(row)) return true;
    }
    return false;
  }

  get ids() {
    if (!this.idRows) {
      this.idRows = new Map();
      for (let row = 0; row < this.end.length; row++) {
        const name = this.source.attribute(row, "id") ?? "";
        const other = (this.source.tag(row) === "a" && this.source.attribute(row, "name")) || "";
        for (const each of new Set([name, other])) {
          if (!each) continue;
          const rows = this.idRows.get(each);
          if (rows) rows.push(row);
          else this.idRows.set(each, [row]);
        }
      }
    }
    return this.idRows;
  }

  /** @param {string} fragment @returns {number[]} */
  targets(fragment) {
    return this.ids.get(fragment) ?? (fragment.includes("%") ? this.ids.get(decoded(fragment)) : null) ?? [];
  }

  /** The last targets of a link that come before an element. @param {number} link @param {number} row */
  before(link, row) {
    const targets = this.targets(this.links.get(link) ?? "");
    const end = firstFrom(targets, row);
    return targets.slice(Math.max(end - MOST_TARGETS, 0), end);
  }

  /** The mark that an element shows, without brackets; empty if it shows more than a mark. @param {number} row */
  mark(row) {
    return markOf(this.shortText(row));
  }

  /** @param {number} row */
  shortText(row) {
    return this.source.leavesIn(row).length <= MOST_LEAVES ? this.source.text(row) : "";
  }

  /** @param {number} row */
  children(row) {
    let rows = this.childRows.get(row);
    if (!rows) this.childRows.set(row, (rows = this.source.children(row)));
    return rows;
  }

  /** The element that holds the note at a target; -1 if none begins there. @param {number} target */
  holder(target) {
    let row = this.holders.get(target);
    if (row === undefined) this.holders.set(target, (row = this.findHolder(target)));
    return row;
  }

  /** @param {number} target */
  findHolder(target) {
    const { source } = this;
    let row = target;
    if (source.tag(row) === "dt") {
      if (!this.isNamed(row, NOTE_NAMES)) return -1;
      row = this.end[row];
      return row < this.end.length && source.tag(row) === "dd" && source.holds[row] ? row : -1;
    }
    if (row !== this.blocks[row] && !HOLDERS.has(source.tag(row))) {
      row = this.blocks[row];
      if (row < 0 || !beginsAt(source, row, target)) return -1;
    }
    // A paragraph that is the begin of a list item, or of Word's element for a note, stands for all of it.
    for (let level = 0; level < 2; level++) {
      const above = this.parent[row];
      if (above < 0 || !this.isMore(above) || !beginsAt(source, above, row)) break;
      row = above;
    }
    if (!HOLDERS.has(source.tag(row)) || !source.holds[row]) return -1;
    if (source.leavesIn(row).length > LONGEST_NOTE) return -1;
    for (let each = row; each < this.end[row]; each++) if (IS_HEADING[source.elements.code[each]]) return -1;
    return row;
  }

  /** Is a paragraph at the begin of this element the begin of a note? @param {number} row */
  isMore(row) {
    return ["li", "dd"].includes(this.source.tag(row)) || isNoteOfWord(this.source.attribute(row, "id") ?? "");
  }

  /**
   * Does an element, or one close above it, have one of these names as its class, role or marker?
   *
   * @param {number} row
   * @param {Set<string>} known
   */
  isNamed(row, known) {
    const { source } = this;
    for (let level = 0; level < LEVELS && row >= 0; level++) {
      const classes = source.classNames(row);
      if (classes.some((name) => known.has(name)) || known.has(source.attribute(row, "role") ?? "")) return true;
      if (known === REFERENCE_NAMES) {
        if (source.attribute(row, "data-footnote-ref") !== null) return true;
        if (classes.includes("reference") && source.tag(row) === "sup") return true;
      }
      if (known === NOTE_NAMES && source.attribute(row, "data-footnotes") !== null) return true;
      if (known !== NOTE_NAMES && this.blocks[row] === row) return false;
      row = this.parent[row];
    }
    return false;
  }

  /** Is a mark written small above the line, or in brackets? @param {number} row */
  isRaised(row) {
    const first = stripped(this.shortText(row))[0];
    if (OPENING.includes(first) || RAISED.includes(first)) return true;
    const leaves = this.source.leavesIn(row);
    if (endsOpen(this.textBeside(leaves[0] - 1)) && startsClosed(this.textBeside(leaves[leaves.length - 1] + 1))) {
      return true;
    }
    for (let each = row + 1; each < Math.min(this.end[row], row + LEVELS); each++) {
      if (this.source.tag(each) === "sup") return true;
    }
    for (let level = 0; level < 2 && row >= 0; level++) {
      row = this.parent[row];
      if (row >= 0 && this.source.tag(row) === "sup") return true;
    }
    return false;
  }

  /** @param {number} leaf */
  textBeside(leaf) {
    return this.source.leaves[leaf]?.text ?? "";
  }

  /** The blocks that the links of a note lead to. @param {number} holder */
  backBlocks(holder) {
    let found = this.backs.get(holder);
    if (!found) {
      found = new Set();
      for (const row of this.linksIn(holder)) {
        const target = this.before(row, holder).at(-1);
        if (target !== undefined) found.add(this.blocks[target]);
      }
      this.backs.set(holder, found);
    }
    return found;
  }

  /** @param {number} holder */
  linksIn(holder) {
    const first = firstFrom(this.rows, holder);
    return this.rows.slice(first, Math.min(firstFrom(this.rows, this.end[holder]), first + MOST_LINKS));
  }

  /**
   * Does a note begin with this mark, or is it the list item of this number?
   *
   * @param {number} holder
   * @param {string} mark
   */
  beginsWith(holder, mark) {
    if (this.source.tag(holder) === "li" && NUMBER.test(mark)) {
      return this.children(this.parent[holder])[Number(mark) - 1] === holder;
    }
    const [first] = this.source.leavesIn(holder);
    return withoutStart(unraised(this.textBeside(first ?? -1)), AROUND).startsWith(mark);
  }

  // How they are written

  /** @param {Note} note */
  write(note) {
    const { found, source } = this;
    const name = this.unique(note.mark);
    found.named.set(note.row, new Node("note", { id: name }));
    for (const row of note.references) this.writeReference(row, name);
    const backs = new Set(note.references.map((row) => this.blocks[row]));
    for (const row of this.linksIn(note.row)) {
      const text = this.shortText(row);
      const leadsBack = this.before(row, row).some((target) => backs.has(this.blocks[target]));
      const isBack = this.isNamed(row, BACK_NAMES) || BACK.test(text);
      if (!found.replaced.has(row) && length(text) <= LONGEST_MARK && (leadsBack || isBack)) {
        this.skipMark(row, note.row);
      }
    }
    this.trimBegin(note);
    if (source.tag(note.row) !== "table") return;
    for (let row = note.row + 1; row < this.end[note.row]; row++) {
      const isPart = ["tbody", "tr", "td", "th"].includes(source.tag(row));
      if (isPart && !found.named.has(row)) found.named.set(row, new Node(""));
    }
  }

  /** @param {number} row @param {string} name */
  writeReference(row, name) {
    const { found } = this;
    const mark = this.mark(row);
    let outer = row;
    for (let level = 0; level < LEVELS; level++) {
      const above = this.parent[outer];
      if (above < 0 || this.blocks[above] === above || this.mark(above) !== mark) break;
      outer = above;
    }
    found.replaced.set(outer, new Node("note-reference", { id: name }, [mark]));
    found.text.set(outer, `[${name}]`);
    this.unbracket(outer);
    const above = this.parent[outer];
    if (this.source.tag(above) === "sup") found.named.set(above, new Node("")); // several references share it
  }

  /** An id for a note: its mark if that can be one and is free. @param {string} mark */
  unique(mark) {
    const name = SIGNS.test(mark) ? String(this.used.size + 1) : mark.replaceAll(" ", "-");
    let unique = name;
    while (this.used.has(unique.toLowerCase())) {
      const number = (this.repeated.get(name) ?? 1) + 1;
      this.repeated.set(name, number);
      unique = `${name}-${number}`;
    }
    this.used.add(unique.toLowerCase());
    return unique;
  }

  /** Leave out a link back, with what is around it alone. @param {number} row @param {number} holder */
  skipMark(row, holder) {
    const text = bareOf(this.shortText(row));
    let above = this.parent[row];
    while (above !== holder && bareOf(this.shortText(above)) === text) {
      row = above;
      above = this.parent[row];
    }
    if (this.source.classNames(above).includes("mw-cite-backlink")) row = above;
    this.found.skipped.add(row);
    this.unbracket(row);
  }

  /** Leave out brackets in the texts directly before and after an element. @param {number} row */
  unbracket(row) {
    const leaves = this.source.leavesIn(row);
    if (!leaves.length) return;
    const [first, last] = [leaves[0] - 1, leaves[leaves.length - 1] + 1];
    const [before, after] = [this.textNow(first), this.textNow(last)];
    if (!endsOpen(before) || !startsClosed(after)) return;
    this.found.trimmed.set(first, strippedEnd(before).slice(0, -1));
    this.found.trimmed.set(last, strippedStart(after).slice(1));
  }

  /** @param {number} leaf */
  textNow(leaf) {
    return this.found.trimmed.get(leaf) ?? this.textBeside(leaf);
  }

  /** Leave out the mark at the begin of a note. @param {Note} note */
  trimBegin({ row: holder, mark }) {
    const { source } = this;
    const { trimmed } = this.found;
    const isItem = source.tag(holder) === "li";
    let afterMark = false;
    for (const leaf of source.leavesIn(holder).slice(0, MOST_LEAVES)) {
      const row = source.leaves[leaf].element;
      const text = this.textNow(leaf);
      if (source.leaves[leaf].isMedia || isBlank(text)) continue;
      if (this.isSkipped(row, holder)) {
        afterMark = true;
        continue;
      }
      const begin = strippedStart(unraised(text));
      const bare = strippedStart(withoutStart(begin, OPENING));
      if (!afterMark && !bareOf(bare)) {
        trimmed.set(leaf, "");
      } else if (!afterMark && bare.startsWith(mark) && !ALNUM.test(bare.slice(mark.length))) {
        const rest = bare.slice(mark.length);
        if (bareOf(rest)) {
          if (!isItem || AFTER_MARK.includes(rest[0]) || bare !== begin) {
            trimmed.set(leaf, withoutStart(rest, AROUND));
          }
          return;
        }
        trimmed.set(leaf, "");
        if (row !== holder) this.skipMark(row, holder);
        afterMark = true;
      } else {
        if (afterMark && AFTER_MARK.includes(begin[0])) {
          trimmed.set(leaf, withoutStart(begin, `${AFTER_MARK} `));
        }
        return;
      }
    }
  }

  /** @param {number} row @param {number} holder */
  isSkipped(row, holder) {
    for (; row > holder; row = this.parent[row]) if (this.found.skipped.has(row)) return true;
    return false;
  }

  /** Write a note that stands in the text right behind its mark. @param {number} row */
  writeInline(row) {
    const { found, source } = this;
    const siblings = this.children(this.parent[row]);
    const before = siblings[firstFrom(siblings, row) - 1] ?? -1;
    const mark = before >= 0 && source.holds[before] ? this.mark(before) : "";
    const name = this.unique(mark || String(this.used.size + 1));
    const shown = new Node("note-reference", { id: name }, [mark || name]);
    const note = new Node("note", { id: name }, plain(source.subtree(row, ["href"]), source.base));
    if (mark) {
      found.replaced.set(before, shown);
      found.text.set(before, "");
      found.replaced.set(row, note);
    } else {
      found.replaced.set(row, new Node("", {}, [shown, note]));
    }
    found.text.set(row, ` (${split(note.text()).join(" ")})`);
  }

  /** Write a note of LaTeXML: it stands behind its mark, repeats it, and may hold formulas. @param {number} row */
  writeLatexml(row) {
    const { found, source } = this;
    const siblings = this.children(this.parent[row]);
    const reference = siblings[firstFrom(siblings, row) - 1] ?? -1;
    const mark = reference >= 0 && source.holds[reference] ? this.mark(reference) : "";
    if (!mark) return;
    const name = this.unique(mark);
    for (let inner = row + 1; inner < Math.min(this.end[row], row + 1 + FEW); inner++) {
      if (source.classNames(inner).some((each) => LATEXML_MARKS.has(each))) found.skipped.add(inner);
    }
    found.replaced.set(reference, new Node("note-reference", { id: name }, [mark]));
    if (!source.forText) {
      found.named.set(row, new Node("note", { id: name }));
      return;
    }
    found.text.set(reference, "");
    const texts = source.leavesIn(row).filter((leaf) => !this.isSkipped(source.leaves[leaf].element, row));
    const [first, last] = [texts[0], texts[texts.length - 1]];
    if (!texts.length || source.leaves[first].isMedia || source.leaves[last].isMedia) return;
    found.trimmed.set(first, ` (${strippedStart(this.textNow(first))}`);
    found.trimmed.set(last, `${strippedEnd(this.textNow(last))})`);
  }

  /**
   * Name the elements around notes that hold nothing else; leave out a line or a hidden heading before them.
   *
   * @param {number[]} rows
   * @returns {Generator<void, void, void>}
   */
  *writeLists(rows) {
    const { source, found } = this;
    const held = new Set(rows);
    /** @type {Map<number, number>} the first note in each element */
    const firsts = new Map();
    for (const row of [...rows].reverse()) firsts.set(this.parent[row], row);
    for (const [above, first] of firsts) {
      yield;
      const inside = this.children(above).filter((row) => source.holds[row]);
      const others = inside.filter((row) => !held.has(row) && source.tag(row) !== "dt");
      const isList = LISTS.has(source.tag(above));
      if (others.length && isList) {
        inside.forEach((row, place) => {
          // What no reference leads to keeps its number.
          if (held.has(row) || source.tag(above) !== "ol") return;
          found.named.set(row, new Node("li", { value: String(place + 1) }));
        });
        continue;
      }
      const isAlone = !source.leavesIn(above).some((leaf) => source.leaves[leaf].element === above);
      if (!others.length && isAlone) {
        for (const row of this.children(above)) {
          if (["dt", "br", "hr"].includes(source.tag(row))) found.skipped.add(row);
        }
        found.named.set(above, new Node("notes"));
      }
      const around = this.parent[above];
      const beside = isList && around >= 0 ? this.children(around) : this.children(above);
      const place = firstFrom(beside, isList ? above : first);
      for (const row of beside.slice(Math.max(place - 2, 0), place)) {
        const isHidden = source.classNames(row).some((name) => HIDDEN_NAMES.has(name));
        if (source.tag(row) === "hr" || (HEADINGS.has(source.tag(row)) && isHidden)) found.skipped.add(row);
      }
      if (!isList || beside.length > FEW || !WRAPPERS.has(source.tag(around))) continue;
      const left = beside.filter((row) => source.holds[row] && !found.skipped.has(row));
      if (left.length === 1 && left[0] === above && this.isNamed(above, NOTE_NAMES)) {
        found.named.set(around, new Node(""));
      }
    }
  }

  /**
   * Write references to notes that are not kept as their mark alone: the link leads nowhere.
   *
   * @returns {Generator<void, void, void>}
   */
  *writeLost() {
    const { source, found } = this;
    for (const row of this.rows) {
      yield;
      if (found.replaced.has(row) || this.isInWritten(row)) continue;
      const mark = this.mark(row);
      if (!mark || !this.isNamed(row, REFERENCE_NAMES) || this.isNamed(row, NOTE_NAMES)) continue;
      const targets = this.targets(this.links.get(row) ?? "").slice(0, MOST_TARGETS);
      if (targets.some((target) => source.holds[target])) continue;
      const above = this.parent[row];
      const outer = source.tag(above) === "sup" && this.mark(above) === mark ? above : row;
      found.replaced.set(outer, new Node("", {}, [`[${mark}]`]));
      found.text.set(outer, `[${mark}]`);
    }
  }

  /** @param {number} row */
  isInWritten(row) {
    for (let level = 0; level <= LEVELS && row >= 0; level++) {
      if (this.found.replaced.has(row) || this.found.skipped.has(row)) return true;
      row = this.parent[row];
    }
    return false;
  }
}

/** @param {string} text */
function markOf(text) {
  const mark = bareOf(unraised(text));
  return length(mark) <= LONGEST_MARK && (PLAIN_MARK.test(mark) || LABEL.test(mark)) ? mark : "";
}

/** @param {string} text */
const unraised = (text) => text.replace(RAISED_DIGIT, (digit) => String(RAISED.indexOf(digit)));

/** A text without brackets, points and the like around it. @param {string} text */
const bareOf = (text) => withoutStart(withoutEnd(text, AROUND), AROUND);

/** @param {string} text */
function endsOpen(text) {
  const last = strippedEnd(text).at(-1);
  return last !== undefined && OPENING.includes(last);
}

/** @param {string} text */
function startsClosed(text) {
  const first = strippedStart(text)[0];
  return first !== undefined && CLOSING.includes(first);
}

/**
 * Does a target stand at the begin of an element, or behind a mark alone?
 *
 * @param {Source} source
 * @param {number} row
 * @param {number} target
 */
function beginsAt(source, row, target) {
  let before = "";
  for (const leaf of source.leavesIn(row).slice(0, MOST_LEAVES)) {
    const { opened, text } = source.leaves[leaf];
    if (opened >= target) {
      const mark = bareOf(before);
      return !mark || markOf(mark) !== "";
    }
    before += text;
  }
  return false;
}

/** @param {string} name */
const isNoteOfWord = (name) => /^(?:ftn|edn|sdfootnote|sdendnote)/.test(name) && /[0-9]$/.test(name);

/** The place of the first number that is at least `least`. @param {number[]} sorted @param {number} least */
export function firstFrom(sorted, least) {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** @param {string} fragment */
function decoded(fragment) {
  return fragment.replace(ENCODED, (run) => {
    const bytes = run.slice(1).split("%").map((code) => parseInt(code, 16));
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(Uint8Array.from(bytes));
  });
}

/**
 * The content of a plain tree with emphasis and links, without other elements.
 *
 * @param {Node} node
 * @param {string | null} base
 * @returns {Child[]}
 */
function plain(node, base) {
  return node.children.flatMap((child) => {
    if (typeof child === "string") return [folded(child)];
    const address = child.name === "a" ? safeUrl(child.attributes.href ?? null, base) : null;
    if (address) return [new Node("a", { href: address }, plain(child, base))];
    return INLINE.has(child.name) ? [new Node(child.name, {}, plain(child, base))] : plain(child, base);
  });
}

/**
 * Put notes that follow each other into one node "notes", and those inside a paragraph at the end of the tree. White
 * space where a mark was at the edge of a note, a callout or an item goes.
 *
 * @param {Node} root
 * @param {Marks} found
 */
export function tidied(root, found) {
  const isTidied = (/** @type {Node} */ { name, attributes }) =>
    ["note", "callout", ""].includes(name) || "checked" in attributes;
  if (![...found.named.values(), ...found.replaced.values()].some(isTidied)) return;
  /** @type {Child[]} */
  const inner = [];
  for (const node of [...root.walk()]) {
    if (["note", "callout"].includes(node.name) || "checked" in node.attributes) strip(node);
    if (node.name === "notes" || !node.children.some(isNote)) continue;
    if (WITHOUT_NOTES.has(node.name)) {
      inner.push(...node.children.filter(isNote));
      node.children = node.children.filter((child) => !isNote(child));
    } else {
      node.children = inGroups(node.children);
    }
  }
  if (inner.length) root.children.push(new Node("notes", {}, inner));
}

/** @param {Child | undefined} child */
const isNote = (child) => typeof child === "object" && child.name === "note";

/** Take away the white space that is left where a mark was. @param {Node} node */
function strip(node) {
  for (const atEnd of [false, true]) {
    let inner = node;
    for (let level = 0; level < LEVELS; level++) {
      const { children } = inner;
      for (let edge; (edge = children.at(atEnd ? -1 : 0)), typeof edge === "string" && edge && isBlank(edge); ) {
        if (atEnd) children.pop();
        else children.shift();
      }
      const edge = children.at(atEnd ? -1 : 0);
      if (edge === undefined) break;
      if (typeof edge === "string") {
        children[atEnd ? children.length - 1 : 0] = atEnd ? strippedEnd(edge) : strippedStart(edge);
        break;
      }
      if (edge.name === "pre") break;
      inner = edge;
    }
  }
}

/** @param {Child[]} children */
function inGroups(children) {
  /** @type {Child[]} */
  const written = [];
  for (const child of children) {
    const last = written.at(-1);
    const isAfterNotes = typeof last === "object" && last.name === "notes";
    if (isNote(child)) {
      if (isAfterNotes) last.children.push(child);
      else written.push(new Node("notes", {}, [child]));
    } else if (typeof child === "object" || !isAfterNotes || !isBlank(child)) {
      written.push(child);
    }
  }
  return written;
}
