/* Random numbers that are the same for the same seed on every machine. */
#include "fuzz.h"

static uint64_t state;

void set_seed(uint64_t seed) {
    /* Seeds that follow each other must not give similar numbers (splitmix64). */
    seed += 0x9E3779B97F4A7C15u;
    seed = (seed ^ seed >> 30) * 0xBF58476D1CE4E5B9u;
    seed = (seed ^ seed >> 27) * 0x94D049BB133111EBu;
    state = (seed ^ seed >> 31) | 1; /* xorshift never leaves 0 */
}

uint64_t random_bits(void) { /* xorshift64* */
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * 0x2545F4914F6CDD1Du;
}

ptrdiff_t below(ptrdiff_t limit) { return (ptrdiff_t)((random_bits() >> 11) % (uint64_t)limit); }

int one_in(ptrdiff_t number) { return below(number) == 0; }

ptrdiff_t some_size(void) {
    static const ptrdiff_t limits[] = {3, 6, 6, 12, 12, 20, 20, 40, 40, 80};
    if (one_in(2000)) return below(3000);
    return below(one_in(50) ? 300 : PICK(limits));
}

float random_float(void) { return (float)(2 * below(2000) - 1999) / 1000; }

float odd_float(void) {
    static const float odd[] = {__builtin_inff(), -__builtin_inff(), 3e38f, -3e38f, 1e20f, -1e20f, 1e-40f, 0, -0.0f};
    if (one_in(4)) return __builtin_nanf("");
    return one_in(2) ? PICK(odd) : random_float();
}
