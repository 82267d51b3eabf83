/* Memory of the fuzzer. */
#include "fuzz.h"

void add(buffer *to, const void *bytes, ptrdiff_t size) {
    if (to->size + size > to->room) {
        to->room = 2 * (to->size + size) + 64;
        to->bytes = realloc(to->bytes, to->room);
        REQUIRE(to->bytes, "no memory");
    }
    if (size) memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
}

void add_string(buffer *to, const char *string) { add(to, string, strlen(string)); }
void add_byte(buffer *to, uint8_t byte) { add(to, &byte, 1); }
void add_row(buffer *to, tamis_row row) { add(to, &row, sizeof row); }
tamis_row *rows_of(const buffer *some) { return (tamis_row *)some->bytes; }

void *own(input *some, const void *bytes, ptrdiff_t size) {
    REQUIRE(some->blocks < MOST_BLOCKS, "raise MOST_BLOCKS");
    void *block = malloc(size);
    REQUIRE(block || !size, "no memory");
    if (size) memcpy(block, bytes, size);
    some->block[some->blocks].bytes = block;
    some->block[some->blocks++].size = size;
    return block;
}

void *own_buffer(input *some, buffer *from) {
    void *block = own(some, from->bytes, from->size);
    free(from->bytes);
    *from = (buffer){0};
    return block;
}

tamis_text own_text(input *some, buffer *from) {
    ptrdiff_t size = from->size;
    void *block = own_buffer(some, from);
    int is_null = !size && one_in(2); /* an empty text needs no memory */
#ifdef __clang__
    is_null = 0; /* its sanitizer objects to NULL + 0, which is harmless, and allowed by the next C */
#endif
    return (tamis_text){is_null ? NULL : block, size};
}

uint64_t checksum(const input *some) {
    uint64_t sum = 0;
    for (int each = 0; each < some->blocks; each++) {
        const uint8_t *bytes = some->block[each].bytes;
        for (ptrdiff_t at = 0; at < some->block[each].size; at++) sum = (sum ^ bytes[at]) * 0x100000001B3u;
    }
    return sum;
}

void forget(input *some) {
    for (int each = 0; each < some->blocks; each++) free(some->block[each].bytes);
    some->blocks = 0;
}
