/* The runs of a page, and where the tree above them branches. */
#include "internal.h"

/* ---- checks ---- */

static int32_t check_elements(const tamis_page *page) {
    for (tamis_row row = 0; row < page->elements; row++) {
        tamis_row parent = page->parent[row], around = row - 1;
        if (page->end[row] <= row || page->end[row] > page->elements) return TAMIS_BAD_TABLE;
        /* The parent is the innermost element that is still open. */
        while (around >= 0 && page->end[around] <= row) around = page->parent[around];
        if (parent != around || (parent < 0 && row)) return TAMIS_BAD_TABLE;
        if (parent >= 0 && page->end[row] > page->end[parent]) return TAMIS_BAD_TABLE;
    }
    return 0;
}

/* Has a text as many parts, each followed by a NUL? */
static int has_parts(tamis_text text, ptrdiff_t parts) {
    if (text.size < 0 || (text.size && text.bytes[text.size - 1])) return 0;
    for (tamis_text left = text; left.size; parts--) next_text(&left);
    return parts == 0;
}

int32_t tamis_check(const tamis_page *page) {
    if (page->elements < 0 || page->leaves < 0 || check_elements(page)) return TAMIS_BAD_TABLE;
    tamis_row before = 0;
    for (tamis_row leaf = 0; leaf < page->leaves; leaf++) {
        tamis_row element = page->element[leaf], opened = page->opened[leaf];
        if (element < 0 || element >= page->elements || opened < element || opened >= page->end[element] ||
            opened < before)
            return TAMIS_BAD_TABLE;
        before = opened;
    }
    return has_parts(page->texts, page->leaves) ? 0 : TAMIS_BAD_TABLE;
}

int32_t tamis_check_declared(const tamis_page *page, const tamis_runs *runs, const tamis_declared *declared) {
    const tamis_text *texts[] = {&declared->title, &declared->og_title, &declared->body, &declared->description,
                                 &declared->meta, &declared->review, &declared->parts};
    for (size_t each = 0; each < sizeof texts / sizeof *texts; each++)
        if (texts[each]->size < 0) return TAMIS_BAD_TABLE;
    const tamis_text *lists[] = {&declared->names, &declared->openings};
    for (size_t each = 0; each < sizeof lists / sizeof *lists; each++)
        if (lists[each]->size < 0 || (lists[each]->size && lists[each]->bytes[lists[each]->size - 1]))
            return TAMIS_BAD_TABLE;
    tamis_row before = -1;
    for (ptrdiff_t each = 0; each < declared->marked; each++) {
        if (declared->marked_rows[each] <= before || declared->marked_rows[each] >= page->elements)
            return TAMIS_BAD_TABLE;
        before = declared->marked_rows[each];
    }
    if (declared->marked < 0 || !has_parts(declared->marks, 2 * declared->marked)) return TAMIS_BAD_TABLE;
    for (ptrdiff_t each = 0; each < declared->references; each++) {
        tamis_row row = declared->reference_rows[each], note = declared->note_rows[each];
        if (row <= (each ? declared->reference_rows[each - 1] : -1) || row >= page->elements || note < 1 ||
            note >= page->elements)
            return TAMIS_BAD_TABLE;
    }
    if (declared->references < 0) return TAMIS_BAD_TABLE;
    return has_parts(declared->sections, 2 * runs->sections) ? 0 : TAMIS_BAD_TABLE;
}

const int32_t *tamis_sizes(void) {
    static const int32_t sizes[] = {sizeof(tamis_page), sizeof(tamis_declared), sizeof(tamis_runs),
                                    sizeof(tamis_model), sizeof(tamis_tensor), sizeof(tamis_labels),
                                    sizeof(tamis_fragments)};
    return sizes;
}

/* ---- runs ---- */

int32_t tamis_begin(const tamis_page *page, uint32_t seed, void *memory, ptrdiff_t size, tamis_runs *runs) {
    arena rest = {memory, size};
    struct tamis_state *state = take(&rest, 1, sizeof *state);
    *runs = (tamis_runs){.columns = COLUMNS, .state = state};
    if (!state) return TAMIS_TOO_LITTLE_MEMORY;
    state->seed = seed;
    ptrdiff_t elements = page->elements, leaves = page->leaves;
    state->offset = take(&rest, leaves + 1, sizeof(tamis_row));
    state->in_link = take(&rest, leaves, 1);
    state->depth = take(&rest, elements, sizeof(tamis_row));
    state->held = take(&rest, elements, sizeof(tamis_row));
    state->children = take(&rest, elements, sizeof(tamis_row));
    state->number = take(&rest, elements, sizeof(tamis_row));
    state->runs = take(&rest, leaves, sizeof(run));
    runs->text = take(&rest, leaves, sizeof(tamis_row));
    runs->first = take(&rest, leaves + 1, sizeof(tamis_row));
    runs->element = take(&rest, leaves, sizeof(tamis_row));
    arena scratch = rest;
    tamis_row *block = take(&scratch, elements, sizeof(tamis_row));
    uint8_t *linked = take(&scratch, elements, 1);
    if (!block || !linked) return TAMIS_TOO_LITTLE_MEMORY;

    for (tamis_row row = 0; row < elements; row++) {
        tamis_row parent = page->parent[row];
        int is_block = tag_kinds[page->code[row]] & TAG_IS_BLOCK;
        state->depth[row] = parent < 0 ? 0 : state->depth[parent] + 1;
        block[row] = is_block || parent < 0 ? row : block[parent];
        linked[row] = page->code[row] == TAG_A || (parent >= 0 && linked[parent]);
    }
    tamis_text texts = page->texts;
    run *last = NULL;
    for (tamis_row leaf = 0; leaf < leaves; leaf++) {
        state->offset[leaf] = texts.bytes - page->texts.bytes;
        next_text(&texts);
        state->in_link[leaf] = linked[page->element[leaf]];
        if (page->is_media[leaf] || !page->visible[leaf]) continue;
        tamis_row element = block[page->element[leaf]];
        if (!last || last->element != element) {
            last = &state->runs[runs->runs];
            *last = (run){.element = element, .opened = page->opened[leaf], .leaf = leaf, .text = runs->texts,
                          .code = page->code[element], .folded = page->folded[leaf] != 0};
            runs->first[runs->runs] = runs->texts;
            runs->element[runs->runs++] = element;
            state->held[element]++;
        }
        runs->text[runs->texts++] = leaf;
        last->texts++;
    }
    state->offset[leaves] = page->texts.size;
    runs->first[runs->runs] = runs->texts;

    /* Children come after their parents, so that sums go from the end to the beginning. */
    memcpy(state->children, state->held, elements * sizeof(tamis_row));
    for (tamis_row row = elements - 1; row > 0; row--) {
        state->held[page->parent[row]] += state->held[row];
        state->children[page->parent[row]] += state->held[row] > 0;
    }
    runs->section = take(&rest, elements, sizeof(tamis_row));
    if (!runs->section) return TAMIS_TOO_LITTLE_MEMORY;
    for (tamis_row row = 0; row < elements; row++) {
        if (state->held[row] > 1) runs->section[runs->sections++] = row;
        state->number[row] = state->held[row] && state->children[row] > 1 ? runs->nodes++ : -1;
    }
    state->memory = rest;
    return 0;
}
