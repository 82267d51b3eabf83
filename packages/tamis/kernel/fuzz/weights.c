/* Weights: such that fit the pages, and such that fit nothing. */
#include "fuzz.h"

enum { MOST_TENSORS = 14 + 8 * 20, MODELS = 32 };

/* The tensors of a network, and the memory of each. */
typedef struct {
    ptrdiff_t count;
    tamis_tensor tensor[MOST_TENSORS];
    char name[MOST_TENSORS][TAMIS_LONGEST_NAME];
} tensors;

static ptrdiff_t floats_of(const tamis_tensor *some) {
    ptrdiff_t floats = 1;
    for (ptrdiff_t each = 0; each < some->dimensions && each < 3; each++) floats *= some->shape[each] > 0 ? some->shape[each] : 0;
    return floats;
}

static void fill(tamis_tensor *some, float (*number)(void)) {
    ptrdiff_t floats = floats_of(some);
    float *data = malloc(floats * sizeof(float));
    REQUIRE(data || !floats, "no memory");
    for (ptrdiff_t each = 0; each < floats; each++) data[each] = number();
    some->data = data;
}

static void add_tensor(tensors *to, const char *name, ptrdiff_t one, ptrdiff_t two, ptrdiff_t three) {
    REQUIRE(to->count < MOST_TENSORS, "raise MOST_TENSORS");
    snprintf(to->name[to->count], TAMIS_LONGEST_NAME, "%s", name);
    to->tensor[to->count] = (tamis_tensor){.dimensions = three ? 3 : two ? 2 : 1, .shape = {one, two, three}};
    to->count++;
}

static void add_layer(tensors *to, int layer, ptrdiff_t width) {
    static const char *parts[] = {"norm.weight", "norm.bias", "film.weight", "film.bias", "kernel.weight", "kernel.bias",
                                  "out.weight", "out.bias"};
    ptrdiff_t shapes[][3] = {{width}, {width}, {2 * width, 2 * width}, {2 * width}, {width, width, 3}, {width},
                             {width, width}, {width}};
    for (int part = 0; part < 8; part++) {
        char name[TAMIS_LONGEST_NAME];
        snprintf(name, sizeof name, "layers.%d.%s", layer, parts[part]);
        add_tensor(to, name, shapes[part][0], shapes[part][1], shapes[part][2]);
    }
}

static tensors make_tensors(ptrdiff_t columns, ptrdiff_t tags, ptrdiff_t outputs, ptrdiff_t types, ptrdiff_t width,
                            int layers) {
    ptrdiff_t embedding = 1 + below(3);
    tensors made = {0};
    add_tensor(&made, "scaling.mean", columns, 0, 0);
    add_tensor(&made, "scaling.deviation", columns, 0, 0);
    add_tensor(&made, "tags.weight", 256, embedding, 0);
    add_tensor(&made, "first.weight", width, columns + tags * embedding, 0);
    add_tensor(&made, "first.bias", width, 0, 0);
    add_tensor(&made, "second.weight", width, width, 0);
    add_tensor(&made, "second.bias", width, 0, 0);
    add_tensor(&made, "norm.weight", width, 0, 0);
    add_tensor(&made, "norm.bias", width, 0, 0);
    add_tensor(&made, "top.weight", outputs, width, 0);
    add_tensor(&made, "top.bias", outputs, 0, 0);
    add_tensor(&made, "types.weight", types, 2 * width, 0);
    add_tensor(&made, "types.bias", types, 0, 0);
    add_tensor(&made, "calibration", 2, 0, 0);
    for (int layer = 0; layer < layers; layer++) add_layer(&made, layer, width);
    return made;
}

static int are_finite(const float *some, ptrdiff_t count) {
    for (ptrdiff_t each = 0; each < count; each++)
        if (!(some[each] > -__builtin_inff() && some[each] < __builtin_inff())) return 0;
    return 1;
}

/* Prepares the weights in memory of exactly the size that the kernel asks for, or returns NULL if it refuses them. */
static float *prepare(tensors *from, float (*number)(void), tamis_model *model) {
    char which[TAMIS_LONGEST_NAME], again[TAMIS_LONGEST_NAME];
    memset(which, 'x', sizeof which);
    memset(again, 'x', sizeof again);
    tamis_tensor *given = malloc(from->count * sizeof *given);
    for (ptrdiff_t each = 0; each < from->count; each++) {
        fill(&from->tensor[each], number);
        from->tensor[each].name = from->name[each];
        given[each] = from->tensor[each];
    }
    ptrdiff_t size = tamis_prepare(given, from->count, NULL, model, which);
    REQUIRE(size >= 0 || size == TAMIS_MISSING_TENSOR || size == TAMIS_BAD_SHAPE, "tamis_prepare: %td", size);
    REQUIRE(size >= 0 || (memchr(which, 0, sizeof which) && which[0] && which[0] != 'x'), "no tensor is named");
    float *memory = size < 0 ? NULL : malloc(size * sizeof(float));
    if (memory) {
        ptrdiff_t filled = tamis_prepare(given, from->count, memory, model, again);
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
        ptrdiff_t width = which == 0 ? TAMIS_MOST_WIDTH : PICK(widths), layers = which == 1 ? 16 : below(5);
        tensors from = make_tensors(COLUMNS, 1 + LEVELS, TAMIS_OUTPUTS, PAGE_TYPES, width, (int)layers);
        made[which].memory = prepare(&from, numbers[which % 4], &made[which].model);
        REQUIRE(made[which].memory, "weights that fit are refused");
    }
    set_seed(next);
    return &made[which].model;
}

const tamis_model *usual_model(void) {
    static tamis_model model;
    tensors from = make_tensors(COLUMNS, 1 + LEVELS, TAMIS_OUTPUTS, PAGE_TYPES, 24, 4);
    REQUIRE(prepare(&from, random_float, &model), "weights that fit are refused");
    return &model;
}

/* ---- networks that don't ---- */

static void change_shape(tamis_tensor *some) {
    ptrdiff_t *side = &some->shape[below(3)];
    switch (below(6)) {
        case 0: (*side)++; break;
        case 1: (*side)--; break;
        case 2: *side = 0; break;
        case 3: *side = -1 - below(3); break;
        case 4: some->dimensions = below(6) - 1; break;
        default: *side = below(40);
    }
}

static void change_name(char name[TAMIS_LONGEST_NAME]) {
    static const char *names[] = {"", "layers.", "layers.0", "layers.x.norm.weight", "layers.99999999999999999999.out.bias",
                                  "layers.15.out.bias", "layers.16.out.bias", "first.bias", "tags.weight", "calibration",
                                  "layers.-1.norm.weight", "layers.00.norm.bias", "first.weight"};
    snprintf(name, TAMIS_LONGEST_NAME, "%s", PICK(names));
}

/* Runs the network alone on a few runs; all memory is of exactly the size that it needs. */
static void try_network(const tamis_model *model) {
    REQUIRE(model->tags >= 0 && model->columns > 0 && model->width > 0 && model->layers >= 0, "a shape below 0");
    ptrdiff_t runs = 1 + below(20), columns = runs * model->columns, tags = runs * model->tags;
    float *values = malloc(columns * sizeof(float)), *logits = malloc(runs * model->outputs * sizeof(float));
    float *types = malloc(model->types * sizeof(float));
    uint8_t *codes = malloc(tags);
    void *memory = malloc(tamis_network_memory(model, runs));
    for (ptrdiff_t each = 0; each < columns; each++) values[each] = one_in(2) ? 0 : rarely_odd_float();
    for (ptrdiff_t each = 0; each < tags; each++) codes[each] = (uint8_t)below(256);
    tamis_network(model, values, codes, runs, memory, logits, types);
    free(values);
    free(logits);
    free(types);
    free(codes);
    free(memory);
}

void try_weights(void) {
    ptrdiff_t columns = 1 + below(20), tags = below(4), types = 1 + below(8), width = 1 + below(12);
    tensors from = make_tensors(columns, tags, 1 + below(4), types, one_in(50) ? 255 + below(3) : width,
                                one_in(20) ? (int)below(20) : (int)below(3));
    for (ptrdiff_t changes = below(4); changes > 0; changes--) {
        ptrdiff_t which = below(from.count);
        if (one_in(4)) change_name(from.name[which]);
        else if (one_in(4) && from.count > 1) { /* one is missing */
            from.count--;
            from.tensor[which] = from.tensor[from.count];
            memcpy(from.name[which], from.name[from.count], TAMIS_LONGEST_NAME);
        } else change_shape(&from.tensor[which]);
    }
    /* The first layer may have fewer inputs than there are columns. */
    if (one_in(8) && from.count > 3) from.tensor[3].shape[1] = 1 + below(columns);
    tamis_model model;
    float *memory = prepare(&from, one_in(3) ? odd_float : random_float, &model);
    if (memory) try_network(&model);
    free(memory);
}
