/* The weights as training wrote them, prepared for inference: linear steps are folded into one matrix. */
#include "internal.h"

#define MOST_LAYERS 16

static const tamis_tensor *find(const tamis_tensor *tensors, ptrdiff_t count, const char *name) {
    for (ptrdiff_t each = 0; each < count; each++)
        if (!strcmp(tensors[each].name, name)) return &tensors[each];
    return NULL;
}

/* "layers.3." and a part: the name of a tensor of a layer. */
static void name_layer(char name[TAMIS_LONGEST_NAME], ptrdiff_t layer, const char *part) {
    size_t at = 7;
    memcpy(name, "layers.", 7);
    if (layer >= 10) name[at++] = '0' + layer / 10;
    name[at++] = '0' + layer % 10;
    name[at++] = '.';
    memcpy(name + at, part, strlen(part) + 1);
}

typedef struct {
    const tamis_tensor *tensors;
    ptrdiff_t count;
    int32_t error;
    char *which;
} reader;

/* Remember the first tensor that is wrong. */
static void refuse(reader *from, const char *name, int32_t error) {
    size_t size = strlen(name);
    if (from->error) return;
    from->error = error;
    if (size >= TAMIS_LONGEST_NAME) size = TAMIS_LONGEST_NAME - 1;
    memcpy(from->which, name, size);
    from->which[size] = 0;
}

/* A tensor of this shape. The first that is missing or has another shape is remembered. */
static const float *tensor(reader *from, const char *name, ptrdiff_t dimensions, ptrdiff_t one, ptrdiff_t two,
                           ptrdiff_t three) {
    if (from->error) return NULL;
    const tamis_tensor *found = find(from->tensors, from->count, name);
    ptrdiff_t wanted[] = {one, two, three};
    int fits = found && found->dimensions == dimensions;
    for (ptrdiff_t each = 0; fits && each < dimensions; each++) fits = found->shape[each] == wanted[each];
    if (fits) return found->data;
    refuse(from, name, found ? TAMIS_BAD_SHAPE : TAMIS_MISSING_TENSOR);
    return NULL;
}

static const float *layer_tensor(reader *from, ptrdiff_t layer, const char *part, ptrdiff_t dimensions, ptrdiff_t one,
                                 ptrdiff_t two, ptrdiff_t three) {
    char name[TAMIS_LONGEST_NAME];
    name_layer(name, layer, part);
    return tensor(from, name, dimensions, one, two, three);
}

/* One side of a tensor, by which the others are measured; 0 if it is missing. */
static ptrdiff_t side(reader *from, const char *name, ptrdiff_t dimensions, ptrdiff_t which) {
    const tamis_tensor *found = find(from->tensors, from->count, name);
    if (found && found->dimensions == dimensions && found->shape[which] > 0) return found->shape[which];
    refuse(from, name, found ? TAMIS_BAD_SHAPE : TAMIS_MISSING_TENSOR);
    return 0;
}

/* A layer exists if any of its tensors does; a partial one, or one too much, is an error. */
static ptrdiff_t layers_of(reader *from) {
    ptrdiff_t layers = 0;
    for (ptrdiff_t each = 0; each < from->count; each++) {
        const char *name = from->tensors[each].name, *at = name + 7;
        if (strncmp(name, "layers.", 7)) continue;
        ptrdiff_t number = 0;
        for (; *at >= '0' && *at <= '9' && number < MOST_LAYERS; at++) number = 10 * number + *at - '0';
        if (at == name + 7 || *at != '.' || number >= MOST_LAYERS) refuse(from, name, TAMIS_BAD_SHAPE);
        else if (number >= layers) layers = number + 1;
    }
    return layers;
}

/* The scale and shift of the normalisation and of FiLM, combined: one after the other, they are still linear in the
 * summary. */
static void combine(const float *scale, const float *shift, const float *film, const float *film_bias, ptrdiff_t width,
                    float *weights, float *bias) {
    for (ptrdiff_t place = 0; place < width; place++) {
        for (ptrdiff_t input = 0; input < 2 * width; input++) {
            double by_scale = film[place * 2 * width + input], by_shift = film[(width + place) * 2 * width + input];
            weights[input * 2 * width + place] = by_scale * scale[place];
            weights[input * 2 * width + width + place] = by_scale * shift[place] + by_shift;
        }
        double more = 1 + (double)film_bias[place];
        bias[place] = more * scale[place];
        bias[width + place] = more * shift[place] + film_bias[width + place];
    }
}

static void transpose(const float *given, ptrdiff_t rows, ptrdiff_t columns, float *found) {
    for (ptrdiff_t row = 0; row < rows; row++)
        for (ptrdiff_t column = 0; column < columns; column++) found[column * rows + row] = given[row * columns + column];
}

static void copy(const float *given, ptrdiff_t size, float *found) { memcpy(found, given, size * sizeof(float)); }

ptrdiff_t tamis_prepare(const tamis_tensor *tensors, ptrdiff_t count, float *memory, tamis_model *model,
                        char which[TAMIS_LONGEST_NAME]) {
    reader from = {tensors, count, 0, which};
    ptrdiff_t columns = side(&from, "scaling.mean", 1, 0), width = side(&from, "first.bias", 1, 0);
    ptrdiff_t outputs = side(&from, "top.bias", 1, 0), types = side(&from, "types.bias", 1, 0);
    ptrdiff_t codes = 256, embedding = side(&from, "tags.weight", 2, 1), inputs = side(&from, "first.weight", 2, 1);
    ptrdiff_t layers = layers_of(&from);
    if (width > TAMIS_MOST_WIDTH) refuse(&from, "first.bias", TAMIS_BAD_SHAPE);
    /* A negative number of tags would fit all that is checked below. */
    if (inputs < columns) refuse(&from, "first.weight", TAMIS_BAD_SHAPE);
    if (from.error) return from.error;
    ptrdiff_t tags = (inputs - columns) / embedding;
    ptrdiff_t square = width * width;

    const float *mean = tensor(&from, "scaling.mean", 1, columns, 0, 0);
    const float *deviation = tensor(&from, "scaling.deviation", 1, columns, 0, 0);
    const float *by_tag = tensor(&from, "tags.weight", 2, codes, embedding, 0);
    const float *first = tensor(&from, "first.weight", 2, width, columns + tags * embedding, 0);
    const float *first_bias = tensor(&from, "first.bias", 1, width, 0, 0);
    const float *second = tensor(&from, "second.weight", 2, width, width, 0);
    const float *second_bias = tensor(&from, "second.bias", 1, width, 0, 0);
    const float *scale = tensor(&from, "norm.weight", 1, width, 0, 0), *shift = tensor(&from, "norm.bias", 1, width, 0, 0);
    const float *top = tensor(&from, "top.weight", 2, outputs, width, 0);
    const float *top_bias = tensor(&from, "top.bias", 1, outputs, 0, 0);
    const float *type = tensor(&from, "types.weight", 2, types, 2 * width, 0);
    const float *type_bias = tensor(&from, "types.bias", 1, types, 0, 0);
    const float *calibration = tensor(&from, "calibration", 1, 2, 0, 0);

    float *at = memory; /* NULL at the first call, which only counts */
    ptrdiff_t size = 0;
#define PLACE(field, floats) (model->field = at ? at + size : NULL, size += (floats))
    *model = (tamis_model){.columns = columns, .tags = tags, .codes = codes, .width = width, .outputs = outputs,
                           .types = types, .layers = layers, .threshold = calibration ? calibration[1] : 0};
    PLACE(first, columns * width);
    PLACE(first_bias, width);
    PLACE(by_tag, tags * codes * width);
    PLACE(second, square);
    PLACE(second_bias, width);
    PLACE(film, layers * 4 * square);
    PLACE(film_bias, layers * 2 * width);
    PLACE(kernel, layers * 3 * square);
    PLACE(kernel_bias, layers * width);
    PLACE(out, layers * square);
    PLACE(out_bias, layers * width);
    PLACE(top, width * outputs);
    PLACE(top_bias, outputs);
    PLACE(type, 2 * width * types);
    PLACE(type_bias, types);

    for (ptrdiff_t layer = 0; layer < layers; layer++) {
        const float *norm = layer_tensor(&from, layer, "norm.weight", 1, width, 0, 0);
        const float *norm_bias = layer_tensor(&from, layer, "norm.bias", 1, width, 0, 0);
        const float *film = layer_tensor(&from, layer, "film.weight", 2, 2 * width, 2 * width, 0);
        const float *film_bias = layer_tensor(&from, layer, "film.bias", 1, 2 * width, 0, 0);
        const float *kernel = layer_tensor(&from, layer, "kernel.weight", 3, width, width, 3);
        const float *kernel_bias = layer_tensor(&from, layer, "kernel.bias", 1, width, 0, 0);
        const float *out = layer_tensor(&from, layer, "out.weight", 2, width, width, 0);
        const float *out_bias = layer_tensor(&from, layer, "out.bias", 1, width, 0, 0);
        if (!at || from.error) continue;
        combine(norm, norm_bias, film, film_bias, width, model->film + layer * 4 * square,
                model->film_bias + layer * 2 * width);
        transpose(kernel, width, 3 * width, model->kernel + layer * 3 * square); /* (width × 3, outputs) */
        copy(kernel_bias, width, model->kernel_bias + layer * width);
        transpose(out, width, width, model->out + layer * square);
        copy(out_bias, width, model->out_bias + layer * width);
    }
    if (from.error) return from.error;
    if (!at) return size;

    for (ptrdiff_t place = 0; place < width; place++) {
        /* Training standardises the columns; that is folded into the first layer. */
        double moved = first_bias[place];
        for (ptrdiff_t column = 0; column < columns; column++) {
            double weight = (double)first[place * inputs + column] / deviation[column];
            model->first[column * width + place] = weight;
            moved -= mean[column] * weight;
        }
        model->first_bias[place] = moved;
        for (ptrdiff_t tag = 0; tag < tags; tag++) /* what each tag adds to the first layer */
            for (ptrdiff_t code = 0; code < codes; code++) {
                double sum = 0;
                for (ptrdiff_t each = 0; each < embedding; each++)
                    sum += (double)by_tag[code * embedding + each] * first[place * inputs + columns + tag * embedding + each];
                model->by_tag[(tag * codes + code) * width + place] = sum;
            }
    }
    transpose(second, width, width, model->second);
    copy(second_bias, width, model->second_bias);
    for (ptrdiff_t output = 0; output < outputs; output++) {
        /* Calibration is a linear function of the first logit; it is folded into the last layer. */
        double slope = output ? 1 : calibration[0], sum = top_bias[output] * slope + (output ? 0 : calibration[1]);
        for (ptrdiff_t place = 0; place < width; place++) {
            double weight = top[output * width + place] * slope;
            model->top[place * outputs + output] = scale[place] * weight;
            sum += shift[place] * weight;
        }
        model->top_bias[output] = sum;
    }
    transpose(type, types, 2 * width, model->type);
    copy(type_bias, types, model->type_bias);
    for (ptrdiff_t place = 0; place < size; place++)
        if (memory[place] - memory[place] != 0) return TAMIS_BAD_NUMBER; /* infinite, or no number */
    return size;
}
