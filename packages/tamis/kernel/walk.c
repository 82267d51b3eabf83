/* From the tree of the HTML parser to the tables of a page, for Python: one pass over the nodes in document order.
 *
 * The parser's nodes are Python objects, and to read them from Python cost more than to parse the page. No header and no
 * symbol of Python is used: the host hands over the functions that are needed, all of them of Python's stable ABI, so
 * one library works with every version. It has to be called with the interpreter's lock held.
 *
 * Each open element knows how many children are still to come: when none is left, it ends. So no parent is ever read.
 */
#include <stdlib.h>

#include "internal.h"

_Static_assert(sizeof(tamis_row) == 8, "Python reads rows as int64");

typedef struct PyObject PyObject;

/* Functions of Python, by their names there. Each returns a new reference unless said otherwise. */
typedef struct {
    PyObject *(*iter_next)(PyObject *iterator);
    PyObject *(*get_type)(PyObject *object);
    PyObject *(*get_attribute)(PyObject *object, PyObject *name);
    ptrdiff_t (*get_size)(PyObject *object);
    PyObject *(*get_item)(PyObject *dictionary, PyObject *key); /* borrowed; NULL without an error if it is missing */
    int (*set_item)(PyObject *dictionary, PyObject *key, PyObject *value);
    long (*get_number)(PyObject *number);
    const char *(*get_utf8)(PyObject *string, ptrdiff_t *size); /* borrowed */
    void (*append_string)(PyObject **left, PyObject *right);    /* in place */
    int (*append)(PyObject *list, PyObject *item);
    PyObject *(*list_item)(PyObject *list, ptrdiff_t place);    /* borrowed */
    PyObject *(*make_bytes)(const char *bytes, ptrdiff_t size);
    PyObject *(*has_error)(void);                               /* borrowed */
    PyObject *(*out_of_memory)(void);                           /* sets the error */
    void (*add_reference)(PyObject *object);
    void (*drop_reference)(PyObject *object);
} tamis_python;

/* The input of the walk, and the lists that it fills. All references are borrowed. */
typedef struct {
    PyObject *nodes;             /* an iterator over all nodes */
    PyObject *element_type, *text_type, *cdata_type, *fragment_type;
    PyObject *tag, *data;        /* the names of these attributes */
    PyObject *codes;             /* a dict from tag to code, to which unknown tags are added */
    PyObject *other;             /* the code of unknown tags */
    PyObject *empty;             /* "" */
    PyObject *notable;           /* a list of elements in document order */
    const uint8_t *notable_kind; /* of each: 0, or one of the kinds below */
    ptrdiff_t notables;
    PyObject *elements, *texts, *gaps; /* lists to be filled: nodes of elements; text and gap of each leaf */
    PyObject *text_nodes;        /* the same for nodes of text leaves; may be NULL */
    PyObject *columns;           /* a list to which the columns are appended as bytes, in the order of `walk` */
} tamis_tree;

enum { IS_FORMULA = 1, IS_SHADOW_ROOT = 2 };

/* A growing column. */
typedef struct {
    char *bytes;
    ptrdiff_t size, room;
} column;

enum { CODE, PARENT, END, NOTABLE_ROWS, ELEMENT, OPENED, BLOCK, IS_MEDIA, IN_LINK, SHOWN, TEXTS, COLUMN_COUNT };

typedef struct {
    tamis_row left;   /* children still to come */
    tamis_row row, block;
    uint8_t in_link, hidden;
} open_element;

typedef struct {
    const tamis_python *python;
    const tamis_tree *tree;
    column columns[COLUMN_COUNT], stack; /* stack: the open elements */
    open_element top;                    /* the innermost open element */
    tamis_row rows, medium, code_row;    /* elements so far; the last medium; the last element of code */
    PyObject *gap;                       /* white space since the last leaf */
    int is_verbatim;                     /* there was preformatted text, in which every blank counts */
    ptrdiff_t next_notable;
} walker;

static int add(walker *walk, column *to, const void *item, ptrdiff_t size) {
    if (!size) return 0;
    if (to->size + size > to->room) {
        ptrdiff_t room = 2 * (to->room + size) + 4096;
        char *bytes = realloc(to->bytes, room);
        if (!bytes) {
            walk->python->out_of_memory();
            return -1;
        }
        to->bytes = bytes;
        to->room = room;
    }
    memcpy(to->bytes + to->size, item, size);
    to->size += size;
    return 0;
}

static int add_row(walker *walk, int which, tamis_row row) { return add(walk, &walk->columns[which], &row, sizeof row); }
static int add_byte(walker *walk, int which, uint8_t byte) { return add(walk, &walk->columns[which], &byte, 1); }
static tamis_row *ends_of(walker *walk) { return (tamis_row *)walk->columns[END].bytes; }

static void set_gap(walker *walk, PyObject *gap) {
    walk->python->add_reference(gap);
    walk->python->drop_reference(walk->gap);
    walk->gap = gap;
}

/* A leaf of the innermost open element, or the medium in `row`. */
static int add_leaf(walker *walk, tamis_row row, int is_media, PyObject *text, const char *utf8, ptrdiff_t size) {
    const tamis_python *python = walk->python;
    /* The text inside a medium is never shown, but the medium is: its parent decides. */
    const open_element *around = &walk->top;
    if (python->append(walk->tree->texts, text) || python->append(walk->tree->gaps, walk->gap) ||
        add_row(walk, ELEMENT, row) || add_row(walk, OPENED, is_media ? row : walk->rows - 1) ||
        add_row(walk, BLOCK, around->block) || add_byte(walk, IS_MEDIA, is_media) ||
        add_byte(walk, IN_LINK, around->in_link) || add_byte(walk, SHOWN, !around->hidden))
        return -1;
    column *texts = &walk->columns[TEXTS];
    ptrdiff_t begin = texts->size;
    if (add(walk, texts, utf8, size) || add(walk, texts, "", 1)) return -1;
    for (char *at = texts->bytes + begin; (at = memchr(at, 0, texts->bytes + texts->size - 1 - at));) *at++ = '?';
    set_gap(walk, walk->tree->empty);
    return 0;
}

static int is_blank(const char *at, ptrdiff_t size) {
    const char *end = at + size;
    while (at < end)
        if (!(class_of(next_point(&at, end)) & SPACE)) return 0;
    return 1;
}

static int visit_text(walker *walk, PyObject *node) {
    const tamis_python *python = walk->python;
    if (walk->top.row >= 0 && walk->top.row == walk->code_row) return 0; /* code is not a leaf, and not worth copying */
    PyObject *text = python->get_attribute(node, walk->tree->data);
    if (!text) return -1;
    ptrdiff_t size;
    const char *utf8 = python->get_utf8(text, &size);
    int failed = !utf8;
    if (utf8 && is_blank(utf8, size)) {
        if (walk->is_verbatim) python->append_string(&walk->gap, text);
        else set_gap(walk, text);
        failed = !walk->gap;
    } else if (utf8) {
        failed = add_leaf(walk, walk->top.row, 0, text, utf8, size) ||
                 (walk->tree->text_nodes && python->append(walk->tree->text_nodes, node));
    }
    python->drop_reference(text);
    return failed ? -1 : 0;
}

/* The code of an element's tag, or -1. */
static long code_of(walker *walk, PyObject *node) {
    const tamis_python *python = walk->python;
    PyObject *tag = python->get_attribute(node, walk->tree->tag);
    if (!tag) return -1;
    PyObject *code = python->get_item(walk->tree->codes, tag);
    if (!code && !python->has_error() && !python->set_item(walk->tree->codes, tag, walk->tree->other))
        code = walk->tree->other;
    long found = code ? python->get_number(code) : -1;
    python->drop_reference(tag);
    return found;
}

static int visit_element(walker *walk, PyObject *node) {
    const tamis_python *python = walk->python;
    const tamis_tree *tree = walk->tree;
    tamis_row row = walk->rows;
    long code = code_of(walk, node);
    ptrdiff_t children = code < 0 ? -1 : python->get_size(node);
    if (children < 0 || python->append(tree->elements, node) || add_byte(walk, CODE, code) ||
        add_row(walk, PARENT, walk->top.row) || add_row(walk, END, children ? 0 : row + 1)) /* 0: set when it closes */
        return -1;
    int kind = 0, is_code = code <= TAG_LAST_CODE, is_in_medium = walk->medium >= 0 && !ends_of(walk)[walk->medium];
    if (walk->next_notable < tree->notables && python->list_item(tree->notable, walk->next_notable) == node) {
        kind = tree->notable_kind[walk->next_notable++];
        if (add_row(walk, NOTABLE_ROWS, row)) return -1;
    }
    if (is_code) walk->code_row = row;
    if (code > TAG_LAST_CODE && code <= TAG_LAST_PREFORMATTED) {
        set_gap(walk, tree->empty); /* white space before it means nothing */
        walk->is_verbatim = 1;
    }
    int is_medium = code > TAG_LAST_PREFORMATTED && code <= TAG_LAST_MEDIUM;
    if ((is_medium || (is_code && kind == IS_FORMULA)) && !is_in_medium) {
        if (is_medium) walk->medium = row;
        if (add_leaf(walk, row, 1, tree->empty, "", 0)) return -1;
    }
    walk->rows++;
    if (!children) return 0;
    if (add(walk, &walk->stack, &walk->top, sizeof walk->top)) return -1;
    walk->top.left = children;
    walk->top.row = row;
    if (tag_kinds[code] & TAG_IS_BLOCK) walk->top.block = row;
    if (code == TAG_A) walk->top.in_link = 1;
    if (tag_kinds[code] & TAG_IS_INVISIBLE && kind != IS_SHADOW_ROOT) walk->top.hidden = 1;
    return 0;
}

static void close_element(walker *walk) {
    ends_of(walk)[walk->top.row] = walk->rows;
    walk->stack.size -= sizeof walk->top;
    memcpy(&walk->top, walk->stack.bytes + walk->stack.size, sizeof walk->top);
}

static int visit(walker *walk, PyObject *node) {
    const tamis_tree *tree = walk->tree;
    while (!walk->top.left && walk->stack.size) close_element(walk);
    walk->top.left--;
    PyObject *type = walk->python->get_type(node);
    walk->python->drop_reference(type); /* types outlive the walk */
    if (type == tree->element_type) return visit_element(walk, node);
    if (type == tree->text_type || type == tree->cdata_type) return visit_text(walk, node);
    if (type == tree->fragment_type) {
        /* The content of a <template> is below a fragment; in the tables it is below the template. */
        ptrdiff_t children = walk->python->get_size(node);
        if (children < 0) return -1;
        walk->top.left += children;
    }
    return 0;
}

/* Put into the root what the parser, at its greatest depth, puts beside it. */
static void put_below_root(walker *walk) {
    if (!walk->rows) return;
    ends_of(walk)[0] = walk->rows;
    int below[] = {PARENT, ELEMENT, OPENED, BLOCK};
    for (size_t each = 0; each < sizeof below / sizeof *below; each++) {
        tamis_row *rows = (tamis_row *)walk->columns[below[each]].bytes;
        ptrdiff_t count = walk->columns[below[each]].size / (ptrdiff_t)sizeof *rows;
        for (ptrdiff_t place = below[each] == PARENT; place < count; place++)
            if (rows[place] < 0) rows[place] = 0;
    }
}

/* 0, or -1 with an error of Python. */
TAMIS_API int32_t tamis_walk(const tamis_python *python, const tamis_tree *tree) {
    walker walk = {.python = python, .tree = tree, .medium = -1, .code_row = -1, .gap = tree->empty,
                   .top = {.left = -1, .row = -1, .block = -1}}; /* the document: -1 never counts down to 0 */
    python->add_reference(walk.gap);
    int failed = 0;
    for (PyObject *node; !failed && (node = python->iter_next(tree->nodes));) {
        failed = visit(&walk, node);
        python->drop_reference(node);
    }
    failed = failed || python->has_error();
    if (!failed) {
        while (walk.stack.size) close_element(&walk);
        put_below_root(&walk);
    }
    for (int each = 0; each < COLUMN_COUNT; each++) {
        PyObject *bytes = failed ? NULL : python->make_bytes(walk.columns[each].bytes, walk.columns[each].size);
        failed = !bytes || python->append(tree->columns, bytes);
        if (bytes) python->drop_reference(bytes);
        free(walk.columns[each].bytes);
    }
    free(walk.stack.bytes);
    if (walk.gap) python->drop_reference(walk.gap);
    return failed ? -1 : 0;
}
