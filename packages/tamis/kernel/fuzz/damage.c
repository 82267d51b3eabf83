/* Tables that were sound, and then were changed a little. */
#include "fuzz.h"

static tamis_row odd_row(tamis_row was, ptrdiff_t rows) {
    switch (below(8)) {
        case 0: return was == PTRDIFF_MAX ? 0 : was + 1;
        case 1: return was == PTRDIFF_MIN ? 0 : was - 1;
        case 2: return -1;
        case 3: return rows;
        case 4: return one_in(2) ? PTRDIFF_MAX : PTRDIFF_MIN;
        default: return below(rows + 1);
    }
}

static void damage_rows(const tamis_row *rows, ptrdiff_t count, ptrdiff_t limit) {
    tamis_row *changed = (tamis_row *)rows;
    if (count < 1) return;
    tamis_row *one = &changed[below(count)], *other = &changed[below(count)], before = *one;
    if (one_in(3)) {
        *one = *other;
        *other = before;
    } else *one = odd_row(before, limit);
}

static void damage_bytes(const void *bytes, ptrdiff_t count) {
    if (count > 0) ((uint8_t *)bytes)[below(count)] = (uint8_t)(one_in(4) ? 0 : below(256));
}

/* A smaller number: how much memory there is can't be seen from it. */
static ptrdiff_t odd_size(ptrdiff_t size) {
    switch (below(4)) {
        case 0: return -1 - below(100);
        case 1: return 0;
        case 2: return size - (size > 0);
        default: return size > 0 ? below(size) : 0;
    }
}

static void damage_declared(tamis_declared *declared, ptrdiff_t elements) {
    tamis_text *texts[] = {&declared->title, &declared->og_title, &declared->body, &declared->description,
                           &declared->meta, &declared->review, &declared->parts, &declared->names,
                           &declared->openings, &declared->marks};
    tamis_text *text = PICK(texts);
    switch (below(5)) {
        case 0: text->size = odd_size(text->size); break;
        case 1: declared->marked = odd_size(declared->marked); break;
        case 2: damage_rows(declared->marked_rows, declared->marked, elements); break;
        default: damage_bytes(text->bytes, text->size);
    }
}

void damage(input *some) {
    tamis_page *page = &some->page;
    ptrdiff_t elements = page->elements, leaves = page->leaves, bytes = page->texts.size;
    for (ptrdiff_t changes = 1 + below(one_in(4) ? 12 : 2); changes > 0; changes--) switch (below(12)) {
        case 0: damage_rows(page->parent, elements, elements); break;
        case 1: damage_rows(page->end, elements, elements); break;
        case 2: damage_rows(page->element, leaves, elements); break;
        case 3: damage_rows(page->opened, leaves, elements); break;
        case 4: damage_bytes(page->code, elements); break;
        case 5: damage_bytes(page->is_media, leaves); break;
        case 6: damage_bytes(page->visible, leaves); break;
        case 7: damage_bytes(page->folded, leaves); break;
        case 8: damage_bytes(page->texts.bytes, bytes); break;
        case 9:
            if (one_in(3)) page->elements = odd_size(elements);
            else if (one_in(2)) page->leaves = odd_size(leaves);
            else page->texts.size = odd_size(bytes);
            break;
        default: damage_declared(&some->declared, elements);
    }
}

/* ---- what is sound ---- */

static int is_tree(const tamis_page *page) {
    for (tamis_row row = 0; row < page->elements; row++) {
        tamis_row parent = page->parent[row], innermost = -1;
        if (page->end[row] <= row || page->end[row] > page->elements) return 0;
        for (tamis_row around = 0; around < row; around++)
            if (page->end[around] > row) innermost = around;
        if (parent != innermost || (row && parent < 0)) return 0;
        if (parent >= 0 && page->end[row] > page->end[parent]) return 0;
    }
    return 1;
}

int is_sound(const tamis_page *page) {
    if (page->elements < 0 || page->leaves < 0 || page->texts.size < 0 || !is_tree(page)) return 0;
    for (tamis_row leaf = 0; leaf < page->leaves; leaf++) {
        tamis_row element = page->element[leaf], opened = page->opened[leaf];
        if (element < 0 || element >= page->elements || opened < element || opened >= page->end[element]) return 0;
        if (leaf && opened < page->opened[leaf - 1]) return 0;
    }
    ptrdiff_t ends = 0;
    for (ptrdiff_t at = 0; at < page->texts.size; at++) ends += !page->texts.bytes[at];
    return ends == page->leaves && (!page->texts.size || !page->texts.bytes[page->texts.size - 1]);
}
