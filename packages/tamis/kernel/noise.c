/* Short lines that are never content: notes on advertisements, counters, share buttons, credits.
 *
 * The table is noise.json. Only whole runs count, never a part of a sentence. A run is compared in lower case, with
 * each number as 0, and in parts: "4 min read · 23 comments" has two.
 */
#include "fold.h"

enum {
    MOST_WORDS = 16,
    MOST_COUNTED_WORDS = 5, /* of the parts beside a counter: a name, a date */
    PROSE_WORDS = 15,
    LONGEST = 2000 /* code points of a line, white space folded; no longer one is noise, even behind a label */
};

#define SEPARATORS "|·•∙" /* between parts; dashes and slashes if there are spaces around them */
#define SPACED_SEPARATORS "-–—/"

static int is_digit(uint32_t point) { return point >= '0' && point <= '9'; }

static int is_edge(uint32_t point) { return IS_ONE_OF(point, NOISE_EDGES); }

static tamis_text without_edges(tamis_text text) {
    const char *at = text.bytes, *end = at + text.size, *first = end, *last = end;
    while (at < end) {
        const char *here = at;
        if (is_edge(next_point(&at, end))) continue;
        if (first == end) first = here;
        last = at;
    }
    return (tamis_text){first, last - first};
}

/* May a run be noise, by its first text? The first letters tell it of most runs. */
static int may_be_noise(tamis_text begin) {
    const char *at = begin.bytes, *end = at + begin.size, *letter = at;
    while (at < end) {
        uint32_t point = next_point(&at, end);
        if (!is_digit(point) && !is_edge(point) && !IS_ONE_OF(point, SEPARATORS)) break;
        letter = at;
    }
    const char *last = letter;
    for (int letters = 0; letters < NOISE_BEGIN && last < end; letters++) next_point(&last, end);
    char small[4 * NOISE_BEGIN];
    ptrdiff_t size = lower((tamis_text){letter, last - letter}, small);
    return VALUE_OF(noise_begins, ((tamis_text){small, size})) >= 0;
}

/* Has a text nothing that is shown? Some editors fill empty elements with it. */
static int is_unseen(tamis_text text) {
    const char *at = text.bytes, *end = at + text.size;
    while (at < end)
        if (!IS_ONE_OF(next_point(&at, end), "\u200B\u200C\u200D\u2060\uFEFF")) return 0;
    return 1;
}

/* Writes the texts of a run, white space folded, with `joint` between them; returns the bytes, or -1 for too many. */
static ptrdiff_t join(const tamis_page *page, const tamis_runs *runs, const run *some, char joint, char *to) {
    ptrdiff_t size = 0, points = 0;
    int gap = 0;
    for (tamis_row text = 0; text < some->texts; text++) {
        tamis_text part = leaf_text(page, runs->state, runs->text[some->text + text]);
        const char *at = part.bytes, *end = at + part.size;
        uint32_t point = text ? (uint32_t)joint : ' '; /* the joint is read before the text; a first space is dropped */
        while (1) {
            if (class_of(point) & SPACE) gap = size > 0;
            else {
                points += 1 + gap;
                if (points > LONGEST) return -1;
                if (gap) to[size++] = ' ';
                size += put_point(point, to + size);
                gap = 0;
            }
            if (at == end) break;
            point = next_point(&at, end);
        }
    }
    return size;
}

/* Replaces numbers such as 1,234.5 by 0; returns the new size. */
static ptrdiff_t fold_numbers(char *line, ptrdiff_t size) {
    ptrdiff_t to = 0;
    for (ptrdiff_t at = 0; at < size; to++) {
        int is_number = is_digit((uint8_t)line[at]);
        line[to] = is_number ? '0' : line[at];
        at++;
        while (is_number && at < size) {
            int is_point = (line[at] == '.' || line[at] == ',') && at + 1 < size && is_digit((uint8_t)line[at + 1]);
            if (!is_digit((uint8_t)line[at]) && !is_point) break;
            at++;
        }
    }
    return to;
}

static const char *separator_end(const char *at, const char *end, uint32_t before) {
    (void)before;
    uint32_t point = next_point(&at, end);
    if (IS_ONE_OF(point, SEPARATORS)) return at;
    if (point != ' ' || at == end || !IS_ONE_OF(next_point(&at, end), SPACED_SEPARATORS)) return NULL;
    return at < end && *at == ' ' ? at + 1 : NULL;
}

static int has_label(tamis_text line) {
    for (size_t label = 0; label < sizeof noise_labels / sizeof *noise_labels; label++) {
        const known_word *sought = &noise_labels[label];
        if (sought->size <= line.size && !memcmp(sought->word, line.bytes, sought->size)) return 1;
    }
    return 0;
}

static int is_line(tamis_text line, int type) {
    /* Listings and threads count comments and views of what they list. */
    int counts = type == PAGE_TYPE_LISTING || type == PAGE_TYPE_COLLECTION || type == PAGE_TYPE_FORUM;
    int parts = 0, lines = 0, counters = 0, short_ones = 0;
    reader rest = {line.bytes, line.bytes + line.size, 0};
    while (rest.at < rest.end) {
        tamis_text part = without_edges(next_part(&rest, separator_end));
        if (!part.size) continue;
        int kind = VALUE_OF(noise_lines, part), words = 1;
        for (ptrdiff_t at = 0; at < part.size; at++) words += part.bytes[at] == ' ';
        parts++;
        lines += kind >= 0 && kind & NOISE_LINE;
        counters += kind >= 0 && kind & NOISE_COUNTER;
        short_ones += (kind >= 0 && kind & NOISE_COUNTER) || words <= MOST_COUNTED_WORDS;
    }
    if (counters && !counts) return short_ones == parts;
    return has_label(without_edges(line)) || (parts && lines == parts);
}

/* Is a short run noise? Its texts are tried as one line, and as parts. */
static int is_noise(const tamis_page *page, const tamis_runs *runs, const run *some, int type, char *joined,
                    char *line) {
    for (int as_parts = 0; as_parts <= (some->texts > 1); as_parts++) {
        ptrdiff_t size = join(page, runs, some, as_parts ? '|' : ' ', joined);
        if (size < 0) continue;
        size = fold_numbers(line, lower((tamis_text){joined, size}, line));
        if (is_line((tamis_text){line, size}, type)) return 1;
    }
    return 0;
}

int32_t find_noise(const tamis_page *page, const tamis_runs *runs, const uint8_t *kept, int type, uint8_t *noise) {
    arena memory = runs->state->memory;
    char *joined = take(&memory, 4, LONGEST), *line = take(&memory, 4, LONGEST);
    if (!line) return TAMIS_TOO_LITTLE_MEMORY;
    const run *all = runs->state->runs;
    /* Names and dates with a counter before the first kept paragraph of an article: "Jane Doe · 4 min read". Other
     * bylines and dates stay. Dropping them costs 0.05 and 0.08 points on Dragnet, whose gold has them. */
    ptrdiff_t first_prose = 0;
    while (first_prose < runs->runs && !(kept[first_prose] && all[first_prose].words >= PROSE_WORDS)) first_prose++;
    int has_byline = type == PAGE_TYPE_ARTICLE && first_prose < runs->runs;
    for (ptrdiff_t number = 0; number < runs->runs; number++) {
        const run *some = &all[number];
        if (!kept[number] || some->words > MOST_WORDS || some->bits >> HOLDER_PRE_LISTING_XMP & 1) continue;
        int may_be_byline = has_byline && number < first_prose && some->marks[MARK_DIGIT];
        if (some->texts == 1 && is_unseen(some->begin)) noise[number] = 1;
        else if (may_be_byline || may_be_noise(some->begin)) noise[number] = is_noise(page, runs, some, type, joined, line);
    }
    return 0;
}
