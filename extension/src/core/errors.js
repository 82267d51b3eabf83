// The errors that the core throws on purpose. The user interface has a message for each code.

/** @typedef {'unknown-extractor' | 'model' | 'too-large' | 'dom'} Code */

export class CoreError extends Error {
  /**
   * @param {Code} code an extractor that does not exist, a missing or damaged model, a page beyond the limits,
   *   a DOM that lacks what the sanitizer needs
   * @param {string} message one line for the console
   * @param {{cause?: unknown}} [options]
   */
  constructor(code, message, options) {
    super(message, options);
    this.name = "CoreError";
    this.code = code;
  }
}

/**
 * The message of anything that was thrown. Not by `instanceof`: in Firefox an error of the page's window is not an instance
 * of the extension's Error.
 *
 * @param {any} error
 * @returns {string}
 */
export const messageOf = (error) => String(error?.message ?? error);
