/* The network of the default extractor: dilated convolutions over the runs of a page.
 *
 * Each run becomes a vector. A summary of all vectors (mean and maximum) predicts the page type and conditions every
 * layer by FiLM: it scales and shifts the normalised vectors. Layers are residual blocks with dilations 1, 2, 4, 8 ...
 *
 * Every sum is taken in one order, for several outputs at once and without fused operations, so results are the same
 * bit by bit on every processor.
 */
#include "internal.h"

/* The C library must be able to choose between versions of a function. */
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__)
#define FOR_EACH_PROCESSOR __attribute__((target_clones("avx2", "default")))
#else
#define FOR_EACH_PROCESSOR
#endif

#define EPSILON 1e-5f   /* added to a variance before the division by it; PyTorch's default, which training uses */
#define SECOND_SUMMARY 2 /* the summary is taken again before this layer, when vectors know their surroundings */
#define AT_ONCE 4       /* rows of a product; more need more registers than there are */
#define USUAL_WIDTH 24
#define MOST_WIDTH TAMIS_MOST_WIDTH

typedef float eight __attribute__((vector_size(32)));

/* ---- functions, written out since those of systems differ in the last bit ---- */

double logarithm(double x) {
    uint64_t bits;
    memcpy(&bits, &x, 8);
    int exponent = (int)(bits >> 52) - 1023;
    bits = (bits & 0xFFFFFFFFFFFFFu) | (uint64_t)1023 << 52;
    double m;
    memcpy(&m, &bits, 8);
    if (m > 1.4142135623730951) {
        m /= 2;
        exponent++;
    }
    double s = (m - 1) / (m + 1), square = s * s, sum = 0;
    for (int power = 19; power > 0; power -= 2) sum = sum * square + 1.0 / power;
    return 2 * s * sum + exponent * 0.6931471805599453;
}

double exponential(double x) {
    if (!(x > -700)) x = -700; /* also for NaN */
    if (x > 700) x = 700;
    int exponent = (int)(x / 0.6931471805599453 + (x < 0 ? -0.5 : 0.5));
    double r = x - exponent * 0.6931471805599453, sum = 1, scale;
    for (int term = 13; term > 0; term--) sum = 1 + sum * r / term;
    uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    memcpy(&scale, &bits, 8);
    return sum * scale;
}

/* ---- matrices; all are stored row by row ----
 *
 * These functions are compiled into `run_layers`, once for the usual width and once for any other: loops of a known
 * length take a third of the time. */
#define INLINE static inline __attribute__((always_inline))

/* (rows, inputs) times (inputs, outputs), plus a bias (outputs), is (rows, outputs). */
INLINE void multiply(const float *vectors, ptrdiff_t rows, ptrdiff_t inputs, const float *weights, const float *bias,
                     ptrdiff_t outputs, float *products) {
    for (ptrdiff_t first = 0; first < rows; first += AT_ONCE) {
        ptrdiff_t count = rows - first < AT_ONCE ? rows - first : AT_ONCE, output = 0;
        const float *row[AT_ONCE]; /* at the end, the last row replaces missing ones */
        for (ptrdiff_t each = 0; each < AT_ONCE; each++)
            row[each] = vectors + (first + (each < count ? each : count - 1)) * inputs;
        for (; output + 8 <= outputs; output += 8) {
            eight sum[AT_ONCE], weight;
            memcpy(&weight, bias + output, sizeof weight);
            for (ptrdiff_t each = 0; each < AT_ONCE; each++) sum[each] = weight;
            for (ptrdiff_t input = 0; input < inputs; input++) {
                memcpy(&weight, weights + input * outputs + output, sizeof weight);
                for (ptrdiff_t each = 0; each < AT_ONCE; each++) sum[each] += row[each][input] * weight;
            }
            for (ptrdiff_t each = 0; each < count; each++)
                memcpy(products + (first + each) * outputs + output, &sum[each], sizeof weight);
        }
        for (; output < outputs; output++)
            for (ptrdiff_t each = 0; each < count; each++) {
                float sum = bias[output];
                for (ptrdiff_t input = 0; input < inputs; input++)
                    sum += row[each][input] * weights[input * outputs + output];
                products[(first + each) * outputs + output] = sum;
            }
    }
}

/* The first layer of one run: most of its columns are 0. */
INLINE void first_layer(const tamis_model *model, ptrdiff_t width, const float *values, const uint8_t *tags,
                        float *vector) {
    float sum[MOST_WIDTH];
    memcpy(sum, model->first_bias, width * sizeof(float));
    for (ptrdiff_t level = 0; level < model->tags; level++) {
        const float *weights = model->by_tag + (level * model->codes + tags[level]) * width;
        for (ptrdiff_t place = 0; place < width; place++) sum[place] += weights[place];
    }
    for (ptrdiff_t column = 0; column < model->columns; column++) {
        float value = values[column];
        if (value == 0) continue;
        const float *weights = model->first + column * width;
        for (ptrdiff_t place = 0; place < width; place++) sum[place] += value * weights[place];
    }
    for (ptrdiff_t place = 0; place < width; place++) vector[place] = sum[place] > 0 ? sum[place] : 0;
}

/* The mean of all vectors and their maximum: (2 width). */
INLINE void summarise(const float *vectors, ptrdiff_t rows, ptrdiff_t width, float *summary) {
    float sum[MOST_WIDTH] = {0}, largest[MOST_WIDTH];
    memcpy(largest, vectors, width * sizeof(float));
    for (ptrdiff_t row = 0; row < rows; row++)
        for (ptrdiff_t place = 0; place < width; place++) {
            float value = vectors[row * width + place];
            sum[place] += value;
            largest[place] = value > largest[place] ? value : largest[place];
        }
    for (ptrdiff_t place = 0; place < width; place++) {
        summary[place] = sum[place] / rows;
        summary[width + place] = largest[place];
    }
}

/* The sum of a vector, by eight sums at once, which are then added in one order. */
INLINE float total(const float *vector, ptrdiff_t width) {
    float sums[8] = {0}, sum = 0;
    ptrdiff_t place = 0;
    for (; place + 8 <= width; place += 8)
        for (ptrdiff_t lane = 0; lane < 8; lane++) sums[lane] += vector[place + lane];
    for (; place < width; place++) sum += vector[place];
    for (ptrdiff_t lane = 0; lane < 4; lane++) sums[lane] += sums[lane + 4];
    return sum + ((sums[0] + sums[2]) + (sums[1] + sums[3]));
}

/* Each vector with mean 0 and deviation 1. With a conditioning (2 width) it is then scaled and shifted. */
INLINE void normalise(const float *vectors, ptrdiff_t rows, ptrdiff_t width, const float *conditioning, float *found) {
    for (ptrdiff_t row = 0; row < rows; row++, vectors += width, found += width) {
        float mean = total(vectors, width) / width, centred[MOST_WIDTH], squares[MOST_WIDTH];
        for (ptrdiff_t place = 0; place < width; place++) {
            centred[place] = vectors[place] - mean;
            squares[place] = centred[place] * centred[place];
        }
        float deviation = __builtin_sqrtf(total(squares, width) / width + EPSILON);
        for (ptrdiff_t place = 0; place < width; place++) {
            centred[place] /= deviation;
            if (conditioning) centred[place] = centred[place] * conditioning[place] + conditioning[width + place];
        }
        memcpy(found, centred, width * sizeof(float));
    }
}

/* ---- layers ---- */

/* The memory for a page. */
typedef struct {
    float *vectors, *inputs, *contributions, *summary, *conditioning;
} buffers;

ptrdiff_t tamis_network_memory(const tamis_model *model, ptrdiff_t runs) {
    return (5 * runs + 4) * model->width * (ptrdiff_t)sizeof(float);
}

static buffers buffers_in(void *memory, const tamis_model *model, ptrdiff_t runs) {
    ptrdiff_t size = runs * model->width;
    float *at = memory;
    return (buffers){at, at + size, at + 2 * size, at + 5 * size, at + 5 * size + 2 * model->width};
}

/* A residual block. `inputs` is (rows, width) and `contributions` (rows, 3 width): what a run contributes to the run
 * after it, to itself and to the run before. */
INLINE void run_layer(const tamis_model *model, ptrdiff_t width, ptrdiff_t number, ptrdiff_t rows, buffers memory) {
    static const float nothing[3 * MOST_WIDTH];
    ptrdiff_t step = ((ptrdiff_t)1 << number) * 3 * width, size = rows * 3 * width;
    const float *bias = model->kernel_bias + number * width, *out_bias = model->out_bias + number * width;
    normalise(memory.vectors, rows, width, memory.conditioning, memory.inputs);
    multiply(memory.inputs, rows, width, model->kernel + number * width * 3 * width, nothing, 3 * width,
             memory.contributions);
    for (ptrdiff_t row = 0; row < rows; row++) {
        ptrdiff_t at = row * 3 * width;
        const float *own = memory.contributions + at + width;
        const float *before = at >= step ? own - step - width : nothing;
        const float *after = at + step < size ? own + step + width : nothing;
        for (ptrdiff_t place = 0; place < width; place++) {
            float sum = own[place] + bias[place] + before[place] + after[place];
            memory.inputs[row * width + place] = sum > 0 ? sum : 0;
        }
    }
    multiply(memory.inputs, rows, width, model->out + number * width * width, out_bias, width, memory.contributions);
    for (ptrdiff_t place = 0; place < rows * width; place++) memory.vectors[place] += memory.contributions[place];
}

/* The layers above the first, of which the outputs are in `inputs`. */
INLINE void run_upper(const tamis_model *model, ptrdiff_t width, ptrdiff_t runs, buffers memory, float *logits,
                      float *type_logits) {
    multiply(memory.inputs, runs, width, model->second, model->second_bias, width, memory.vectors);
    for (ptrdiff_t layer = 0; layer < model->layers; layer++) {
        if (layer == 0 || layer == SECOND_SUMMARY) summarise(memory.vectors, runs, width, memory.summary);
        multiply(memory.summary, 1, 2 * width, model->film + layer * 4 * width * width,
                 model->film_bias + layer * 2 * width, 2 * width, memory.conditioning);
        run_layer(model, width, layer, runs, memory);
    }
    normalise(memory.vectors, runs, width, NULL, memory.inputs);
    multiply(memory.inputs, runs, width, model->top, model->top_bias, model->outputs, logits);
    summarise(memory.vectors, runs, width, memory.summary);
    multiply(memory.summary, 1, 2 * width, model->type, model->type_bias, model->types, type_logits);
}

FOR_EACH_PROCESSOR
static void run_layers(const tamis_model *model, ptrdiff_t runs, buffers memory, float *logits, float *type_logits) {
    if (model->width == USUAL_WIDTH) run_upper(model, USUAL_WIDTH, runs, memory, logits, type_logits);
    else run_upper(model, model->width, runs, memory, logits, type_logits);
}

FOR_EACH_PROCESSOR
static void run_first(const tamis_model *model, const float *values, const uint8_t *tags, float *vector) {
    if (model->width == USUAL_WIDTH) first_layer(model, USUAL_WIDTH, values, tags, vector);
    else first_layer(model, model->width, values, tags, vector);
}

void tamis_network(const tamis_model *model, const float *values, const uint8_t *tags, ptrdiff_t runs, void *memory,
                   float *logits, float *type_logits) {
    buffers parts = buffers_in(memory, model, runs);
    for (ptrdiff_t run = 0; run < runs; run++)
        run_first(model, values + run * model->columns, tags + run * model->tags, parts.inputs + run * model->width);
    run_layers(model, runs, parts, logits, type_logits);
}

void run_network(const tamis_page *page, const tamis_declared *declared, const tamis_model *model,
                 const tamis_runs *runs, void *memory, float *logits, float *type_logits) {
    buffers parts = buffers_in(memory, model, runs->runs);
    float values[COLUMNS];
    uint8_t tags[1 + LEVELS];
    for (ptrdiff_t run = 0; run < runs->runs; run++) {
        fill_row(page, declared, runs, run, values, tags);
        run_first(model, values, tags, parts.inputs + run * model->width);
    }
    run_layers(model, runs->runs, parts, logits, type_logits);
}
