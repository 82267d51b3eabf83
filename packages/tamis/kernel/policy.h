/* The decision on content, from the network's logits. Arrays have an item for each run unless noted otherwise. */
#ifndef TAMIS_POLICY_H
#define TAMIS_POLICY_H

#include "internal.h"

/* The logit of text that is never content, whatever the network says: a comment, a text kept elsewhere, noise. */
#define DROPPED (-30.0f)

typedef struct {
    const tamis_page *page;
    const tamis_runs *runs;
    const run *run;           /* runs->state->runs */
    ptrdiff_t count;
    arena *memory;            /* runs->state->memory: memory is released by restoring the old value */
    int type;                 /* PAGE_TYPE_* */
    float threshold;          /* the logit from which a run is content */
    const uint8_t *comments;
    uint8_t *dropped, *kept;
    float *content;           /* the logits of content */
} decision;

/* Elements of a page with any run, in document order. */
typedef struct {
    ptrdiff_t count;
    tamis_row *row, *first, *last; /* its element, its first run, and the run after its last */
} parts;

/* Sets `kept` by the present logits. */
void keep_content(decision *page);
/* The elements for which `is_wanted` is true. An arena without memory: `count` is -1. */
parts find_parts(decision *page, int (*is_wanted)(uint8_t code));
/* (runs + 1) the sum of `value` over the runs before each; NULL if there is too little memory. */
double *sums_before(decision *page, double (*value)(const decision *page, tamis_row number));
/* (elements + 1) how many elements before each have a tag for which `is_wanted` is true. */
tamis_row *tags_before(decision *page, int (*is_wanted)(uint8_t code));
double words_of(const decision *page, tamis_row number);
double linked_words_of(const decision *page, tamis_row number);
int is_kept(const decision *page, tamis_row number); /* 0 for the run before the first and after the last */

#define MOST_LINKED 0.4 /* of the words of what stays because of the text around it: teasers and menus have more */

int32_t keep_structures_whole(decision *page);
int32_t keep_data_tables(decision *page);
/* Keeps the notes of which a mark is kept, and sets is_note[run] to 1 for their runs. 0, or an error. */
int32_t keep_notes(decision *page, const tamis_declared *declared, uint8_t *is_note);

#endif
