/* Random pages: their tables are sound, and everything else may be in them. */
#include "fuzz.h"

/* ---- tables ---- */

void open_element(writer *page, int code) {
    tamis_row row = page->code.size;
    ptrdiff_t depth = page->open.size / (ptrdiff_t)sizeof(tamis_row);
    add_byte(&page->code, code);
    add_row(&page->parent, depth ? rows_of(&page->open)[depth - 1] : -1);
    add_row(&page->end, 0); /* known when it is closed */
    add_row(&page->open, row);
}

void close_element(writer *page) {
    page->open.size -= sizeof(tamis_row);
    tamis_row row = rows_of(&page->open)[page->open.size / sizeof(tamis_row)];
    rows_of(&page->end)[row] = page->code.size;
}

static ptrdiff_t depth_of(const writer *page) { return page->open.size / (ptrdiff_t)sizeof(tamis_row); }

void add_leaf(writer *page, const char *text, ptrdiff_t size, int is_media, int visible, int folded) {
    add_row(&page->element, rows_of(&page->open)[depth_of(page) - 1]);
    add_row(&page->opened, page->code.size - 1);
    add_byte(&page->is_media, is_media);
    add_byte(&page->visible, visible);
    add_byte(&page->folded, folded);
    for (ptrdiff_t at = 0; at < size; at++) add_byte(&page->texts, text[at] ? text[at] : '?');
    add_byte(&page->texts, 0);
}

void add_paragraph(writer *page, int code, const char *text) {
    open_element(page, code);
    add_leaf(page, text, strlen(text), 0, 1, 0);
    close_element(page);
}

void finish(writer *page, input *to) {
    while (depth_of(page)) close_element(page);
    to->page.elements = page->code.size;
    to->page.leaves = page->is_media.size;
    to->page.code = own_buffer(to, &page->code);
    to->page.parent = own_buffer(to, &page->parent);
    to->page.end = own_buffer(to, &page->end);
    to->page.element = own_buffer(to, &page->element);
    to->page.opened = own_buffer(to, &page->opened);
    to->page.is_media = own_buffer(to, &page->is_media);
    to->page.visible = own_buffer(to, &page->visible);
    to->page.folded = own_buffer(to, &page->folded);
    to->page.texts = own_text(to, &page->texts);
    free(page->open.bytes);
    *page = (writer){0};
}

/* ---- texts ---- */

/* How often what occurs on one page: pages differ. */
typedef struct {
    writer page;
    buffer leaves;     /* where the texts of the page begin, so that they can be said again */
    int odd_texts;     /* one text in so many is odd */
    int hidden, media; /* one leaf in so many */
    int any_tag;       /* one element in so many has any tag */
    int repeats;       /* one text in so many is said again */
} maker;

static void add_point(buffer *to, uint32_t point) {
    char bytes[4];
    int size = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    for (int place = size - 1; place > 0; place--, point >>= 6) bytes[place] = (char)(0x80 | (point & 0x3F));
    bytes[0] = (char)(size == 1 ? point : (0xF00u >> size | point));
    add(to, bytes, size);
}

/* A word that the kernel knows. In noise.json each number is 0; here it is any. */
static void add_known(buffer *to, const known_word *table, size_t size) {
    const known_word *known = &table[below(size)];
    for (size_t tries = 0; !known->word && tries < size; tries++) known = &table[below(size)];
    for (int at = 0; known->word && at < known->size; at++) {
        if (known->word[at] != '0') add_byte(to, known->word[at]);
        else add_string(to, one_in(3) ? "1,234.5" : "7");
    }
}
#define ADD_KNOWN(to, table) add_known(to, table, sizeof(table) / sizeof(*(table)))

static void add_word(buffer *to) {
    static const char *words[] = {"the", "bridge", "a", "I", "42", "3.5", "1,000", "Traffic", "again,", "two", "years.",
                                  "NASA", "(and", "more)", "\"said\"", "www.example.org/a", "é", "Straße", "字", "東京。",
                                  "ΟΔΟΣ", "İstanbul", "א", "—", "|", "·", "2020-01-01", "\\alpha", "$$", "x=y", "&"};
    add_string(to, PICK(words));
}

static void add_some_words(buffer *to, ptrdiff_t count) {
    for (ptrdiff_t word = 0; word < count; word++) {
        if (word) add_byte(to, one_in(20) ? '\n' : ' ');
        add_word(to);
    }
}

/* Characters of every kind, whole and broken. */
static void add_characters(buffer *to, ptrdiff_t count) {
    static const uint32_t points[] = {0x3A3, 0x3C3, 0x130, 0xDF, 0x149, 0x390, 0x1FB7, 0xFB03, 0x301, 0x200D, 0x27, 0xA0,
                                      0x2003, 0x3000, 0xFFFD, 0xFEFF, 0x1F600, 0x20000, 0x10FFFF, 0xD800, 0x110000,
                                      0x1FFFFF, 0x5B57, 0x3042, 0xFF01, 0xB7, 0x2022, 0x2014, 0x85, 0x1C, 0x7F};
    int kind = (int)below(5);
    for (ptrdiff_t each = 0; each < count; each++) switch (kind) {
        case 0: add_point(to, PICK(points)); break;
        case 1: add_point(to, 1 + (uint32_t)below(0x10FFFF)); break;
        case 2: add_point(to, 1 + (uint32_t)below(0x3000)); break;
        case 3: add_byte(to, 1 + (uint8_t)below(255)); break;          /* mostly no UTF-8 */
        default: add_byte(to, 0x80 + (uint8_t)below(128)); break;      /* continuations and beginnings alone */
    }
}

static void add_repeated(buffer *to) {
    static const char *units[] = {"a", "ab ", "Σ", "İ", "字", " ", "\x80", "\xF0", "'", "-", " - ", "|", "7", "7.", "1,",
                                  "\u0301", "aΣ\u0301", ".", "ﬃ", "\u1FB7 ", "\n", "x|", "İ ", "\xE1\xBE\xB7"};
    const char *unit = PICK(units);
    ptrdiff_t count = one_in(20) ? below(3000) : below(60);
    if (one_in(100)) count = 995 + below(12); /* about as long as a headline may be, or a line of noise */
    if (one_in(100)) count = 1995 + below(12);
    for (ptrdiff_t each = 0; each < count; each++) add_string(to, unit);
}

static tamis_text said_before(const maker *some) {
    ptrdiff_t texts = some->leaves.size / (ptrdiff_t)sizeof(tamis_row);
    if (!texts) return (tamis_text){"", 0};
    const char *text = some->page.texts.bytes + rows_of(&some->leaves)[below(texts)];
    return (tamis_text){text, (ptrdiff_t)strlen(text)};
}

/* A text that was said before, or a part of it, or nearly the same. */
static void add_said(const maker *some, buffer *to) {
    tamis_text said = said_before(some);
    ptrdiff_t first = one_in(4) && said.size ? below(said.size) : 0;
    ptrdiff_t size = one_in(4) ? below(said.size - first + 1) : said.size - first, before = to->size;
    add(to, said.bytes + first, size);
    if (one_in(10) && size) to->bytes[before + below(size)] = 'x';
    if (one_in(10)) add_word(to);
}

static void add_noise(buffer *to) {
    static const char *joints[] = {" · ", " | ", " - ", "|", " ", " / ", " — "};
    for (int part = 0, parts = 1 + (int)below(3); part < parts; part++) {
        if (part) add_string(to, PICK(joints));
        if (one_in(5)) add_some_words(to, 1 + below(5));
        else if (one_in(4)) ADD_KNOWN(to, noise_labels);
        else ADD_KNOWN(to, noise_lines);
    }
}

static void add_text(const maker *some, buffer *to) {
    if (one_in(some->repeats)) add_said(some, to);
    else if (one_in(some->odd_texts)) switch (below(4)) {
        case 0: add_characters(to, below(one_in(10) ? 300 : 20)); break;
        case 1: add_repeated(to); break;
        case 2: add_string(to, one_in(2) ? "" : " \n\t"); break;
        default: add_characters(to, 3); add_some_words(to, 4); add_characters(to, 3);
    } else if (one_in(6)) add_noise(to);
    else add_some_words(to, 1 + below(one_in(3) ? 60 : 8));
}

/* ---- pages ---- */

static void make_leaf(maker *some) {
    buffer text = {0};
    int is_media = one_in(some->media), visible = !one_in(some->hidden), folded = one_in(2 * some->hidden);
    if (!is_media || one_in(9)) add_text(some, &text);
    add_row(&some->leaves, some->page.texts.size);
    add_leaf(&some->page, text.bytes, text.size, is_media, visible, folded);
    free(text.bytes);
    /* In the tables of a parser, the innermost element and the last one opened hold a leaf. Others are sound, too. */
    tamis_row *element = rows_of(&some->page.element), *opened = rows_of(&some->page.opened);
    ptrdiff_t leaf = some->page.is_media.size - 1;
    if (one_in(40)) element[leaf] = rows_of(&some->page.open)[below(depth_of(&some->page))];
    tamis_row before = leaf ? opened[leaf - 1] : 0, least = element[leaf] > before ? element[leaf] : before;
    if (one_in(40)) opened[leaf] = least + below(some->page.code.size - least);
}

static void make_element(maker *some, int code) {
    open_element(&some->page, one_in(some->any_tag) ? (int)below(256) : code);
}

static void make_paragraph(maker *some, int code) {
    make_element(some, code);
    make_leaf(some);
    while (one_in(3)) { /* a part of it in another element, and text behind that */
        static const uint8_t inline_tags[] = {TAG_A, TAG_A, TAG_BR, TAG_OTHER, TAG_IMG};
        make_element(some, PICK(inline_tags));
        if (one_in(2)) make_leaf(some);
        close_element(&some->page);
        if (one_in(2)) make_leaf(some);
    }
    close_element(&some->page);
}

static void make_table(maker *some) {
    ptrdiff_t rows = below(5), cells = below(4);
    make_element(some, TAG_TABLE);
    if (one_in(4)) make_paragraph(some, TAG_CAPTION);
    for (ptrdiff_t row = 0; row < rows; row++) {
        make_element(some, TAG_TR);
        for (ptrdiff_t cell = 0; cell < cells; cell++) make_paragraph(some, row || one_in(2) ? TAG_TD : TAG_TH);
        close_element(&some->page);
    }
    close_element(&some->page);
}

static void make_list(maker *some) {
    static const uint8_t lists[] = {TAG_UL, TAG_OL, TAG_DL, TAG_MENU, TAG_BLOCKQUOTE};
    make_element(some, PICK(lists));
    for (ptrdiff_t items = below(5); items > 0; items--) make_paragraph(some, one_in(3) ? TAG_DD : TAG_LI);
    close_element(&some->page);
}

static void make_figure(maker *some) {
    make_element(some, TAG_FIGURE);
    open_element(&some->page, TAG_IMG);
    add_row(&some->leaves, some->page.texts.size);
    add_leaf(&some->page, "", 0, 1, 1, 0);
    close_element(&some->page);
    if (one_in(2)) make_paragraph(some, TAG_FIGCAPTION);
    close_element(&some->page);
}

/* The next part of a page. */
static void make_part(maker *some) {
    static const uint8_t around[] = {TAG_DIV, TAG_DIV, TAG_SECTION, TAG_ARTICLE, TAG_MAIN, TAG_NAV, TAG_ASIDE, TAG_HEADER,
                                     TAG_FOOTER, TAG_FORM, TAG_FIELDSET, TAG_UL, TAG_LI, TAG_TABLE, TAG_TD, TAG_NOSCRIPT,
                                     TAG_DETAILS, TAG_DIALOG, TAG_A, TAG_BODY, TAG_BLOCKQUOTE, TAG_OTHER};
    static const uint8_t lines[] = {TAG_P, TAG_P, TAG_P, TAG_P, TAG_DIV, TAG_H1, TAG_H1, TAG_H2, TAG_H3, TAG_H6, TAG_PRE,
                                    TAG_LISTING, TAG_XMP, TAG_BUTTON, TAG_TEXTAREA, TAG_SELECT, TAG_OPTION, TAG_ADDRESS,
                                    TAG_SUMMARY, TAG_NOSCRIPT, TAG_A, TAG_SCRIPT, TAG_TITLE};
    switch (below(16)) {
        case 0: case 1: case 2: make_element(some, PICK(around)); break;
        case 3: case 4: if (depth_of(&some->page) > 1) close_element(&some->page); break;
        case 5: make_table(some); break;
        case 6: make_list(some); break;
        case 7: make_figure(some); break;
        case 8: make_leaf(some); break;
        default: make_paragraph(some, PICK(lines));
    }
}

/* One shape, again and again: very deep, very wide, the same everywhere. */
static void make_monotonous(maker *some, ptrdiff_t size) {
    static const uint8_t tags[] = {TAG_DIV, TAG_UL, TAG_LI, TAG_P, TAG_TABLE, TAG_TR, TAG_TD, TAG_A, TAG_OTHER, TAG_H1,
                                   TAG_FIGURE, TAG_NOSCRIPT, TAG_IMG, TAG_BR};
    int one = PICK(tags), other = PICK(tags), kind = (int)below(4);
    for (ptrdiff_t each = 0; each < size; each++) {
        open_element(&some->page, one_in(2) ? one : other);
        if (kind != 1 || one_in(5)) make_leaf(some);
        if (kind == 0 || (kind == 1 && one_in(50))) close_element(&some->page);
        if (kind == 2 && one_in(2) && depth_of(&some->page) > 1) close_element(&some->page);
    }
    if (one_in(2)) make_leaf(some);
}

/* ---- what the page declares ---- */

static tamis_text make_title(const maker *some, input *to) {
    static const char *joints[] = {" - ", " | ", "|", ": ", "_", "-", " – ", "»", "  -  ", " :: ", "/", " "};
    buffer title = {0};
    for (ptrdiff_t parts = below(one_in(20) ? 12 : 5); parts > 0; parts--) {
        if (one_in(4)) add_some_words(&title, 1 + below(4));
        else if (one_in(some->odd_texts)) add_characters(&title, below(20));
        else add_said(some, &title);
        if (parts > 1) add_string(&title, PICK(joints));
    }
    return own_text(to, &title);
}

/* A text that has some of the texts of the page. Now and then it is so long that the search takes its other way. */
static tamis_text make_declared(const maker *some, input *to) {
    buffer text = {0};
    ptrdiff_t wanted = one_in(2) ? 0 : one_in(200) ? 40000 : one_in(20) ? 4000 : below(300);
    while (text.size < wanted) {
        ptrdiff_t before = text.size;
        add_said(some, &text);
        add_string(&text, one_in(4) ? "" : " \n ");
        if (text.size == before || one_in(8)) add_some_words(&text, 3);
    }
    return own_text(to, &text);
}

/* Several texts, each followed by a NUL. */
static tamis_text make_list_of(const maker *some, input *to) {
    buffer texts = {0};
    for (ptrdiff_t count = below(4); count > 0; count--) {
        add_said(some, &texts);
        add_byte(&texts, 0);
    }
    return own_text(to, &texts);
}

static void add_name(const maker *some, buffer *to) {
    for (ptrdiff_t words = below(4); words > 0; words--) switch (below(8)) {
        case 0: add_said(some, to); break;
        case 1: add_characters(to, below(8)); break;
        case 2: ADD_KNOWN(to, name_words); ADD_KNOWN(to, name_words); break; /* "articletext" */
        case 3: add_string(to, "CommentsXMLList"); break;
        case 4: for (ptrdiff_t letters = 90 + below(30); letters > 0; letters--) add_byte(to, 'a' + below(26)); break;
        default: ADD_KNOWN(to, name_words); add_string(to, one_in(2) ? "-" : " ");
    }
}

static void add_marks(const maker *some, buffer *to, int is_role) {
    if (one_in(8)) add_said(some, to);
    else for (ptrdiff_t words = below(4); words > 0; words--) {
        if (is_role) ADD_KNOWN(to, role_words);
        else ADD_KNOWN(to, property_words);
        if (!is_role || one_in(4)) add_byte(to, ' ');
    }
}

static void make_marks(const maker *some, input *to) {
    buffer rows = {0}, marks = {0};
    for (tamis_row row = 0; row < to->page.elements; row++) {
        if (!one_in(8)) continue;
        add_row(&rows, row);
        for (int is_role = 1; is_role >= 0; is_role--) {
            add_marks(some, &marks, is_role);
            add_byte(&marks, 0);
        }
    }
    to->declared.marked = rows.size / (ptrdiff_t)sizeof(tamis_row);
    to->declared.marked_rows = own_buffer(to, &rows);
    to->declared.marks = own_text(to, &marks);
}

static void make_names(const maker *some, input *to) {
    buffer names = {0};
    for (ptrdiff_t count = 1 + below(8); count > 0; count--) {
        add_name(some, &names);
        add_byte(&names, 0);
    }
    to->names = own_text(to, &names);
}

static void make_columns(input *to) {
    float columns[TAMIS_PAGE_COLUMNS];
    int is_odd = one_in(40);
    for (int each = 0; each < TAMIS_PAGE_COLUMNS; each++) columns[each] = is_odd ? odd_float() : (float)one_in(2);
    to->declared.page = own(to, columns, sizeof columns);
}

input random_page(void) {
    static const int rates[] = {2, 4, 9, 30, 1000};
    input made = {0};
    maker some = {.odd_texts = PICK(rates), .hidden = PICK(rates), .media = PICK(rates), .any_tag = PICK(rates),
                  .repeats = PICK(rates)};
    if (one_in(100)) some.hidden = 1; /* nothing is shown */
    if (one_in(100)) some.media = 1;
    if (!one_in(100)) { /* else there is no page at all */
        open_element(&some.page, one_in(9) ? (int)below(256) : TAG_HTML);
        ptrdiff_t size = some_size();
        if (one_in(8)) make_monotonous(&some, size);
        else for (ptrdiff_t parts = 0; parts < size; parts++) make_part(&some);
    }
    tamis_text *texts[] = {&made.declared.body, &made.declared.description, &made.declared.meta, &made.declared.review,
                           &made.declared.parts};
    for (int each = 0; each < 5; each++) *texts[each] = make_declared(&some, &made);
    made.declared.title = make_title(&some, &made);
    made.declared.og_title = one_in(2) ? made.declared.title : make_title(&some, &made);
    made.declared.names = make_list_of(&some, &made);
    made.declared.openings = make_list_of(&some, &made);
    make_names(&some, &made);
    make_columns(&made);
    /* Last, since all of the above is made of the texts of the page. */
    made.page.elements = some.page.code.size;
    make_marks(&some, &made);
    finish(&some.page, &made);
    free(some.leaves.bytes);
    return made;
}
