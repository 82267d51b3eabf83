// Superscripts and subscripts as text (src/tamis/render/content/scripts.py).

/**
 * What to write for a `sup` or `sub` with this text, between the texts `before` and `after` it on its line.
 *
 * @param {string} name
 * @param {string} content
 * @param {string} before
 * @param {string} [after]
 */
export function written(name, content, before, after = "") {
  void [before, after];
  return (name === "sup" ? "^" : "_") + content;
}
