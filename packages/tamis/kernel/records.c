/* The records of a page: elements with the same parent, tag and name, such as the posts of a thread, the cards of a
 * listing, the chapters of a manual. A page has many such groups; the one with the most words outside of its largest
 * record counts.
 */
#include "internal.h"

#define NAME_WORDS 4  /* a link of at most so many words may be the name of who wrote a record */
#define DATE_WORDS 12 /* a line of at most so many words, with digits for a year and a day, may be a date */
#define DATE_DIGITS 3

typedef struct {
    tamis_row parent;
    uint64_t name;
    ptrdiff_t count, prose, names, dates; /* records; those with prose, with a name, with a date */
    double words, most;                   /* of all records, of the largest */
    uint8_t code;
} group;

/* The runs in an element, and the group of its element. */
typedef struct {
    tamis_row first, last;
    ptrdiff_t group; /* plus 1 */
} record;

/* The first name of a class, or the id, without digits: 0 if there is neither. */
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

/* How many runs before each are names, and how many dates. */
static void count_signs(const tamis_runs *runs, ptrdiff_t *names, ptrdiff_t *dates) {
    for (tamis_row number = 0; number < runs->runs; number++) {
        const run *each = &runs->state->runs[number];
        int is_name = each->words > 0 && each->words <= NAME_WORDS && 2 * each->linked >= each->words;
        names[number + 1] = names[number] + is_name;
        dates[number + 1] = dates[number] + (each->words <= DATE_WORDS && each->marks[MARK_DIGIT] >= DATE_DIGITS);
    }
}

static group *group_of(group *groups, ptrdiff_t size, const group *like, uint32_t seed) {
    uint64_t hash = (like->name ^ seed ^ ((uint64_t)like->parent * 256 + like->code)) * 0x9E3779B97F4A7C15u;
    ptrdiff_t place = hash >> 20 & (size - 1);
    while (groups[place].count && (groups[place].parent != like->parent || groups[place].code != like->code ||
                                   groups[place].name != like->name))
        place = (place + 1) & (size - 1);
    return &groups[place];
}

int32_t find_records(const tamis_page *page, const tamis_declared *declared, tamis_runs *runs) {
    struct tamis_state *state = runs->state;
    state->record = take(&state->memory, runs->runs, sizeof *state->record);
    arena scratch = state->memory;
    ptrdiff_t size = 2;
    while (size < 2 * runs->sections) size *= 2;
    group *groups = take(&scratch, size, sizeof *groups);
    record *records = take(&scratch, runs->sections, sizeof *records);
    ptrdiff_t *names = take(&scratch, runs->runs + 1, sizeof *names), *dates = take(&scratch, runs->runs + 1, sizeof *dates);
    if (!dates) return TAMIS_TOO_LITTLE_MEMORY;
    count_signs(runs, names, dates);
    const double *words = state->before[WORDS], *prose = state->before[PROSE];
    tamis_text sections = declared->sections;
    tamis_row first = 0;
    const group *best = NULL;
    for (ptrdiff_t number = 0; number < runs->sections; number++) {
        tamis_row row = runs->section[number];
        tamis_text class = next_text(&sections), id = next_text(&sections);
        while (first < runs->runs && state->runs[first].opened < row) first++;
        record *each = &records[number];
        *each = (record){.first = first, .last = first + state->held[row]};
        group like = {.parent = page->parent[row], .code = page->code[row], .name = hash_of_name(class, id, state->seed)};
        group *found = group_of(groups, size, &like, state->seed);
        if (!found->count) *found = like;
        double size_of_it = words[each->last] - words[each->first];
        found->count++;
        found->words += size_of_it;
        if (size_of_it > found->most) found->most = size_of_it;
        found->prose += prose[each->last] > prose[each->first];
        found->names += names[each->last] > names[each->first];
        found->dates += dates[each->last] > dates[each->first];
        each->group = found - groups + 1;
        if (found->count > 1 && (!best || found->words - found->most > best->words - best->most)) best = found;
    }
    if (!best || best->words <= best->most) return 0;
    double count = best->count;
    const float columns[] = {logarithm(1 + count), best->words / state->total, best->most / best->words,
                            logarithm(1 + best->words / count), best->prose / count, best->names / count,
                            best->dates / count};
    memcpy(state->records, columns, sizeof columns);
    ptrdiff_t place = 0;
    tamis_row behind = 0; /* the runs behind the record before */
    for (ptrdiff_t number = 0; number < runs->sections; number++) {
        const record *each = &records[number];
        if (each->group != best - groups + 1) continue;
        float size_of_it = (words[each->last] - words[each->first]) / best->words;
        if (!place)
            for (tamis_row before = 0; before < each->first; before++) state->record[before].before = 1;
        place++;
        for (tamis_row inside = each->first < behind ? behind : each->first; inside < each->last; inside++)
            state->record[inside] = (in_record){.in = 1, .place = logarithm(place), .share = size_of_it};
        behind = each->last;
    }
    return 0;
}
