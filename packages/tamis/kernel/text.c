/* Memory, characters and stretches of text. */
#define HAS_TABLES
#include "internal.h"

void *take(arena *memory, ptrdiff_t count, ptrdiff_t size) {
    /* Rounded up, so that the next piece is aligned for every type. */
    ptrdiff_t bytes = count > memory->left / size ? -1 : (count * size + 15) & ~(ptrdiff_t)15;
    if (bytes < 0 || bytes > memory->left) {
        memory->left = -1; /* later requests fail, too, so that callers need to check only the last */
        return NULL;
    }
    void *found = memory->at;
    memory->at += bytes;
    memory->left -= bytes;
    return memset(found, 0, bytes);
}

uint32_t next_wide_point(const char **at, const char *end) {
    const uint8_t *bytes = (const uint8_t *)*at;
    ptrdiff_t left = end - *at;
    uint32_t lead = bytes[0];
    ptrdiff_t size = lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
    uint32_t point = size < 2 ? lead : lead & (0x7F >> size);
    for (ptrdiff_t place = 1; place < size; place++) {
        if (place >= left || (bytes[place] & 0xC0) != 0x80) {
            size = 0;
            break;
        }
        point = point << 6 | (bytes[place] & 0x3F);
    }
    *at += size ? size : 1;
    return size ? point : 0xFFFD;
}

tamis_text stripped(tamis_text text) {
    const char *at = text.bytes, *end = at + text.size, *first = end, *last = end;
    while (at < end) {
        const char *here = at;
        if (!(class_of(next_point(&at, end)) & SPACE)) {
            first = here;
            break;
        }
    }
    /* From the end, a character begins at a byte that continues none. */
    while (last > first) {
        const char *begin = last - 1;
        while (begin > first && ((uint8_t)*begin & 0xC0) == 0x80) begin--;
        const char *here = begin;
        if (!(class_of(next_point(&here, last)) & SPACE)) break;
        last = begin;
    }
    return (tamis_text){first, last - first};
}

tamis_text next_text(tamis_text *all) {
    const char *end = all->size ? memchr(all->bytes, 0, all->size) : NULL;
    tamis_text found = {all->bytes, end ? end - all->bytes : all->size};
    ptrdiff_t read = found.size + (end != NULL);
    all->bytes += read;
    all->size -= read;
    return found;
}

ptrdiff_t length_of(tamis_text text) {
    ptrdiff_t points = 0;
    for (ptrdiff_t at = 0; at < text.size; at++) points += ((uint8_t)text.bytes[at] & 0xC0) != 0x80;
    return points;
}

tamis_text prefix_of(tamis_text text, ptrdiff_t points) {
    ptrdiff_t at = 0;
    for (; at < text.size; at++)
        if (((uint8_t)text.bytes[at] & 0xC0) != 0x80 && points-- == 0) break;
    return (tamis_text){text.bytes, at};
}

int is_equal(tamis_text one, tamis_text other) {
    /* An empty text may be NULL, which memcmp must not be given. */
    return one.size == other.size && (!one.size || !memcmp(one.bytes, other.bytes, one.size));
}

int contains(tamis_text text, tamis_text part) {
    if (!part.size) return 1;
    const char *at = text.bytes, *last = text.bytes + text.size - part.size;
    while (at <= last && (at = memchr(at, part.bytes[0], last - at + 1))) {
        if (!memcmp(at, part.bytes, part.size)) return 1;
        at++;
    }
    return 0;
}

uint64_t hash_of(tamis_text text) {
    uint64_t found = 0xCBF29CE484222325u;
    for (ptrdiff_t at = 0; at < text.size; at++) found = (found ^ (uint8_t)text.bytes[at]) * 0x100000001B3u;
    return found;
}

int value_of(const known_word *table, size_t size, tamis_text word) {
    for (size_t place = hash_of(word) & (size - 1); table[place].word; place = (place + 1) & (size - 1))
        if (table[place].size == word.size && !memcmp(table[place].word, word.bytes, word.size))
            return table[place].value;
    return -1;
}
