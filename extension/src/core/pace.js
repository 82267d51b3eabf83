// Long work in small pieces, so that the page stays alive while it is read.

// Milliseconds of work between two rests. A page may be frozen for 200 at most; the rest is for what one step of
// ours costs at worst, and for machines that are busy.
const SLICE = 40;

// Not scheduler.yield(), which comes back before the page's own timers have had their turn.
const turn = () => new Promise((resolve) => setTimeout(resolve, 0));

/** How often a loop looks at the clock: a look costs more than a step. */
export const STEPS = 256;

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

  /** Is it time to rest? */
  get due() {
    return performance.now() - this.#since > SLICE;
  }

  /** Let the page do what it has to. `share` says how much is done, from 0 to 1. Rejects when aborted. */
  async rest(share) {
    this.#progress?.(share);
    await turn();
    this.#signal?.throwIfAborted();
    this.#since = performance.now();
  }

  /**
   * Carry out steps, a generator that yields where it may be interrupted, and rest there when due.
   *
   * @template T
   * @param {Generator<void, T>} steps
   * @param {number} [share] how much of all work is done then
   * @returns {Promise<T>} what the steps return
   */
  async finish(steps, share = 1) {
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
      if (this.due) await this.rest(share);
    }
  }

  /** Call `step(index)` for every index below `length`, resting when due. `from` and `to` are shares of the whole. */
  async each(length, step, from = 0, to = 1) {
    for (let index = 0; index < length; index++) {
      if (index % STEPS === 0 && this.due) await this.rest(from + ((to - from) * index) / length);
      step(index);
    }
  }
}
