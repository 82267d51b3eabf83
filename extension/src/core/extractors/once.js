// Each file of a model is loaded once, for all pages.

/** @import {Models} from "./boilernet/network.js" */

/** @type {WeakMap<Models, Map<string, Promise<any>>>} */
const loaded = new WeakMap();

/**
 * Call `load` once for each of these models and this name. After a failure the next call loads again.
 *
 * @template T
 * @param {Models} models
 * @param {string} name
 * @param {() => Promise<T>} load
 * @returns {Promise<T>}
 */
export function once(models, name, load) {
  const known = loaded.get(models) ?? new Map();
  loaded.set(models, known);
  if (!known.has(name)) {
    known.set(
      name,
      load().catch((error) => {
        known.delete(name);
        throw error;
      }),
    );
  }
  return known.get(name);
}
