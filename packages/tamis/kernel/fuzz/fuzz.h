/* What the files of the fuzzer share: a harness of the kernel for libFuzzer, which invents the inputs. */
#ifndef TAMIS_FUZZ_H
#define TAMIS_FUZZ_H

#include <stdio.h>
#include <stdlib.h>

#include "internal.h"

/* Ends the program and says why. Unlike assert() it can't be compiled away. */
#define REQUIRE(condition, ...) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "%s:%d: not so: %s: ", __FILE__, __LINE__, #condition); \
            fprintf(stderr, __VA_ARGS__); \
            fputc('\n', stderr); \
            abort(); \
        } \
    } while (0)

/* ---- fuzz.c ---- */
/* The bytes of an input, read from the front; 0 behind the last. */
typedef struct {
    const uint8_t *at, *end;
} source;
static inline uint8_t next_byte(source *from) { return from->at < from->end ? *from->at++ : 0; }

/* What an input does not say: random numbers that follow from a seed in it. */
void set_seed(uint64_t seed);
uint64_t random_bits(void);
ptrdiff_t below(ptrdiff_t limit); /* 0 or more, less than the limit, which is positive */
static inline int one_in(ptrdiff_t number) { return below(number) == 0; }
float random_float(void);         /* about -2 to 2, and never 0 */
float odd_float(void);            /* also huge ones, infinities and NaN */

/* Memory of exactly this size, so that AddressSanitizer notices a read of one byte too many. */
void *block_of(ptrdiff_t size);
/* Memory that grows, and then is cut to its size. */
typedef struct {
    char *bytes;
    ptrdiff_t size, room;
} buffer;
void add(buffer *to, const void *bytes, ptrdiff_t size);
void cut(buffer *some);
static inline void add_byte(buffer *to, uint8_t byte) { add(to, &byte, 1); }
static inline void add_row(buffer *to, tamis_row row) { add(to, &row, sizeof row); }
static inline tamis_row *rows_of(const buffer *some) { return (tamis_row *)some->bytes; }
static inline ptrdiff_t count_of(const buffer *rows) { return rows->size / (ptrdiff_t)sizeof(tamis_row); }

/* ---- pages.c ---- */
enum {
    OF_PARENT, OF_END, OF_ELEMENT, OF_OPENED, OF_MARKED, LAST_OF_ROWS = OF_MARKED,
    OF_CODE, OF_IS_MEDIA, OF_VISIBLE, OF_FOLDED, OF_TEXTS, OF_COLUMNS, OF_MARKS,
    OF_TITLE, OF_OG_TITLE, OF_BODY, OF_DESCRIPTION, OF_META, OF_REVIEW, OF_PARTS, OF_NAMES, OF_OPENINGS, OF_SECTIONS,
    LAST_OF_TEXTS = OF_SECTIONS,
    OF_LINKS, OF_LATER, OF_EARLIER, OF_LINK_NAMES, PARTS
};

typedef struct {
    buffer part[PARTS];      /* all memory of what follows */
    tamis_page page;
    tamis_declared declared; /* without sections and references, which the kernel is asked for first */
    tamis_fragments links;
} input;

input read_page(source *from);
void forget(input *some);
/* Are the tables those of a page? As tamis.h says it, in the plainest way. */
int is_sound(const tamis_page *page);

/* ---- judge.c ---- */
/* Sends a page through the kernel, twice. */
void judge(input *some);

/* ---- weights.c ---- */
/* A network for a page with this number of leaves, from a small set; some have huge weights. */
const tamis_model *some_model(ptrdiff_t leaves);
/* Weights whose shapes mostly do not fit each other. */
void try_weights(source *from);

#endif
