/* The kernel of tamis: from the tables of a page to its labels.
 *
 * A page is a table of elements and a table of leaves, as in tamis/document/table.py. The host (Python, or JavaScript
 * in a browser) fills them, and the kernel returns a score, a role and a keep flag for each leaf.
 *
 *     size = tamis_workspace(&page, &declared, width);  the host allocates; the kernel never does
 *     tamis_begin(&page, seed, memory, size, &runs);    which leaves form a run, and where the tree branches
 *     ... the host reads the class and the id of the elements in runs.sections ...
 *     tamis_columns(&page, &declared, &runs);           the columns of each run
 *     tamis_label(&page, &declared, &model, &runs, &labels);
 *
 * Numbers of rows are `tamis_row`: as wide as a pointer, so that NumPy and WebAssembly pass their arrays as they are.
 * Texts are UTF-8. Nothing here has a state of its own, so any number of threads may run it at once.
 * Every function that takes a page expects that `tamis_check` has accepted it.
 */
#ifndef TAMIS_H
#define TAMIS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __wasm__
#define TAMIS_API __attribute__((visibility("default"), used))
#else
#define TAMIS_API __attribute__((visibility("default")))
#endif

typedef ptrdiff_t tamis_row;

/* A stretch of UTF-8. Where a field holds several texts, each is followed by a NUL. */
typedef struct {
    const char *bytes;
    ptrdiff_t size;
} tamis_text;

typedef struct {
    ptrdiff_t elements, leaves;
    /* (elements) in document order */
    const uint8_t *code;      /* of the tag: tamis/document/tags.py */
    const tamis_row *parent;  /* -1 for the root, which is row 0 */
    const tamis_row *end;     /* the row after the last descendant */
    /* (leaves) in document order */
    const tamis_row *element; /* that holds the text, or is the medium */
    const tamis_row *opened;  /* the last element opened before or at the leaf */
    const uint8_t *is_media, *visible, *folded; /* 0 or 1 */
    tamis_text texts;         /* of all leaves; empty for media */
} tamis_page;

/* What a page declares about itself, and its names. */
typedef struct {
    tamis_text title;     /* of the TITLE element, white space folded */
    tamis_text og_title;  /* of Open Graph */
    tamis_text body, description, meta, review; /* texts that the page declares, of each kind */
    tamis_text parts;     /* lines that it declares as parts of its content; a line feed is before and after each */
    tamis_text names;     /* that the page declares */
    tamis_text openings;  /* the beginnings of its descriptions */
    const float *page;    /* (TAMIS_PAGE_COLUMNS) the columns that are the same for all runs */
    tamis_text sections;  /* the class and the id of each of runs.sections */
    ptrdiff_t marked;
    const tamis_row *marked_rows; /* (marked) elements with a role or a property of schema.org, in document order */
    tamis_text marks;     /* the role and the property of each of them */
    ptrdiff_t references;
    const tamis_row *reference_rows, *note_rows; /* (references) links to notes, in document order, and those notes */
} tamis_declared;

/* What names and tags say about a link to a place on its page. */
enum {
    TAMIS_IS_REFERENCE = 1, /* it is named as a reference */
    TAMIS_TO_NOTE = 2,      /* its target is named as a note */
    TAMIS_IS_BACK = 4,      /* it is named as a link back */
    TAMIS_TO_WORD = 8,      /* its target is a note of Word */
    TAMIS_RAISED = 16       /* it is in a SUP, or around one */
};

/* The links to places on the page, in document order. */
typedef struct {
    ptrdiff_t links;
    const tamis_row *link;    /* (links) their elements */
    const tamis_row *later;   /* (links) the next element with the name that the link has, else the first */
    const tamis_row *earlier; /* (links) the last such element before the link, or -1 */
    const uint8_t *names;     /* (links) bits of the enum above */
} tamis_fragments;

/* The runs of a page: adjacent visible texts of one block-level element. */
typedef struct {
    ptrdiff_t texts, runs, nodes, sections, columns;
    tamis_row *text;      /* (texts) the leaves that are visible text */
    tamis_row *first;     /* (runs + 1) the first text of each run, as a position in `text` */
    tamis_row *element;   /* (runs) the block-level element */
    tamis_row *section;   /* (sections) the elements that hold more than one run; their names are read */
    /* set by tamis_columns */
    double *words;        /* (runs) how many words it has */
    tamis_row *copy_of;   /* (runs) the first run with the same text, mostly itself */
    /* the rest of the state, in the workspace */
    struct tamis_state *state;
} tamis_runs;

/* The weights, prepared for inference: matrices are (inputs, outputs). They lie in memory of the host. */
typedef struct {
    ptrdiff_t columns, tags, codes, width, outputs, types, layers;
    float threshold;      /* the calibrated logit from which a run is content */
    float *first, *first_bias, *by_tag; /* (columns, width), (width), (tags, codes, width) */
    float *second, *second_bias;        /* (width, width), (width) */
    float *film, *film_bias;            /* (layers, 2 width, 2 width), (layers, 2 width) */
    float *kernel, *kernel_bias;        /* (layers, width, 3 width), (layers, width) */
    float *out, *out_bias;              /* (layers, width, width), (layers, width) */
    float *top, *top_bias;              /* (width, outputs), (outputs) */
    float *type, *type_bias;            /* (2 width, types), (types) */
} tamis_model;

/* A tensor as training wrote it. */
typedef struct {
    const char *name;     /* ends with a NUL */
    const float *data;
    ptrdiff_t dimensions, shape[3];
} tamis_tensor;

enum { TAMIS_OUTPUTS = 3 };
enum { TAMIS_TITLE, TAMIS_TEXT, TAMIS_CAPTION, TAMIS_NOTE, TAMIS_COMMENT, TAMIS_RELATED, TAMIS_BOILERPLATE };

/* (leaves) unless said otherwise; memory of the host */
typedef struct {
    double *scores;       /* probabilities */
    uint8_t *keep, *roles;
    double *types;        /* (types) the probability of each page type */
    double threshold;     /* the probability from which a text is kept */
    int32_t has_roles;    /* 0 if the page has no content: then scores and keep are 0 */
    int32_t keeps_text;   /* is any text kept? */
} tamis_labels;

/* Errors are negative. */
enum {
    TAMIS_BAD_TABLE = -1,
    TAMIS_TOO_LITTLE_MEMORY = -2,
    TAMIS_MISSING_TENSOR = -3,
    TAMIS_BAD_SHAPE = -4,
    TAMIS_BAD_NUMBER = -5 /* a weight that is not finite */
};

/* Are the tables sound: every row in its range, subtrees nested, one text a leaf? 0 or TAMIS_BAD_TABLE. */
TAMIS_API int32_t tamis_check(const tamis_page *page);
TAMIS_API int32_t tamis_check_declared(const tamis_page *page, const tamis_runs *runs, const tamis_declared *declared);

/* How many bytes of memory `tamis_begin` needs at most, for a network of this width. */
TAMIS_API ptrdiff_t tamis_workspace(const tamis_page *page, const tamis_declared *declared, ptrdiff_t width);
/* `memory` is aligned to 16 bytes. `seed` is any number that the page does not know; no result depends on it. */
TAMIS_API int32_t tamis_begin(const tamis_page *page, uint32_t seed, void *memory, ptrdiff_t size, tamis_runs *runs);
TAMIS_API int32_t tamis_columns(const tamis_page *page, const tamis_declared *declared, tamis_runs *runs);
/* For training and explanations: (runs, columns) and (runs, tags). */
TAMIS_API void tamis_values(const tamis_page *page, const tamis_declared *declared, const tamis_runs *runs,
                            float *values, uint8_t *tags);
TAMIS_API int32_t tamis_label(const tamis_page *page, const tamis_declared *declared, const tamis_model *model,
                              tamis_runs *runs, tamis_labels *labels);
/* The same from the logits of a network: (runs, TAMIS_OUTPUTS) content, comment and related, and those of the types.
 * `threshold` is the logit of content that training chose. */
TAMIS_API int32_t tamis_decide(const tamis_page *page, const tamis_declared *declared, tamis_runs *runs, float threshold,
                               const float *logits, const float *type_logits, tamis_labels *labels);
/* The labels of a page of which every text is content but for the headline. */
TAMIS_API int32_t tamis_label_all(const tamis_page *page, const tamis_declared *declared, tamis_runs *runs,
                                  tamis_labels *labels);

/* Which of two networks is for a page: the one for modern pages if the sum of the columns of the gate, each times its
 * weight, is not negative. `weights` has tamis_gate_size() numbers, the last of which is added. */
TAMIS_API ptrdiff_t tamis_gate_size(void);
TAMIS_API float tamis_gate(const tamis_page *page, const tamis_declared *declared, const float *weights);
/* For training: the columns of the gate, one less than it has weights. */
TAMIS_API void tamis_gate_columns(const tamis_page *page, const tamis_declared *declared, float *columns);

/* The network alone: (runs, outputs) and (types). `memory` has tamis_network_memory(model, runs) bytes. */
TAMIS_API ptrdiff_t tamis_network_memory(const tamis_model *model, ptrdiff_t runs);
TAMIS_API void tamis_network(const tamis_model *model, const float *values, const uint8_t *tags, ptrdiff_t runs,
                             void *memory, float *logits, float *type_logits);

/* Prepare the weights of training: fills `memory` and returns how many floats that takes. Without memory (NULL) it only
 * counts. An error if a tensor is missing or does not fit the others; `which` is its name. */
enum { TAMIS_LONGEST_NAME = 64, TAMIS_MOST_WIDTH = 256 };
TAMIS_API ptrdiff_t tamis_prepare(const tamis_tensor *tensors, ptrdiff_t count, float *memory, tamis_model *model,
                                  char which[TAMIS_LONGEST_NAME]);

/* The names of all columns, each followed by a NUL, and an empty one at the end. */
TAMIS_API const char *tamis_column_names(void);

/* For each link to a place on the page: the element of the note that it refers to, or -1. The links that refer to one
 * are the references of tamis_declared. `memory` has tamis_notes_memory(page) bytes and is aligned to 16. */
TAMIS_API ptrdiff_t tamis_notes_memory(const tamis_page *page);
TAMIS_API int32_t tamis_notes(const tamis_page *page, const tamis_fragments *given, void *memory, tamis_row *holders);

/* For each leaf: is it a visible medium that stays because of the kept texts around it? */
TAMIS_API void tamis_surrounded_media(const tamis_page *page, const uint8_t *kept, uint8_t *media);

/* What separates texts that are written, in the order of tamis/render/layout.py. */
enum { TAMIS_NO_BREAK, TAMIS_SPACE, TAMIS_CELL, TAMIS_LINE, TAMIS_PARAGRAPH };

/* For each of `count` leaves, in document order: what separates it from the one before, tables aside, and is its white
 * space kept unchanged? `code` has the tag codes as a reader sees the page. `memory` has tamis_layout_memory bytes. */
TAMIS_API ptrdiff_t tamis_layout_memory(const tamis_page *page);
TAMIS_API void tamis_layout(const tamis_page *page, const uint8_t *code, const tamis_row *leaves, ptrdiff_t count,
                            void *memory, int8_t *breaks, uint8_t *preformatted);

/* The output for a leaf: its text, nothing, another text, or another text as it is: with a line break at its start
 * or end it is on a line of its own. In the order of tamis/render/text.py. */
enum { TAMIS_AS_IS, TAMIS_DROPPED, TAMIS_SHOWN, TAMIS_VERBATIM };

/* Writes what separates each of `count` leaves from the one before, its text, and a NUL. Returns the bytes written, or
 * TAMIS_TOO_LITTLE_MEMORY; enough are the sizes of all texts, others and gaps, one a tab, and three a leaf.
 * `tabs` (count) put the cells of a table into their columns; `changes` (page->leaves); both may be NULL.
 * `others` are the other texts, in document order; `gaps` the white space alone before each leaf of the page. */
TAMIS_API ptrdiff_t tamis_pieces(const tamis_page *page, const tamis_row *leaves, ptrdiff_t count, const int8_t *breaks,
                                 const tamis_row *tabs, const uint8_t *preformatted, const uint8_t *changes,
                                 tamis_text others, tamis_text gaps, char *out, ptrdiff_t room);

/* The sizes of the structures above, by which the host sees that the library is of its sources: page, declared, runs,
 * model, tensor, labels, fragments. */
TAMIS_API const int32_t *tamis_sizes(void);

/* Can the page do the parser no harm? 1 if that is certain. */
TAMIS_API int32_t tamis_guard(const uint8_t *page, ptrdiff_t size);

#endif
