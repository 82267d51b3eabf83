// Every error that the core raises on purpose; the interface has a sentence for each code.

/** @typedef {'unknown-extractor' | 'model' | 'too-large'} Code */

export class CoreError extends Error {
  /**
   * @param {Code} code what is wrong: no such extractor, a model that is missing or damaged, a page beyond the limits
   * @param {string} message one line for the console
   * @param {{cause?: unknown}} [options]
   */
  constructor(code, message, options) {
    super(message, options);
    this.name = "CoreError";
    this.code = code;
  }
}
