/* Letter case as in Python. The memory that texts are written to is large enough. */
#ifndef TAMIS_FOLD_H
#define TAMIS_FOLD_H

#include "internal.h"

/* Bytes of the arena that are enough for `find_headline` and for `find_noise`, whatever the page. */
#define HEADLINE_MEMORY 45056

/* Writes a code point; returns its bytes, at most 4. */
ptrdiff_t put_point(uint32_t point, char *to);
/* Writes a text as str.lower() does; returns its bytes, at most 4 for each code point. */
ptrdiff_t lower(tamis_text text, char *to);
/* Adds the casefolded words of a text to the `size` bytes that are there, with one space between words. Returns the new
 * size: each code point of the text adds at most LONGEST_FOLD bytes and a space. */
ptrdiff_t add_words(tamis_text text, char *to, ptrdiff_t size);
/* Is it one of the characters of a string literal? None of them is a letter or digit. */
int is_one_of(uint32_t point, tamis_text marks);
#define IS_ONE_OF(point, literal) is_one_of(point, (tamis_text){literal, sizeof(literal) - 1})
/* The rest of a text that is read part by part, and the character before it; 0 at the start. */
typedef struct {
    const char *at, *end;
    uint32_t before;
} reader;

/* Where the separator that begins at `at` ends, or NULL if there is none. `before` is the character before it. */
typedef const char *find_end(const char *at, const char *end, uint32_t before);
/* The text before the next separator. `*rest` moves behind the separator. */
tamis_text next_part(reader *rest, find_end *separator_end);

#endif
