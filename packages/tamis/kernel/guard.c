/* May a page harm the parser? tamis/document/guard.py says what harms it, and rewrites such a page.
 *
 * Its patterns and the functions here read tags alike, as the standard does. All takes time linear in the page.
 */
#include "tamis.h"

#include <string.h>

enum {
    /* Open elements around a table, in our count. The parser adds html, head, body and the paragraph of a lone </p>. */
    MOST_OPEN = 500,
    /* The most elements that the parser may make of formatting elements: these times the tags. */
    MOST_REOPENED = 2000000,
    /* With at most this many tags it makes fewer: some of them open the elements, others reopen them. */
    FEW_TAGS = 4000,
    /* <html>, <body> and <selectedcontent>, each; and the bytes of their attributes, where a name has several tags. */
    MOST_REPEATED = 20,
    MOST_GATHERED = 40000,
    /* The room of our stack. It is ten times what harmless pages of the corpora need; a page that needs more fails. */
    ROOM = 4096,
    LONGEST_NAME = 16 /* of those below */
};

/* ---- names ---- */

/* Names by their length, each followed by a space. */
typedef const char *name_set[LONGEST_NAME + 1];

static const name_set ROWS = {[2] = "tr td th "};
static const name_set TABLES = {[5] = "table ", [8] = "template "}; /* to each the parser adds a body and a row */
static const name_set FOREIGN = {[3] = "svg ", [4] = "math "};
static const name_set FORMATTING = {
    [1] = "a b i s u ", [2] = "em tt ", [3] = "big ", [4] = "code font nobr ", [5] = "small ", [6] = "strike strong "};
static const name_set VOID = {[2] = "br hr ", [3] = "col img wbr ", [4] = "area base link meta ",
                              [5] = "embed input param track ", [6] = "source "};
/* The text of these is raw up to their end tag. */
static const name_set RAW = {
    [3] = "xmp ", [5] = "style title ", [6] = "iframe script ", [7] = "noembed ", [8] = "noframes textarea "};
static const name_set CLOSES_PARAGRAPH = {
    [1] = "p ", [2] = "dd dl dt h1 h2 h3 h4 h5 h6 hr li ol ul ", [3] = "dir div nav pre ", [4] = "form main menu ",
    [5] = "aside ", [6] = "center dialog figure footer header hgroup search ",
    [7] = "address article details listing section summary ", [8] = "fieldset ", [10] = "blockquote figcaption "};
/* In a drawing of these elements alone, its end tag closes all of them. */
static const name_set DRAWN = {
    [1] = "g ", [3] = "use ", [4] = "defs line mask path rect stop text ", [5] = "image tspan ",
    [6] = "circle filter marker symbol ", [7] = "animate ellipse feblend feflood femerge pattern polygon ",
    [8] = "clippath feoffset metadata polyline ", [11] = "fecomposite femergenode ", [13] = "fecolormatrix ",
    [14] = "fegaussianblur lineargradient radialgradient ", [16] = "animatetransform "};

static char small(char byte) { return byte >= 'A' && byte <= 'Z' ? byte + 'a' - 'A' : byte; }
static int is_letter(char byte) { return small(byte) >= 'a' && small(byte) <= 'z'; }
static int is_space(char byte) {
    return byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r' || byte == '\f';
}
static int ends_name(char byte) { return byte == '>' || byte == '/' || is_space(byte); }

/* Are two texts the same, but for capitals? */
static int is_alike(const char *one, const char *other, ptrdiff_t size) {
    for (ptrdiff_t at = 0; at < size; at++)
        if (small(one[at]) != small(other[at])) return 0;
    return 1;
}

static int is_same(tamis_text one, tamis_text other) {
    return one.size == other.size && is_alike(one.bytes, other.bytes, one.size);
}

static int is(tamis_text name, const char *known) { return is_same(name, (tamis_text){known, strlen(known)}); }

static int is_among(tamis_text name, const name_set names) {
    if (name.size > LONGEST_NAME || !names[name.size]) return 0;
    for (const char *known = names[name.size]; *known; known += name.size + 1)
        if (is_alike(name.bytes, known, name.size)) return 1;
    return 0;
}

static int begins(const char *at, const char *end, const char *known) {
    ptrdiff_t size = strlen(known);
    return end - at >= size && is_alike(at, known, size);
}

/* Where a text is found first, or NULL. */
static const char *find(const char *at, const char *end, const char *known) {
    while ((at = memchr(at, *known, end - at)) && !begins(at, end, known)) at++;
    return at;
}

/* ---- tags ---- */

typedef struct {
    enum { NO_TOKEN, NO_TAG, START_TAG, END_TAG, RAW_ELEMENT, UNCLEAR } kind;
    tamis_text name; /* of a tag */
    tamis_text raw;  /* a raw element without its end tag */
    int may_close_itself;
    const char *end; /* no token begins before */
} token;

static tamis_text read_name(const char *at, const char *end) {
    const char *behind = at;
    while (behind < end && !ends_name(*behind)) behind++;
    return (tamis_text){at, behind - at};
}

/* A name that is followed by something. One that is longer than all known names is empty: it is not read further. */
static tamis_text read_short_name(const char *at, const char *end) {
    if (end - at > LONGEST_NAME + 1) end = at + LONGEST_NAME + 1;
    tamis_text name = read_name(at, end);
    return at + name.size < end ? name : (tamis_text){at, 0};
}

static const char *skip_spaces(const char *at, const char *end) {
    while (at < end && is_space(*at)) at++;
    return at;
}

/* The ">" at which attributes end, or the end of the page. */
static const char *skip_attributes(const char *at, const char *end) {
    while (at < end && *at != '>') {
        int is_between = is_space(*at) || *at == '/';
        at++;
        if (is_between) continue;
        while (at < end && !ends_name(*at) && *at != '=') at++;
        const char *sign = skip_spaces(at, end);
        if (sign == end || *sign != '=') continue;
        at = skip_spaces(sign + 1, end);
        if (at < end && (*at == '"' || *at == '\'')) {
            const char *close = memchr(at + 1, *at, end - at - 1);
            if (close) at = close + 1; /* else the quote begins an attribute */
        } else {
            while (at < end && *at != '>' && !is_space(*at)) at++;
        }
    }
    return at;
}

/* Where a comment ends. It begins with the "<!--" before this place. */
static const char *skip_comment(const char *at, const char *end) {
    if (begins(at, end, ">") || begins(at, end, "->")) return at;
    while ((at = find(at, end, "--")) && !begins(at, end, "-->") && !begins(at, end, "--!>")) at++;
    return at ? at : end;
}

/* Is this CDATA that ends in one place as HTML and in another as SVG? */
static int is_unclear_cdata(const char *at, const char *end) {
    if (end - at < 8 || memcmp(at, "![CDATA[", 8)) return 0;
    for (at += 8; at < end && *at != ']' && *at != '>';) at++;
    return !begins(at, end, "]]>");
}

/* The end tag of a raw element, or the end of the page. */
static const char *find_end_tag(tamis_text name, const char *at, const char *end) {
    for (; (at = find(at, end, "</")) && end - at > name.size + 2; at++)
        if (is_alike(at + 2, name.bytes, name.size) && ends_name(at[2 + name.size])) return at;
    return end;
}

/* Reads from a "<": a tag, a whole raw element, a comment or a declaration. */
static token read_token(const char *at, const char *end) {
    token read = {.kind = NO_TOKEN, .end = ++at};
    if (at == end) return read;
    int is_end = *at == '/';
    if (at + is_end < end && is_letter(at[is_end])) {
        read.kind = is_end ? END_TAG : START_TAG;
        read.name = read_name(at + is_end, end);
        read.end = skip_attributes(read.name.bytes + read.name.size, end);
        if (is_end || read.end == end) return read;
        read.may_close_itself = read.end[-1] == '/';
        if (is_among(read.name, RAW)) {
            const char *behind = find_end_tag(read.name, read.end, end);
            read.kind = RAW_ELEMENT;
            read.raw = (tamis_text){at, behind - at};
            read.end = skip_attributes(behind, end);
        }
    } else if (begins(at, end, "!--")) {
        read.kind = NO_TAG;
        read.end = skip_comment(at + 3, end);
    } else if (is_unclear_cdata(at, end)) {
        read.kind = UNCLEAR;
    } else if (is_end || *at == '!' || *at == '?') {
        const char *close = memchr(at, '>', end - at);
        read.kind = NO_TAG;
        read.end = close ? close : end;
    }
    return read;
}

/* Is the end of a script in a comment with the start tag of another? Then the parser takes it for text. */
static int hides_its_end(tamis_text script) {
    const char *at = script.bytes, *end = at + script.size;
    while ((at = find(at, end, "<!--"))) {
        const char *close = find(at + 1, end, "-->");
        if (!close) return find(at, end, "<script") != NULL;
        at = close;
    }
    return 0;
}

/* ---- open elements ---- */

typedef struct {
    ptrdiff_t tables, formatting, foreign; /* open ones */
    ptrdiff_t framesets, deepest_table, most_formatting;
    ptrdiff_t drawing; /* the place of an open drawing that its end tag closes for sure, or 0 */
    ptrdiff_t size;
    tamis_text names[ROOM]; /* the first is of no element */
} stack;

static void count(stack *open, tamis_text name, int more) {
    open->tables += more * is_among(name, TABLES);
    open->formatting += more * is_among(name, FORMATTING);
    open->foreign += more * is_among(name, FOREIGN);
}

/* Is the end tag of an element superfluous before a start tag? */
static int is_closed_by(tamis_text open, tamis_text start, int is_foreign) {
    if (is(open, "p")) return is_among(start, CLOSES_PARAGRAPH);
    if (is(open, "li")) return is(start, "li");
    if (is(open, "dd") || is(open, "dt")) return is(start, "dd") || is(start, "dt");
    if (is_foreign) return 0; /* the others are elements like any other in a drawing, and nest */
    if (is(open, "option")) return is(start, "option");
    return (is(open, "td") || is(open, "th")) && (is(start, "td") || is(start, "th"));
}

static int is_in_drawing(const stack *open, tamis_text name) {
    for (ptrdiff_t place = open->drawing; place < open->size; place++)
        if (is_same(open->names[place], name)) return 1;
    return 0;
}

static void take_end_tag(stack *open, tamis_text name) {
    if (is_same(open->names[open->size - 1], name)) {
        open->size--;
        count(open, name, -1);
        if (open->size == open->drawing) open->drawing = 0;
    } else if (open->drawing && is(name, "svg")) {
        open->size = open->drawing;
        open->drawing = open->foreign = 0;
    } else if (open->drawing && (open->size - open->drawing > MOST_OPEN || !is_in_drawing(open, name))) {
        open->drawing = 0;
    }
}

/* Returns 0 where what follows can be read in two ways, or where the stack is full. */
static int take_start_tag(stack *open, const token *tag) {
    tamis_text name = tag->name;
    if (!open->foreign && is_among(name, VOID)) return 1;
    if (is_closed_by(open->names[open->size - 1], name, open->foreign > 0)) open->size--;
    if (open->size == ROOM || is(name, "plaintext") || is_among(name, RAW)) return 0;
    if (!is_among(name, DRAWN)) open->drawing = 0;
    if (is(name, "svg") && !open->foreign && !tag->may_close_itself) open->drawing = open->size;
    open->names[open->size++] = name;
    open->framesets += is(name, "frameset");
    count(open, name, 1);
    ptrdiff_t depth = open->size + 2 * open->tables;
    if (is_among(name, TABLES) && depth > open->deepest_table) open->deepest_table = depth;
    if (open->formatting > open->most_formatting) open->most_formatting = open->formatting;
    return 1;
}

/* Is it certain that no table is too deep, and that few formatting elements are open at once? */
static int is_harmless(const char *at, const char *end) {
    stack open;
    memset(&open, 0, offsetof(stack, names));
    open.names[open.size++] = (tamis_text){"", 0};
    ptrdiff_t tokens = 0;
    while ((at = memchr(at, '<', end - at))) {
        token read = read_token(at, end);
        at = read.end;
        tokens += read.kind != NO_TOKEN;
        if (read.kind == UNCLEAR || (read.kind == START_TAG && !take_start_tag(&open, &read))) return 0;
        if (read.kind == END_TAG) take_end_tag(&open, read.name);
        if (read.kind == RAW_ELEMENT && memchr(read.raw.bytes, '<', read.raw.size) &&
            (open.foreign || open.framesets || hides_its_end(read.raw)))
            return 0;
        if (open.deepest_table + open.most_formatting > MOST_OPEN) return 0;
    }
    return !open.most_formatting || tokens <= MOST_REOPENED / open.most_formatting;
}

/* ---- the page ---- */

/* The first letters of the names that are counted. A link ends the one before it: one is open at most. */
static int may_count(char letter) {
    switch (small(letter)) {
        case 'b': case 'c': case 'e': case 'f': case 'h': case 'i': case 'n': case 's': case 't': case 'u': return 1;
        default: return 0;
    }
}

/* 1 if it is certain that a page does the parser no harm, else 0. */
int32_t tamis_guard(const uint8_t *page, ptrdiff_t size) {
    static const tamis_text repeated[] = {{"html", 4}, {"body", 4}, {"selectedcontent", 15}};
    ptrdiff_t seen[3] = {0}, gathered[3] = {0}, tags = 0, start_tags = 0, tables = 0, formatting = 1;
    const char *begin = (const char *)page, *end = begin + size;
    /* The last table, and the last one with a row or a cell behind it: the end of its name, and start tags up to it. */
    struct { const char *end; ptrdiff_t start_tags; } table = {begin, 0}, last = table;
    for (const char *at = begin; (at = memchr(at, '<', end - at)) && end - at > 2; at++) {
        tags++;
        if (at[1] == '/') continue;
        start_tags++;
        if (!may_count(at[1])) continue;
        tamis_text name = read_short_name(at + 1, end);
        const char *behind = name.bytes + name.size;
        formatting += is_among(name, FORMATTING);
        if (is_among(name, ROWS)) last = table;
        if (is_among(name, TABLES)) {
            tables++;
            table.end = behind;
            table.start_tags = start_tags;
        }
        for (int each = 0; each < 3; each++) {
            if (!is_same(name, repeated[each])) continue;
            gathered[each] += skip_attributes(behind, end) - behind;
            if (++seen[each] > MOST_REPEATED || (seen[each] > 1 && gathered[each] > MOST_GATHERED)) return 0;
        }
    }
    /* With few tags, no table is too deep and little is reopened. Otherwise the elements open at once decide. */
    if (tags > FEW_TAGS && formatting > MOST_REOPENED / tags) return is_harmless(begin, end);
    return last.start_tags + 2 * tables <= MOST_OPEN || is_harmless(begin, last.end);
}
