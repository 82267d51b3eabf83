// The custom highlights that are registered in the page. Their names are kept here, because in Firefox an extension
// can't list the highlights of a page.

/** @typedef {Map<HighlightRegistry, Map<string, Highlight>>} Painted highlights by registry and name */

export class Paint {
  /** @type {Map<HighlightRegistry, string[]>} */
  #names = new Map();

  /** Register these highlights in place of the ones before. @param {Painted} painted */
  replace(painted) {
    for (const [registry, names] of this.#names) {
      for (const name of names) if (!painted.get(registry)?.has(name)) registry.delete(name);
    }
    this.#names.clear();
    for (const [registry, byName] of painted) {
      this.#names.set(registry, [...byName.keys()]);
      for (const [name, highlight] of byName) registry.set(name, highlight);
    }
  }

  clear() {
    this.replace(new Map());
  }
}
