/* What separates the texts of a page when it is written: lines, paragraphs, list items. */
#include "internal.h"

static int is_list(uint8_t code) {
    return code == TAG_UL || code == TAG_OL || code == TAG_DL || code == TAG_MENU || code == TAG_DIR;
}
static int is_item(uint8_t code) { return code == TAG_LI || code == TAG_DT || code == TAG_DD; }
/* Nobody sees the choices of a list, or the title of a drawing. */
static int is_shown_block(uint8_t code) {
    return tag_kinds[code] & TAG_IS_BLOCK && code != TAG_TITLE && code != TAG_OPTION && code != TAG_OPTGROUP;
}

/* What is known of each element, for all that is inside it. */
typedef struct {
    tamis_row block, list, item;   /* the block around it, the outermost list, the nearest item; -1 for none */
    tamis_row blocks, lines;       /* blocks and line breaks opened up to it */
    uint8_t is_preformatted, is_long; /* is_long: an item with a break inside it */
} place;

ptrdiff_t tamis_layout_memory(const tamis_page *page) { return page->elements * (ptrdiff_t)sizeof(place); }

void tamis_layout(const tamis_page *page, const uint8_t *code, const tamis_row *leaves, ptrdiff_t count, void *memory,
                  int8_t *breaks, uint8_t *preformatted) {
    place *places = memory;
    for (tamis_row row = 0; row < page->elements; row++) {
        static const place outside = {-1, -1, -1, 0, 0, 0, 0};
        tamis_row parent = page->parent[row];
        place here = parent < 0 ? outside : places[parent];
        here.blocks = (row ? places[row - 1].blocks : 0) + is_shown_block(code[row]);
        here.lines = (row ? places[row - 1].lines : 0) + (code[row] == TAG_BR);
        here.is_long = 0;
        if (tag_kinds[code[row]] & TAG_IS_BLOCK) here.block = row;
        if (tag_kinds[code[row]] & TAG_IS_PREFORMATTED) here.is_preformatted = 1;
        if (is_list(code[row]) && here.list < 0) here.list = row;
        if (is_item(code[row])) here.item = row;
        places[row] = here;
    }
    for (ptrdiff_t each = 0; each < count; each++) {
        const place *here = &places[page->element[leaves[each]]];
        preformatted[each] = here->is_preformatted;
        breaks[each] = TAMIS_NO_BREAK;
        if (!each) continue;
        const place *before = &places[page->element[leaves[each - 1]]];
        const place *opened = &places[page->opened[leaves[each]]], *last = &places[page->opened[leaves[each - 1]]];
        tamis_row lines = opened->lines - last->lines;
        int is_new = here->block != before->block || opened->blocks > last->blocks;
        /* More than two line breaks are still a paragraph. */
        breaks[each] = is_new || lines > 1 ? TAMIS_PARAGRAPH : lines ? TAMIS_LINE : TAMIS_NO_BREAK;
        int is_in_list = is_new && here->list >= 0 && here->list == before->list;
        if (is_in_list && here->item >= 0 && here->item == before->item) places[here->item].is_long = 1;
    }
    /* List items stand on neighbouring lines, except items of several blocks. */
    for (ptrdiff_t each = 1; each < count; each++) {
        const place *here = &places[page->element[leaves[each]]], *before = &places[page->element[leaves[each - 1]]];
        const place *opened = &places[page->opened[leaves[each]]], *last = &places[page->opened[leaves[each - 1]]];
        int is_new = here->block != before->block || opened->blocks > last->blocks;
        if (!is_new || here->list < 0 || here->list != before->list) continue;
        int is_inside = here->item >= 0 && here->item == before->item;
        int is_long = (here->item >= 0 && places[here->item].is_long) ||
                      (before->item >= 0 && places[before->item].is_long);
        if (is_inside || !is_long) breaks[each] = TAMIS_LINE;
    }
}
