// Calls the kernel for a page, as tamis/extractor/runs.py and tamis/extractor/tamis.py do.

/** @import {Kernel} from "../../kernel.js" */
/** @import {Networks} from "./network.js" */
/** @import {Tables} from "./tables.js" */

import { CoreError } from "../../errors.js";

// Places in the structure tamis_runs, in 32-bit numbers.
const RUNS_SIZE = 12;
const SECTIONS = 3; // how many there are
const SECTION = 8; // the address of their rows

// Places in the structure tamis_declared, in 32-bit numbers.
const SECTION_NAMES = 19;
const REFERENCES = 25;

// Places in the structure tamis_labels, in bytes.
const THRESHOLD = 16;
const HAS_ROLES = 24;
const LABELS_SIZE = 32;

const BAD_SHAPE = -4;

/**
 * @typedef {object} Found as in tamis_labels
 * @property {Float64Array} score one entry a leaf
 * @property {Uint8Array} keep
 * @property {Uint8Array} role
 * @property {number} threshold
 * @property {boolean} hasRoles
 * @property {boolean} keepsText
 * @property {Float64Array} types
 * @property {Int32Array} notes each link to a note, and the element of that note
 */

/**
 * The labels of a page. This takes 30 to 80 ms for a page of 50,000 nodes, without a rest.
 *
 * @param {Tables} tables
 * @param {Networks} networks
 * @returns {Found} throws a CoreError if a network does not fit the kernel, or the memory is too small
 */
export function label(tables, { kernel, experts: [modern, old], gate }) {
  const { call } = kernel;
  return kernel.lend(() => {
    const page = putPage(kernel, tables);
    succeed(call.tamis_check(page));
    const declared = putDeclared(kernel, tables);
    const notes = notesOf(kernel, page, tables);
    const [references, holders] = [0, 1].map((side) => kernel.put(notes.filter((_, at) => at % 2 === side)));
    kernel.put(Int32Array.of(notes.length / 2, references, holders), declared + 4 * REFERENCES);
    const { model, width, types } = call.tamis_gate(page, declared, gate) >= 0 ? modern : old;
    const runs = kernel.room(4 * RUNS_SIZE);
    const workspace = call.tamis_workspace(page, declared, width);
    succeed(call.tamis_begin(page, Math.random() * 2 ** 32, kernel.room(workspace), workspace, runs));
    const found = kernel.numbers(runs, RUNS_SIZE);
    const names = namesOf(tables, kernel.numbers(found[SECTION], found[SECTIONS]));
    kernel.put(Int32Array.from(kernel.putTexts(names)), declared + 4 * SECTION_NAMES);
    succeed(call.tamis_check_declared(page, runs, declared));
    succeed(call.tamis_columns(page, declared, runs));

    const leaves = tables.texts.length;
    const [score, keep, role] = [8 * leaves, leaves, leaves].map((bytes) => kernel.room(bytes));
    const likely = kernel.room(8 * types);
    const labels = kernel.put(Int32Array.of(score, keep, role, likely), kernel.room(LABELS_SIZE));
    succeed(call.tamis_label(page, declared, model, runs, labels));
    const [hasRoles, keepsText] = kernel.numbers(labels + HAS_ROLES, 2);
    return {
      score: kernel.doubles(score, leaves),
      keep: kernel.bytes(keep, leaves),
      role: kernel.bytes(role, leaves),
      threshold: kernel.doubles(labels + THRESHOLD, 1)[0],
      hasRoles: Boolean(hasRoles),
      keepsText: Boolean(keepsText),
      types: kernel.doubles(likely, types),
      notes,
    };
  });
}

/** Write a page (tamis_page). @param {Kernel} kernel @param {Tables} tables */
function putPage(kernel, { code, parent, end, element, opened, isMedia, visible, folded, texts }) {
  const columns = [code, parent, end, element, opened, isMedia, visible, folded].map((column) => kernel.put(column));
  return kernel.putRow(code.length, texts.length, ...columns, ...kernel.putTexts(texts));
}

/**
 * Write what a page declares (tamis_declared), but for the names of its sections and its notes.
 *
 * @param {Kernel} kernel
 * @param {Tables} tables
 */
function putDeclared(kernel, { title, ogTitle, declared, names, openings, page, marked, marks }) {
  return kernel.putRow(
    ...[title, ogTitle, ...declared].flatMap((text) => kernel.putText(text)),
    ...kernel.putTexts(names),
    ...kernel.putTexts(openings),
    kernel.put(page),
    ...kernel.putTexts([]),
    marked.length,
    kernel.put(marked),
    ...kernel.putTexts(marks),
    ...[0, 0, 0],
  );
}

/** Each link to a note, and that note. @param {Kernel} kernel @param {number} page @param {Tables} tables */
function notesOf(kernel, page, { fragments: { link, later, earlier, names } }) {
  const given = kernel.putRow(link.length, ...[link, later, earlier, names].map((column) => kernel.put(column)));
  const found = kernel.room(4 * link.length);
  succeed(kernel.call.tamis_notes(page, given, kernel.room(kernel.call.tamis_notes_memory(page)), found));
  const notes = kernel.numbers(found, link.length);
  return Int32Array.from([...link].flatMap((row, at) => (notes[at] < 0 ? [] : [row, notes[at]])));
}

/** The class and the id of each section. @param {Tables} tables @param {Int32Array} sections their rows */
function namesOf({ named, called }, sections) {
  const places = new Map([...named].map((row, place) => [row, 2 * place]));
  return [...sections].flatMap((row) => {
    const place = places.get(row);
    return place === undefined ? ["", ""] : [called[place], called[place + 1]];
  });
}

/** Throw if the kernel refuses what it is given. @param {number} code */
function succeed(code) {
  if (code === BAD_SHAPE) throw new CoreError("model", "the network of tamis has other inputs or outputs");
  if (code) throw new Error(`the kernel refused the tables of the page (${code})`);
}
