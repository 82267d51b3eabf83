// The kernel (kernel/tamis.h), a WebAssembly module, and its memory. What it is given and what it returns are tables in
// that memory. Its structures are rows of 32-bit numbers: counts, and addresses of tables.

/** @import {Models} from "./extractors/boilernet/network.js" */

import { CoreError, messageOf } from "./errors.js";
import { once } from "./extractors/once.js";

const FILE = "tamis/kernel.wasm";

// Bytes: where a table may begin, and by how much the memory grows.
const ALIGNMENT = 16;
const BLOCK = 65_536;

/** @typedef {Int32Array | Uint8Array | Float32Array | Float64Array} Table */

/**
 * The kernel, loaded once for each of these models.
 *
 * @param {Models} models
 * @returns {Promise<Kernel>} rejects with a CoreError if it is missing or damaged
 */
export function kernelOf(models) {
  return once(models, FILE, async () => {
    try {
      const { instance } = await WebAssembly.instantiate(await models.bytes(FILE));
      return new Kernel(instance.exports);
    } catch (error) {
      throw new CoreError("model", `the kernel cannot be loaded: ${messageOf(error)}`, { cause: error });
    }
  });
}

export class Kernel {
  #memory;
  #next; // the first address that is free
  #encoder = new TextEncoder();

  /** @param {WebAssembly.Exports} exports */
  constructor(exports) {
    /** The functions of the kernel. */
    this.call = /** @type {Record<string, (...given: number[]) => number>} */ (exports);
    this.#memory = /** @type {WebAssembly.Memory} */ (exports.memory);
    this.#next = aligned(/** @type {WebAssembly.Global} */ (exports.__heap_base).value);
  }

  /** How many bytes of memory it has. */
  get size() {
    return this.#memory.buffer.byteLength;
  }

  /**
   * Do work that needs memory. Afterwards that memory is used again.
   *
   * @template T
   * @param {() => T} work
   */
  lend(work) {
    const before = this.#next;
    try {
      return work();
    } finally {
      this.#next = before;
    }
  }

  /** The address of free memory. Throws a CoreError if there is not enough. @param {number} bytes */
  room(bytes) {
    const address = this.#next;
    const missing = address + bytes - this.size;
    if (missing > 0) this.#grow(Math.ceil(missing / BLOCK));
    this.#next = aligned(address + bytes);
    return address;
  }

  /** @param {number} blocks */
  #grow(blocks) {
    try {
      this.#memory.grow(blocks);
    } catch (error) {
      throw new CoreError("too-large", "the page takes too much memory", { cause: error });
    }
  }

  /** Copy an array into the memory; returns its address. @param {Table} array */
  put(array, address = this.room(array.byteLength)) {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    new Uint8Array(this.#memory.buffer, address, bytes.length).set(bytes);
    return address;
  }

  /** Write a structure; returns its address. @param {number[]} numbers */
  putRow(...numbers) {
    return this.put(Int32Array.from(numbers));
  }

  /** Write a text as UTF-8; returns its address and its size. @param {string} text @returns {[number, number]} */
  putText(text) {
    const most = 3 * text.length; // of UTF-8 for a UTF-16 unit
    const address = this.room(most);
    const { written } = this.#encoder.encodeInto(text, new Uint8Array(this.#memory.buffer, address, most));
    this.#next = aligned(address + written);
    return [address, written];
  }

  /** Write several texts, each followed by a NUL. @param {string[]} texts */
  putTexts(texts) {
    return this.putText([...texts.map((text) => text.replaceAll("\0", "\ufffd")), ""].join("\0"));
  }

  /** @param {number} address @param {number} length */
  bytes(address, length) {
    return new Uint8Array(this.#memory.buffer, address, length).slice();
  }

  /** @param {number} address @param {number} length */
  numbers(address, length) {
    return new Int32Array(this.#memory.buffer, address, length).slice();
  }

  /** @param {number} address @param {number} length */
  doubles(address, length) {
    return new Float64Array(this.#memory.buffer, address, length).slice();
  }
}

/** The first address from here on at which a table may begin. @param {number} address */
const aligned = (address) => Math.ceil(address / ALIGNMENT) * ALIGNMENT;
