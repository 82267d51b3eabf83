// Custom highlights by name, in place of those that were painted before. Which are ours is remembered here: Firefox
// lets no extension list a page's.

export class Paint {
  /** @type {Map<HighlightRegistry, string[]>} */
  #names = new Map();

  /** @param {Map<HighlightRegistry, Map<string, Highlight>>} painted as Runs gives it */
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
