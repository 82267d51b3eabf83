// Long work in small slices, so that the page can respond in between.

// Milliseconds of work between two rests. A page may be blocked for 200 at most; the margin is for the longest single
// step and for busy machines.
const SLICE = 40;

// Not scheduler.yield(): that continues before the page's own timers have run.
const turn = () => new Promise((resolve) => setTimeout(resolve, 0));

/** A loop checks the clock once in this many steps, because a check costs more than a step. */
export const STEPS = 256;

/**
 * Work that yields where it may be interrupted, with the share of it that is done if that is known.
 *
 * @template T
 * @typedef {Generator<number | void, T, void>} Steps
 */

/** Do work in steps without a rest. @template T @param {Steps<T>} steps */
export function finished(steps) {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

export class Pace {
  #since = performance.now();
  #signal;
  #progress;

  /** @param {{signal?: AbortSignal, progress?: (share: number) => void}} [options] */
  constructor({ signal, progress } = {}) {
    this.#signal = signal;
    this.#progress = progress;
    signal?.throwIfAborted();
  }

  /** True if it is time to rest. */
  get due() {
    return performance.now() - this.#since > SLICE;
  }

  // Let the page run. Rejects with the signal's reason when aborted.
  /** @param {number} share how much of the work is done, from 0 to 1 */
  async rest(share) {
    this.#progress?.(share);
    await turn();
    this.#signal?.throwIfAborted();
    this.#since = performance.now();
  }

  /**
   * Do work in steps, and rest between two of them when due.
   *
   * @template T
   * @param {Steps<T>} steps
   */
  async finish(steps) {
    for (let share = 1; ; ) {
      const { done, value } = steps.next();
      if (done) return value;
      share = value ?? share;
      if (this.due) await this.rest(share);
    }
  }

  /**
   * Call `step(index)` for every index below `length`, and rest when due.
   *
   * @param {number} length
   * @param {(index: number) => void} step
   * @param {number} [from] the progress to report at the first index
   * @param {number} [to] and after the last
   */
  async each(length, step, from = 0, to = 1) {
    for (let index = 0; index < length; index++) {
      if (index % STEPS === 0 && this.due) await this.rest(from + ((to - from) * index) / length);
      step(index);
    }
  }
}
