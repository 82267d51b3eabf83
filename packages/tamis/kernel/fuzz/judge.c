/* Sends a page through the kernel, and judges what comes back.
 *
 * The kernel takes its memory from one block of the host's, in which a write behind an array would hit the next array
 * and go unnoticed. So each page is sent twice. The second time, every array that the kernel takes is a block of its
 * own (the linker puts `__wrap_take` in place of `take`), and both times the answers have to be the same, byte by byte.
 * That also shows that nothing is read before it is written, and nothing after it was given back.
 */
#include "fuzz.h"

/* ---- memory of the kernel ---- */

static int is_apart;      /* has each array a block of its own? */
static buffer taken;      /* these blocks */

void *__real_take(arena *memory, ptrdiff_t count, ptrdiff_t size);

void *__wrap_take(arena *memory, ptrdiff_t count, ptrdiff_t size) {
    void *found = __real_take(memory, count, size); /* counts what is left, as ever */
    if (!found || !is_apart) return found;
    void *block = calloc(count ? count : 1, size);
    REQUIRE(block, "no memory");
    if (!count) block = realloc(block, 1); /* no array of the kernel's is NULL, even if it is empty */
    add(&taken, &block, sizeof block);
    return block;
}

static void give_back(void) {
    void **blocks = (void **)taken.bytes;
    for (ptrdiff_t each = 0; each < taken.size / (ptrdiff_t)sizeof *blocks; each++) free(blocks[each]);
    taken.size = 0;
}

/* Memory with something in it, that differs from time to time. */
static void *filled(ptrdiff_t size) {
    void *block = malloc(size);
    REQUIRE(block || !size, "no memory");
    if (size) memset(block, is_apart ? 0x5A : 0xFF, size);
    return block;
}

/* ---- labels ---- */

typedef struct {
    tamis_labels labels;
    int has_types; /* a page without texts has none */
} answer;

static answer new_answer(const tamis_page *page) {
    return (answer){{.scores = filled(page->leaves * sizeof(double)), .keep = filled(page->leaves),
                     .roles = filled(page->leaves), .types = filled(PAGE_TYPES * sizeof(double)), .threshold = -1,
                     .has_roles = -1, .keeps_text = -1},
                    0};
}

static void drop_answer(answer *some) {
    free(some->labels.scores);
    free(some->labels.keep);
    free(some->labels.roles);
    free(some->labels.types);
}

static void tell(buffer *transcript, const tamis_page *page, const answer *some) {
    const tamis_labels *labels = &some->labels;
    add(transcript, labels->scores, page->leaves * sizeof(double));
    add(transcript, labels->keep, page->leaves);
    add(transcript, labels->roles, page->leaves);
    if (some->has_types) add(transcript, labels->types, PAGE_TYPES * sizeof(double));
    add(transcript, &labels->threshold, sizeof labels->threshold);
    add(transcript, &labels->has_roles, sizeof labels->has_roles);
    add(transcript, &labels->keeps_text, sizeof labels->keeps_text);
}

static int is_share(double value) { return value >= 0 && value <= 1; } /* not if it is NaN */

static void check_labels(const tamis_page *page, const answer *some) {
    const tamis_labels *labels = &some->labels;
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
    for (int type = 0; some->has_types && type < PAGE_TYPES; type++) {
        REQUIRE(is_share(labels->types[type]), "type %d: %g", type, labels->types[type]);
        sum += labels->types[type];
    }
    REQUIRE(!some->has_types || (sum > 0.999 && sum < 1.001), "the types add up to %g", sum);
}

/* ---- runs ---- */

static void check_runs(const tamis_page *page, const tamis_runs *runs) {
    REQUIRE(runs->texts <= page->leaves && runs->runs <= runs->texts, "%td runs", runs->runs);
    REQUIRE(runs->columns == COLUMNS && runs->first[runs->runs] == runs->texts, "%td columns", runs->columns);
    for (tamis_row number = 0; number < runs->runs; number++) {
        REQUIRE(runs->first[number] < runs->first[number + 1], "run %td is empty", number);
        REQUIRE(runs->element[number] >= 0 && runs->element[number] < page->elements, "run %td", number);
        REQUIRE(runs->words[number] >= 0, "run %td: %g words", number, runs->words[number]);
        tamis_row first = runs->copy_of[number];
        REQUIRE(first >= 0 && first <= number && runs->copy_of[first] == first, "run %td: %td", number, first);
    }
}

/* The names of the sections of a page: so many texts. If the input has fewer, it begins again. */
static tamis_text names_for(const input *some, ptrdiff_t texts) {
    buffer names = {0};
    for (tamis_text left = {0}; texts > 0; texts--) {
        if (!left.size) left = some->names;
        tamis_text next = next_text(&left);
        add(&names, next.bytes, next.size);
        add_byte(&names, 0);
    }
    char *block = malloc(names.size);
    if (names.size) memcpy(block, names.bytes, names.size);
    free(names.bytes);
    return (tamis_text){block, names.size};
}

/* ---- the way through the kernel ---- */

/* The values, and the labels that the network and its host find with them in separate calls. */
static void label_in_steps(const tamis_page *page, const tamis_declared *declared, const tamis_model *model,
                           tamis_runs *runs, answer *found, buffer *transcript) {
    ptrdiff_t count = runs->runs, columns = count * COLUMNS, codes = count * (1 + LEVELS);
    float *values = filled(columns * sizeof(float)), *logits = filled(count * TAMIS_OUTPUTS * sizeof(float));
    float type_logits[PAGE_TYPES] = {0};
    uint8_t *tags = filled(codes);
    tamis_values(page, declared, runs, values, tags);
    add(transcript, values, columns * sizeof(float));
    add(transcript, tags, codes);
    void *memory = filled(tamis_network_memory(model, count));
    if (count) tamis_network(model, values, tags, count, memory, logits, type_logits);
    free(memory);
    int32_t failed = tamis_decide(page, declared, runs, model->threshold, logits, type_logits, &found->labels);
    REQUIRE(!failed, "tamis_decide: %d", failed);
    free(values);
    free(logits);
    free(tags);
}

/* Logits as no network would find them. */
static void label_by_chance(const tamis_page *page, const tamis_declared *declared, tamis_runs *runs, answer *found) {
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
    int32_t failed = tamis_decide(page, declared, runs, threshold, logits, types, &found->labels);
    REQUIRE(!failed, "tamis_decide: %d", failed);
    free(logits);
}

static void check_media(const tamis_page *page, buffer *transcript) {
    uint8_t *kept = filled(page->leaves), *media = filled(page->leaves);
    int share = 1 + (int)below(6);
    for (tamis_row leaf = 0; leaf < page->leaves; leaf++) kept[leaf] = one_in(share);
    tamis_surrounded_media(page, kept, media);
    for (tamis_row leaf = 0; leaf < page->leaves; leaf++)
        REQUIRE(!media[leaf] || (media[leaf] == 1 && page->is_media[leaf] && page->visible[leaf]), "leaf %td", leaf);
    add(transcript, media, page->leaves);
    free(kept);
    free(media);
}

/* ---- the way to its text ---- */

/* Blanks before each leaf, in a block of exactly their size. */
static tamis_text some_gaps(const tamis_page *page) {
    static const char *gaps[] = {"", "", " ", "\n", "\n\n\t", "\xC2\xA0"};
    buffer made = {0};
    for (tamis_row leaf = 0; leaf < page->leaves; leaf++) {
        add_string(&made, PICK(gaps));
        add_byte(&made, 0);
    }
    char *block = filled(made.size);
    if (made.size) memcpy(block, made.bytes, made.size);
    free(made.bytes);
    return (tamis_text){block, made.size};
}

/* The text of some leaves, of which some are changed. */
static void check_pieces(const input *some, const tamis_row *leaves, ptrdiff_t count, const int8_t *breaks,
                         const uint8_t *preformatted, buffer *transcript) {
    const tamis_page *page = &some->page;
    tamis_row *tabs = filled(count * sizeof *tabs);
    uint8_t *changes = filled(page->leaves);
    int has_tabs = one_in(2), has_changes = one_in(2);
    tamis_text others = some->names, gaps = some_gaps(page);
    ptrdiff_t room = page->texts.size + others.size + gaps.size + 3 * count;
    for (ptrdiff_t each = 0; each < count; each++) room += tabs[each] = has_tabs && one_in(4) ? below(5) : 0;
    for (tamis_row leaf = 0; leaf < page->leaves; leaf++) changes[leaf] = one_in(3) ? (uint8_t)below(4) : TAMIS_AS_IS;
    for (int is_small = 0; is_small < 2; is_small++) {
        if (is_small) room = below(room + 1);
        char *out = filled(room);
        ptrdiff_t size = tamis_pieces(page, leaves, count, breaks, has_tabs ? tabs : NULL, preformatted,
                                      has_changes ? changes : NULL, others, gaps, out, room), pieces = 0;
        REQUIRE((size >= 0 && size <= room) || (is_small && size == TAMIS_TOO_LITTLE_MEMORY), "tamis_pieces: %td", size);
        for (ptrdiff_t at = 0; at < size; at++) pieces += !out[at];
        REQUIRE(size < 0 || (pieces == count && (!count || !out[size - 1])), "%td pieces of %td", pieces, count);
        add(transcript, &size, sizeof size);
        if (size > 0) add(transcript, out, size);
        free(out);
    }
    free(tabs);
    free(changes);
    free((void *)gaps.bytes);
}

/* The layout of some leaves, with some other tags. */
static void check_layout(const input *some, buffer *transcript) {
    const tamis_page *page = &some->page;
    buffer leaves = {0};
    int share = 1 + (int)below(4);
    for (tamis_row leaf = 0; leaf < page->leaves; leaf++)
        if (one_in(share)) add_row(&leaves, leaf);
    ptrdiff_t count = leaves.size / (ptrdiff_t)sizeof(tamis_row);
    uint8_t *code = filled(page->elements), *preformatted = filled(count);
    for (tamis_row row = 0; row < page->elements; row++) code[row] = one_in(20) ? (uint8_t)below(256) : page->code[row];
    int8_t *breaks = filled(count);
    tamis_row *rows = filled(leaves.size);
    if (count) memcpy(rows, leaves.bytes, leaves.size);
    void *memory = filled(tamis_layout_memory(page));
    tamis_layout(page, code, rows, count, memory, breaks, preformatted);
    for (ptrdiff_t each = 0; each < count; each++)
        REQUIRE(breaks[each] >= TAMIS_NO_BREAK && breaks[each] <= TAMIS_PARAGRAPH && preformatted[each] <= 1, "%td", each);
    add(transcript, breaks, count);
    add(transcript, preformatted, count);
    for (ptrdiff_t each = 0; each < count; each++) /* tables add breaks of their own */
        if (one_in(8)) breaks[each] = (int8_t)below(TAMIS_PARAGRAPH + 1);
    check_pieces(some, rows, count, breaks, preformatted, transcript);
    free(leaves.bytes);
    free(code);
    free(preformatted);
    free(breaks);
    free(rows);
    free(memory);
}

/* ---- the way to its labels, whole ---- */

static void label(const tamis_page *page, const tamis_declared *declared, const tamis_model *model, tamis_runs *runs,
                  buffer *transcript) {
    enum { AT_ONCE, AGAIN, IN_STEPS, BY_CHANCE, ALL, WAYS };
    answer found[WAYS];
    buffer told[WAYS] = {0};
    for (int way = 0; way < WAYS; way++) {
        found[way] = new_answer(page);
        found[way].has_types = way != ALL && runs->runs;
    }
    int32_t failed = tamis_label(page, declared, model, runs, &found[AT_ONCE].labels);
    REQUIRE(!failed, "tamis_label: %d", failed);
    label_in_steps(page, declared, model, runs, &found[IN_STEPS], transcript);
    label_by_chance(page, declared, runs, &found[BY_CHANCE]);
    failed = tamis_label_all(page, declared, runs, &found[ALL].labels);
    REQUIRE(!failed, "tamis_label_all: %d", failed);
    failed = tamis_label(page, declared, model, runs, &found[AGAIN].labels);
    REQUIRE(!failed, "tamis_label: %d", failed);
    tamis_model other = *model;
    other.columns--;
    REQUIRE(tamis_label(page, declared, &other, runs, &found[AGAIN].labels) == TAMIS_BAD_SHAPE, "another network");
    for (int way = 0; way < WAYS; way++) {
        check_labels(page, &found[way]);
        tell(&told[way], page, &found[way]);
        add(transcript, told[way].bytes, told[way].size);
        int is_same = told[way].size == told[AT_ONCE].size && !memcmp(told[way].bytes, told[AT_ONCE].bytes, told[way].size);
        REQUIRE(way > IN_STEPS || is_same, "other labels at the way %d", way);
        drop_answer(&found[way]);
    }
    for (int way = 0; way < WAYS; way++) free(told[way].bytes);
}

/* Which of two networks the gate chooses by weights of exactly the size that it needs. */
static void check_gate(const tamis_page *page, const tamis_declared *declared, buffer *transcript) {
    ptrdiff_t size = tamis_gate_size();
    float *weights = filled(size * sizeof *weights), *columns = filled((size - 1) * sizeof *columns);
    for (ptrdiff_t each = 0; each < size; each++) weights[each] = random_float();
    tamis_gate_columns(page, declared, columns);
    float sum = weights[size - 1];
    for (ptrdiff_t each = 0; each < size - 1; each++) sum += columns[each] * weights[each];
    int is_modern = tamis_gate(page, declared, weights) >= 0;
    REQUIRE(is_modern == (sum >= 0), "another network by the same columns");
    add(transcript, &is_modern, sizeof is_modern);
    free(columns);
    free(weights);
}

/* Links to any elements, the notes that they refer to, and these as references. */
static void add_references(const tamis_page *page, tamis_declared *declared, buffer found[2], buffer *transcript) {
    buffer links = {0}, later = {0}, earlier = {0}, names = {0};
    for (tamis_row row = 0; row < page->elements; row++) {
        if (!one_in(6)) continue;
        tamis_row near = row + 1 + below(20), target = one_in(3) || near >= page->elements ? below(page->elements) : near;
        add_row(&links, row);
        add_row(&later, target);
        add_row(&earlier, one_in(3) ? below(page->elements + 1) - 1 : below(row + 1) - 1);
        add_byte(&names, one_in(3) ? 0 : below(32));
    }
    ptrdiff_t count = names.size;
    tamis_fragments given = {count, rows_of(&links), rows_of(&later), rows_of(&earlier), (uint8_t *)names.bytes};
    tamis_row *holders = filled(count * sizeof *holders);
    void *memory = filled(tamis_notes_memory(page));
    REQUIRE(!tamis_notes(page, &given, memory, holders), "tamis_notes");
    for (ptrdiff_t each = 0; each < count; each++) {
        REQUIRE(holders[each] >= -1 && holders[each] < page->elements, "note %td", holders[each]);
        if (holders[each] < 0 && !one_in(9)) continue;
        add_row(&found[0], rows_of(&links)[each]);
        add_row(&found[1], holders[each] < 0 ? 1 + below(page->elements - 1) : holders[each]);
    }
    add(transcript, holders, count * sizeof *holders);
    if (count) {
        rows_of(one_in(2) ? &later : &earlier)[below(count)] = page->elements + below(3);
        REQUIRE(tamis_notes(page, &given, memory, holders) == TAMIS_BAD_TABLE, "a target that is not there");
    }
    declared->references = found[0].size / (ptrdiff_t)sizeof(tamis_row);
    declared->reference_rows = rows_of(&found[0]);
    declared->note_rows = rows_of(&found[1]);
    free(memory);
    free(holders);
    free(links.bytes);
    free(later.bytes);
    free(earlier.bytes);
    free(names.bytes);
}

/* Returns 0 if what the page declares is refused. */
static int ask(const input *some, const tamis_model *model, buffer *transcript) {
    const tamis_page *page = &some->page;
    tamis_declared declared = some->declared;
    tamis_runs runs;
    ptrdiff_t size = tamis_workspace(page, &declared, model->width);
    REQUIRE(size > 0, "tamis_workspace: %td", size);
    check_gate(page, &declared, transcript);
    void *memory = filled(size);
    int32_t failed = tamis_begin(page, (uint32_t)random_bits(), memory, size, &runs);
    REQUIRE(!failed, "tamis_begin: %d", failed);
    buffer references[2] = {{0}, {0}};
    if (page->elements > 1) add_references(page, &declared, references, transcript);
    declared.sections = names_for(some, 2 * runs.sections + 1);
    REQUIRE(tamis_check_declared(page, &runs, &declared) == TAMIS_BAD_TABLE, "a name too many");
    free((void *)declared.sections.bytes);
    declared.sections = names_for(some, 2 * runs.sections);
    int is_accepted = !tamis_check_declared(page, &runs, &declared);
    if (is_accepted) {
        failed = tamis_columns(page, &declared, &runs);
        REQUIRE(!failed, "tamis_columns: %d", failed);
        check_runs(page, &runs);
        add(transcript, &runs, offsetof(tamis_runs, text)); /* how many there are */
        add(transcript, runs.text, runs.texts * sizeof *runs.text);
        add(transcript, runs.first, (runs.runs + 1) * sizeof *runs.first);
        add(transcript, runs.element, runs.runs * sizeof *runs.element);
        add(transcript, runs.words, runs.runs * sizeof *runs.words);
        add(transcript, runs.copy_of, runs.runs * sizeof *runs.copy_of);
        label(page, &declared, model, &runs, transcript);
        check_media(page, transcript);
        check_layout(some, transcript);
    }
    free((void *)declared.sections.bytes);
    free(references[0].bytes);
    free(references[1].bytes);
    free(memory);
    return is_accepted;
}

/* With too little memory, every step ends in success or in the error that says so. */
static void ask_for_little(const input *some, const tamis_model *model) {
    const tamis_page *page = &some->page;
    tamis_declared declared = some->declared;
    tamis_runs runs;
    ptrdiff_t size = below(tamis_workspace(page, &declared, model->width) + 1);
    void *memory = filled(size);
    int32_t code = tamis_begin(page, (uint32_t)random_bits(), memory, size, &runs);
    if (!code) {
        answer found = new_answer(page);
        declared.sections = names_for(some, 2 * runs.sections);
        code = tamis_columns(page, &declared, &runs);
        if (!code) code = tamis_label(page, &declared, model, &runs, &found.labels);
        if (!code) code = tamis_label_all(page, &declared, &runs, &found.labels);
        free((void *)declared.sections.bytes);
        drop_answer(&found);
    }
    REQUIRE(code == 0 || code == TAMIS_TOO_LITTLE_MEMORY, "%d", code);
    free(memory);
}

int judge(input *some, uint64_t *answers) {
    int is_accepted = !tamis_check(&some->page);
    if (some->page.elements <= 500) REQUIRE(is_accepted == is_sound(&some->page), "tamis_check: %d", is_accepted);
    if (!is_accepted) return 0;
    const tamis_model *model = some_model(some->page.leaves);
    uint64_t before = checksum(some), seed = random_bits();
    buffer transcripts[2] = {0};
    for (is_apart = 0; is_apart < 2; is_apart++) {
        set_seed(seed);
        is_accepted = ask(some, model, &transcripts[is_apart]);
        give_back();
    }
    is_apart = 0;
    REQUIRE(transcripts[0].size == transcripts[1].size, "%td and %td bytes", transcripts[0].size, transcripts[1].size);
    for (ptrdiff_t at = 0; at < transcripts[0].size; at++) {
        REQUIRE(transcripts[0].bytes[at] == transcripts[1].bytes[at], "the answers differ at byte %td", at);
        *answers = (*answers ^ (uint8_t)transcripts[0].bytes[at]) * 0x100000001B3u;
    }
    if (is_accepted && one_in(10)) ask_for_little(some, model);
    REQUIRE(checksum(some) == before, "the tables were changed");
    free(transcripts[0].bytes);
    free(transcripts[1].bytes);
    return is_accepted;
}
