/* The entry of libFuzzer. The first byte of an input says what it is: a page in the form of pages.c, markup for the
 * guard, or changes of weights. */
#include "fold.h"
#include "fuzz.h"

/* Options of AddressSanitizer and of libFuzzer, by the names that they look for. */
const char *__asan_default_options(void) {
    return "quarantine_size_mb=8:" /* memory is used again soon, and stays in the cache */
           "detect_stack_use_after_return=1";
}

/* ---- random numbers: xorshift64*, from a seed by splitmix64 ---- */

static uint64_t state;

void set_seed(uint64_t seed) {
    seed += 0x9E3779B97F4A7C15u;
    seed = (seed ^ seed >> 30) * 0xBF58476D1CE4E5B9u;
    state = (seed ^ seed >> 31) | 1;
}

uint64_t random_bits(void) {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * 0x2545F4914F6CDD1Du;
}

ptrdiff_t below(ptrdiff_t limit) { return (ptrdiff_t)((random_bits() >> 11) % (uint64_t)limit); }
float random_float(void) { return (float)(2 * below(2000) - 1999) / 1000; }

float odd_float(void) {
    static const float odd[] = {__builtin_inff(), -__builtin_inff(), 3e38f, -3e38f, 1e20f, 1e-40f, 0, -0.0f};
    return one_in(4) ? __builtin_nanf("") : one_in(2) ? odd[below(8)] : random_float();
}

/* ---- memory ---- */

void *block_of(ptrdiff_t size) {
    void *block = malloc(size);
    REQUIRE(block, "no memory");
    return block;
}

void add(buffer *to, const void *bytes, ptrdiff_t size) {
    if (to->size + size > to->room) {
        to->room = 2 * (to->size + size) + 64;
        to->bytes = realloc(to->bytes, to->room);
        REQUIRE(to->bytes, "no memory");
    }
    if (size) memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
}

void cut(buffer *some) {
    char *block = block_of(some->size);
    if (some->size) memcpy(block, some->bytes, some->size);
    free(some->bytes);
    some->bytes = block;
    some->room = some->size;
}

/* ---- inputs ---- */

static void try_guard(source from) {
    ptrdiff_t size = from.end - from.at;
    uint8_t *page = block_of(size);
    if (size) memcpy(page, from.at, size);
    int32_t first = tamis_guard(page, size), second = tamis_guard(page, size);
    REQUIRE((first == 0 || first == 1) && first == second, "tamis_guard: %d, then %d", first, second);
    REQUIRE(!size || !memcmp(page, from.at, size), "the page was changed");
    free(page);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    source from = {data, data + size};
    uint8_t kind = next_byte(&from);
    if (kind == 'G') try_guard(from);
    else if (kind == 'W') try_weights(&from);
    else if (kind == 'P') {
        input some = read_page(&from);
        judge(&some);
        forget(&some);
    } else return -1; /* not for the corpus */
    return 0;
}

/* How many bytes a character takes in another case. The kernel has room for that many and no more (headline.c, noise.c),
 * inside of structures where no sanitizer sees a write that is too long. So every character is tried at the start. */
int LLVMFuzzerInitialize(int *count, char ***arguments) {
    (void)count, (void)arguments;
    for (uint32_t point = 1; point < 0x140000; point++) { /* all that is read as one; the last ones are of no script */
        char text[4], lowered[4], words[1 + LONGEST_FOLD + 1] = "a"; /* a word before it, so that a space may be needed */
        tamis_text given = {text, put_point(point, text)};
        ptrdiff_t size = lower(given, lowered);
        REQUIRE(size > 0 && size <= 4, "U+%04X in lower case has %td bytes", point, size);
        size = add_words(given, words, 1);
        REQUIRE(size >= 1 && size <= (ptrdiff_t)sizeof words, "the words of U+%04X have %td bytes", point, size);
    }
    return 0;
}
