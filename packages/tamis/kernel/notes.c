/* Notes: which links refer to a footnote or to a source, and which notes stay because a text with their mark is kept.
 *
 * A reference is a link with a short mark (a number, a sign, a label in brackets) to a place further down, and the note
 * is the list item or paragraph that begins there. Something has to confirm it: a name that publishing systems use, a
 * link back to the reference, or a note that begins with the same mark. So tables of contents, links to the top, to
 * comments and to headings are not references.
 */
#include "fold.h"
#include "policy.h"

/* How much is read of a link, of the start of a note and of the elements around it; a longer text is not a mark. */
enum { LONGEST_MARK = 24, LONGEST_NAMED = 60, MOST_LEAVES = 8, LEVELS_UP = 4 };
/* A mark directly after a text of at least this many characters refers to a note. Texts between page numbers are
 * shorter. */
enum { LEAST_WORD = 5 };
/* Links of one note that are looked at for one that leads back (a note of Wikipedia can have a hundred), its leaves, and
 * how often notes that stay may keep others: a short title leads to a work in the list of sources. */
enum { MOST_LINKS = 200, LONGEST_NOTE = 400, MOST_ROUNDS = 3 };

#define OPENING "[(（［{"
#define CLOSING "])）］}"
#define AROUND OPENING CLOSING ".:,;^ \t\r\n\f\u00A0\u2009\u200B\uFE0E\uFE0F"

typedef struct {
    uint32_t points[LONGEST_NAMED];
    int size;
} mark;

typedef struct {
    tamis_row first, last;
} span;

typedef struct {
    const tamis_page *page;
    const tamis_fragments *given;
    tamis_row *offset;   /* (leaves + 1) where each text begins */
    tamis_row *block;    /* (elements) the block-level element around each, or -1 */
    tamis_row *place;    /* (elements) how many items of its list come before an item */
    tamis_row *headings; /* (elements + 1) how many headings come before it */
    tamis_row *children; /* (elements) how many items it has; then the facts about notes, HOLDS_NOTES ... */
} finder;

enum { HOLDS_NOTES = 1, IS_NOTE = 2, FOLLOWS_NOTE = 4 };

/* ---- where things are ---- */

static ptrdiff_t first_from(const tamis_row *sorted, ptrdiff_t count, tamis_row row) {
    ptrdiff_t first = 0;
    while (first < count) {
        ptrdiff_t middle = first + (count - first) / 2;
        if (sorted[middle] < row) first = middle + 1;
        else count = middle;
    }
    return first;
}

/* The leaves in an element. Behind them, but before another element is opened, come texts of the elements around it. */
static span leaves_in(const tamis_page *page, tamis_row row) {
    tamis_row first = first_from(page->opened, page->leaves, row), last = first;
    tamis_row end = first_from(page->opened, page->leaves, page->end[row]);
    while (last < end) {
        tamis_row middle = last + (end - last) / 2;
        if (page->element[middle] < row) end = middle;
        else last = middle + 1;
    }
    return (span){first, last};
}

static int is_in(const tamis_page *page, tamis_row row, tamis_row around) {
    return around <= row && row < page->end[around];
}

static tamis_text text_of(const finder *some, tamis_row leaf) {
    return (tamis_text){some->page->texts.bytes + some->offset[leaf], some->offset[leaf + 1] - some->offset[leaf] - 1};
}

static int32_t prepare(finder *some, arena *memory) {
    const tamis_page *page = some->page;
    some->offset = take(memory, page->leaves + 1, sizeof(tamis_row));
    some->block = take(memory, page->elements, sizeof(tamis_row));
    some->place = take(memory, page->elements, sizeof(tamis_row));
    some->headings = take(memory, page->elements + 1, sizeof(tamis_row));
    some->children = take(memory, page->elements, sizeof(tamis_row));
    if (!some->children) return TAMIS_TOO_LITTLE_MEMORY;
    tamis_text rest = page->texts;
    for (tamis_row leaf = 0; leaf < page->leaves; leaf++) {
        next_text(&rest);
        some->offset[leaf + 1] = rest.bytes - page->texts.bytes;
    }
    for (tamis_row row = 0; row < page->elements; row++) {
        tamis_row parent = page->parent[row];
        int kind = tag_kinds[page->code[row]];
        some->block[row] = kind & TAG_IS_BLOCK ? row : parent < 0 ? -1 : some->block[parent];
        if (page->code[row] == TAG_LI && parent >= 0) some->place[row] = some->children[parent]++;
        some->headings[row + 1] = some->headings[row] + !!(kind & TAG_IS_HEADING);
    }
    return 0;
}

/* ---- marks ---- */

static uint32_t lowered(uint32_t point) { /* raised digits */
    if (point == 0xB9) return '1';
    if (point == 0xB2 || point == 0xB3) return '2' + (point - 0xB2);
    return point == 0x2070 || (point >= 0x2074 && point <= 0x2079) ? '0' + (point - 0x2070) : point;
}

/* The mark in some leaves, without brackets and the like; of size 0 if it is too long. */
static mark read_mark(const finder *some, span leaves) {
    mark found = {.size = 0};
    int size = 0;
    if (leaves.last - leaves.first > MOST_LEAVES) return found;
    for (tamis_row leaf = leaves.first; leaf < leaves.last; leaf++) {
        tamis_text text = text_of(some, leaf);
        for (const char *at = text.bytes, *end = at + text.size; at < end;) {
            uint32_t point = lowered(next_point(&at, end));
            int is_around = IS_ONE_OF(point, AROUND);
            if (is_around && !size) continue;
            if (size == LONGEST_NAMED) return (mark){.size = 0};
            found.points[size++] = point;
            if (!is_around) found.size = size;
        }
    }
    return found;
}

static int is_digit(uint32_t point) { return point >= '0' && point <= '9'; }
static int is_small(uint32_t point) { return point >= 'a' && point <= 'z'; }
static int is_letter(uint32_t point) { return is_small(point | 0x20) && point < 0x80; }
static int is_roman(uint32_t point) { return IS_ONE_OF(point, "ivxlc"); }
static int is_sign(uint32_t point) { return IS_ONE_OF(point, "*†‡§¶‖#"); }
static int is_of_label(uint32_t point) { return class_of(point) & ALNUM || IS_ONE_OF(point, "_+.:-"); }

static int starts(const mark *some, int from, int (*fits)(uint32_t point)) {
    int size = from;
    while (size < some->size && fits(some->points[size])) size++;
    return size - from;
}

/* 1, 12a, b, xiv, † */
static int is_plain(const mark *some) {
    int digits = starts(some, 0, is_digit), size = some->size;
    if (digits) return digits <= 4 && (digits == size || (digits + 1 == size && is_small(some->points[digits])));
    return (size <= 2 && starts(some, 0, is_letter) == size) || (size <= 7 && starts(some, 0, is_roman) == size) ||
           (size <= 4 && starts(some, 0, is_sign) == size);
}

/* CIT2002, Smith 2004 */
static int is_label(const mark *some) {
    int first = starts(some, 0, is_of_label);
    if (!first || some->size > LONGEST_MARK) return 0;
    if (first == some->size) return 1;
    int second = some->points[first] == ' ' ? starts(some, first + 1, is_of_label) : 0;
    return second && second <= 12 && first + 1 + second == some->size;
}

/* Is there at most a mark in some leaves? */
static int is_mark_or_nothing(const finder *some, span leaves) {
    for (tamis_row leaf = leaves.first; leaf < leaves.last; leaf++) {
        tamis_text text = text_of(some, leaf);
        for (const char *at = text.bytes, *end = at + text.size; at < end;)
            if (!IS_ONE_OF(next_point(&at, end), AROUND)) {
                mark found = read_mark(some, leaves);
                return is_plain(&found) || is_label(&found);
            }
    }
    return 1;
}

/* ---- notes ---- */

/* Is what comes in an element before a place in it at most a mark? */
static int begins_at(const finder *some, tamis_row row, tamis_row target) {
    const tamis_page *page = some->page;
    span before = {first_from(page->opened, page->leaves, row), first_from(page->opened, page->leaves, target)};
    return before.last - before.first < MOST_LEAVES && is_mark_or_nothing(some, before);
}

static int may_hold(uint8_t code) {
    return code == TAG_LI || code == TAG_P || code == TAG_DIV || code == TAG_DD || code == TAG_ASIDE || code == TAG_TD ||
           code == TAG_TABLE || code == TAG_SECTION || code == TAG_BLOCKQUOTE || code == TAG_FOOTER;
}

/* The element of the note that begins at the target of a link, or -1. */
static tamis_row find_holder(const finder *some, ptrdiff_t link) {
    const tamis_page *page = some->page;
    tamis_row row = some->given->later[link], target = row;
    uint8_t names = some->given->names[link];
    if (page->code[row] == TAG_DT) {
        row = page->end[row];
        int is_definition = names & TAMIS_TO_NOTE && row < page->elements && page->code[row] == TAG_DD;
        if (!is_definition) return -1;
    } else if (!(tag_kinds[page->code[row]] & TAG_IS_BLOCK)) {
        /* An empty target is before its note, or in it. */
        tamis_row next = first_from(page->opened, page->leaves, target);
        int is_before = next < page->leaves && !is_in(page, page->element[next], target) &&
                        page->opened[next] >= page->end[target];
        row = some->block[is_before ? page->element[next] : row];
        if (row < 0 || !(is_in(page, target, row) ? begins_at(some, row, target) : leaves_in(page, row).first == next))
            return -1;
    }
    /* A paragraph at the start of a list item, or of Word's element for a note, stands for the whole item. */
    for (int level = 0; level < 2; level++) {
        tamis_row above = page->parent[row];
        if (above < 0 || !begins_at(some, above, row)) break;
        uint8_t code = page->code[above];
        if (code != TAG_LI && code != TAG_DD && !(code == TAG_DIV && names & TAMIS_TO_WORD)) break;
        row = above;
        if (code == TAG_DIV) break;
    }
    span inside = leaves_in(page, row);
    int is_fit = may_hold(page->code[row]) && inside.first < inside.last && inside.last - inside.first <= LONGEST_NOTE &&
                 some->headings[row] == some->headings[page->end[row]];
    return is_fit ? row : -1;
}

/* Does a link at this target lead to where an element is? Then that link is the reference. */
static int is_answered(const finder *some, tamis_row target, tamis_row row) {
    const tamis_fragments *given = some->given;
    ptrdiff_t link = first_from(given->link, given->links, target);
    for (int tries = 0; tries < LEVELS_UP && link < given->links && is_in(some->page, given->link[link], target);
         tries++, link++)
        if (given->later[link] <= row && is_in(some->page, row, given->later[link])) return 1;
    return 0;
}

/* Does a link in a note lead to the block of the reference? */
static int leads_back(const finder *some, tamis_row holder, tamis_row row) {
    const tamis_fragments *given = some->given;
    ptrdiff_t link = first_from(given->link, given->links, holder);
    for (int tries = 0; tries < MOST_LINKS && link < given->links && given->link[link] < some->page->end[holder];
         tries++, link++) {
        tamis_row back = given->earlier[link];
        if (back >= 0 && back < holder && some->block[back] == some->block[row]) return 1;
    }
    return 0;
}

/* The first or the last character of a text that is not white space, or 0. */
static uint32_t first_point(tamis_text text) {
    text = stripped(text);
    const char *at = text.bytes;
    return text.size ? next_point(&at, text.bytes + text.size) : 0;
}
static uint32_t last_point(tamis_text text) {
    text = stripped(text);
    const char *end = text.bytes + text.size, *at = end;
    while (at > text.bytes && ((uint8_t)*--at & 0xC0) == 0x80) {}
    return text.size ? next_point(&at, end) : 0;
}

/* Is a mark written small above the line, in brackets, or directly behind a word? */
static int is_raised(const finder *some, ptrdiff_t link) {
    const tamis_page *page = some->page;
    tamis_row row = some->given->link[link];
    span leaves = leaves_in(page, row);
    if (some->given->names[link] & TAMIS_RAISED) return 1;
    uint32_t first = first_point(text_of(some, leaves.first));
    if (IS_ONE_OF(first, OPENING) || lowered(first) != first) return 1;
    if (!leaves.first) return 0;
    tamis_text before = text_of(some, leaves.first - 1);
    if (leaves.last < page->leaves && IS_ONE_OF(last_point(before), OPENING))
        return IS_ONE_OF(first_point(text_of(some, leaves.last)), CLOSING);
    return some->block[page->element[leaves.first - 1]] == some->block[row] && length_of(before) >= LEAST_WORD &&
           !(class_of((uint8_t)before.bytes[before.size - 1]) & SPACE);
}

/* Does a note begin with this mark, or is it the list item of this number? */
static int begins_with(const finder *some, tamis_row holder, const mark *sought) {
    tamis_row number = 0;
    for (int place = 0; place < sought->size && is_digit(sought->points[place]); place++)
        number = 10 * number + (sought->points[place] - '0');
    if (some->page->code[holder] == TAG_LI && starts(sought, 0, is_digit) == sought->size &&
        some->place[holder] == number - 1)
        return 1;
    int size = 0;
    span leaves = leaves_in(some->page, holder);
    for (tamis_row leaf = leaves.first; leaf < leaves.last && leaf < leaves.first + MOST_LEAVES; leaf++) {
        tamis_text text = text_of(some, leaf);
        for (const char *at = text.bytes, *end = at + text.size; at < end;) {
            uint32_t point = lowered(next_point(&at, end));
            if (!size && IS_ONE_OF(point, AROUND)) continue;
            if (size == sought->size) return !(class_of(point) & ALNUM);
            if (point != sought->points[size++]) return 0;
        }
    }
    return size == sought->size;
}

static int is_reference(const finder *some, ptrdiff_t link, const mark *shown, tamis_row holder) {
    tamis_row row = some->given->link[link], target = some->given->later[link];
    uint8_t names = some->given->names[link];
    if (target < row && (!(names & TAMIS_TO_NOTE) || names & TAMIS_IS_BACK || is_answered(some, target, row))) return 0;
    int is_named = names & (TAMIS_TO_NOTE | TAMIS_IS_REFERENCE);
    if (!is_plain(shown)) {
        int is_long = !is_label(shown);
        if (is_long) return names & TAMIS_TO_NOTE && names & TAMIS_IS_REFERENCE;
        return is_named && (names & TAMIS_IS_REFERENCE || is_raised(some, link));
    }
    if (is_named || leads_back(some, holder, row)) return 1;
    return is_raised(some, link) && begins_with(some, holder, shown);
}

/* The note that a link refers to, or -1; `beside` others that were found, the same mark at its start is enough. */
static tamis_row find_note(const finder *some, ptrdiff_t link, int beside) {
    const tamis_page *page = some->page;
    tamis_row row = some->given->link[link];
    mark shown = read_mark(some, leaves_in(page, row));
    tamis_row holder = shown.size ? find_holder(some, link) : -1;
    if (holder < 0 || is_in(page, row, holder)) return -1;
    if (!beside) return is_reference(some, link, &shown, holder) ? holder : -1;
    tamis_row above = page->parent[holder];
    tamis_row next = page->end[holder];
    int is_beside = (above >= 0 && some->children[above] & HOLDS_NOTES && !is_in(page, row, above)) ||
                    some->children[holder] & FOLLOWS_NOTE ||
                    (next < page->elements && some->children[next] & IS_NOTE);
    int is_fit = is_beside && row < some->given->later[link] && is_plain(&shown) && begins_with(some, holder, &shown);
    return is_fit ? holder : -1;
}

static int32_t check_fragments(const tamis_page *page, const tamis_fragments *given) {
    if (given->links < 0) return TAMIS_BAD_TABLE;
    for (ptrdiff_t link = 0; link < given->links; link++) {
        tamis_row row = given->link[link], later = given->later[link], earlier = given->earlier[link];
        if (row >= page->elements || row <= (link ? given->link[link - 1] : -1) || later < 0 ||
            later >= page->elements || earlier < -1 || earlier >= page->elements)
            return TAMIS_BAD_TABLE;
    }
    return 0;
}

/* Does a page have a link that shows a number, a sign, a letter or a bracket? If not, the others are not marks, and a
 * host need not look for their targets. A sign next to headings does not count. */
static int has_marks(const finder *some) {
    for (ptrdiff_t link = 0; link < some->given->links; link++) {
        span leaves = leaves_in(some->page, some->given->link[link]);
        mark shown = read_mark(some, leaves);
        if (!shown.size || shown.size > LONGEST_MARK) continue;
        for (int place = 0; place < shown.size && is_label(&shown); place++)
            if (is_digit(shown.points[place])) return 1;
        if (is_plain(&shown) && !IS_ONE_OF(shown.points[0], "#§¶")) return 1;
        for (tamis_row leaf = leaves.first; leaf < leaves.last; leaf++)
            if (IS_ONE_OF(first_point(text_of(some, leaf)), OPENING)) return 1;
    }
    return 0;
}

ptrdiff_t tamis_notes_memory(const tamis_page *page) {
    return (page->leaves + 5 * page->elements) * (ptrdiff_t)sizeof(tamis_row) + 1024;
}

int32_t tamis_notes(const tamis_page *page, const tamis_fragments *given, void *memory, tamis_row *holders) {
    finder some = {.page = page, .given = given};
    arena room = {memory, tamis_notes_memory(page)};
    if (check_fragments(page, given)) return TAMIS_BAD_TABLE;
    if (prepare(&some, &room)) return TAMIS_TOO_LITTLE_MEMORY;
    memset(some.children, 0, page->elements * sizeof *some.children);
    int is_any = 0, is_marked = has_marks(&some);
    for (ptrdiff_t link = 0; link < given->links; link++) {
        holders[link] = is_marked ? find_note(&some, link, 0) : -1;
        tamis_row note = holders[link];
        if (note < 0) continue;
        is_any = 1;
        some.children[note] |= IS_NOTE;
        if (page->parent[note] >= 0) some.children[page->parent[note]] |= HOLDS_NOTES;
        if (page->end[note] < page->elements) some.children[page->end[note]] |= FOLLOWS_NOTE;
    }
    for (ptrdiff_t link = 0; is_any && link < given->links; link++)
        if (holders[link] < 0) holders[link] = find_note(&some, link, 1);
    tamis_row *holds = some.headings; /* is an element a note? */
    memset(holds, 0, page->elements * sizeof *holds);
    for (ptrdiff_t link = 0; link < given->links; link++)
        if (holders[link] >= 0) holds[holders[link]] = 1;
    /* A note in a note is a part of that note. */
    for (ptrdiff_t link = 0; link < given->links; link++) {
        tamis_row above = holders[link];
        for (int level = 0; level < LEVELS_UP && above >= 0; level++) {
            above = page->parent[above];
            if (above >= 0 && holds[above]) holders[link] = above = -1;
        }
    }
    return 0;
}

/* ---- which of them stay ---- */

typedef struct {
    decision *page;
    tamis_row *number; /* (leaves) the run of each, or -1 */
    uint8_t *stays;    /* (elements) is it a note that stays? */
    uint8_t *is_note;  /* (runs) */
} keeper;

/* How sure it is that the text around a link is content: its surest kept run; 0 if none is kept. */
static int find_level(const keeper *some, tamis_row link, float *level) {
    const decision *page = some->page;
    span leaves = leaves_in(page->page, link);
    int is_found = 0;
    for (tamis_row leaf = leaves.first; leaf < leaves.last; leaf++) {
        tamis_row number = some->number[leaf];
        if (number < 0 || !page->kept[number] || (is_found && page->content[number] <= *level)) continue;
        *level = page->content[number];
        is_found = 1;
    }
    return is_found;
}

static void keep_note(const keeper *some, tamis_row row, float level) {
    const decision *page = some->page;
    span leaves = leaves_in(page->page, row);
    some->stays[row] = 1;
    for (tamis_row leaf = leaves.first; leaf < leaves.last; leaf++) {
        tamis_row number = some->number[leaf];
        if (number < 0 || page->run[number].leaf < leaves.first) continue;
        if (page->content[number] < level) page->content[number] = level;
        page->kept[number] = some->is_note[number] = 1;
    }
}

/* The notes between two of a list that stay: "3-7" leads to the first and the last of five. */
static void keep_between(const keeper *some, tamis_row row) {
    const tamis_page *page = some->page->page;
    tamis_row last = page->end[page->parent[row]], next = page->end[row];
    while (next < last && !some->stays[next] && page->code[next] == TAG_LI) next = page->end[next];
    if (next >= last || !some->stays[next]) return;
    for (tamis_row between = page->end[row]; between < next; between = page->end[between])
        keep_note(some, between, some->page->threshold);
}

int32_t keep_notes(decision *page, const tamis_declared *declared, uint8_t *is_note) {
    if (!declared->references) return 0;
    arena memory = *page->memory;
    keeper some = {page, take(&memory, page->page->leaves, sizeof(tamis_row)), take(&memory, page->page->elements, 1),
                   is_note};
    uint8_t *is_done = take(&memory, declared->references, 1);
    if (!is_done) return TAMIS_TOO_LITTLE_MEMORY;
    memset(some.number, 0xFF, page->page->leaves * sizeof *some.number);
    for (tamis_row number = 0; number < page->count; number++)
        for (tamis_row place = 0; place < page->run[number].texts; place++)
            some.number[page->runs->text[page->run[number].text + place]] = number;
    int is_changed = 1;
    for (int round = 0; round < MOST_ROUNDS && is_changed; round++) {
        is_changed = 0;
        for (ptrdiff_t each = 0; each < declared->references; each++) {
            float level = 0;
            if (is_done[each] || !find_level(&some, declared->reference_rows[each], &level)) continue;
            is_done[each] = is_changed = 1;
            keep_note(&some, declared->note_rows[each], level);
        }
    }
    for (tamis_row row = 1; row < page->page->elements; row++)
        if (some.stays[row] && page->page->code[row] == TAG_LI) keep_between(&some, row);
    return 0;
}
