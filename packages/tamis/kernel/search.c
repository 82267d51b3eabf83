/* Which of many short texts are a part of a longer one. */
#include "internal.h"

/* Up to this many comparisons of bytes in the worst case, each text is searched by itself. */
#define FEW_COMPARISONS 4000000

static uint64_t hash_points(tamis_text text, uint64_t base) {
    const char *at = text.bytes, *end = at + text.size;
    uint64_t found = 0;
    while (at < end) found = found * base + next_point(&at, end) + 1;
    return found;
}

typedef struct {
    const tamis_text *keys;
    ptrdiff_t *places, size; /* a hash table of different keys, plus 1; 0 is free */
    uint8_t *found;
    uint64_t base;           /* of the hash; odd, so that all characters of a window count, and not known to a page */
} sought;

/* Where a hash is looked for first. By its upper bits: the lower ones of a sum of products depend on the lower ones of the
 * characters alone, whatever the base, so that a page could be made for collisions. */
static ptrdiff_t place_of(const sought *some, uint64_t hash) { return hash >> 32 & (some->size - 1); }

static void check_window(sought *some, uint64_t hash, tamis_text window) {
    for (ptrdiff_t place = place_of(some, hash); some->places[place]; place = (place + 1) & (some->size - 1)) {
        ptrdiff_t key = some->places[place] - 1;
        if (!some->found[key] && is_equal(some->keys[key], window)) some->found[key] = 1;
    }
}

/* Slide a window of `length` characters over `where`, with a rolling hash. */
static void slide(sought *some, ptrdiff_t length, tamis_text where) {
    const char *first = where.bytes, *last = first, *end = first + where.size;
    uint64_t hash = 0, power = 1;
    for (ptrdiff_t place = 0; place < length; place++) {
        if (last == end) return;
        hash = hash * some->base + next_point(&last, end) + 1;
        power *= some->base;
    }
    while (1) {
        check_window(some, hash, (tamis_text){first, last - first});
        if (last == end) return;
        uint64_t gone = next_point(&first, end) + (uint64_t)1;
        hash = hash * some->base + next_point(&last, end) + 1 - gone * power;
    }
}

int32_t find_keys(arena memory, uint32_t seed, const tamis_text *keys, ptrdiff_t count, tamis_text where,
                  uint8_t *found) {
    double comparisons = 0;
    for (ptrdiff_t key = 0; key < count; key++)
        if (keys[key].size <= where.size) comparisons += (double)keys[key].size * where.size;
    if (comparisons <= FEW_COMPARISONS) {
        for (ptrdiff_t key = 0; key < count; key++) found[key] = contains(where, keys[key]);
        return 0;
    }
    /* Keys of one length are looked up together: chains by length. */
    ptrdiff_t longest = length_of(where);
    ptrdiff_t *head = take(&memory, longest + 1, sizeof *head), *next = take(&memory, count, sizeof *next);
    ptrdiff_t *twin = take(&memory, count, sizeof *twin); /* an equal key before each, plus 1 */
    sought some = {.keys = keys, .found = found, .size = 1, .base = 0x9E3779B97F4A7C15u + 2 * (uint64_t)seed};
    while (some.size < 2 * count) some.size *= 2;
    some.places = take(&memory, some.size, sizeof *some.places);
    if (!some.places) return TAMIS_TOO_LITTLE_MEMORY;
    for (ptrdiff_t key = 0; key < count; key++) {
        ptrdiff_t length = length_of(keys[key]);
        found[key] = length == 0;
        if (!length || length > longest) continue;
        next[key] = head[length];
        head[length] = key + 1;
    }
    for (ptrdiff_t length = 1; length <= longest; length++) {
        if (!head[length]) continue;
        for (ptrdiff_t key = head[length]; key; key = next[key - 1]) {
            ptrdiff_t place = place_of(&some, hash_points(keys[key - 1], some.base));
            while (some.places[place] && !is_equal(keys[some.places[place] - 1], keys[key - 1]))
                place = (place + 1) & (some.size - 1);
            twin[key - 1] = some.places[place];
            if (!some.places[place]) some.places[place] = key;
        }
        slide(&some, length, where);
        for (ptrdiff_t key = head[length]; key; key = next[key - 1]) { /* empty the table for the next length */
            ptrdiff_t place = place_of(&some, hash_points(keys[key - 1], some.base));
            for (; some.places[place]; place = (place + 1) & (some.size - 1)) some.places[place] = 0;
        }
    }
    for (ptrdiff_t key = 0; key < count; key++)
        if (twin[key]) found[key] = found[twin[key] - 1];
    return 0;
}
