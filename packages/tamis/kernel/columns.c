/* The columns of each run: its own text, the page, the tags around it, runs like it, the nodes above it, the names of
 * the elements around it, and what the page declares about itself. No column depends on a language.
 */
#include "internal.h"

#define PROSE_WORDS 15   /* a run of at least this many words, with a smaller share of them in links, is prose */
#define PROSE_LINKS 0.35
#define LONGEST_WORD 30  /* the mean length of words is capped: longer "words" are not prose */
#define COPY_WORDS 8     /* shorter runs, and code, may repeat on purpose */
#define TITLE_LETTERS 4  /* a shorter text may be part of the title by chance */
#define TITLE_LENGTH 10000 /* the rest of a longer title is not compared */
#define KEY 40           /* a declared text is found by its first characters; */
#define SHORTEST 25      /* shorter ones are found by chance */
#define SHORTEST_PART 3  /* a declared line of fewer characters is found by chance */
#define PART_SIZE (4 * KEY + 2) /* bytes of a key: UTF-8 has up to four for each character; and two line feeds */
#define NO_HEADING 50    /* the distance from a heading to the first run, if none precedes it */

static double least(double one, double other) { return one < other ? one : other; }
static double most(double one, double other) { return one > other ? one : other; }
/* The logarithm of 1 and a count, or a mean of counts. */
static double log_count(double count) {
    if (count < LOGARITHMS && count == (int)count) return log_counts[(int)count];
    return logarithm(1 + count);
}

/* ---- text ---- */

/* Count words, characters and marks. A word is a token with a letter or digit. In scripts without spaces between words
 * each character counts as a part of a word. */
static void count_text(run *each, tamis_text text, int is_linked) {
    const char *at = text.bytes, *end = at + text.size;
    double words = 0, share = 0;
    ptrdiff_t characters = 0;
    int is_word = 0;
    uint8_t last = 0;
    for (; at < end; characters++) {
        uint8_t byte = *(const uint8_t *)at, class;
        if (byte < 0x80) class = classes[byte], at++; /* the usual case, without a look at blocks */
        else class = class_of(next_wide_point(&at, end));
        if (class & SPACE) {
            if (is_word) words += most(1, share);
            is_word = 0;
            share = 0;
            continue;
        }
        is_word |= class & ALNUM;
        last = class;
        if (class & UNSPACED) share += class & QUARTER ? 0.25 : 0.5;
        if (class >> 4 & 7) each->marks[class >> 4 & 7]++;
    }
    if (is_word) words += most(1, share);
    each->words += words;
    if (is_linked) each->linked += words;
    each->characters += characters;
    each->is_final = (last & FINAL) != 0;
}

static uint64_t quick_hash(tamis_text text, uint32_t seed) {
    uint64_t found = (uint64_t)seed << 32 ^ text.size, word;
    ptrdiff_t at = 0;
    for (; at + 8 <= text.size; at += 8) {
        memcpy(&word, text.bytes + at, 8);
        found = (found ^ word) * 0x9E3779B97F4A7C15u;
        found ^= found >> 29;
    }
    word = 0;
    memcpy(&word, text.bytes + at, text.size - at);
    found = (found ^ word) * 0x9E3779B97F4A7C15u;
    return found ^ found >> 32;
}

static tamis_row *begin_place(const struct tamis_state *state, tamis_text text) {
    ptrdiff_t place = quick_hash(text, state->seed) & (state->begins_size - 1);
    while (state->begins[place] >= 0 && !is_equal(state->runs[state->begins[place]].begin, text))
        place = (place + 1) & (state->begins_size - 1);
    return &state->begins[place];
}

tamis_row first_with_begin(const tamis_runs *runs, tamis_text text) { return *begin_place(runs->state, text); }

/* Chain the runs with the same first text. Runs are added from the last to the first, so that chains are in order. */
static int32_t find_begins(tamis_runs *runs) {
    struct tamis_state *state = runs->state;
    for (state->begins_size = 2; state->begins_size < 2 * runs->runs;) state->begins_size *= 2;
    state->begins = take(&state->memory, state->begins_size, sizeof(tamis_row));
    if (!state->begins) return TAMIS_TOO_LITTLE_MEMORY;
    memset(state->begins, 0xFF, state->begins_size * sizeof(tamis_row)); /* -1 */
    for (tamis_row number = runs->runs - 1; number >= 0; number--) {
        run *each = &state->runs[number];
        tamis_row *place = begin_place(state, each->begin);
        each->same_begin = *place;
        each->repeated = *place < 0 ? 0 : state->runs[*place].repeated + 1;
        *place = number;
    }
    for (tamis_row number = 0; number < runs->runs; number++) /* the first of a chain knows its length */
        if (state->runs[number].same_begin >= 0)
            state->runs[state->runs[number].same_begin].repeated = state->runs[number].repeated;
    return 0;
}

/* ---- what the page declares ---- */

/* Sets a bit for the runs that are a part of a declared text, by their first characters. */
static int32_t find_declared(tamis_runs *runs, const tamis_declared *declared) {
    struct tamis_state *state = runs->state;
    arena scratch = state->memory;
    tamis_text *keys = take(&scratch, runs->runs, sizeof *keys);
    tamis_row *owners = take(&scratch, runs->runs, sizeof *owners);
    uint8_t *found = take(&scratch, runs->runs, 1);
    if (!found) return TAMIS_TOO_LITTLE_MEMORY;
    ptrdiff_t titled = 0, longer = 0;
    tamis_text title = prefix_of(declared->title, TITLE_LENGTH);
    /* Only the first of equal runs is looked up. */
    for (tamis_row number = 0; number < runs->runs; number++) {
        run *each = &state->runs[number];
        if (each->begin_length < TITLE_LETTERS || each->begin.size > title.size ||
            first_with_begin(runs, each->begin) != number)
            continue;
        keys[titled] = each->begin;
        owners[titled++] = number;
    }
    if (find_keys(scratch, state->seed, keys, titled, title, found)) return TAMIS_TOO_LITTLE_MEMORY;
    for (ptrdiff_t key = 0; key < titled; key++) state->runs[owners[key]].in_title = found[key];

    const tamis_text *kinds[] = {&declared->body, &declared->description, &declared->meta, &declared->review};
    for (tamis_row number = 0; number < runs->runs; number++) {
        run *each = &state->runs[number];
        if (each->begin_length < SHORTEST || first_with_begin(runs, each->begin) != number) continue;
        keys[longer] = prefix_of(each->begin, KEY);
        owners[longer++] = number;
    }
    for (int kind = 0; kind < DECLARED_PART; kind++) {
        if (!kinds[kind]->size) continue;
        if (find_keys(scratch, state->seed, keys, longer, *kinds[kind], found)) return TAMIS_TOO_LITTLE_MEMORY;
        for (ptrdiff_t key = 0; key < longer; key++) state->runs[owners[key]].declared |= found[key] << kind;
    }
    for (tamis_text left = declared->openings; left.size;) {
        tamis_text opening = next_text(&left);
        for (ptrdiff_t key = 0; key < longer; key++)
            if (contains(state->runs[owners[key]].begin, opening))
                state->runs[owners[key]].declared |= 1 << DECLARED_OPENING;
    }
    for (tamis_text left = declared->names; left.size;) {
        tamis_row number = first_with_begin(runs, next_text(&left));
        if (number >= 0) state->runs[number].declared |= 1 << DECLARED_NAME;
    }
    for (tamis_row number = 0; number < runs->runs; number++) {
        run *each = &state->runs[number];
        if (each->same_begin < 0) continue;
        state->runs[each->same_begin].in_title = each->in_title;
        state->runs[each->same_begin].declared = each->declared;
    }
    return 0;
}

/* ---- elements around a run ---- */

static int32_t find_surroundings(const tamis_page *page, const tamis_declared *declared, tamis_runs *runs) {
    struct tamis_state *state = runs->state;
    arena scratch = state->memory;
    uint64_t *bits = take(&scratch, page->elements, sizeof *bits), *names = take(&scratch, page->elements, sizeof *names);
    tamis_row *nearest = take(&scratch, page->elements, sizeof *nearest);
    if (!nearest) return TAMIS_TOO_LITTLE_MEMORY;
    tamis_text marks = declared->marks, sections = declared->sections;
    for (ptrdiff_t each = 0; each < declared->marked; each++) {
        tamis_text role = next_text(&marks), properties = next_text(&marks);
        if (state->held[declared->marked_rows[each]])
            bits[declared->marked_rows[each]] = mark_bits(role, properties) << HOLDERS;
    }
    /* Names are read from elements with several runs; for smaller ones the tag is enough. Class names on html and body
     * are ignored: they name features of the site, not content. */
    for (ptrdiff_t each = 0; each < runs->sections; each++) {
        tamis_text class = next_text(&sections), id = next_text(&sections);
        tamis_row row = runs->section[each];
        if (page->code[row] != TAG_HTML && page->code[row] != TAG_BODY) names[row] = name_bits(class) | name_bits(id);
    }
    for (tamis_row row = 0; row < page->elements; row++) {
        tamis_row parent = page->parent[row];
        bits[row] |= holder_bits[page->code[row]] | (parent < 0 ? 0 : bits[parent]);
        names[row] |= parent < 0 ? 0 : names[parent];
        nearest[row] = state->number[row] >= 0 ? state->number[row] : parent < 0 ? runs->nodes : nearest[parent];
        if (state->number[row] >= 0) {
            node *each = &state->nodes[state->number[row]];
            each->element = row;
            each->parent = parent < 0 ? runs->nodes : nearest[parent];
        }
    }
    state->first_h1 = -1;
    for (tamis_row number = 0; number < runs->runs; number++) {
        run *each = &state->runs[number];
        each->bits = bits[each->element];
        each->names = names[each->element];
        each->above = nearest[each->element];
        if (state->first_h1 < 0 && each->bits >> HOLDER_H1 & 1) state->first_h1 = number;
    }
    return 0;
}

/* ---- nodes ---- */

static int32_t find_nodes(const tamis_page *page, tamis_runs *runs) {
    struct tamis_state *state = runs->state;
    arena scratch = state->memory;
    /* (elements + 1): runs that start in, and media shown in, the elements before each. */
    tamis_row *begun = take(&scratch, page->elements + 1, sizeof *begun);
    tamis_row *media = take(&scratch, page->elements + 1, sizeof *media);
    if (!media) return TAMIS_TOO_LITTLE_MEMORY;
    for (tamis_row number = 0; number < runs->runs; number++) begun[page->element[state->runs[number].leaf] + 1]++;
    for (tamis_row leaf = 0; leaf < page->leaves; leaf++) /* formulas in scripts are not counted */
        if (page->is_media[leaf] && page->visible[leaf] && page->code[page->element[leaf]] > TAG_LAST_CODE)
            media[page->element[leaf] + 1]++;
    for (tamis_row row = 0; row < page->elements; row++) {
        begun[row + 1] += begun[row];
        media[row + 1] += media[row];
    }
    tamis_row first = 0;
    for (ptrdiff_t number = 0; number < runs->nodes; number++) {
        node *each = &state->nodes[number];
        tamis_row end = page->end[each->element];
        while (first < runs->runs && state->runs[first].opened < each->element) first++;
        each->first = first;
        /* A node may be an inline element, so a run is in a node if its first leaf is, not if its block is. */
        each->last = first + begun[end] - begun[each->element];
        each->columns[NODE_CHILDREN] = state->children[each->element];
        each->columns[NODE_MEDIA] = media[end] - media[each->element];
    }
    state->nodes[runs->nodes] = (node){.element = -1, .parent = runs->nodes, .last = runs->runs};
    return 0;
}

static double sum_of(const struct tamis_state *state, const node *each, int column) {
    return state->before[column][each->last] - state->before[column][each->first];
}

static void fill_node(const struct tamis_state *state, node *each) {
    static const uint8_t logarithms[] = {NODE_WORDS, NODE_RUNS, NODE_RUN_WORDS, NODE_CHILDREN, NODE_MEDIA};
    const node *parent = &state->nodes[each->parent];
    double words = sum_of(state, each, WORDS), some = most(words, 1);
    double count = each->last - each->first, several = most(count, 1);
    float *columns = each->columns;
    columns[NODE_WORDS] = words;
    columns[NODE_SHARE] = words / state->total;
    columns[NODE_LINKED] = sum_of(state, each, LINKED) / some;
    columns[NODE_RUNS] = count;
    columns[NODE_RUN_WORDS] = words / several;
    columns[NODE_PROSE] = sum_of(state, each, PROSE) / some;
    columns[NODE_SENTENCE_ENDS] = least(sum_of(state, each, SENTENCE_ENDS) / some, 0.5);
    columns[NODE_SHARE_OF_PARENT] = words / most(sum_of(state, parent, WORDS), 1);
    columns[NODE_PLACE_IN_PARENT] = (each->first - parent->first) / most(parent->last - parent->first, 1);
    columns[NODE_HEADINGS] = sum_of(state, each, HEADINGS) / several;
    for (size_t place = 0; place < sizeof logarithms; place++)
        columns[logarithms[place]] = log_count(columns[logarithms[place]]);
}

/* ---- runs ---- */

static int is_prose(const run *each) {
    return each->words >= PROSE_WORDS && each->linked < PROSE_LINKS * each->words;
}

/* The sums before each run, and the runs of the same tag at the same depth. */
static int32_t find_sums(tamis_runs *runs) {
    struct tamis_state *state = runs->state;
    for (int column = 0; column < SUMS; column++)
        state->before[column] = take(&state->memory, runs->runs + 1, sizeof(double));
    state->last_heading = take(&state->memory, runs->runs, sizeof(tamis_row));
    arena scratch = state->memory;
    ptrdiff_t size = 2;
    while (size < 2 * runs->runs) size *= 2;
    tamis_row *firsts = take(&scratch, size, sizeof *firsts); /* a hash table of runs, plus 1 */
    if (!firsts) return TAMIS_TOO_LITTLE_MEMORY;
    tamis_row heading = -NO_HEADING;
    for (tamis_row number = 0; number < runs->runs; number++) {
        run *each = &state->runs[number];
        int is_heading = (tag_kinds[each->code] & TAG_IS_HEADING) != 0;
        double added[SUMS] = {[WORDS] = each->words, [LINKED] = each->linked,
                              [PROSE] = is_prose(each) ? each->words : 0,
                              [SENTENCE_ENDS] = each->marks[MARK_SENTENCE_END], [HEADINGS] = is_heading};
        for (int column = 0; column < SUMS; column++)
            state->before[column][number + 1] = state->before[column][number] + added[column];
        if (is_heading) heading = number;
        state->last_heading[number] = heading;
        tamis_row depth = state->depth[each->element];
        ptrdiff_t place = ((uint64_t)depth * 256 + each->code) * 0x9E3779B97F4A7C15u >> 20 & (size - 1);
        while (firsts[place] && (state->runs[firsts[place] - 1].code != each->code ||
                                 state->depth[state->runs[firsts[place] - 1].element] != depth))
            place = (place + 1) & (size - 1);
        if (!firsts[place]) firsts[place] = number + 1;
        each->like = firsts[place] - 1;
        run *first = &state->runs[each->like];
        first->alike += 1;
        first->words_alike += each->words;
        first->linked_alike += each->linked;
    }
    state->total = most(1, state->before[WORDS][runs->runs]);
    return 0;
}

/* ---- copies ---- */

/* The next token of a run: a stretch of text without white space. */
typedef struct {
    const tamis_page *page;
    const tamis_runs *runs;
    const run *of;
    ptrdiff_t next; /* which of its texts comes next */
    tamis_text left;
} tokens;

static tamis_text next_token(tokens *some) {
    while (1) {
        const char *at = some->left.bytes, *end = at + some->left.size, *next = at, *begin = NULL;
        while (at < end) {
            int is_space = class_of(next_point(&next, end)) & SPACE;
            if (begin && is_space) break;
            if (!begin && !is_space) begin = at;
            at = next;
        }
        some->left = (tamis_text){at, end - at};
        if (begin) return (tamis_text){begin, at - begin};
        if (some->next == some->of->texts) return (tamis_text){NULL, 0};
        some->left = leaf_text(some->page, some->runs->state, some->runs->text[some->of->text + some->next++]);
    }
}

static tokens tokens_of(const tamis_page *page, const tamis_runs *runs, tamis_row number) {
    return (tokens){.page = page, .runs = runs, .of = &runs->state->runs[number], .left = {"", 0}};
}

static int is_same_text(const tamis_page *page, const tamis_runs *runs, tamis_row one, tamis_row other) {
    tokens ones = tokens_of(page, runs, one), others = tokens_of(page, runs, other);
    while (1) {
        tamis_text first = next_token(&ones), second = next_token(&others);
        if (!is_equal(first, second)) return 0;
        if (!first.size) return 1;
    }
}

/* Equal runs start with the same text, so one chain has them all; in it, the hash of the whole text tells them. */
static int32_t find_copies(const tamis_page *page, tamis_runs *runs) {
    struct tamis_state *state = runs->state;
    runs->copy_of = take(&state->memory, runs->runs, sizeof(tamis_row));
    arena scratch = state->memory;
    ptrdiff_t size = 2;
    while (size < 2 * runs->runs) size *= 2;
    tamis_row *firsts = take(&scratch, size, sizeof *firsts); /* a hash table of runs, plus 1 */
    if (!firsts) return TAMIS_TOO_LITTLE_MEMORY;
    for (tamis_row number = 0; number < runs->runs; number++) {
        const run *each = &state->runs[number];
        runs->copy_of[number] = number;
        if (!each->repeated || each->words < COPY_WORDS || each->bits >> HOLDER_PRE_LISTING_XMP & 1) continue;
        uint64_t hash = 0;
        tokens some = tokens_of(page, runs, number);
        for (tamis_text token = next_token(&some); token.size; token = next_token(&some))
            hash = (hash ^ quick_hash(token, state->seed)) * 0x9E3779B97F4A7C15u;
        ptrdiff_t place = hash >> 20 & (size - 1);
        while (firsts[place] && !is_same_text(page, runs, firsts[place] - 1, number)) place = (place + 1) & (size - 1);
        if (!firsts[place]) firsts[place] = number + 1;
        runs->copy_of[number] = firsts[place] - 1;
    }
    return 0;
}

/* ---- declared parts ---- */

/* The text to find among the declared parts: the first characters of a run, white space folded. A run that is shorter
 * than a key has to be a whole line, so its key has a line feed at both ends; if it is too short, the key is empty. */
static tamis_text part_key(const tamis_page *page, const tamis_runs *runs, tamis_row number, char to[PART_SIZE]) {
    tokens some = tokens_of(page, runs, number);
    ptrdiff_t points = 0, size = 1;
    to[0] = '\n';
    for (tamis_text token = next_token(&some); token.size; token = next_token(&some)) {
        if (points) to[size++] = ' ', points++;
        tamis_text piece = prefix_of(token, KEY - points);
        memcpy(to + size, piece.bytes, piece.size);
        size += piece.size;
        points += length_of(piece);
        if (points >= KEY - 1) return (tamis_text){to + 1, size - 1};
    }
    to[size] = '\n';
    return (tamis_text){to, points < SHORTEST_PART ? 0 : size + 1};
}

/* Marks the runs that the page declares as a part of its content: an ingredient, a step, an answer, a post. */
static int32_t find_parts(const tamis_page *page, const tamis_declared *declared, tamis_runs *runs) {
    if (!declared->parts.size) return 0;
    arena scratch = runs->state->memory;
    tamis_text *keys = take(&scratch, runs->runs, sizeof *keys);
    char(*letters)[PART_SIZE] = take(&scratch, runs->runs, PART_SIZE);
    uint8_t *found = take(&scratch, runs->runs, 1);
    if (!found) return TAMIS_TOO_LITTLE_MEMORY;
    for (tamis_row number = 0; number < runs->runs; number++)
        keys[number] = part_key(page, runs, number, letters[number]);
    if (find_keys(scratch, runs->state->seed, keys, runs->runs, declared->parts, found)) return TAMIS_TOO_LITTLE_MEMORY;
    for (tamis_row number = 0; number < runs->runs; number++)
        runs->state->runs[number].declared |= (found[number] && keys[number].size) << DECLARED_PART;
    return 0;
}

/* ---- all columns ---- */

int32_t tamis_columns(const tamis_page *page, const tamis_declared *declared, tamis_runs *runs) {
    struct tamis_state *state = runs->state;
    runs->words = take(&state->memory, runs->runs, sizeof(double));
    state->nodes = take(&state->memory, runs->nodes + 1, sizeof(node));
    if (!state->nodes) return TAMIS_TOO_LITTLE_MEMORY;
    for (tamis_row number = 0; number < runs->runs; number++) {
        run *each = &state->runs[number];
        for (tamis_row place = each->text; place < each->text + each->texts; place++) {
            tamis_row leaf = runs->text[place];
            count_text(each, leaf_text(page, state, leaf), state->in_link[leaf]);
        }
        runs->words[number] = each->words;
        each->begin = stripped(leaf_text(page, state, each->leaf));
        each->begin_length = length_of(each->begin);
    }
    if (find_begins(runs) || find_declared(runs, declared) || find_surroundings(page, declared, runs) ||
        find_nodes(page, runs) || find_sums(runs) || find_copies(page, runs) || find_parts(page, declared, runs) ||
        find_records(page, declared, runs))
        return TAMIS_TOO_LITTLE_MEMORY;
    for (ptrdiff_t number = 0; number <= runs->nodes; number++) fill_node(state, &state->nodes[number]);
    return 0;
}

static void spread(uint64_t bits, int count, float *values) {
    for (int bit = 0; bit < count; bit++) values[bit] = bits >> bit & 1;
}

void fill_row(const tamis_page *page, const tamis_declared *declared, const tamis_runs *runs, ptrdiff_t number,
              float values[COLUMNS], uint8_t tags[1 + LEVELS]) {
    static const uint8_t logarithms[] = {
        COLUMN_WORDS, COLUMN_CHARACTERS, COLUMN_SENTENCE_ENDS, COLUMN_COMMAS, COLUMN_QUOTES, COLUMN_TEXTS,
        COLUMN_RUNS_BEFORE, COLUMN_RUNS_AFTER, COLUMN_PAGE_RUNS, COLUMN_PAGE_WORDS, COLUMN_DEPTH, COLUMN_FROM_H1,
        COLUMN_FROM_HEADING, COLUMN_RUNS_LIKE_IT, COLUMN_WORDS_LIKE_IT, COLUMN_REPEATED};
    const struct tamis_state *state = runs->state;
    const run *each = &state->runs[number], *like = &state->runs[each->like];
    double some = most(each->words, 1), letters = most(each->characters, 1), total = state->total, count = runs->runs;
    double from_h1 = state->first_h1 < 0 ? 0 : number - state->first_h1;
    values[COLUMN_WORDS] = each->words;
    values[COLUMN_CHARACTERS] = each->characters;
    values[COLUMN_WORD_LENGTH] = least(each->characters / some, LONGEST_WORD);
    values[COLUMN_LINKED] = each->linked / some;
    values[COLUMN_DIGITS] = each->marks[MARK_DIGIT] / letters;
    values[COLUMN_CAPITALS] = each->marks[MARK_CAPITAL] / letters;
    values[COLUMN_SENTENCE_ENDS] = each->marks[MARK_SENTENCE_END];
    values[COLUMN_COMMAS] = each->marks[MARK_COMMA];
    values[COLUMN_SEPARATORS] = each->marks[MARK_SEPARATOR] / letters;
    values[COLUMN_QUOTES] = each->marks[MARK_QUOTE];
    values[COLUMN_ENDS_A_SENTENCE] = each->is_final;
    values[COLUMN_TEXTS] = each->texts;
    values[COLUMN_WORDLESS] = each->words == 0;
    values[COLUMN_PLACE] = number / count;
    values[COLUMN_RUNS_BEFORE] = number;
    values[COLUMN_RUNS_AFTER] = count - 1 - number;
    values[COLUMN_WORDS_BEFORE] = state->before[WORDS][number] / total;
    values[COLUMN_PAGE_RUNS] = count;
    values[COLUMN_PAGE_WORDS] = total;
    values[COLUMN_PAGE_LINKED] = state->before[LINKED][runs->runs] / total;
    values[COLUMN_PAGE_PROSE] = state->before[PROSE][runs->runs] / total;
    values[COLUMN_DEPTH] = state->depth[each->element];
    values[COLUMN_AFTER_H1] = (from_h1 > 0) - (from_h1 < 0);
    values[COLUMN_FROM_H1] = from_h1 < 0 ? -from_h1 : from_h1;
    values[COLUMN_FROM_HEADING] = number - state->last_heading[number];
    values[COLUMN_RUNS_LIKE_IT] = like->alike;
    values[COLUMN_WORDS_LIKE_IT] = like->words_alike / like->alike;
    values[COLUMN_LINKED_LIKE_IT] = like->linked_alike / most(like->words_alike, 1);
    values[COLUMN_SHARE_LIKE_IT] = like->words_alike / total;
    values[COLUMN_SHARE_OF_NODE] = each->words / most(sum_of(state, &state->nodes[each->above], WORDS), 1);
    values[COLUMN_FOLDED] = each->folded;
    values[COLUMN_IN_TITLE] = each->in_title;
    values[COLUMN_REPEATED] = each->repeated;
    for (size_t place = 0; place < sizeof logarithms; place++)
        values[logarithms[place]] = log_count(values[logarithms[place]]);
    values += RUN_COLUMNS;
    spread(each->bits, HOLDERS, values);
    values += HOLDERS;
    tags[0] = each->code;
    tamis_row above = each->above;
    for (int level = 0; level < LEVELS; level++) {
        const node *here = &state->nodes[above];
        memcpy(values, here->columns, sizeof here->columns);
        tags[1 + level] = here->element < 0 ? TAG_OTHER - 1 : page->code[here->element];
        above = here->parent;
        values += NODE_COLUMNS;
    }
    memcpy(values, &state->record[number], sizeof(record_of_run));
    memcpy(values + sizeof(record_of_run) / sizeof(float), &state->records, sizeof state->records);
    values += RECORD_COLUMNS;
    spread(each->bits >> HOLDERS, MARK_BITS, values);
    values += MARK_BITS;
    spread(each->names, NAMES, values);
    values += NAMES;
    spread(each->declared, DECLARED_TEXTS, values);
    memcpy(values + DECLARED_TEXTS, declared->page, TAMIS_PAGE_COLUMNS * sizeof(float));
}

void tamis_values(const tamis_page *page, const tamis_declared *declared, const tamis_runs *runs, float *values,
                  uint8_t *tags) {
    for (ptrdiff_t number = 0; number < runs->runs; number++)
        fill_row(page, declared, runs, number, values + number * COLUMNS, tags + number * (1 + LEVELS));
}

const char *tamis_column_names(void) { return column_names; }
