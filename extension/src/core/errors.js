// The errors that the core throws on purpose. The user interface has a message for each code.

/** @typedef {'unknown-extractor' | 'model' | 'too-large'} Code */

export class CoreError extends Error {
  /**
   * @param {Code} code an extractor that does not exist, a missing or damaged model, a page beyond the limits
   * @param {string} message one line for the console
   * @param {{cause?: unknown}} [options]
   */
  constructor(code, message, options) {
    super(message, options);
    this.name = "CoreError";
    this.code = code;
  }
}

/** The message of anything that was thrown. @param {unknown} error */
export const messageOf = (error) => (error instanceof Error ? error.message : String(error));
