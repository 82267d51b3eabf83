/* Times the kernel on pages that are built to be slow: `slow [LEAVES [NAME]]`, by default as many as Python allows.
 *
 * Each page comes in two sizes. The larger one has four times the leaves, so it may take four times as long; what takes
 * more than eight times as long is marked, and the program then fails. Seconds are those of the larger page.
 */
#define _DEFAULT_SOURCE /* for what C itself has not: clocks */
#include <time.h>

#include "fuzz.h"

enum { LEAVES = 300000, GROWTH = 4, MOST_GROWTH = 8 };
#define LEAST_SECONDS 0.5 /* below this, it is the caches of the machine that are measured */

static double now(void) {
    struct timespec at;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
    return at.tv_sec + at.tv_nsec * 1e-9;
}

/* ---- pages ---- */

/* A page of about so many leaves, and what it declares. */
typedef struct {
    writer page;
    buffer title, body, openings;
} story;

#define PROSE "The old bridge was closed for two years, and now it carries traffic again."

static void repeat(buffer *to, const char *unit, ptrdiff_t size) {
    while (to->size < size) add_string(to, unit);
}

static void open_many(story *told, int one, int other, ptrdiff_t count) {
    for (ptrdiff_t each = 0; each < count; each++) open_element(&told->page, each % 2 ? one : other);
}

static void add_medium(story *told) {
    open_element(&told->page, TAG_IMG);
    add_leaf(&told->page, "", 0, 1, 1, 0);
    close_element(&told->page);
}

static void equal_texts(story *told, ptrdiff_t count) {
    for (ptrdiff_t each = 0; each < count; each++) add_paragraph(&told->page, TAG_P, PROSE);
    repeat(&told->body, PROSE, 200000);
}

static void equal_short_texts(story *told, ptrdiff_t count) {
    for (ptrdiff_t each = 0; each < count; each++) add_paragraph(&told->page, each % 2 ? TAG_H1 : TAG_P, "w");
    repeat(&told->title, "w - ", 10000);
}

static void distinct_texts(story *told, ptrdiff_t count) {
    char text[80];
    for (ptrdiff_t each = 0; each < count; each++) {
        snprintf(text, sizeof text, "%td words of a text", each);
        add_paragraph(&told->page, each % 2 ? TAG_H1 : TAG_P, text);
        if (told->title.size < 10000) add_string(&told->title, text);
    }
}

/* All first characters are the same in many texts, and in most places of the declared one. */
static void equal_prefixes(story *told, ptrdiff_t count) {
    char text[80];
    for (ptrdiff_t each = 0; each < count; each++) {
        snprintf(text, sizeof text, "%.*s%06td", 26 + (int)(each % 9), "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", each);
        add_paragraph(&told->page, TAG_P, text);
    }
    repeat(&told->body, "a", 200000);
    for (int each = 0; each < 7; each++) {
        add_string(&told->openings, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab");
        add_byte(&told->openings, 0);
    }
}

/* Each length is searched by itself, so there are as many of them as fit into 20 million characters. */
static void all_lengths(story *told, ptrdiff_t count) {
    ptrdiff_t lengths = 1;
    while (lengths * lengths / 2 < count * 66 && lengths < 10000) lengths++;
    buffer text = {0};
    for (ptrdiff_t each = 0; each < lengths; each++) {
        add_byte(&text, 'a');
        add_byte(&text, 0);
        add_paragraph(&told->page, TAG_P, text.bytes);
        text.size--;
    }
    free(text.bytes);
    repeat(&told->title, "ab", 10000);
}

static void one_long_text(story *told, ptrdiff_t count) {
    buffer text = {0};
    repeat(&text, "a-Σ ", count * 66);
    add_byte(&text, 0);
    add_paragraph(&told->page, TAG_P, text.bytes);
    repeat(&told->title, text.bytes, 10000);
    free(text.bytes);
}

static void one_long_run(story *told, ptrdiff_t count) {
    open_element(&told->page, TAG_H1);
    for (ptrdiff_t each = 0; each < count; each++) add_paragraph(&told->page, each % 3 ? TAG_A : TAG_BR, "w");
    repeat(&told->title, "w ", 1000);
}

static void many_runs_of_one_block(story *told, ptrdiff_t count) {
    open_element(&told->page, TAG_TD);
    for (ptrdiff_t each = 0; each < count / 2; each++) {
        add_leaf(&told->page, "w", 1, 0, 1, 0);
        add_paragraph(&told->page, TAG_LI, "x");
    }
}

static void table_of_cells(story *told, ptrdiff_t count) {
    open_element(&told->page, TAG_TABLE);
    for (ptrdiff_t each = 0; each < count; each++) {
        if (each % 3 == 0) open_element(&told->page, TAG_TR);
        add_paragraph(&told->page, TAG_TD, each % 2 ? "a" : PROSE);
        if (each % 3 == 2) close_element(&told->page);
    }
}

static void many_tables(story *told, ptrdiff_t count) {
    for (ptrdiff_t each = 0; each < count / 6; each++) {
        open_element(&told->page, TAG_TABLE);
        for (int cell = 0; cell < 6; cell++) {
            if (cell % 2 == 0) open_element(&told->page, TAG_TR);
            add_paragraph(&told->page, TAG_TD, "a");
            if (cell % 2) close_element(&told->page);
        }
        close_element(&told->page);
    }
}

static void nested_tables(story *told, ptrdiff_t count) {
    for (ptrdiff_t each = 0; each < count / 4; each++) {
        open_element(&told->page, TAG_TABLE);
        open_element(&told->page, TAG_TR);
        open_element(&told->page, TAG_TD);
        add_leaf(&told->page, "a", 1, 0, 1, 0);
    }
}

static void nested_lists(story *told, ptrdiff_t count) {
    for (ptrdiff_t each = 0; each < count / 3; each++) {
        open_element(&told->page, each % 2 ? TAG_UL : TAG_LI);
        add_leaf(&told->page, PROSE, sizeof PROSE - 1, 0, 1, 0);
    }
}

/* All at the bottom of a third as many elements. */
static void copies_in_deep_lists(story *told, ptrdiff_t count) {
    open_many(told, TAG_UL, TAG_LI, count / 3);
    for (ptrdiff_t each = 0; each < count / 3; each++) add_paragraph(&told->page, TAG_P, PROSE);
}

static void deep_notes(story *told, ptrdiff_t count) {
    open_element(&told->page, TAG_NOSCRIPT);
    open_many(told, TAG_DIV, TAG_DIV, count / 3);
    for (ptrdiff_t each = 0; each < count / 3; each++) add_paragraph(&told->page, TAG_P, "-");
}

static void deep_media(story *told, ptrdiff_t count) {
    add_paragraph(&told->page, TAG_P, PROSE);
    open_many(told, TAG_DIV, TAG_DIV, count / 3);
    for (ptrdiff_t each = 0; each < count / 3; each++) add_medium(told);
}

/* The same at the depth that HTML parsers stop at. */
static void copies_at_the_limit(story *told, ptrdiff_t count) {
    open_many(told, TAG_UL, TAG_LI, 500);
    for (ptrdiff_t each = 0; each < count; each++) add_paragraph(&told->page, TAG_P, PROSE);
}
static void notes_at_the_limit(story *told, ptrdiff_t count) {
    open_element(&told->page, TAG_NOSCRIPT);
    open_many(told, TAG_DIV, TAG_DIV, 500);
    for (ptrdiff_t each = 0; each < count; each++) add_paragraph(&told->page, TAG_P, "-");
}
static void media_at_the_limit(story *told, ptrdiff_t count) {
    add_paragraph(&told->page, TAG_P, PROSE);
    open_many(told, TAG_DIV, TAG_DIV, 500);
    for (ptrdiff_t each = 0; each < count; each++) add_medium(told);
}

static void only_media(story *told, ptrdiff_t count) {
    for (ptrdiff_t each = 0; each < count; each++) add_medium(told);
}

static void media_between_texts(story *told, ptrdiff_t count) {
    for (ptrdiff_t each = 0; each < count / 2; each++) {
        add_paragraph(&told->page, TAG_P, PROSE);
        add_medium(told);
    }
}

static void noise(story *told, ptrdiff_t count) {
    for (ptrdiff_t each = 0; each < count; each++) add_paragraph(&told->page, TAG_P, "3 comments | 4 min read | share");
}

/* ---- texts whose hashes are the same ----
 *
 * Whoever knows the hashes of the kernel, but not their seed, can write such texts. */

#define FACTOR 0x9E3779B97F4A7C15u

static uint64_t inverse_of(uint64_t odd) {
    uint64_t found = odd;
    for (int step = 0; step < 6; step++) found *= 2 - odd * found;
    return found;
}

static int is_plain(uint64_t word) { /* eight letters or digits */
    for (int byte = 0; byte < 8; byte++, word >>= 8)
        if (!(((word & 255) >= '0' && (word & 255) <= '9') || ((word & 255) >= 'A' && (word & 255) <= 'z'))) return 0;
    return 1;
}

/* The next of the 16 letters that all have one hash (quick_hash in columns.c) if the seed is 0. */
static void next_colliding(uint64_t *number, char text[17]) {
    uint64_t back = inverse_of(FACTOR), wanted = 0x123456789ABCDEF0u * back, words[2];
    do {
        char digits[9];
        snprintf(digits, sizeof digits, "%08llx", (unsigned long long)++*number);
        memcpy(&words[0], digits, 8);
        uint64_t state = (16 ^ words[0]) * FACTOR;
        state ^= state >> 29;
        words[1] = state ^ wanted;
    } while (!is_plain(words[1]));
    memcpy(text, words, 16);
    text[16] = 0;
}

static void colliding_texts(story *told, ptrdiff_t count) {
    uint64_t number = 0;
    char text[17];
    for (ptrdiff_t each = 0; each < count / 15; each++) {
        next_colliding(&number, text);
        add_paragraph(&told->page, TAG_P, text);
    }
}

static void colliding_copies(story *told, ptrdiff_t count) {
    uint64_t number = 0;
    char text[100] = "and seven words that are always the same ";
    size_t size = strlen(text);
    for (ptrdiff_t each = 0; each < count / 30; each++) {
        next_colliding(&number, text + size);
        open_element(&told->page, TAG_P);
        add_leaf(&told->page, PROSE, sizeof PROSE - 1, 0, 1, 0);
        add_paragraph(&told->page, TAG_A, text);
        close_element(&told->page);
    }
}

/* Keys of Han characters and of those 2 to the power of 20 behind them: the last 20 bits of a sum of products
 * (hash_points in search.c) are the same, whatever the factor. The declared text has many of them. */
static void colliding_keys(story *told, ptrdiff_t count) {
    for (ptrdiff_t each = 0; each < count / 15; each++) {
        buffer text = {0};
        for (int bit = 0; bit < 40; bit++) add_string(&text, each >> bit % 20 & 1 ? "\xF4\x84\xB8\x80" : "\xE4\xB8\x80");
        if (told->body.size < 200000) add(&told->body, text.bytes, text.size);
        add_byte(&text, 0);
        add_paragraph(&told->page, TAG_P, text.bytes);
        free(text.bytes);
    }
}

/* ---- times ---- */

enum { CHECK, BEGIN, FIND_COLUMNS, LABEL, DECIDE, LABEL_ALL, MEDIA, LAYOUT, STEPS };
static const char *step_names[] = {"check", "begin", "columns", "label", "decide", "all", "media", "layout"};

static void time_steps(const input *some, const tamis_model *model, double seconds[STEPS]) {
    const tamis_page *page = &some->page;
    tamis_declared declared = some->declared;
    tamis_runs runs;
    ptrdiff_t size = tamis_workspace(page, &declared, model->width), leaves = page->leaves;
    void *memory = malloc(size);
    memset(memory, 1, size); /* the first touch of a page of memory takes time, too */
    tamis_labels labels = {.scores = malloc(leaves * sizeof(double)), .keep = malloc(leaves), .roles = malloc(leaves),
                           .types = malloc(PAGE_TYPES * sizeof(double))};
    double last = now();
    int step = 0;
#define TIME(call) \
    do { \
        REQUIRE(!(call), "an error"); \
        seconds[step++] = now() - last; \
        last = now(); \
    } while (0)
    TIME(tamis_check(page));
    TIME(tamis_begin(page, (uint32_t)random_bits(), memory, size, &runs));
    buffer names = {0};
    for (ptrdiff_t each = 0; each < 2 * runs.sections; each++) add(&names, "article-text comments", 22);
    declared.sections = (tamis_text){names.bytes, names.size};
    REQUIRE(!tamis_check_declared(page, &runs, &declared), "an error");
    last = now();
    TIME(tamis_columns(page, &declared, &runs));
    TIME(tamis_label(page, &declared, model, &runs, &labels));
    float *logits = malloc((runs.runs + 1) * TAMIS_OUTPUTS * sizeof(float)), types[PAGE_TYPES] = {1};
    for (ptrdiff_t each = 0; each < runs.runs * TAMIS_OUTPUTS; each++) logits[each] = each % TAMIS_OUTPUTS ? -3 : 3;
    last = now();
    TIME(tamis_decide(page, &declared, &runs, 0, logits, types, &labels));
    TIME(tamis_label_all(page, &declared, &runs, &labels));
    uint8_t *media = malloc(leaves);
    tamis_row *rows = malloc(leaves * sizeof *rows);
    for (tamis_row leaf = 0; leaf < leaves; leaf++) rows[leaf] = leaf;
    void *places = malloc(tamis_layout_memory(page));
    last = now();
    TIME((tamis_surrounded_media(page, labels.keep, media), 0));
    TIME((tamis_layout(page, page->code, rows, leaves, places, (int8_t *)labels.keep, media), 0));
    free(memory);
    free(labels.scores);
    free(labels.keep);
    free(labels.roles);
    free(labels.types);
    free(names.bytes);
    free(logits);
    free(media);
    free(rows);
    free(places);
}

static int time_page(const char *name, void (*tell)(story *told, ptrdiff_t count), ptrdiff_t leaves,
                     const tamis_model *model) {
    static const float columns[TAMIS_PAGE_COLUMNS];
    double seconds[2][STEPS];
    int is_slow = 0;
    for (int is_large = 0; is_large < 2; is_large++) {
        story told = {0};
        input some = {0};
        open_element(&told.page, TAG_HTML);
        tell(&told, is_large ? leaves : leaves / GROWTH);
        finish(&told.page, &some);
        some.declared.title = own_text(&some, &told.title);
        some.declared.body = own_text(&some, &told.body);
        some.declared.openings = own_text(&some, &told.openings);
        some.declared.page = own(&some, columns, sizeof columns);
        time_steps(&some, model, seconds[is_large]);
        forget(&some);
    }
    printf("%-24s", name);
    for (int step = 0; step < STEPS; step++) {
        int is_steep = seconds[1][step] > LEAST_SECONDS && seconds[1][step] > MOST_GROWTH * seconds[0][step];
        printf(" %8.3f%c", seconds[1][step], is_steep ? '!' : ' ');
        is_slow |= is_steep;
    }
    printf("\n");
    fflush(stdout);
    return is_slow;
}

/* ---- in front of the parser ---- */

static int time_guard(const char *name, const char *begin, const char *unit, const char *end, ptrdiff_t size) {
    double seconds[2];
    for (int is_large = 0; is_large < 2; is_large++) {
        buffer page = {0};
        add_string(&page, begin);
        repeat(&page, unit, is_large ? size : size / GROWTH);
        add_string(&page, end);
        double last = now();
        tamis_guard((const uint8_t *)page.bytes, page.size);
        seconds[is_large] = now() - last;
        free(page.bytes);
    }
    int is_slow = seconds[1] > LEAST_SECONDS && seconds[1] > MOST_GROWTH * seconds[0];
    printf("%-24s %8.3f%c\n", name, seconds[1], is_slow ? '!' : ' ');
    return is_slow;
}

static int time_guards(ptrdiff_t size) {
    buffer drawing = {0}, tables = {0};
    repeat(&drawing, "<p></p>", 1000); /* with few tags, nothing is looked at */
    add_string(&drawing, "<table><td><svg>");
    for (int each = 0; each < 490; each++) add_string(&drawing, "<path>");
    add_string(&drawing, "<g><path>");
    add_byte(&drawing, 0);
    repeat(&tables, "<table>", 7 * 400);
    add_byte(&tables, 0);
    int is_slow = time_guard("guard: drawing", drawing.bytes, "</g>", "<table><tr>", size);
    is_slow |= time_guard("guard: quotes", "<table><b>", "<b a=\"b' c='d\" ", "<td>", size);
    is_slow |= time_guard("guard: formatting", tables.bytes, "<b></b><p>", "<td>", size);
    is_slow |= time_guard("guard: comments", tables.bytes, "<!--<!-", "<td>", size);
    is_slow |= time_guard("guard: scripts", tables.bytes, "<script><!--", "<td>", size);
    is_slow |= time_guard("guard: ends of scripts", tables.bytes, "<script></scrip", "<td>", size);
    is_slow |= time_guard("guard: openings", tables.bytes, "<", "<td>", size);
    free(drawing.bytes);
    free(tables.bytes);
    return is_slow;
}

int main(int count, char **arguments) {
    static const struct {
        const char *name;
        void (*tell)(story *told, ptrdiff_t count);
    } pages[] = {{"equal texts", equal_texts}, {"equal short texts", equal_short_texts},
                 {"distinct texts", distinct_texts}, {"equal prefixes", equal_prefixes}, {"all lengths", all_lengths},
                 {"one long text", one_long_text}, {"one long run", one_long_run},
                 {"many runs of one block", many_runs_of_one_block}, {"table of cells", table_of_cells},
                 {"many tables", many_tables}, {"nested tables", nested_tables}, {"nested lists", nested_lists},
                 {"only media", only_media}, {"media between texts", media_between_texts}, {"noise", noise},
                 {"copies at the limit", copies_at_the_limit}, {"notes at the limit", notes_at_the_limit},
                 {"media at the limit", media_at_the_limit}, {"copies in deep lists", copies_in_deep_lists},
                 {"deep notes", deep_notes}, {"deep media", deep_media}, {"colliding texts", colliding_texts},
                 {"colliding copies", colliding_copies}, {"colliding keys", colliding_keys}};
    ptrdiff_t leaves = count > 1 ? strtoll(arguments[1], NULL, 10) : LEAVES;
    const char *only = count > 2 ? arguments[2] : "";
    set_seed(1);
    const tamis_model *model = usual_model();
    int is_slow = 0;
    printf("%-24s", "seconds");
    for (int step = 0; step < STEPS; step++) printf(" %8s ", step_names[step]);
    printf("\n");
    for (size_t each = 0; each < sizeof pages / sizeof *pages; each++)
        if (strstr(pages[each].name, only)) is_slow |= time_page(pages[each].name, pages[each].tell, leaves, model);
    if (!*only) is_slow |= time_guards(leaves * 20);
    return is_slow;
}
