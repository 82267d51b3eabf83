/* Lists, tables, quotations, code and figures stay or go whole; in the flow of kept text they stay. Data tables beside
 * kept text stay whole, whatever their size.
 */
#include "policy.h"

/* Larger structures (in words) arrange a page or hold most of its text. On WCXB dev, limits from 300 to 1,000 differ
 * by less than a tenth of a point. */
#define MOST_WORDS 500
/* What stays because of the text around it is smaller: teasers, menus and tags are also in the flow of an article. */
#define MOST_FILLED_WORDS 100
#define MOST_FORMULA_WORDS 30

/* Data tables of two rows are often buttons ("previous", "next"), and those of a cell a row lists. */
#define LEAST_ROWS 3
#define LEAST_CELLS 2
/* Text is near if it is in the table's parent or in one of the two elements above that: a table is often wrapped, and
 * one of a sidebar is farther from the article. Limits from 2 to 6 differ by 0.02 points on WCXB dev. */
#define NEAR 3

static int is_table(uint8_t code) { return code == TAG_TABLE; }
static int is_row(uint8_t code) { return code == TAG_TR; }
static int is_header(uint8_t code) { return code == TAG_TH; }
static int is_cell(uint8_t code) { return code == TAG_TD || code == TAG_TH; }
static int arranges(uint8_t code) { return code == TAG_TABLE || code == TAG_FORM || code == TAG_H1; }
static int is_structure(uint8_t code) {
    return code == TAG_UL || code == TAG_OL || code == TAG_DL || code == TAG_TABLE || code == TAG_BLOCKQUOTE ||
           code == TAG_PRE || code == TAG_LISTING || code == TAG_XMP || code == TAG_FIGURE;
}

static int has_bit(const decision *page, tamis_row number, int holder) {
    return page->run[number].bits >> holder & 1;
}
static double controls_of(const decision *page, tamis_row number) {
    return has_bit(page, number, HOLDER_BUTTON) + has_bit(page, number, HOLDER_TEXTAREA_SELECT);
}
static double asides_of(const decision *page, tamis_row number) {
    return controls_of(page, number) + has_bit(page, number, HOLDER_NAV) + has_bit(page, number, HOLDER_ASIDE) +
           has_bit(page, number, HOLDER_FOOTER);
}
static double comments_of(const decision *page, tamis_row number) { return page->comments[number]; }
static double dropped_of(const decision *page, tamis_row number) { return page->dropped[number]; }
static double kept_of(const decision *page, tamis_row number) { return page->kept[number]; }
static double kept_logit_of(const decision *page, tamis_row number) {
    return page->kept[number] ? page->content[number] : 0;
}
static double kept_words_of(const decision *page, tamis_row number) {
    return page->kept[number] ? page->run[number].words : 0;
}
static double weight_of(const decision *page, tamis_row number) {
    return page->dropped[number] ? 0 : page->run[number].words;
}
static double weighted_of(const decision *page, tamis_row number) {
    return weight_of(page, number) * page->content[number];
}

static double sum_in(const double *before, const parts *some, ptrdiff_t each) {
    return before[some->last[each]] - before[some->first[each]];
}
static tamis_row tags_in(const decision *page, const tamis_row *before, const parts *some, ptrdiff_t each) {
    return before[page->page->end[some->row[each]]] - before[some->row[each]];
}

/* ---- whole structures ---- */

/* Each structure that is kept in part gets the mean logit of its runs, weighted by words, but for the dropped ones.
 * Only the outermost of those count that are neither large nor tables that arrange a page, and have no buttons. One
 * with most of the kept words of an article or a thread is never dropped, since it holds the text; those in it count
 * then. That brings 1.8 points on threads. */
static int32_t level_torn(decision *page, const parts *some) {
    arena memory = *page->memory;
    double *kept = sums_before(page, kept_of), *words = sums_before(page, words_of);
    double *controls = sums_before(page, controls_of), *weights = sums_before(page, weight_of);
    double *weighted = sums_before(page, weighted_of), *kept_words = sums_before(page, kept_words_of);
    tamis_row *tables = tags_before(page, is_table), *rows = tags_before(page, is_row);
    if (!rows) return TAMIS_TOO_LITTLE_MEMORY;
    tamis_row reached = -1; /* the end of the structures before */
    int is_one_text = page->type == PAGE_TYPE_ARTICLE || page->type == PAGE_TYPE_FORUM;
    for (ptrdiff_t each = 0; each < some->count; each++) {
        double count = sum_in(kept, some, each);
        tamis_row row = some->row[each];
        if (!count || count == some->last[each] - some->first[each] || sum_in(words, some, each) > MOST_WORDS ||
            sum_in(controls, some, each))
            continue;
        if (is_table(page->page->code[row]) &&
            (tags_in(page, tables, some, each) != 1 || tags_in(page, rows, some, each) < 2))
            continue;
        if (row < reached) continue;
        double weight = sum_in(weights, some, each);
        float mean = sum_in(weighted, some, each) / (weight > 1e-9 ? weight : 1e-9);
        int holds_text = is_one_text && 2 * sum_in(kept_words, some, each) > kept_words[page->count];
        if (holds_text && mean < page->threshold) continue;
        reached = page->page->end[row];
        for (tamis_row number = some->first[each]; number < some->last[each]; number++)
            if (!page->dropped[number]) page->content[number] = mean;
    }
    *page->memory = memory;
    return 0;
}

/* What nothing is kept of, but both of its neighbours in one parent, becomes as sure as the less sure of them, if it is
 * small and has few links. */
static int32_t fill_gaps(decision *page, const parts *some) {
    arena memory = *page->memory;
    double *words = sums_before(page, words_of), *dropped = sums_before(page, dropped_of);
    double *linked = sums_before(page, linked_words_of);
    float *level = take(page->memory, some->count, sizeof *level);
    uint8_t *fits = take(page->memory, some->count, 1);
    if (!fits) return TAMIS_TOO_LITTLE_MEMORY;
    const tamis_row *end = page->page->end;
    for (ptrdiff_t each = 0; each < some->count; each++) {
        tamis_row first = some->first[each], last = some->last[each], parent = page->page->parent[some->row[each]];
        if (parent < 0 || !is_kept(page, first - 1) || !is_kept(page, last) || is_kept(page, first)) continue;
        tamis_row before = page->run[first - 1].element, after = page->run[last].element;
        double count = sum_in(words, some, each);
        fits[each] = before >= parent && after >= parent && after < end[parent] && count <= MOST_FILLED_WORDS &&
                     !sum_in(dropped, some, each) &&
                     sum_in(linked, some, each) < MOST_LINKED * (count > 1 ? count : 1);
        float one = page->content[first - 1], other = page->content[last];
        level[each] = one < other ? one : other;
    }
    for (ptrdiff_t each = 0; each < some->count; each++)
        for (tamis_row number = some->first[each]; fits[each] && number < some->last[each]; number++)
            page->content[number] = level[each];
    *page->memory = memory;
    return 0;
}

/* Has a text one of the marks of a formula: = ≈ ≠ ≤ ≥ ∑ ∫ √, a command of TeX, $$? */
static int has_formula(tamis_text text) {
    const char *at = text.bytes, *end = at + text.size;
    while (at < end) {
        uint32_t point = next_point(&at, end);
        char next = at < end ? *at : 0;
        switch (point) {
        case '=': case 0x2248: case 0x2260: case 0x2264: case 0x2265: case 0x2211: case 0x222B: case 0x221A: return 1;
        case '\\': if ((next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z')) return 1; break;
        case '$': if (next == '$') return 1; break;
        }
    }
    return 0;
}

static int is_formula(const decision *page, tamis_row number) {
    const run *each = &page->run[number];
    for (tamis_row text = each->text; text < each->text + each->texts; text++)
        if (has_formula(leaf_text(page->page, page->runs->state, page->runs->text[text]))) return 1;
    return 0;
}

/* Headings and formulas between two kept runs. */
static int32_t find_single_runs(decision *page, parts *found) {
    *found = (parts){0, take(page->memory, page->count, sizeof(tamis_row)),
                     take(page->memory, page->count, sizeof(tamis_row)),
                     take(page->memory, page->count, sizeof(tamis_row))};
    if (page->memory->left < 0) return TAMIS_TOO_LITTLE_MEMORY;
    for (tamis_row number = 0; number < page->count; number++) {
        const run *each = &page->run[number];
        if (page->kept[number] || !is_kept(page, number - 1) || !is_kept(page, number + 1) ||
            each->words > MOST_FORMULA_WORDS)
            continue;
        int is_heading = tag_kinds[each->code] & TAG_IS_HEADING && each->code != TAG_H1;
        if (!is_heading && !is_formula(page, number)) continue;
        found->row[found->count] = each->element;
        found->first[found->count] = number;
        found->last[found->count++] = number + 1;
    }
    return 0;
}

int32_t keep_structures_whole(decision *page) {
    parts structures = find_parts(page, is_structure), singles;
    if (structures.count < 0) return TAMIS_TOO_LITTLE_MEMORY;
    keep_content(page);
    if (structures.count) {
        if (level_torn(page, &structures)) return TAMIS_TOO_LITTLE_MEMORY;
        keep_content(page);
        if (fill_gaps(page, &structures)) return TAMIS_TOO_LITTLE_MEMORY;
    }
    if (find_single_runs(page, &singles)) return TAMIS_TOO_LITTLE_MEMORY;
    return singles.count ? fill_gaps(page, &singles) : 0;
}

/* ---- data tables ---- */

typedef struct {
    tamis_row *rows, *cells, *headers, *arranging;
    double *words, *linked, *asides, *comments, *kept, *kept_logits;
} table_sums;

/* Does a table show data? It must not arrange a page, be a calendar next to it, or be in a reader's comment.
 * A table of links has header cells unless it is a menu. */
static int is_data(const decision *page, const table_sums *sums, const parts *tables, ptrdiff_t each) {
    tamis_row rows = tags_in(page, sums->rows, tables, each);
    double words = sum_in(sums->words, tables, each);
    return rows >= LEAST_ROWS && tags_in(page, sums->cells, tables, each) >= LEAST_CELLS * rows &&
           tags_in(page, sums->arranging, tables, each) == 1 && !sum_in(sums->asides, tables, each) &&
           sum_in(sums->comments, tables, each) < tables->last[each] - tables->first[each] &&
           (sum_in(sums->linked, tables, each) < MOST_LINKED * (words > 1 ? words : 1) ||
            tags_in(page, sums->headers, tables, each));
}

/* How sure it is that a table is content: as sure as its kept runs on the average, if they are at least half of them,
 * else as the surer of the texts beside it that are reason to keep it, else not at all. Both texts are reason; one is
 * enough if it is near: the one before, or the one after if the table has header cells. */
static float table_level(const decision *page, const table_sums *sums, const parts *tables, ptrdiff_t each) {
    tamis_row first = tables->first[each], last = tables->last[each], above = tables->row[each];
    double count = sum_in(sums->kept, tables, each);
    if (2 * count >= last - first) return sum_in(sums->kept_logits, tables, each) / (count > 1 ? count : 1);
    for (int step = 0; step < NEAR; step++) above = above && page->page->parent[above] > 0 ? page->page->parent[above] : 0;
    int before = is_kept(page, first - 1), after = is_kept(page, last), both = before && after;
    int near_before = before && page->run[first - 1].element >= above;
    int near_after = after && page->run[last].element >= above && page->run[last].element < page->page->end[above] &&
                     tags_in(page, sums->headers, tables, each);
    float level = -__builtin_inff();
    if (near_before || both) level = page->content[first - 1];
    if ((near_after || both) && page->content[last] > level) level = page->content[last];
    return level;
}

int32_t keep_data_tables(decision *page) {
    parts tables = find_parts(page, is_table);
    if (tables.count < 0) return TAMIS_TOO_LITTLE_MEMORY;
    if (!tables.count) return 0;
    keep_content(page);
    table_sums sums = {
        tags_before(page, is_row), tags_before(page, is_cell), tags_before(page, is_header), tags_before(page, arranges),
        sums_before(page, words_of), sums_before(page, linked_words_of), sums_before(page, asides_of),
        sums_before(page, comments_of), sums_before(page, kept_of), sums_before(page, kept_logit_of)};
    if (page->memory->left < 0) return TAMIS_TOO_LITTLE_MEMORY;
    float *levels = take(page->memory, tables.count, sizeof *levels);
    if (!levels) return TAMIS_TOO_LITTLE_MEMORY;
    for (ptrdiff_t each = 0; each < tables.count; each++) {
        tamis_row first = tables.first[each], last = tables.last[each];
        double count = sum_in(sums.kept, &tables, each);
        int is_beside = is_kept(page, first - 1) || is_kept(page, last);
        int is_open = (is_beside || count) && count < last - first && is_data(page, &sums, &tables, each);
        levels[each] = is_open ? table_level(page, &sums, &tables, each) : -__builtin_inff();
    }
    for (ptrdiff_t each = 0; each < tables.count; each++)
        for (tamis_row number = tables.first[each]; number < tables.last[each]; number++)
            if (levels[each] >= page->threshold && (!page->dropped[number] || page->comments[number]))
                page->content[number] = levels[each];
    return 0;
}
