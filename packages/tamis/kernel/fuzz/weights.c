/* Weights: such that fit the pages, and such that fit nothing. */
#include "fuzz.h"

enum { MOST_TENSORS = 14 + 8 * 20, MODELS = 16 };

typedef struct {
    ptrdiff_t count;
    tamis_tensor tensor[MOST_TENSORS];
    char name[MOST_TENSORS][TAMIS_LONGEST_NAME];
} tensors;

static void add_tensor(tensors *to, int layer, const char *name, const ptrdiff_t shape[3]) {
    char *place = to->name[to->count];
    if (layer < 0) snprintf(place, TAMIS_LONGEST_NAME, "%s", name);
    else snprintf(place, TAMIS_LONGEST_NAME, "layers.%d.%s", layer, name);
    to->tensor[to->count++] = (tamis_tensor){.dimensions = shape[2] ? 3 : shape[1] ? 2 : 1,
                                             .shape = {shape[0], shape[1], shape[2]}};
}

static tensors make_tensors(ptrdiff_t columns, ptrdiff_t tags, ptrdiff_t outputs, ptrdiff_t types, ptrdiff_t width,
                            int layers) {
    ptrdiff_t embedding = 1 + below(3), double_width = 2 * width;
    const struct {
        const char *name;
        ptrdiff_t shape[3];
    } whole[] = {{"scaling.mean", {columns}}, {"scaling.deviation", {columns}}, {"tags.weight", {256, embedding}},
                 {"first.weight", {width, columns + tags * embedding}}, {"first.bias", {width}},
                 {"second.weight", {width, width}}, {"second.bias", {width}}, {"norm.weight", {width}},
                 {"norm.bias", {width}}, {"top.weight", {outputs, width}}, {"top.bias", {outputs}},
                 {"types.weight", {types, double_width}}, {"types.bias", {types}}, {"calibration", {2}}},
      layer[] = {{"norm.weight", {width}}, {"norm.bias", {width}}, {"film.weight", {double_width, double_width}},
                 {"film.bias", {double_width}}, {"kernel.weight", {width, width, 3}}, {"kernel.bias", {width}},
                 {"out.weight", {width, width}}, {"out.bias", {width}}};
    tensors made = {0};
    for (size_t each = 0; each < sizeof whole / sizeof *whole; each++) add_tensor(&made, -1, whole[each].name, whole[each].shape);
    for (int number = 0; number < layers; number++)
        for (size_t each = 0; each < sizeof layer / sizeof *layer; each++)
            add_tensor(&made, number, layer[each].name, layer[each].shape);
    return made;
}

static void fill(tamis_tensor *some, float (*number)(void)) {
    ptrdiff_t floats = 1;
    for (ptrdiff_t each = 0; each < some->dimensions && each < 3; each++) floats *= some->shape[each] > 0 ? some->shape[each] : 0;
    float *data = block_of(floats * sizeof(float));
    for (ptrdiff_t each = 0; each < floats; each++) data[each] = number();
    some->data = data;
}

static int are_finite(const float *some, ptrdiff_t count) {
    for (ptrdiff_t each = 0; each < count; each++)
        if (!(some[each] > -__builtin_inff() && some[each] < __builtin_inff())) return 0;
    return 1;
}

/* Prepares the weights in memory of exactly the size that the kernel asks for, or returns NULL if it refuses them. */
static float *prepare(tensors *from, float (*number)(void), tamis_model *model) {
    char which[TAMIS_LONGEST_NAME];
    memset(which, 'x', sizeof which);
    tamis_tensor *given = block_of(from->count * sizeof *given);
    for (ptrdiff_t each = 0; each < from->count; each++) {
        fill(&from->tensor[each], number);
        from->tensor[each].name = from->name[each];
        given[each] = from->tensor[each];
    }
    ptrdiff_t size = tamis_prepare(given, from->count, NULL, model, which);
    REQUIRE(size >= 0 || size == TAMIS_MISSING_TENSOR || size == TAMIS_BAD_SHAPE, "tamis_prepare: %td", size);
    REQUIRE(size >= 0 || (memchr(which, 0, sizeof which) && which[0] && which[0] != 'x'), "no tensor is named");
    float *memory = size < 0 ? NULL : block_of(size * sizeof(float));
    if (memory) {
        ptrdiff_t filled = tamis_prepare(given, from->count, memory, model, which);
        int is_finite = are_finite(memory, size);
        REQUIRE(filled == (is_finite ? size : TAMIS_BAD_NUMBER), "%td floats, then %td", size, filled);
        if (!is_finite) {
            free(memory);
            memory = NULL;
        }
    }
    for (ptrdiff_t each = 0; each < from->count; each++) free((void *)from->tensor[each].data);
    free(given);
    return memory;
}

/* ---- networks that fit ---- */

static float huge_float(void) { return random_float() * 1e10f; } /* products of them are too large for a float */
static float rarely_odd_float(void) { return one_in(300) ? odd_float() : random_float(); }
static float positive_float(void) { return 0.05f + (float)below(1000) / 1000; } /* much is content then */

/* Networks are kept: to prepare one takes longer than to send a page through the kernel. */
const tamis_model *some_model(ptrdiff_t leaves) {
    static struct {
        tamis_model model;
        float *memory;
    } made[MODELS];
    static const ptrdiff_t widths[] = {1, 2, 3, 5, 7, 8, 9, 24}; /* eight at once, 24 is the usual one */
    static float (*const numbers[])(void) = {random_float, positive_float, random_float, huge_float};
    ptrdiff_t which = leaves > 20 ? 1 + below(MODELS - 1) : below(MODELS); /* the first one takes long */
    uint64_t next = random_bits();
    if (!made[which].memory) {
        set_seed(which); /* whatever the inputs before, it is the same network */
        ptrdiff_t width = which == 0 ? TAMIS_MOST_WIDTH : widths[which % 8], layers = which == 1 ? 16 : below(5);
        tensors from = make_tensors(COLUMNS, 1 + LEVELS, TAMIS_OUTPUTS, PAGE_TYPES, width, (int)layers);
        made[which].memory = prepare(&from, numbers[which / 2 % 4], &made[which].model);
        REQUIRE(made[which].memory, "weights that fit are refused");
    }
    set_seed(next);
    return &made[which].model;
}

/* ---- networks that don't ---- */

static void change(tensors *some, uint8_t which, uint8_t how, uint8_t value) {
    static const char *names[] = {"", "layers.", "layers.0", "layers.x.norm.weight", "layers.99999999999999999999.out.bias",
                                  "layers.15.out.bias", "layers.16.out.bias", "first.bias", "tags.weight", "calibration",
                                  "layers.-1.norm.weight", "layers.00.norm.bias", "first.weight"};
    ptrdiff_t number = which % some->count, *side = &some->tensor[number].shape[value % 3];
    switch (how % 7) {
        case 0: ++*side; break;
        case 1: --*side; break;
        case 2: *side = value / 3 % 40; break;
        case 3: *side = -1 - value / 3 % 3; break;
        case 4: some->tensor[number].dimensions = value % 6 - 1; break;
        case 5: snprintf(some->name[number], TAMIS_LONGEST_NAME, "%s", names[value % (sizeof names / sizeof *names)]); break;
        default: /* one is missing */
            if (some->count < 2) return;
            some->tensor[number] = some->tensor[--some->count];
            memcpy(some->name[number], some->name[some->count], TAMIS_LONGEST_NAME);
    }
}

/* Runs the network alone on a few runs; all memory is of exactly the size that it needs. */
static void try_network(const tamis_model *model) {
    REQUIRE(model->tags >= 0 && model->columns > 0 && model->width > 0 && model->layers >= 0, "a shape below 0");
    ptrdiff_t runs = 1 + below(20), columns = runs * model->columns, tags = runs * model->tags;
    float *values = block_of(columns * sizeof(float)), *logits = block_of(runs * model->outputs * sizeof(float));
    float *types = block_of(model->types * sizeof(float));
    uint8_t *codes = block_of(tags);
    void *memory = block_of(tamis_network_memory(model, runs));
    for (ptrdiff_t each = 0; each < columns; each++) values[each] = one_in(2) ? 0 : rarely_odd_float();
    for (ptrdiff_t each = 0; each < tags; each++) codes[each] = (uint8_t)below(256);
    tamis_network(model, values, codes, runs, memory, logits, types);
    free(values);
    free(logits);
    free(types);
    free(codes);
    free(memory);
}

/* The input: a seed, shapes (columns, tags, outputs, types, width, layers), and three bytes for each change. */
void try_weights(source *from) {
    set_seed(next_byte(from));
    uint8_t shape[6];
    for (int each = 0; each < 6; each++) shape[each] = next_byte(from);
    ptrdiff_t width = shape[4] < 240 ? 1 + shape[4] % 12 : shape[4] + 5; /* the largest are too large */
    tensors some = make_tensors(1 + shape[0] % 20, shape[1] % 4, 1 + shape[2] % 4, 1 + shape[3] % 8, width, shape[5] % 20);
    /* Few changes: each of them mostly suffices for a refusal. */
    for (int each = 0; each < 4 && from->at < from->end; each++) {
        uint8_t which = next_byte(from), how = next_byte(from);
        change(&some, which, how, next_byte(from));
    }
    tamis_model model;
    float *memory = prepare(&some, one_in(3) ? odd_float : one_in(2) ? rarely_odd_float : random_float, &model);
    if (memory) try_network(&model);
    free(memory);
}
