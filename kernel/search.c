/* Which of many short texts are a part of a longer one. */
#include "internal.h"

/* Up to so many comparisons of bytes at the worst, each text is searched by itself. */
#define FEW_COMPARISONS 4000000

/* An odd base makes the hash of a window depend on all of its characters. */
#define BASE 0x9E3779B97F4A7C15u

static uint64_t hash_points(tamis_text text) {
    const char *at = text.bytes, *end = at + text.size;
    uint64_t found = 0;
    while (at < end) found = found * BASE + next_point(&at, end) + 1;
    return found;
}

typedef struct {
    const tamis_text *keys;
    ptrdiff_t *places, size; /* a hash table of keys, plus 1; 0 is free */
    uint8_t *found;
} sought;

static void check_window(sought *some, uint64_t hash, tamis_text window) {
    for (ptrdiff_t place = hash & (some->size - 1); some->places[place]; place = (place + 1) & (some->size - 1)) {
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
        hash = hash * BASE + next_point(&last, end) + 1;
        power *= BASE;
    }
    while (1) {
        check_window(some, hash, (tamis_text){first, last - first});
        if (last == end) return;
        uint64_t gone = next_point(&first, end) + (uint64_t)1;
        hash = hash * BASE + next_point(&last, end) + 1 - gone * power;
    }
}

int32_t find_keys(arena memory, const tamis_text *keys, ptrdiff_t count, tamis_text where, uint8_t *found) {
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
    sought some = {.keys = keys, .found = found, .size = 1};
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
            ptrdiff_t place = hash_points(keys[key - 1]) & (some.size - 1);
            while (some.places[place]) place = (place + 1) & (some.size - 1);
            some.places[place] = key;
        }
        slide(&some, length, where);
        for (ptrdiff_t key = head[length]; key; key = next[key - 1]) { /* empty the table for the next length */
            ptrdiff_t place = hash_points(keys[key - 1]) & (some.size - 1);
            for (; some.places[place]; place = (place + 1) & (some.size - 1)) some.places[place] = 0;
        }
    }
    return 0;
}
