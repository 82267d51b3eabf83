/* What the files of the kernel share. */
#ifndef TAMIS_INTERNAL_H
#define TAMIS_INTERNAL_H

#include <string.h>

#include "tables.h" /* tag codes, columns, words, characters: written by tables.py */
#include "tamis.h"

/* ---- memory: one block of the host's, handed out from the front ---- */
typedef struct {
    char *at;
    ptrdiff_t left;
} arena;

/* `count` zeroed items of `size` bytes, or NULL if the memory is too small; then all later calls fail, too. */
void *take(arena *memory, ptrdiff_t count, ptrdiff_t size);

/* ---- text.c: characters ---- */
/* Facts about a character; the kind of mark is in bits 4 to 6 (MARK_*, from 1; 0 is none). */
enum { SPACE = 1, ALNUM = 2, UNSPACED = 4, FINAL = 8, QUARTER = 128 };
enum { MARK_DIGIT = 1, MARK_CAPITAL, MARK_SENTENCE_END, MARK_COMMA, MARK_SEPARATOR, MARK_QUOTE, MARKS };

static inline uint8_t class_of(uint32_t point) {
    if (point > LAST_POINT) point = LAST_POINT;
    return classes[class_blocks[point >> 8] << 8 | (point & 255)];
}
/* The code point at `*at`, which moves past it. A byte that is not UTF-8 counts as U+FFFD. */
uint32_t next_wide_point(const char **at, const char *end);
static inline uint32_t next_point(const char **at, const char *end) {
    return (uint8_t)**at < 0x80 ? (uint8_t)*(*at)++ : next_wide_point(at, end);
}
/* Without white space at both ends. */
tamis_text stripped(tamis_text text);
/* The text before the next NUL; `*all` moves behind it. */
tamis_text next_text(tamis_text *all);
ptrdiff_t length_of(tamis_text text); /* in code points */
tamis_text prefix_of(tamis_text text, ptrdiff_t points); /* at most its first code points */
int is_equal(tamis_text one, tamis_text other);
/* Is `part` in `text`? */
int contains(tamis_text text, tamis_text part);
uint64_t hash_of(tamis_text text);
/* The value of a word in a table of tables.h, or -1. */
#define VALUE_OF(table, word) value_of(table, sizeof(table) / sizeof(*(table)), word)
int value_of(const known_word *table, size_t size, tamis_text word);

/* ---- runs.c ---- */
typedef struct {
    tamis_row element, opened, leaf; /* the block, the last element opened before it, its first leaf */
    tamis_row text, texts;           /* its first text, as a position in runs->text, and how many it has */
    double words, linked;            /* linked: words in links */
    ptrdiff_t characters, marks[MARKS];
    tamis_text begin;                /* its first text, stripped */
    ptrdiff_t begin_length;          /* in code points */
    ptrdiff_t repeated;              /* how many other runs have the same first text */
    tamis_row same_begin;            /* the next run with the same first text, or -1 */
    uint8_t code;                    /* of its element */
    uint8_t is_final, in_title, folded, declared; /* declared: a bit for each DECLARED_* */
    uint64_t bits, names;            /* HOLDER_*, roles and properties; names */
    tamis_row above;                 /* the node above */
    ptrdiff_t like;                  /* the first run with the same tag at the same depth */
    double alike, words_alike, linked_alike; /* of all such runs; only at the first of them */
} run;

/* The columns about records, in the order of RECORD_COLUMNS in tables.py: where a run is in them ... */
typedef struct {
    float is_in, is_before;    /* is the run in a record; is it before the first? */
    float records_before;      /* the logarithm of 1 and how many come before its own */
    float share;               /* of the words of all records, how many its own has */
} record_of_run;
/* ... and what those of a page are like. */
typedef struct {
    float count, share;        /* the logarithm of 1 and how many there are; their share of the words of the page */
    float largest, words;      /* the share of the largest in their words; the logarithm of 1 and their mean of words */
    float with_prose, with_names, with_dates; /* shares of them */
} records_of_page;
_Static_assert(sizeof(record_of_run) + sizeof(records_of_page) == RECORD_COLUMNS * sizeof(float), "one a column");

/* An element where the tree branches. The one behind the last means "no node" and spans the page. */
typedef struct {
    tamis_row element, parent, first, last; /* parent: a node; first run, and the run after the last */
    float columns[NODE_COLUMNS];
} node;

/* Sums over the runs of a page. */
enum { WORDS, LINKED, PROSE, SENTENCE_ENDS, HEADINGS, SUMS };

struct tamis_state {
    arena memory;
    uint32_t seed;              /* of hashes, so that no page can be made for collisions */
    tamis_row *offset;          /* (leaves + 1) where each text begins */
    uint8_t *in_link;           /* (leaves) */
    tamis_row *depth, *held, *children, *number; /* (elements): ancestors; runs below; children with runs; its node */
    run *runs;                  /* (runs) */
    node *nodes;                /* (nodes + 1) */
    double *before[SUMS];       /* (runs + 1) the sum over the runs before each */
    record_of_run *record;      /* (runs) */
    records_of_page records;    /* all 0 if the page has none */
    double total;               /* words of the page, at least 1 */
    ptrdiff_t first_h1;         /* the first run in an h1, or -1 */
    tamis_row *last_heading;    /* (runs) the last run that is a heading; -50 if there is none yet */
    tamis_row *begins;          /* a hash table of runs by their first text: the first of equal ones, or -1 */
    ptrdiff_t begins_size;      /* a power of two */
};

/* The first run with this first text, or -1; `same_begin` leads to the others. */
tamis_row first_with_begin(const tamis_runs *runs, tamis_text text);

/* The text of a leaf. */
static inline tamis_text leaf_text(const tamis_page *page, const struct tamis_state *state, tamis_row leaf) {
    return (tamis_text){page->texts.bytes + state->offset[leaf], state->offset[leaf + 1] - state->offset[leaf] - 1};
}

/* ---- noise.c ---- */
/* Sets noise[run] to 1 for the kept runs that are noise. `type` is a PAGE_TYPE_*. 0, or an error. */
int32_t find_noise(const tamis_page *page, const tamis_runs *runs, const uint8_t *kept, int type, uint8_t *noise);
/* ---- headline.c ---- */
/* Sets headline[leaf] to 1 for the leaves of the headline, in all places that show it. 0, or an error. */
int32_t find_headline(const tamis_page *page, const tamis_declared *declared, const tamis_runs *runs,
                      const uint8_t *keep, uint8_t *headline);

/* ---- network.c ---- */
void run_network(const tamis_page *page, const tamis_declared *declared, const tamis_model *model,
                 const tamis_runs *runs, void *memory, float *logits, float *type_logits);
double exponential(double x);
double logarithm(double x);

/* ---- names.c ---- */
uint64_t name_bits(tamis_text given);
uint64_t mark_bits(tamis_text role, tamis_text properties);

/* ---- records.c ---- */
/* Sets `record` and `records` of the state. 0, or an error. */
int32_t find_records(const tamis_page *page, const tamis_declared *declared, tamis_runs *runs);

/* ---- search.c ---- */
/* Sets found[key] to 1 for the keys that are a part of `where`, else to 0. Takes linear time however many. */
int32_t find_keys(arena memory, uint32_t seed, const tamis_text *keys, ptrdiff_t count, tamis_text where,
                  uint8_t *found);

/* ---- columns.c ---- */
/* The columns and tags of one run. */
void fill_row(const tamis_page *page, const tamis_declared *declared, const tamis_runs *runs, ptrdiff_t number,
              float values[COLUMNS], uint8_t tags[1 + LEVELS]);

#endif
