// Work that the browser has to draw: style and layout are its own, and come after the script in one piece. So what
// changes many elements does so in steps, and what one step changed is drawn before the next.

const PATIENCE = 500; // milliseconds; a page that is not in sight draws no frames

/** Resolves when the browser has drawn what was changed until now. */
export function aFrame() {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, PATIENCE);
  });
}

/**
 * Carry out steps, a generator that yields where enough has changed for one frame. Rejects when aborted.
 *
 * @param {Generator<void, void>} steps
 * @param {AbortSignal} [signal]
 */
export async function frameByFrame(steps, signal) {
  while (!steps.next().done) {
    await aFrame();
    signal?.throwIfAborted();
  }
}

/** The same when there is no time. */
export function atOnce(steps) {
  while (!steps.next().done);
}
