/* The records of a page: posts of a thread, cards of a listing, chapters of a manual.
 *
 * Elements with more than one run are alike if they have the same parent, tag and name. Of the groups of like elements,
 * one has the records of the page: the group with the most words, not counting the words of its largest element. So one
 * long article among teasers does not make a group of records. A page where no group has such words has no records.
 */
#include "internal.h"

#define NAME_WORDS 4  /* a run with up to this many words, at least half of them links, may be the name of an author */
#define DATE_WORDS 12 /* a run with up to this many words ... */
#define DATE_DIGITS 3 /* ... and at least this many digits may be a date */

/* Elements that are alike. */
typedef struct {
    tamis_row parent;
    uint64_t name;
    ptrdiff_t count, with_prose, with_names, with_dates;
    double words, largest; /* words of all of them, and of the one with the most */
    uint8_t code;
} group;

typedef struct {
    group *all; /* a hash table; an empty place has a count of 0 */
    ptrdiff_t size;
    uint32_t seed;
} groups;

/* An element with more than one run: its first run, the run after its last, and its group. An inline element that
 * starts with text of the block around it has that run in place of its own last one. */
typedef struct {
    tamis_row first, last;
    group *of;
} section;

/* (runs + 1) How many runs before each may be names, and how many may be dates. */
typedef struct {
    ptrdiff_t *names, *dates;
} signs;

/* A hash of the first class, or of the id if there is no class, without digits: posts are numbered. 0 if there is
 * neither. */
static uint64_t hash_of_name(tamis_text class, tamis_text id, uint32_t seed) {
    tamis_text name = stripped(class).size ? stripped(class) : stripped(id);
    uint64_t hash = name.size ? (uint64_t)seed << 32 : 0;
    for (const char *at = name.bytes, *end = at + name.size; at < end && (uint8_t)*at > ' '; at++) {
        if (*at >= '0' && *at <= '9') continue;
        hash = (hash ^ (uint8_t)*at) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 29;
    }
    return hash;
}

static void count_signs(const tamis_runs *runs, signs before) {
    for (tamis_row number = 0; number < runs->runs; number++) {
        const run *each = &runs->state->runs[number];
        int is_name = each->words > 0 && each->words <= NAME_WORDS && 2 * each->linked >= each->words;
        int is_date = each->words <= DATE_WORDS && each->marks[MARK_DIGIT] >= DATE_DIGITS;
        before.names[number + 1] = before.names[number] + is_name;
        before.dates[number + 1] = before.dates[number] + is_date;
    }
}

/* The group with this parent, code and name; it is added if there is none yet. */
static group *group_of(groups known, group like) {
    uint64_t hash = (like.name ^ known.seed ^ ((uint64_t)like.parent * 256 + like.code)) * 0x9E3779B97F4A7C15u;
    ptrdiff_t place = hash >> 20 & (known.size - 1);
    group *found = &known.all[place];
    while (found->count && (found->parent != like.parent || found->code != like.code || found->name != like.name)) {
        place = (place + 1) & (known.size - 1);
        found = &known.all[place];
    }
    if (!found->count) *found = like;
    return found;
}

static double words_in(const struct tamis_state *state, const section *each) {
    return state->before[WORDS][each->last] - state->before[WORDS][each->first];
}

static void add_to_group(const struct tamis_state *state, signs before, const section *each) {
    const double *prose = state->before[PROSE];
    double words = words_in(state, each);
    group *of = each->of;
    of->count++;
    of->words += words;
    if (words > of->largest) of->largest = words;
    of->with_prose += prose[each->last] > prose[each->first];
    of->with_names += before.names[each->last] > before.names[each->first];
    of->with_dates += before.dates[each->last] > before.dates[each->first];
}

/* Sets all sections and their groups, and returns the group with the records of the page, or NULL. */
static const group *group_sections(const tamis_page *page, const tamis_declared *declared, const tamis_runs *runs,
                                   groups known, signs before, section *sections) {
    const struct tamis_state *state = runs->state;
    tamis_text names = declared->sections;
    tamis_row first = 0;
    const group *best = NULL;
    for (ptrdiff_t number = 0; number < runs->sections; number++) {
        tamis_row row = runs->section[number];
        tamis_text class = next_text(&names), id = next_text(&names);
        while (first < runs->runs && state->runs[first].opened < row) first++;
        group like = {.parent = page->parent[row], .code = page->code[row], .name = hash_of_name(class, id, state->seed)};
        section *each = &sections[number];
        *each = (section){.first = first, .last = first + state->held[row], .of = group_of(known, like)};
        add_to_group(state, before, each);
        double besides = each->of->words - each->of->largest;
        if (besides > 0 && (!best || besides > best->words - best->largest)) best = each->of;
    }
    return best;
}

static void describe_records(struct tamis_state *state, const group *best) {
    double count = best->count;
    state->records = (records_of_page){.count = logarithm(1 + count),
                                       .share = best->words / state->total,
                                       .largest = best->largest / best->words,
                                       .words = logarithm(1 + best->words / count),
                                       .with_prose = best->with_prose / count,
                                       .with_names = best->with_names / count,
                                       .with_dates = best->with_dates / count};
}

static void place_runs(struct tamis_state *state, const group *best, const section *sections, ptrdiff_t count) {
    ptrdiff_t records = 0; /* up to here */
    for (const section *each = sections; each < sections + count; each++) {
        if (each->of != best) continue;
        for (tamis_row number = 0; !records && number < each->first; number++) state->record[number].is_before = 1;
        records++;
        record_of_run here = {.is_in = 1, .records_before = logarithm(records),
                              .share = words_in(state, each) / best->words};
        for (tamis_row number = each->first; number < each->last; number++) state->record[number] = here;
    }
}

int32_t find_records(const tamis_page *page, const tamis_declared *declared, tamis_runs *runs) {
    struct tamis_state *state = runs->state;
    state->record = take(&state->memory, runs->runs, sizeof *state->record);
    arena scratch = state->memory;
    groups known = {.size = 2, .seed = state->seed};
    while (known.size < 2 * runs->sections) known.size *= 2;
    known.all = take(&scratch, known.size, sizeof *known.all);
    section *sections = take(&scratch, runs->sections, sizeof *sections);
    signs before;
    before.names = take(&scratch, runs->runs + 1, sizeof *before.names);
    before.dates = take(&scratch, runs->runs + 1, sizeof *before.dates);
    if (!before.dates) return TAMIS_TOO_LITTLE_MEMORY;
    count_signs(runs, before);
    const group *best = group_sections(page, declared, runs, known, before, sections);
    if (!best) return 0;
    describe_records(state, best);
    place_runs(state, best, sections, runs->sections);
    return 0;
}
