/* What the files of the fuzzer share.
 *
 * An input is made from its seed alone, so that a find can be repeated. All of its tables lie in blocks of memory of
 * exactly their size: AddressSanitizer then notices a read of one byte too many.
 */
#ifndef TAMIS_FUZZ_H
#define TAMIS_FUZZ_H

#include <stdio.h>
#include <stdlib.h>

#include "internal.h" /* the words that the kernel knows, and the header of its users */

/* Ends the program and says why. It is no assert(), which can be compiled away. */
#define REQUIRE(condition, ...) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "%s:%d: not so: %s: ", __FILE__, __LINE__, #condition); \
            fprintf(stderr, __VA_ARGS__); \
            fputc('\n', stderr); \
            abort(); \
        } \
    } while (0)

/* ---- random.c ---- */
void set_seed(uint64_t seed);
uint64_t random_bits(void);
ptrdiff_t below(ptrdiff_t limit); /* 0 or more, less than the limit, which is positive */
int one_in(ptrdiff_t number);
ptrdiff_t some_size(void);        /* mostly a few, rarely thousands */
float random_float(void);         /* about -2 to 2, and never 0 */
float odd_float(void);            /* also huge ones, infinities and NaN */
#define PICK(array) ((array)[below(sizeof(array) / sizeof(*(array)))])

/* ---- memory.c ---- */
/* Memory that grows. */
typedef struct {
    char *bytes;
    ptrdiff_t size, room;
} buffer;

void add(buffer *to, const void *bytes, ptrdiff_t size);
void add_string(buffer *to, const char *string);
void add_byte(buffer *to, uint8_t byte);
void add_row(buffer *to, tamis_row row);
tamis_row *rows_of(const buffer *some);

enum { MOST_BLOCKS = 40 };

typedef struct {
    tamis_page page;
    tamis_declared declared; /* without the names of sections: which elements these are is not known yet */
    tamis_text names;        /* for the sections, each followed by a NUL; they are used in turn */
    tamis_text source;       /* the page as it was before it was parsed, if it is one of the corpus */
    struct {
        void *bytes;
        ptrdiff_t size;
    } block[MOST_BLOCKS];    /* all memory of the above */
    int blocks;
} input;

/* A copy of some bytes in a block of exactly that size, which belongs to the input. */
void *own(input *some, const void *bytes, ptrdiff_t size);
/* The same for what was gathered in a buffer, which is emptied. */
void *own_buffer(input *some, buffer *from);
tamis_text own_text(input *some, buffer *from);
uint64_t checksum(const input *some);
void forget(input *some);

/* ---- pages.c ---- */
/* A page that is written tag by tag, as a parser would. */
typedef struct {
    buffer code, parent, end, element, opened, is_media, visible, folded, texts;
    buffer open; /* the rows of open elements; the last one is the innermost */
} writer;

void open_element(writer *page, int code);
void close_element(writer *page);
/* A text in the innermost open element; what is no part of a text in UTF-8 may be in it, but no NUL. */
void add_leaf(writer *page, const char *text, ptrdiff_t size, int is_media, int visible, int folded);
void add_paragraph(writer *page, int code, const char *text); /* an element with one visible text */
/* The tables of what was written; the writer is emptied. Elements that are open are closed. */
void finish(writer *page, input *to);
input random_page(void);

/* ---- damage.c ---- */
/* Changes some rows, counts, sizes and bytes. What is refused then, or not, is for the kernel to say. */
void damage(input *some);
/* Are the tables those of a page? As tamis.h says it, in the plainest way. */
int is_sound(const tamis_page *page);

/* ---- corpus.c ---- */
/* Reads the pages that corpus.py wrote. */
void read_corpus(const char *path);
int has_corpus(void);
input page_of_corpus(void); /* a copy of one of them */

/* ---- weights.c ---- */
/* A network for a page of so many leaves, from a small set of them; some have huge weights. */
const tamis_model *some_model(ptrdiff_t leaves);
const tamis_model *usual_model(void); /* as large as the one that is shipped */
/* Weights of random shapes, mostly such that do not fit each other. */
void try_weights(void);

/* ---- folds.c ---- */
void check_folds(void);

/* ---- markup.c ---- */
void try_guard(const input *some);

/* ---- judge.c ---- */
/* Sends the page through the kernel, twice. Returns 0 if the kernel refuses the tables. What it answers is added to a
 * checksum: another compiler, or a kernel that is only faster, has to come to the same. */
int judge(input *some, uint64_t *answers);

#endif
