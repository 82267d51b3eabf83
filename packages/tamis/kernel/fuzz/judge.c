/* Sends a page through the kernel, and judges what comes back.
 *
 * The kernel takes its memory from one block of the host's, in which a write behind an array would hit the next array
 * and go unnoticed. So each page is sent twice. The second time, every array that the kernel takes is a block of its
 * own (the linker puts `__wrap_take` in place of `take`), and both times the answers have to be the same, byte by byte.
 * That also shows that nothing is read before it is written, and nothing after it was given back.
 */
#include "fuzz.h"

/* ---- memory of the kernel ---- */

static int is_apart; /* has each array a block of its own? */
static buffer taken; /* these blocks */

void *__real_take(arena *memory, ptrdiff_t count, ptrdiff_t size);

void *__wrap_take(arena *memory, ptrdiff_t count, ptrdiff_t size) {
    void *found = __real_take(memory, count, size); /* counts the rest, as always */
    if (!found || !is_apart) return found;
    void *block = block_of(count * size);
    if (count) memset(block, 0, count * size);
    add(&taken, &block, sizeof block);
    return block;
}

static void give_back(void) {
    for (ptrdiff_t at = 0; at < taken.size; at += sizeof(void *)) free(*(void **)(taken.bytes + at));
    taken.size = 0;
}

/* Memory of ours with something in it, that differs from time to time. It is given back with that of the kernel. */
static void *filled(ptrdiff_t size) {
    void *block = block_of(size);
    if (size) memset(block, is_apart ? 0x5A : 0xFF, size);
    add(&taken, &block, sizeof block);
    return block;
}

static void *copied(const buffer *from) {
    void *block = filled(from->size);
    if (from->size) memcpy(block, from->bytes, from->size);
    free(from->bytes);
    return block;
}

/* All answers about a page, as one number. */
static uint64_t told;

/* Mostly told about values of columns, so this counts for the whole; a sanitizer has nothing to find in it. */
__attribute__((no_sanitize("address", "undefined", "coverage")))
static uint64_t sum_of(uint64_t sum, const void *bytes, ptrdiff_t size) {
    const char *at = bytes;
    for (; size > 7; at += 8, size -= 8) {
        uint64_t word;
        memcpy(&word, at, 8);
        sum = (sum ^ word) * 0x9E3779B97F4A7C15u;
        sum ^= sum >> 29;
    }
    for (; size > 0; size--) sum = (sum ^ (uint8_t)*at++) * 0x100000001B3u;
    return sum;
}

static void tell(const void *bytes, ptrdiff_t size) { told = sum_of(told, bytes, size); }

/* ---- labels ---- */

static tamis_labels new_labels(const tamis_page *page) {
    return (tamis_labels){.scores = filled(page->leaves * sizeof(double)), .keep = filled(page->leaves),
                          .roles = filled(page->leaves), .types = filled(PAGE_TYPES * sizeof(double)), .threshold = -1,
                          .has_roles = -1, .keeps_text = -1};
}

static int is_share(double value) { return value >= 0 && value <= 1; } /* not if it is NaN */

static void check_labels(const tamis_page *page, const tamis_labels *labels, int has_types) {
    int keeps_text = 0, keeps_any = 0;
    for (tamis_row leaf = 0; leaf < page->leaves; leaf++) {
        REQUIRE(is_share(labels->scores[leaf]), "leaf %td: %g", leaf, labels->scores[leaf]);
        REQUIRE(labels->keep[leaf] <= 1 && labels->roles[leaf] <= TAMIS_BOILERPLATE, "leaf %td", leaf);
        REQUIRE(page->visible[leaf] || (!labels->keep[leaf] && !labels->scores[leaf]), "leaf %td is hidden", leaf);
        REQUIRE(!labels->keep[leaf] || labels->roles[leaf] != TAMIS_TITLE, "leaf %td is the headline", leaf);
        /* 1e-9: scores are rounded. */
        REQUIRE(labels->keep[leaf] || labels->scores[leaf] <= labels->threshold + 1e-9, "leaf %td is sure, not kept", leaf);
        keeps_any |= labels->keep[leaf];
        keeps_text |= labels->keep[leaf] && !page->is_media[leaf];
    }
    REQUIRE(labels->keeps_text == keeps_text && keeps_any == keeps_text, "media are kept without a text");
    REQUIRE(labels->has_roles == 0 || labels->has_roles == 1, "%d", labels->has_roles);
    REQUIRE(is_share(labels->threshold), "%g", labels->threshold);
    double sum = 0;
    for (int type = 0; has_types && type < PAGE_TYPES; type++) {
        REQUIRE(is_share(labels->types[type]), "type %d: %g", type, labels->types[type]);
        sum += labels->types[type];
    }
    REQUIRE(!has_types || (sum > 0.999 && sum < 1.001), "the types add up to %g", sum);
}

/* Checks labels and tells them; returns the sum of them alone. */
static uint64_t judge_labels(const tamis_page *page, const tamis_labels *labels, int has_types) {
    check_labels(page, labels, has_types);
    uint64_t sum = sum_of(1, labels->scores, page->leaves * sizeof(double));
    sum = sum_of(sum, labels->keep, page->leaves);
    sum = sum_of(sum, labels->roles, page->leaves);
    if (has_types) sum = sum_of(sum, labels->types, PAGE_TYPES * sizeof(double));
    sum = sum_of(sum, &labels->threshold, sizeof labels->threshold);
    sum = sum_of(sum, &labels->has_roles, sizeof labels->has_roles);
    tell(&sum, sizeof sum);
    return sum;
}

/* Logits as no network would find them. */
static void label_by_chance(const tamis_page *page, const tamis_declared *declared, tamis_runs *runs) {
    tamis_labels labels = new_labels(page);
    float *logits = filled(runs->runs * TAMIS_OUTPUTS * sizeof(float)), types[PAGE_TYPES], threshold = random_float();
    int kind = (int)below(5); /* anything, all content, most content, little content, no numbers */
    for (ptrdiff_t each = 0; each < runs->runs * TAMIS_OUTPUTS; each++) {
        float chance = random_float();
        logits[each] = kind == 0 ? chance : kind == 1 ? 2 + chance : kind == 2 ? chance + (one_in(4) ? -2 : 2)
                     : kind == 3 ? chance + (one_in(4) ? 2 : -2) : odd_float();
        if (kind < 4 && each % TAMIS_OUTPUTS && !one_in(8)) logits[each] = -3; /* few are comments or related */
    }
    for (int type = 0; type < PAGE_TYPES; type++) types[type] = kind == 4 ? odd_float() : random_float();
    if (one_in(40)) threshold = (one_in(2) ? 1 : -1) * (one_in(2) ? 3e38f : __builtin_inff());
    REQUIRE(!tamis_decide(page, declared, runs, threshold, logits, types, &labels), "tamis_decide");
    judge_labels(page, &labels, runs->runs > 0);
}

/* As the kernel labels a page at once, and again, and as it does when its host asks for each step. */
static void label(const tamis_page *page, const tamis_declared *declared, const tamis_model *model, tamis_runs *runs) {
    tamis_labels at_once = new_labels(page), again = new_labels(page), in_steps = new_labels(page), all = new_labels(page);
    ptrdiff_t count = runs->runs;
    REQUIRE(!tamis_label(page, declared, model, runs, &at_once), "tamis_label");
    uint64_t sum = judge_labels(page, &at_once, count > 0);
    float *values = filled(count * COLUMNS * sizeof(float)), *logits = filled(count * TAMIS_OUTPUTS * sizeof(float));
    float type_logits[PAGE_TYPES] = {0};
    uint8_t *tags = filled(count * (1 + LEVELS));
    tamis_values(page, declared, runs, values, tags);
    tell(values, count * COLUMNS * sizeof(float));
    tell(tags, count * (1 + LEVELS));
    if (count) tamis_network(model, values, tags, count, filled(tamis_network_memory(model, count)), logits, type_logits);
    REQUIRE(!tamis_decide(page, declared, runs, model->threshold, logits, type_logits, &in_steps), "tamis_decide");
    REQUIRE(judge_labels(page, &in_steps, count > 0) == sum, "other labels in steps");
    label_by_chance(page, declared, runs);
    REQUIRE(!tamis_label_all(page, declared, runs, &all), "tamis_label_all");
    judge_labels(page, &all, 0);
    REQUIRE(!tamis_label(page, declared, model, runs, &again), "tamis_label");
    REQUIRE(judge_labels(page, &again, count > 0) == sum, "other labels the second time");
    tamis_model other = *model;
    other.columns--;
    REQUIRE(tamis_label(page, declared, &other, runs, &again) == TAMIS_BAD_SHAPE, "another network");
}

/* ---- the way to its text ---- */

/* The text of some leaves, of which some are changed. */
static void check_pieces(const input *some, const tamis_row *leaves, ptrdiff_t count, const int8_t *breaks,
                         const uint8_t *preformatted) {
    static const char *spaces[] = {"", "", " ", "\n", "\n\n\t", "\xC2\xA0"};
    const tamis_page *page = &some->page;
    buffer between = {0};
    for (tamis_row leaf = 0; leaf < page->leaves; leaf++) {
        const char *space = spaces[below(6)];
        add(&between, space, (ptrdiff_t)strlen(space) + 1);
    }
    ptrdiff_t size = between.size;
    tamis_text gaps = {copied(&between), size}, others = {some->part[OF_SECTIONS].bytes, some->part[OF_SECTIONS].size};
    tamis_row *tabs = filled(count * sizeof *tabs);
    uint8_t *changes = filled(page->leaves);
    int has_tabs = one_in(2), has_changes = one_in(2);
    ptrdiff_t room = page->texts.size + others.size + gaps.size + 3 * count;
    for (ptrdiff_t each = 0; each < count; each++) room += tabs[each] = has_tabs && one_in(4) ? below(5) : 0;
    for (tamis_row leaf = 0; leaf < page->leaves; leaf++) changes[leaf] = one_in(3) ? (uint8_t)below(4) : TAMIS_AS_IS;
    for (int is_small = 0; is_small < 2; is_small++) {
        if (is_small) room = below(room + 1);
        char *out = filled(room);
        ptrdiff_t pieces = 0;
        size = tamis_pieces(page, leaves, count, breaks, has_tabs ? tabs : NULL, preformatted,
                            has_changes ? changes : NULL, others, gaps, out, room);
        REQUIRE((size >= 0 && size <= room) || (is_small && size == TAMIS_TOO_LITTLE_MEMORY), "tamis_pieces: %td", size);
        for (ptrdiff_t at = 0; at < size; at++) pieces += !out[at];
        REQUIRE(size < 0 || (pieces == count && (!count || !out[size - 1])), "%td pieces of %td", pieces, count);
        tell(&size, sizeof size);
        tell(out, size > 0 ? size : 0);
    }
}

/* The layout of some leaves, with some other tags. */
static void check_layout(const input *some) {
    const tamis_page *page = &some->page;
    buffer chosen = {0};
    ptrdiff_t share = 1 + below(4);
    for (tamis_row leaf = 0; leaf < page->leaves; leaf++)
        if (one_in(share)) add_row(&chosen, leaf);
    ptrdiff_t count = count_of(&chosen);
    tamis_row *leaves = copied(&chosen);
    uint8_t *code = filled(page->elements), *preformatted = filled(count);
    int8_t *breaks = filled(count);
    for (tamis_row row = 0; row < page->elements; row++) code[row] = one_in(20) ? (uint8_t)below(256) : page->code[row];
    tamis_layout(page, code, leaves, count, filled(tamis_layout_memory(page)), breaks, preformatted);
    tell(breaks, count);
    tell(preformatted, count);
    for (ptrdiff_t each = 0; each < count; each++) {
        REQUIRE(breaks[each] >= TAMIS_NO_BREAK && breaks[each] <= TAMIS_PARAGRAPH && preformatted[each] <= 1, "%td", each);
        if (one_in(8)) breaks[each] = (int8_t)below(TAMIS_PARAGRAPH + 1); /* tables add breaks of their own */
    }
    check_pieces(some, leaves, count, breaks, preformatted);
}

static void check_media(const tamis_page *page) {
    uint8_t *kept = filled(page->leaves), *media = filled(page->leaves);
    ptrdiff_t share = 1 + below(6);
    for (tamis_row leaf = 0; leaf < page->leaves; leaf++) kept[leaf] = one_in(share);
    tamis_surrounded_media(page, kept, media);
    for (tamis_row leaf = 0; leaf < page->leaves; leaf++)
        REQUIRE(!media[leaf] || (media[leaf] == 1 && page->is_media[leaf] && page->visible[leaf]), "leaf %td", leaf);
    tell(media, page->leaves);
}

/* ---- before the columns ---- */

static void check_runs(const tamis_page *page, const tamis_runs *runs) {
    REQUIRE(runs->texts <= page->leaves && runs->runs <= runs->texts, "%td runs", runs->runs);
    REQUIRE(runs->columns == COLUMNS && runs->first[runs->runs] == runs->texts, "%td columns", runs->columns);
    for (tamis_row number = 0; number < runs->runs; number++) {
        tamis_row first = runs->copy_of[number];
        REQUIRE(runs->first[number] < runs->first[number + 1], "run %td is empty", number);
        REQUIRE(runs->element[number] >= 0 && runs->element[number] < page->elements, "run %td", number);
        REQUIRE(runs->words[number] >= 0, "run %td: %g words", number, runs->words[number]);
        REQUIRE(first >= 0 && first <= number && runs->copy_of[first] == first, "run %td: %td", number, first);
    }
    tell(runs->text, runs->texts * sizeof *runs->text);
    tell(runs->first, (runs->runs + 1) * sizeof *runs->first);
    tell(runs->words, runs->runs * sizeof *runs->words);
    tell(runs->copy_of, runs->runs * sizeof *runs->copy_of);
}

/* Which of two networks the gate chooses by weights of exactly the size that it needs. */
static void check_gate(const tamis_page *page, const tamis_declared *declared) {
    ptrdiff_t size = tamis_gate_size();
    float *weights = filled(size * sizeof *weights), *columns = filled((size - 1) * sizeof *columns);
    for (ptrdiff_t each = 0; each < size; each++) weights[each] = random_float();
    tamis_gate_columns(page, declared, columns);
    float sum = weights[size - 1];
    for (ptrdiff_t each = 0; each < size - 1; each++) sum += columns[each] * weights[each];
    int is_modern = tamis_gate(page, declared, weights) >= 0;
    REQUIRE(is_modern == (sum >= 0), "another network by the same columns");
    tell(&is_modern, sizeof is_modern);
}

/* The notes that the links refer to, and some others, as references. */
static void add_references(const tamis_page *page, tamis_fragments links, tamis_declared *declared) {
    tamis_row *holders = filled(links.links * sizeof *holders);
    void *memory = filled(tamis_notes_memory(page));
    buffer references = {0}, notes = {0};
    REQUIRE(!tamis_notes(page, &links, memory, holders), "tamis_notes");
    for (ptrdiff_t each = 0; each < links.links; each++) {
        REQUIRE(holders[each] >= -1 && holders[each] < page->elements, "note %td", holders[each]);
        if (holders[each] < 0 && (page->elements < 2 || !one_in(9))) continue;
        add_row(&references, links.link[each]);
        add_row(&notes, holders[each] < 0 ? 1 + below(page->elements - 1) : holders[each]);
    }
    tell(holders, links.links * sizeof *holders);
    if (links.links) {
        tamis_row elsewhere = page->elements + below(3);
        tamis_fragments wrong = {1, links.link, &elsewhere, links.earlier, links.names};
        REQUIRE(tamis_notes(page, &wrong, memory, holders) == TAMIS_BAD_TABLE, "a target that is not there");
    }
    declared->references = count_of(&references);
    declared->reference_rows = copied(&references);
    declared->note_rows = copied(&notes);
}

/* The names of the sections of a page: this many texts. If the input has fewer, it is read again from the front. */
static tamis_text names_for(const input *some, ptrdiff_t texts) {
    buffer names = {0};
    for (tamis_text left = {0}; texts > 0; texts--) {
        if (!left.size) left = (tamis_text){some->part[OF_SECTIONS].bytes, some->part[OF_SECTIONS].size};
        tamis_text next = next_text(&left);
        add(&names, next.bytes, next.size);
        add_byte(&names, 0);
    }
    ptrdiff_t size = names.size;
    return (tamis_text){copied(&names), size};
}

/* ---- the way through the kernel ---- */

/* Returns 0 if what the page declares is refused. */
static int ask(const input *some, const tamis_model *model) {
    const tamis_page *page = &some->page;
    tamis_declared declared = some->declared;
    tamis_runs runs;
    ptrdiff_t size = tamis_workspace(page, &declared, model->width);
    REQUIRE(size > 0, "tamis_workspace: %td", size);
    check_gate(page, &declared);
    REQUIRE(!tamis_begin(page, (uint32_t)random_bits(), filled(size), size, &runs), "tamis_begin");
    if (page->elements == some->part[OF_CODE].size) add_references(page, some->links, &declared);
    declared.sections = names_for(some, 2 * runs.sections + 1);
    REQUIRE(tamis_check_declared(page, &runs, &declared) == TAMIS_BAD_TABLE, "a name too many");
    declared.sections = names_for(some, 2 * runs.sections);
    if (tamis_check_declared(page, &runs, &declared)) return 0;
    REQUIRE(!tamis_columns(page, &declared, &runs), "tamis_columns");
    check_runs(page, &runs);
    label(page, &declared, model, &runs);
    check_media(page);
    check_layout(some);
    return 1;
}

/* With too little memory, every step ends in success or in the error that says so. */
static void ask_for_little(const input *some, const tamis_model *model) {
    tamis_declared declared = some->declared;
    tamis_labels labels = new_labels(&some->page);
    tamis_runs runs;
    ptrdiff_t size = below(tamis_workspace(&some->page, &declared, model->width) + 1);
    int32_t code = tamis_begin(&some->page, (uint32_t)random_bits(), filled(size), size, &runs);
    if (!code) declared.sections = names_for(some, 2 * runs.sections);
    if (!code) code = tamis_columns(&some->page, &declared, &runs);
    if (!code) code = tamis_label(&some->page, &declared, model, &runs, &labels);
    if (!code) code = tamis_label_all(&some->page, &declared, &runs, &labels);
    REQUIRE(code == 0 || code == TAMIS_TOO_LITTLE_MEMORY, "%d", code);
    give_back();
}

static uint64_t checksum(const input *some) {
    uint64_t sum = 0;
    for (int each = 0; each < PARTS; each++) sum = sum_of(sum, some->part[each].bytes, some->part[each].size);
    return sum;
}

void judge(input *some) {
    int is_accepted = !tamis_check(&some->page);
    if (some->page.elements <= 500) REQUIRE(is_accepted == is_sound(&some->page), "tamis_check: %d", is_accepted);
    if (!is_accepted) return;
    const tamis_model *model = some_model(some->page.leaves);
    uint64_t before = checksum(some), seed = random_bits(), answers[2];
    for (is_apart = 0; is_apart < 2; is_apart++) {
        set_seed(seed);
        told = 0;
        is_accepted = ask(some, model);
        answers[is_apart] = told;
        give_back();
    }
    is_apart = 0;
    REQUIRE(answers[0] == answers[1], "other answers with other memory");
    if (is_accepted && one_in(10)) ask_for_little(some, model);
    REQUIRE(checksum(some) == before, "the tables were changed");
}
