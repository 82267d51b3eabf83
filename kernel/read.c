/* From a page as the parser writes it to the tables of the page, for Python.
 *
 * The parser's nodes are Python objects, and to read them one by one takes longer than to parse the page. So the parser
 * writes its tree as HTML, in one call, and that is read here: every tag is closed, attributes are quoted, and only five
 * characters are escaped. No rule of HTML is needed but which elements have no end tag, which hold raw text, and where
 * SVG and MathML begin and end, in which neither exists.
 *
 * It allocates, so it is no part of the kernel proper.
 */
#include <stdlib.h>

#include "internal.h"

enum { TABLE_COLUMNS = offsetof(tamis_tables, rows) / sizeof(tamis_column) };
enum { MOST_SHEET = 8000 }; /* bytes of a style sheet that is read: in longer ones nothing is looked up */
enum { HTML, SVG, MATHML };
enum { KNOWN_OTHERS = 64 }; /* places to remember unknown tags in: most recur */

typedef tamis_column column;

typedef struct {
    tamis_row row, block;
    tamis_text tag;
    uint8_t space, is_html_inside; /* its namespace; are elements inside it HTML, though it is not? */
    uint8_t in_link, hidden, is_code;
} open_element;

/* The attributes that count, as they are written; `bytes` is NULL for one that is missing. */
typedef struct {
    tamis_text class, id, role, property, type, style, hidden, popover, aria, source, kind, shadow, encoding, alt,
        title;
} attributes;

typedef struct {
    tamis_tables *tables;
    column stack;
    open_element top;   /* the innermost open element */
    tamis_row medium;   /* the last medium */
    ptrdiff_t gap;      /* where the gap of the next leaf begins in tables->gaps */
    int is_verbatim;    /* there was preformatted text, in which every blank counts */
    tamis_text others[KNOWN_OTHERS];
} reader;

static int grow(tamis_tables *tables, column *to, ptrdiff_t size) {
    if (to->size + size <= to->room) return 1;
    ptrdiff_t room = 2 * (to->room + size) + 1024;
    char *bytes = tables->failed ? NULL : realloc(to->bytes, room);
    if (!bytes) {
        tables->failed = 1;
        return 0;
    }
    to->bytes = bytes;
    to->room = room;
    return 1;
}

static void add(reader *page, column *to, const void *item, ptrdiff_t size) {
    if (!grow(page->tables, to, size)) return;
    memcpy(to->bytes + to->size, item, size);
    to->size += size;
}
static void add_row(reader *page, column *to, tamis_row row) { add(page, to, &row, sizeof row); }
static void add_byte(reader *page, column *to, uint8_t byte) { add(page, to, &byte, 1); }

/* Is a text this literal? */
#define IS(text, literal) ((text).size == sizeof(literal) - 1 && !memcmp((text).bytes, literal, sizeof(literal) - 1))
#define IS_ANY_OF(text, list) is_any_of(text, list, sizeof(list) / sizeof(*(list)))
static int is_any_of(tamis_text text, const char *const *list, size_t count) {
    for (size_t each = 0; each < count; each++)
        if (text.size == (ptrdiff_t)strlen(list[each]) && !memcmp(text.bytes, list[each], text.size)) return 1;
    return 0;
}

/* Add a text without its escapes. */
static void add_unescaped(reader *page, column *to, tamis_text text) {
    if (!text.size) return;
    static const struct {
        const char *name, *means;
    } escapes[] = {{"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}, {"&nbsp;", "\xC2\xA0"}, {"&quot;", "\""}};
    while (text.size) {
        const char *next = memchr(text.bytes, '&', text.size);
        ptrdiff_t plain = next ? next - text.bytes : text.size;
        add(page, to, text.bytes, plain);
        text.bytes += plain;
        text.size -= plain;
        if (!next) break;
        size_t each = 0, size = 1;
        const char *means = "&";
        for (; each < sizeof escapes / sizeof *escapes; each++) {
            size_t length = strlen(escapes[each].name);
            if (text.size < (ptrdiff_t)length || memcmp(text.bytes, escapes[each].name, length)) continue;
            means = escapes[each].means;
            size = length;
            break;
        }
        add(page, to, means, strlen(means));
        text.bytes += size;
        text.size -= size;
    }
}
static void add_text(reader *page, column *to, tamis_text text) {
    add_unescaped(page, to, text);
    add_byte(page, to, 0);
}

/* ---- leaves ---- */

/* End the gap before the next leaf. */
static void end_gap(reader *page) {
    add_byte(page, &page->tables->gaps, 0);
    page->gap = page->tables->gaps.size;
}

static int is_blank(tamis_text text, int is_raw) {
    const char *at = text.bytes, *end = at + text.size;
    while (at < end) {
        if (*at == '&' && !is_raw && end - at >= 6 && !memcmp(at, "&nbsp;", 6)) at += 6;
        else if (*(const uint8_t *)at < 0x80) {
            if (!(classes[(uint8_t)*at++] & SPACE)) return 0;
        } else if (!(class_of(next_point(&at, end)) & SPACE))
            return 0;
    }
    return 1;
}

static void add_leaf(reader *page, tamis_row row, int is_media) {
    tamis_tables *tables = page->tables;
    add_row(page, &tables->element, row);
    add_row(page, &tables->opened, is_media ? row : tables->rows - 1);
    add_row(page, &tables->block, page->top.block);
    add_byte(page, &tables->is_media, is_media);
    add_byte(page, &tables->in_link, page->top.in_link);
    /* The text inside a medium is never shown, but the medium is: what is around it decides. */
    add_byte(page, &tables->shown, !page->top.hidden);
    if (is_media) add_byte(page, &tables->texts, 0);
    end_gap(page);
}

static void read_text(reader *page, tamis_text text, int is_raw) {
    column *gaps = &page->tables->gaps;
    if (!text.size || page->top.is_code) return; /* code is no leaf */
    int blank = is_blank(text, is_raw);
    column *to = blank ? gaps : &page->tables->texts;
    if (blank && !page->is_verbatim) gaps->size = page->gap;
    if (is_raw) add(page, to, text.bytes, text.size);
    else add_unescaped(page, to, text);
    if (blank) return;
    add_byte(page, to, 0);
    add_leaf(page, page->top.row, 0);
}

/* ---- tags ---- */

/* Read the attributes, and move behind the tag. A name holds no "=" but as its first character, and a value no quote. */
static const char *read_attributes(const char *at, const char *end, attributes *found) {
    while (at < end && *at == ' ') {
        const char *name = ++at, *equals = name + 1;
        while (equals < end && *equals != '=') equals++;
        if (end - equals < 2) return end;
        const char *value = equals + 2, *quote = memchr(value, '"', end - value);
        if (!quote) return end;
        tamis_text given = {name, equals - name}, here = {value, quote - value};
        at = quote + 1;
        tamis_text *wanted = NULL;
        switch (given.size) {
        case 2: wanted = IS(given, "id") ? &found->id : NULL; break;
        case 3: wanted = IS(given, "src") ? &found->source : IS(given, "alt") ? &found->alt : NULL; break;
        case 4: wanted = IS(given, "role") ? &found->role : IS(given, "type") ? &found->kind : NULL; break;
        case 5: wanted = IS(given, "class") ? &found->class
                         : IS(given, "style") ? &found->style
                         : IS(given, "title") ? &found->title : NULL; break;
        case 6: wanted = IS(given, "hidden") ? &found->hidden : NULL; break;
        case 7: wanted = IS(given, "popover") ? &found->popover : NULL; break;
        case 8: wanted = IS(given, "itemprop") ? &found->property
                         : IS(given, "itemtype") ? &found->type
                         : IS(given, "encoding") ? &found->encoding : NULL; break;
        case 11: wanted = IS(given, "aria-hidden") ? &found->aria : NULL; break;
        case 14: wanted = IS(given, "shadowrootmode") ? &found->shadow : NULL; break;
        }
        if (wanted) *wanted = here;
    }
    return at < end ? at + 1 : end;
}

/* In lower case, as far as ASCII goes: does a text contain another, or begin with it? */
static int contains_lower(tamis_text text, const char *part, int at_begin) {
    ptrdiff_t size = strlen(part);
    for (ptrdiff_t at = 0; at + size <= text.size; at++) {
        ptrdiff_t same = 0;
        while (same < size) {
            char letter = text.bytes[at + same];
            if ((letter >= 'A' && letter <= 'Z' ? letter | 32 : letter) != part[same]) break;
            same++;
        }
        if (same == size) return 1;
        if (at_begin) return 0;
    }
    return 0;
}

static int draws_formulas(const attributes *given) {
    static const char *const names[] = {"mathjax", "katex"};
    for (size_t each = 0; each < 2; each++)
        if (contains_lower(given->source, names[each], 0) || contains_lower(given->id, names[each], 0)) return 1;
    return contains_lower(given->source, "tex-mml", 0) || contains_lower(given->kind, "mathjax", 0) ||
           contains_lower(given->kind, "math/tex", 0);
}

/* May an image show a formula, by its alternative text? */
static int may_be_tex(const attributes *given) {
    static const char *const names[] = {"latex", "tex", "math", "mathtex", "mwe-math-fallback-image-inline",
                                        "mwe-math-fallback-image-display"};
    tamis_text alt = given->alt.size ? given->alt : given->title;
    if (!alt.size) return 0;
    if (alt.bytes[0] == '$' || memchr(alt.bytes, '\\', alt.size) || memchr(alt.bytes, '^', alt.size)) return 1;
    const char *at = given->class.bytes, *end = at + given->class.size;
    while (at < end) {
        const char *begin = at;
        while (at < end && !(classes[*(const uint8_t *)at] & SPACE)) at++;
        if (IS_ANY_OF(((tamis_text){begin, at - begin}), names)) return 1;
        at += at < end;
    }
    return 0;
}

/* The namespace of an element inside another. */
static uint8_t space_of(const open_element *around, tamis_text tag) {
    int is_html = around->space == HTML || around->is_html_inside;
    if (IS(tag, "svg") && (is_html || around->space == SVG || IS(around->tag, "annotation-xml"))) return SVG;
    if (is_html && IS(tag, "math")) return MATHML;
    /* These two stay MathML where all others become HTML. */
    if (around->space == MATHML && (IS(tag, "mglyph") || IS(tag, "malignmark"))) return MATHML;
    return is_html ? HTML : around->space;
}

static int is_html_inside(uint8_t space, tamis_text tag, const attributes *given) {
    static const char *const in_svg[] = {"foreignObject", "desc", "title"};
    static const char *const in_mathml[] = {"mi", "mo", "mn", "ms", "mtext"};
    if (space == SVG) return IS_ANY_OF(tag, in_svg);
    if (space != MATHML) return 0;
    if (!IS(tag, "annotation-xml")) return IS_ANY_OF(tag, in_mathml);
    return given->encoding.size && ((given->encoding.size == 9 && contains_lower(given->encoding, "text/html", 1)) ||
                                    (given->encoding.size == 21 && contains_lower(given->encoding, "application/xhtml+xml", 1)));
}

/* Remember a tag without a code. */
static void note_other(reader *page, tamis_text tag) {
    tamis_text *known = &page->others[hash_of(tag) % KNOWN_OTHERS];
    if (known->bytes && is_equal(*known, tag)) return;
    *known = tag;
    add_text(page, &page->tables->other_tags, tag);
}

/* Write down what an element declares about itself. */
static void read_marks(reader *page, tamis_row row, int kind, const attributes *given) {
    tamis_tables *tables = page->tables;
    if (given->role.bytes || given->property.bytes || given->type.bytes) {
        add_row(page, &tables->marked, row);
        add_text(page, &tables->marks, given->role);
        add_text(page, &tables->marks, given->property);
        add_text(page, &tables->types, given->type);
    }
    if (given->style.bytes) {
        add_row(page, &tables->styled, row);
        add_text(page, &tables->styles, given->style);
    }
    int is_unseen = given->aria.size == 4 && contains_lower(given->aria, "true", 1) && kind & TAG_MAY_BE_UNSEEN;
    int by = (given->hidden.bytes ? TAMIS_HIDDEN_BY_ATTRIBUTE : 0) | (given->popover.bytes ? TAMIS_HIDDEN_BY_POPOVER : 0) |
             (is_unseen ? TAMIS_HIDDEN_BY_ARIA : 0);
    if (by) {
        add_row(page, &tables->hidden, row);
        add_byte(page, &tables->hidden_by, by);
    }
    if (by || given->style.bytes) add_row(page, &tables->candidates, row);
}

/* Does the tag of a script begin here, behind "<" or "</"? */
static int is_script_tag(const char *at, const char *end) {
    if (end - at < 7 || !contains_lower((tamis_text){at, 6}, "script", 1)) return 0;
    return at[6] == '>' || at[6] == '/' || at[6] == ' ' || at[6] == '\t' || at[6] == '\n' || at[6] == '\f';
}

/* Where a script ends. In a comment it may hold a script of its own, whose end tag is not the end. */
static const char *script_end(const char *at, const char *end) {
    enum { PLAIN, IN_COMMENT, IN_SCRIPT } state = PLAIN;
    const char *last = end; /* the last end tag: that of a script which ends with the page */
    while (at < end) {
        if (state == PLAIN && !(at = memchr(at, '<', end - at))) break;
        if (*at == '<' && end - at >= 2) {
            if (at[1] == '/' && is_script_tag(at + 2, end)) {
                if (state != IN_SCRIPT) return at;
                state = IN_COMMENT;
                last = at;
            } else if (state == IN_COMMENT && is_script_tag(at + 1, end))
                state = IN_SCRIPT;
            else if (state == PLAIN && end - at >= 4 && !memcmp(at, "<!--", 4)) {
                state = IN_COMMENT;
                at++; /* "<!-->" ends the comment, too */
            }
        } else if (*at == '-' && end - at >= 3 && !memcmp(at, "-->", 3))
            state = PLAIN;
        at++;
    }
    return last;
}

/* Where the raw text of an element ends: at its end tag. */
static const char *raw_end(const char *at, const char *end, tamis_text tag) {
    if (IS(tag, "script")) return script_end(at, end);
    for (; at < end && (at = memchr(at, '<', end - at)); at++)
        if (end - at >= tag.size + 3 && at[1] == '/' && at[2 + tag.size] == '>' && !memcmp(at + 2, tag.bytes, tag.size))
            return at;
    return end;
}

static void close_element(reader *page) {
    column *stack = &page->stack;
    if (!stack->size) return;
    if (page->top.row >= 0) ((tamis_row *)page->tables->end.bytes)[page->top.row] = page->tables->rows;
    stack->size -= sizeof page->top;
    memcpy(&page->top, stack->bytes + stack->size, sizeof page->top);
}

/* Read a start tag and, if the element holds raw text, that too. Returns where to go on. */
static const char *read_element(reader *page, const char *at, const char *end) {
    tamis_tables *tables = page->tables;
    const char *last = at;
    while (last < end && *last != ' ' && *last != '>') last++;
    tamis_text tag = {at, last - at};
    static const attributes none; /* copied, which takes a quarter of the time of setting each to 0 */
    attributes given = none;
    at = read_attributes(last, end, &given);
    tamis_row row = tables->rows++;
    int kind = VALUE_OF(tag_words, tag), code = kind < 0 ? TAG_OTHER : kind & 255;
    if (kind < 0) kind = TAG_OTHER;
    if (code == TAG_OTHER) note_other(page, tag);
    uint8_t space = space_of(&page->top, tag);
    add_byte(page, &tables->code, code);
    add_row(page, &tables->parent, page->top.row);
    add_row(page, &tables->end, row + 1);
    add_text(page, &tables->names, given.class);
    add_text(page, &tables->names, given.id);
    read_marks(page, row, kind, &given);

    int is_formula = 0;
    if (code == TAG_SCRIPT && draws_formulas(&given)) {
        add_row(page, &tables->formulas, row);
        is_formula = contains_lower(given.kind, "math/tex", 1);
    }
    if (code == TAG_IMG && may_be_tex(&given)) add_row(page, &tables->tex_images, row);
    if (code > TAG_LAST_CODE && code <= TAG_LAST_PREFORMATTED) {
        tables->gaps.size = page->gap; /* white space before it has no meaning */
        page->is_verbatim = 1;
    }
    int is_medium = code > TAG_LAST_PREFORMATTED && code <= TAG_LAST_MEDIUM;
    int is_in_medium = page->medium >= 0 && ((tamis_row *)tables->end.bytes)[page->medium] > row;
    if ((is_medium || is_formula) && !is_in_medium) add_leaf(page, row, 1);
    if (is_medium && !is_in_medium) page->medium = row;
    if (space == HTML && kind & TAG_IS_VOID) return at;

    add(page, &page->stack, &page->top, sizeof page->top);
    if (tables->failed) return end;
    if (page->medium == row) ((tamis_row *)tables->end.bytes)[row] = PTRDIFF_MAX; /* until it is closed */
    page->top.row = row;
    page->top.tag = tag;
    page->top.space = space;
    page->top.is_html_inside = is_html_inside(space, tag, &given);
    page->top.is_code = code <= TAG_LAST_CODE;
    if (tag_kinds[code] & TAG_IS_BLOCK) page->top.block = row;
    if (code == TAG_A) page->top.in_link = 1;
    /* Browsers show the content of a declarative shadow root. */
    if (tag_kinds[code] & TAG_IS_INVISIBLE && !(code == TAG_TEMPLATE && given.shadow.bytes)) page->top.hidden = 1;
    /* The parser writes a line break before a text that begins with one, since its reader would skip it. */
    int skips_break = code == TAG_PRE || code == TAG_TEXTAREA || code == TAG_LISTING;
    if (space == HTML && skips_break && at < end && *at == '\n') at++;
    if (space != HTML || !(kind & TAG_IS_RAW)) return at;
    const char *stop = raw_end(at, end, tag);
    if (code == TAG_STYLE && stop - at <= MOST_SHEET) {
        add(page, &tables->sheets, at, stop - at);
        add_byte(page, &tables->sheets, 0);
    }
    read_text(page, (tamis_text){at, stop - at}, 1);
    return stop;
}

/* Move behind what begins with "<!" or "<?": a comment, a declaration, an instruction. */
static const char *skip_other(const char *at, const char *end) {
    if (end - at >= 4 && !memcmp(at, "<!--", 4)) {
        for (at += 4; (at = at < end ? memchr(at, '-', end - at) : NULL); at++)
            if (end - at >= 3 && !memcmp(at, "-->", 3)) return at + 3;
        return end;
    }
    at = memchr(at, '>', end - at);
    return at ? at + 1 : end;
}

/* Put into the root what the parser, at its greatest depth, puts beside it. */
static void put_below_root(tamis_tables *tables) {
    if (!tables->rows) return;
    ((tamis_row *)tables->end.bytes)[0] = tables->rows;
    column *below[] = {&tables->parent, &tables->element, &tables->opened, &tables->block};
    for (size_t each = 0; each < sizeof below / sizeof *below; each++) {
        tamis_row *rows = (tamis_row *)below[each]->bytes;
        for (ptrdiff_t place = each == 0; place < below[each]->size / (ptrdiff_t)sizeof *rows; place++)
            if (rows[place] < 0) rows[place] = 0;
    }
}

void tamis_free(tamis_tables *tables) {
    for (size_t each = 0; each < TABLE_COLUMNS; each++) free(((column *)tables)[each].bytes);
    *tables = (tamis_tables){0};
}

int32_t tamis_read(const char *html, ptrdiff_t size, tamis_tables *tables) {
    *tables = (tamis_tables){0};
    reader page = {.tables = tables, .medium = -1, .top = {.row = -1, .block = -1}};
    const char *at = html, *end = html + size;
    while (at < end && !tables->failed) {
        const char *tag = memchr(at, '<', end - at);
        read_text(&page, (tamis_text){at, (tag ? tag : end) - at}, 0);
        if (!tag || end - tag < 2) break;
        if (tag[1] == '/') {
            close_element(&page);
            at = memchr(tag, '>', end - tag);
            at = at ? at + 1 : end;
        } else
            at = tag[1] == '!' || tag[1] == '?' ? skip_other(tag, end) : read_element(&page, tag + 1, end);
    }
    while (page.stack.size) close_element(&page);
    free(page.stack.bytes);
    if (tables->failed) {
        tamis_free(tables);
        return TAMIS_TOO_LITTLE_MEMORY;
    }
    tables->gaps.size = page.gap; /* blanks behind the last leaf */
    put_below_root(tables);
    return 0;
}
