// Changes in steps, one frame each. A browser computes style and layout after a script, in one piece; so a script that
// changes many elements does it in steps, and the browser draws after each.

const LONGEST_FRAME = 500; // milliseconds; a hidden page draws no frames

/** Wait until the browser has drawn the changes so far. @returns {Promise<void>} */
export function aFrame() {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, LONGEST_FRAME);
  });
}

/**
 * Run a generator that yields where enough has changed for one frame. Rejects when aborted.
 *
 * @param {Generator<void, void, void>} steps
 * @param {AbortSignal} [signal]
 */
export async function frameByFrame(steps, signal) {
  while (!steps.next().done) {
    await aFrame();
    signal?.throwIfAborted();
  }
}

/** Run such a generator without a pause. @param {Generator<void, void, void>} steps */
export function atOnce(steps) {
  while (!steps.next().done);
}
