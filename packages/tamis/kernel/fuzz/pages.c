/* Reads a page from the bytes of an input: a seed, and then what a parser would find, in document order.
 *
 * Every sequence of bytes is a page whose tables are sound, unless it damages them. A byte below 9 says what comes next;
 * other bytes are the text of the leaf, declaration or mark before them. corpus.py writes real pages in this form.
 */
#include "fuzz.h"

enum {
    NOTHING, /* ends a text */
    OPEN,    /* code: a tag */
    CLOSE,
    LEAF,    /* flags: the enum below; then its text */
    DECLARE, /* which; then a text that the page declares about itself, or names for sections */
    MARK,    /* a role, a tab and properties of the innermost element */
    LINK,    /* names, later, later, earlier, earlier: from the innermost element to others, in two bytes each */
    DAMAGE,  /* table, row, row, value: a change of what was read */
    AGAIN    /* count: the present text as often again */
};
enum { IS_MEDIUM = 1, IS_HIDDEN = 2, IS_FOLDED = 4, IS_EARLIER = 8 }; /* the upper 4 bits: how many elements further out */
enum { LONGEST = 8000 }; /* of texts that are said again */

static ptrdiff_t next_number(source *from) { return next_byte(from) << 8 | next_byte(from); }

static void read_text(source *from, buffer *to) {
    ptrdiff_t begin = to->size;
    while (from->at < from->end) {
        uint8_t byte = *from->at;
        if (byte > AGAIN) add_byte(to, byte);
        else if (byte != AGAIN) return;
        else {
            from->at++;
            if (from->at == from->end) return;
            ptrdiff_t size = to->size - begin, times = *from->at;
            for (; times > 0 && to->size - begin + size < LONGEST; times--)
                for (ptrdiff_t each = 0; each < size; each++) add_byte(to, to->bytes[begin + each]);
        }
        from->at++;
    }
}

/* ---- elements and leaves ---- */

static tamis_row innermost(const buffer *open, ptrdiff_t above) {
    ptrdiff_t depth = count_of(open) - 1;
    return rows_of(open)[above > depth ? 0 : depth - above];
}

static void open_element(input *some, buffer *open, uint8_t code) {
    tamis_row row = some->part[OF_CODE].size;
    add_byte(&some->part[OF_CODE], code);
    add_row(&some->part[OF_PARENT], row ? innermost(open, 0) : -1);
    add_row(&some->part[OF_END], 0); /* known when it is closed */
    add_row(open, row);
}

static void close_element(input *some, buffer *open) {
    rows_of(&some->part[OF_END])[innermost(open, 0)] = some->part[OF_CODE].size;
    open->size -= sizeof(tamis_row);
}

/* In the tables of a parser, the innermost element and the last one opened hold a leaf. Others are sound, too. */
static void read_leaf(input *some, const buffer *open, source *from) {
    uint8_t flags = next_byte(from);
    const buffer *earlier = &some->part[OF_OPENED];
    tamis_row element = innermost(open, flags >> 4), opened = some->part[OF_CODE].size - 1;
    if (flags & IS_EARLIER) {
        opened = earlier->size ? rows_of(earlier)[count_of(earlier) - 1] : 0;
        if (opened < element) opened = element;
    }
    add_row(&some->part[OF_ELEMENT], element);
    add_row(&some->part[OF_OPENED], opened);
    add_byte(&some->part[OF_IS_MEDIA], flags & IS_MEDIUM ? 1 : 0);
    add_byte(&some->part[OF_VISIBLE], flags & IS_HIDDEN ? 0 : 1);
    add_byte(&some->part[OF_FOLDED], flags & IS_FOLDED ? 1 : 0);
    read_text(from, &some->part[OF_TEXTS]);
    add_byte(&some->part[OF_TEXTS], 0);
}

/* ---- declarations ---- */

static void read_declared(input *some, source *from) {
    int part = OF_TITLE + next_byte(from) % (LAST_OF_TEXTS + 1 - OF_TITLE);
    read_text(from, &some->part[part]);
    if (part >= OF_NAMES) add_byte(&some->part[part], 0);
}

static void read_mark(input *some, tamis_row row, source *from) {
    buffer *rows = &some->part[OF_MARKED], *marks = &some->part[OF_MARKS];
    ptrdiff_t begin = marks->size, role;
    int is_next = !rows->size || rows_of(rows)[count_of(rows) - 1] < row;
    read_text(from, marks);
    for (role = begin; role < marks->size && marks->bytes[role] != '\t'; role++) continue;
    if (role == marks->size) add_byte(marks, 0);
    else marks->bytes[role] = 0;
    add_byte(marks, 0);
    if (is_next) add_row(rows, row);
    else marks->size = begin; /* an element has one mark, and they are in document order */
}

static void read_link(input *some, tamis_row row, source *from) {
    buffer *links = &some->part[OF_LINKS];
    uint8_t names = next_byte(from) & 31;
    ptrdiff_t later = next_number(from), earlier = next_number(from);
    if (links->size && rows_of(links)[count_of(links) - 1] >= row) return;
    add_row(links, row);
    add_row(&some->part[OF_LATER], later); /* in their range when that is known */
    add_row(&some->part[OF_EARLIER], earlier);
    add_byte(&some->part[OF_LINK_NAMES], names);
}

/* ---- damage ---- */

static tamis_row odd_row(tamis_row was, ptrdiff_t rows, uint8_t value) {
    switch (value % 8) {
        case 0: return was == PTRDIFF_MAX ? 0 : was + 1;
        case 1: return was == PTRDIFF_MIN ? 0 : was - 1;
        case 2: return -1;
        case 3: return rows;
        case 4: return PTRDIFF_MAX;
        case 5: return PTRDIFF_MIN;
        default: return value * rows / 256;
    }
}

/* A smaller number, since the memory behind does not grow. */
static ptrdiff_t odd_size(ptrdiff_t size, uint8_t value) { return value > size ? -(ptrdiff_t)value : size - value; }

static void damage(input *some, source *from) {
    tamis_declared *declared = &some->declared;
    ptrdiff_t *sizes[] = {&some->page.elements, &some->page.leaves, &some->page.texts.size, &declared->title.size,
                          &declared->og_title.size, &declared->body.size, &declared->names.size,
                          &declared->openings.size, &declared->parts.size, &declared->marks.size, &declared->marked};
    int which = next_byte(from) % (OF_SECTIONS + (int)(sizeof sizes / sizeof *sizes));
    ptrdiff_t row = next_number(from);
    uint8_t value = next_byte(from);
    buffer *part = &some->part[which < OF_SECTIONS ? which : 0];
    if (which >= OF_SECTIONS) *sizes[which - OF_SECTIONS] = odd_size(*sizes[which - OF_SECTIONS], value);
    else if (which > LAST_OF_ROWS && part->size) part->bytes[row % part->size] = (char)value;
    else if (which <= LAST_OF_ROWS && part->size) {
        tamis_row *one = &rows_of(part)[row % count_of(part)];
        *one = odd_row(*one, some->part[OF_CODE].size, value);
    }
}

/* ---- the whole ---- */

static void add_columns(buffer *to) {
    int is_odd = one_in(40);
    for (int each = 0; each < TAMIS_PAGE_COLUMNS; each++) {
        float column = is_odd ? odd_float() : (float)one_in(2);
        add(to, &column, sizeof column);
    }
}

static void join(input *some) {
    buffer *part = some->part;
    ptrdiff_t elements = part[OF_CODE].size, links = count_of(&part[OF_LINKS]);
    for (ptrdiff_t each = 0; each < links; each++) {
        rows_of(&part[OF_LATER])[each] %= elements;
        rows_of(&part[OF_EARLIER])[each] = rows_of(&part[OF_EARLIER])[each] % (elements + 1) - 1;
    }
    for (int each = 0; each < PARTS; each++) cut(&part[each]);
#define BYTES(which) ((uint8_t *)part[which].bytes)
#define TEXT(which) ((tamis_text){part[which].bytes, part[which].size})
    some->page = (tamis_page){.elements = elements, .leaves = part[OF_IS_MEDIA].size, .code = BYTES(OF_CODE),
                              .parent = rows_of(&part[OF_PARENT]), .end = rows_of(&part[OF_END]),
                              .element = rows_of(&part[OF_ELEMENT]), .opened = rows_of(&part[OF_OPENED]),
                              .is_media = BYTES(OF_IS_MEDIA), .visible = BYTES(OF_VISIBLE), .folded = BYTES(OF_FOLDED),
                              .texts = TEXT(OF_TEXTS)};
    some->declared = (tamis_declared){
        .title = TEXT(OF_TITLE), .og_title = TEXT(OF_OG_TITLE), .body = TEXT(OF_BODY),
        .description = TEXT(OF_DESCRIPTION), .meta = TEXT(OF_META), .review = TEXT(OF_REVIEW), .parts = TEXT(OF_PARTS),
        .names = TEXT(OF_NAMES), .openings = TEXT(OF_OPENINGS), .page = (float *)part[OF_COLUMNS].bytes,
        .marked = count_of(&part[OF_MARKED]), .marked_rows = rows_of(&part[OF_MARKED]), .marks = TEXT(OF_MARKS)};
    some->links = (tamis_fragments){links, rows_of(&part[OF_LINKS]), rows_of(&part[OF_LATER]),
                                    rows_of(&part[OF_EARLIER]), BYTES(OF_LINK_NAMES)};
}

input read_page(source *from) {
    input some = {0};
    buffer open = {0}, damages = {0};
    set_seed(next_number(from));
    if (from->at < from->end) open_element(&some, &open, TAG_HTML); /* else the page is empty */
    while (from->at < from->end) switch (*from->at++) {
        case OPEN: open_element(&some, &open, next_byte(from)); break;
        case CLOSE: if (count_of(&open) > 1) close_element(&some, &open); break;
        case LEAF: read_leaf(&some, &open, from); break;
        case DECLARE: read_declared(&some, from); break;
        case MARK: read_mark(&some, innermost(&open, 0), from); break;
        case LINK: read_link(&some, innermost(&open, 0), from); break;
        case DAMAGE: for (int each = 0; each < 4; each++) add_byte(&damages, next_byte(from)); break;
        default: break;
    }
    while (open.size) close_element(&some, &open);
    add_columns(&some.part[OF_COLUMNS]);
    join(&some);
    cut(&damages);
    source left = {(uint8_t *)damages.bytes, (uint8_t *)damages.bytes + damages.size};
    while (left.at < left.end) damage(&some, &left);
    free(open.bytes);
    free(damages.bytes);
    return some;
}

void forget(input *some) {
    for (int each = 0; each < PARTS; each++) free(some->part[each].bytes);
}

static int is_tree(const tamis_page *page) {
    for (tamis_row row = 0; row < page->elements; row++) {
        tamis_row parent = page->parent[row], around = -1;
        if (page->end[row] <= row || page->end[row] > page->elements) return 0;
        for (tamis_row each = 0; each < row; each++)
            if (page->end[each] > row) around = each;
        if (parent != around || (row && parent < 0)) return 0;
        if (parent >= 0 && page->end[row] > page->end[parent]) return 0;
    }
    return 1;
}

int is_sound(const tamis_page *page) {
    if (page->elements < 0 || page->leaves < 0 || page->texts.size < 0 || !is_tree(page)) return 0;
    for (tamis_row leaf = 0; leaf < page->leaves; leaf++) {
        tamis_row element = page->element[leaf], opened = page->opened[leaf];
        if (element < 0 || element >= page->elements || opened < element || opened >= page->end[element]) return 0;
        if (leaf && opened < page->opened[leaf - 1]) return 0;
    }
    ptrdiff_t ends = 0;
    for (ptrdiff_t at = 0; at < page->texts.size; at++) ends += !page->texts.bytes[at];
    return ends == page->leaves && (!page->texts.size || !page->texts.bytes[page->texts.size - 1]);
}
