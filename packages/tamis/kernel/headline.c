/* The headline of a page, in all places that show it. It belongs to the metadata, not to the content.
 *
 * It is the longest heading or line that equals parts of the TITLE or of og:title; else the longest heading above the
 * text that has most of a part; else the first kept H1 above the text. A first line of a run counts as a line.
 */
#include "fold.h"

enum {
    /* A page that repeats its title does so among the first headings and lines that could do it. */
    MOST_CANDIDATES = 100,
    /* Longer titles are cut, and longer texts are not headlines: code points. */
    LONGEST = 1000,
    MOST_PARTS = 6,
    /* Outside headings, fewer letters equal a part of the title by chance. */
    LEAST_LETTERS = 8,
    /* A heading that has a part of the title and more, or less, is the headline if it shares half of it and is
     * above the text: fewer words are kept before it. */
    MOST_WORDS_BEFORE = 50,
    ROOM = LONGEST * (LONGEST_FOLD + 1), /* for the folded form of a text */
    JOINED_PARTS = MOST_PARTS * (MOST_PARTS + 1) / 2
};

typedef struct {
    tamis_text text; /* folded */
    ptrdiff_t letters;
} title_part;

/* A heading or line that may be the headline: the first texts of a run. */
typedef struct {
    ptrdiff_t shared; /* letters in common with a part of the title */
    tamis_row run, texts;
    int is_heading, is_exact; /* exact: equal to parts of the title */
} line;

typedef struct {
    const tamis_page *page;
    const tamis_runs *runs;
    ptrdiff_t parts, lines, copies;
    title_part part[2 * JOINED_PARTS];
    line line[MOST_CANDIDATES];
    tamis_row copy[MOST_CANDIDATES]; /* the first run of each text whose copies are marked */
    char title[2][ROOM], text[ROOM], chosen[2][ROOM]; /* folded */
} search;

_Static_assert(sizeof(search) + 16 <= HEADLINE_MEMORY, "HEADLINE_MEMORY is too small");

/* ---- the parts of a title such as "Headline - Section | Site" ---- */

static int is_space(uint32_t point) { return class_of(point) & SPACE; }
static int is_bar(uint32_t point) { return IS_ONE_OF(point, "|»«›｜"); }
static int is_dash(uint32_t point) { return IS_ONE_OF(point, "-–—|:·•/«»‹›"); }

/* Chinese and Japanese titles lack spaces. */
static int is_unspaced(uint32_t point) {
    return (point >= 0x3040 && point <= 0x30FF) || (point >= 0x3400 && point <= 0x9FFF) ||
           (point >= 0xFF01 && point <= 0xFF5E);
}

/* Behind all characters of a kind. */
static const char *skip(const char *at, const char *end, int (*is_of_kind)(uint32_t)) {
    for (const char *next = at; at < end && is_of_kind(next_point(&next, end));) at = next;
    return at;
}

static const char *separator_end(const char *at, const char *end, uint32_t before) {
    const char *next = at;
    uint32_t point = next_point(&next, end);
    if (is_space(point)) {
        if (is_space(before)) return NULL; /* white space is read from its beginning only: there may be megabytes */
        at = skip(at, end, is_space);
        const char *dashes = skip(at, end, is_dash), *spaces = skip(dashes, end, is_space);
        if (dashes > at && spaces > dashes) return spaces;
        if (at == end) return NULL;
        next = at;
        return is_bar(next_point(&next, end)) ? skip(next, end, is_space) : NULL;
    }
    if (is_bar(point)) return skip(next, end, is_space);
    if (point == ':') {
        const char *spaces = skip(next, end, is_space);
        return spaces > next ? spaces : NULL;
    }
    if ((point == '-' || point == '_') && is_unspaced(before)) return next;
    const char *second = next;
    return point == '_' && next < end && is_unspaced(next_point(&second, end)) ? next : NULL;
}

/* Finds the parts of a title, folded, alone and joined with their neighbours. */
static void add_parts(search *found, tamis_text title, char *to) {
    ptrdiff_t first[MOST_PARTS], end[MOST_PARTS], size = 0;
    int parts = 0, read = 0;
    reader rest = {title.bytes, title.bytes + title.size, 0};
    while (rest.at < rest.end && read < MOST_PARTS) {
        tamis_text part = next_part(&rest, separator_end);
        ptrdiff_t before = size;
        read += part.size > 0;
        size = add_words(part, to, size);
        if (size == before) continue;
        first[parts] = before + (before > 0); /* behind the space */
        end[parts++] = size;
    }
    for (int one = 0; one < parts; one++)
        for (int other = one; other < parts; other++) {
            tamis_text joined = {to + first[one], end[other] - first[one]};
            found->part[found->parts++] = (title_part){joined, length_of(joined)};
        }
}

/* ---- lines that may be the headline ---- */

static tamis_text text_of(const search *found, tamis_row position) {
    return leaf_text(found->page, found->runs->state, found->runs->text[position]);
}

/* The first texts of a run together, folded; empty if they are too long. */
static tamis_text folded(const search *found, const run *some, tamis_row texts, char *to) {
    ptrdiff_t letters = 0, size = 0;
    for (tamis_row text = 0; text < texts; text++) {
        tamis_text next = text_of(found, some->text + text);
        letters += length_of(next);
        if (letters > LONGEST) return (tamis_text){to, 0};
        size = add_words(next, to, size);
    }
    return (tamis_text){to, size};
}

static int is_exact(const search *found, tamis_text text) {
    for (ptrdiff_t part = 0; part < found->parts; part++)
        if (is_equal(found->part[part].text, text)) return 1;
    return 0;
}

/* Are these whole words in the text? */
static int has_words(tamis_text text, tamis_text words) {
    for (ptrdiff_t at = 0, end = words.size; end <= text.size; at++, end++) {
        if ((at && text.bytes[at - 1] != ' ') || (end < text.size && text.bytes[end] != ' ')) continue;
        if (!memcmp(text.bytes + at, words.bytes, words.size)) return 1;
    }
    return 0;
}

/* How many letters a text shares with the part that has it, or that it has; 0 if they are too few. */
static ptrdiff_t shared_letters(const search *found, tamis_text text, int may_be_longer) {
    ptrdiff_t most = 0, letters = length_of(text);
    for (ptrdiff_t number = 0; number < found->parts; number++) {
        const title_part *part = &found->part[number];
        int is_longer = letters > part->letters;
        ptrdiff_t fewer = is_longer ? part->letters : letters, more = is_longer ? letters : part->letters;
        if (fewer <= most || 2 * fewer < more || (is_longer && !may_be_longer)) continue;
        if (is_longer ? has_words(text, part->text) : has_words(part->text, text)) most = fewer;
    }
    return most;
}

/* Does it end in one stop? A sentence may give a page its title and still be text. */
static int is_sentence(tamis_text text) {
    text = stripped(text);
    const char *end = text.bytes + text.size;
    if (text.size >= 3 && !memcmp(end - 3, "。", 3)) return 1;
    return text.size && end[-1] == '.' && !(text.size > 1 && end[-2] == '.');
}

/* Is there a line break behind the first text of a run? */
static int ends_line(const search *found, const run *some) {
    const tamis_row *leaf = found->runs->text + some->text;
    for (tamis_row row = found->page->opened[leaf[0]] + 1; row <= found->page->opened[leaf[1]]; row++)
        if (found->page->code[row] == TAG_BR) return 1;
    return 0;
}

/* Adds the texts of a run, or else its first text alone, if they may be the headline. `is_above`: no text is above. */
static void add_line(search *found, tamis_row number, int is_above) {
    const run *some = &found->runs->state->runs[number];
    int is_heading = (tag_kinds[some->code] & TAG_IS_HEADING) != 0;
    for (tamis_row texts = some->texts; texts; texts = texts > 1) { /* all, then one */
        int is_whole = texts == some->texts;
        tamis_text text = folded(found, some, texts, found->text);
        ptrdiff_t shared = 0;
        int exact = is_exact(found, text);
        if (exact) shared = length_of(text);
        else if (is_heading && is_above && is_whole) shared = shared_letters(found, text, some->code == TAG_H1);
        if (!is_heading && (shared < LEAST_LETTERS || is_sentence(text_of(found, some->text + texts - 1)))) shared = 0;
        if (shared && (is_whole || is_heading || ends_line(found, some))) {
            found->line[found->lines++] = (line){shared, number, texts, is_heading, exact};
            return;
        }
    }
}

/* The likeliest line: it shares most letters, is a heading, is the first. NULL if there is none. */
static const line *best(const search *found, const uint8_t *keep) {
    const line *most = NULL;
    for (const line *each = found->line; each < found->line + found->lines; each++) {
        if (keep && !keep[each->run]) continue;
        if (!most || each->shared > most->shared ||
            (each->shared == most->shared && each->is_heading > most->is_heading))
            most = each;
    }
    return most;
}

/* Marks the runs of one text that start with this text. */
static void mark_copies(search *found, tamis_text text, uint8_t *headline) {
    const run *all = found->runs->state->runs;
    tamis_row first = first_with_begin(found->runs, text);
    for (ptrdiff_t each = 0; each < found->copies; each++)
        if (found->copy[each] == first) return; /* an equal line came before it */
    found->copy[found->copies++] = first;
    for (tamis_row copy = first; copy >= 0; copy = all[copy].same_begin)
        if (all[copy].texts == 1) headline[all[copy].leaf] = 1;
}

/* Marks the first texts of a run; of a single one the copies, too. */
static void mark(search *found, tamis_row number, tamis_row texts, uint8_t *headline) {
    const run *some = &found->runs->state->runs[number];
    for (tamis_row text = 0; text < texts; text++) headline[found->runs->text[some->text + text]] = 1;
    if (texts == 1 && some->repeated && length_of(some->begin) >= LEAST_LETTERS)
        mark_copies(found, some->begin, headline);
}

int32_t find_headline(const tamis_page *page, const tamis_declared *declared, const tamis_runs *runs,
                      const uint8_t *keep, uint8_t *headline) {
    arena memory = runs->state->memory;
    search *found = take(&memory, 1, sizeof *found);
    if (!found) return TAMIS_TOO_LITTLE_MEMORY;
    found->page = page;
    found->runs = runs;
    tamis_text title = prefix_of(declared->title, LONGEST), og_title = prefix_of(declared->og_title, LONGEST);
    add_parts(found, title, found->title[0]);
    if (!is_equal(title, og_title)) add_parts(found, og_title, found->title[1]);

    const run *all = runs->state->runs;
    tamis_row same = declared->og_title.size ? first_with_begin(runs, declared->og_title) : -1, first_h1 = -1;
    double before = 0; /* kept words */
    for (tamis_row number = 0, candidates = 0; number < runs->runs; number++) {
        int is_above = before < MOST_WORDS_BEFORE, is_h1 = all[number].code == TAG_H1, is_same = number == same;
        if (keep[number]) before += all[number].words;
        if (is_same) same = all[number].same_begin;
        if (is_above && is_h1 && keep[number] && first_h1 < 0) first_h1 = number;
        int is_heading = is_h1 || (is_above && tag_kinds[all[number].code] & TAG_IS_HEADING);
        int may_be_line = is_heading || is_same || all[number].in_title;
        if (may_be_line && candidates++ < MOST_CANDIDATES) add_line(found, number, is_above);
    }

    /* A site may call itself by a longer name than its pages, but that is rarely kept. */
    const line *lines[2] = {best(found, NULL), best(found, keep)};
    tamis_text chosen[2] = {{found->chosen[0], 0}, {found->chosen[1], 0}};
    for (int each = 0; each < 2; each++)
        if (lines[each]) chosen[each] = folded(found, &all[lines[each]->run], lines[each]->texts, found->chosen[each]);
    for (const line *each = found->line; each < found->line + found->lines; each++) {
        tamis_text text = folded(found, &all[each->run], each->texts, found->text);
        if (is_equal(text, chosen[0]) || is_equal(text, chosen[1]) || (each->is_exact && all[each->run].code == TAG_H1))
            mark(found, each->run, each->texts, headline);
    }
    if (!found->lines && first_h1 >= 0) mark(found, first_h1, all[first_h1].texts, headline);
    return 0;
}
