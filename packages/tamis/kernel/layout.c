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

/* The facts about each element that hold for everything inside. */
typedef struct {
    int32_t block, list, item;        /* the block around it, the outermost list, the nearest item; -1 for none */
    int32_t blocks, lines;            /* blocks and line breaks opened up to it */
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
    /* List items are on neighbouring lines, except items of several blocks. */
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

static int begins_blank(tamis_text text) {
    const char *at = text.bytes;
    return text.size && class_of(next_point(&at, text.bytes + text.size)) & SPACE;
}

static int ends_blank(tamis_text text) {
    ptrdiff_t at = text.size;
    while (at && ((uint8_t)text.bytes[--at] & 0xC0) == 0x80) {} /* back to where the last character begins */
    return begins_blank((tamis_text){text.bytes + at, text.size - at});
}

static tamis_text without_lines_before(tamis_text text) {
    for (; text.size && text.bytes[0] == '\n'; text.size--) text.bytes++;
    return text;
}

static tamis_text without_lines_after(tamis_text text) {
    while (text.size && text.bytes[text.size - 1] == '\n') text.size--;
    return text;
}

static char *copied(char *to, tamis_text text) {
    if (text.size) memcpy(to, text.bytes, text.size);
    return to + text.size;
}

/* Marks where a line may be broken. In scripts of South-East Asia some divide words and stay. */
static int is_unseen(uint32_t point, uint32_t before) {
    int divides = (before >= 0xE00 && before <= 0xEFF) || (before >= 0x1000 && before <= 0x109F) ||
                  (before >= 0x1780 && before <= 0x17FF);
    return point == 0xAD || point == 0x2060 || point == 0xFEFF || (point == 0x200B && !divides);
}

/* A text with its white space folded, then without marks that nobody sees, and without spaces around it. */
static char *folded(char *to, tamis_text text) {
    const char *at = text.bytes, *end = at + text.size, *first = to;
    uint32_t before = ' ', point;
    for (; at < end; before = point) {
        const char *here = at;
        if (*at > ' ' && *at < 0x7F) { /* as most are */
            point = *at;
            *to++ = *at++;
            continue;
        }
        point = *at == ' ' ? (uint32_t)*at++ : next_point(&at, end);
        if (point == ' ' || class_of(point) & SPACE) {
            point = ' ';
            if (before != ' ' && to > first) *to++ = ' ';
        } else if (!is_unseen(point, before)) {
            to = copied(to, (tamis_text){here, at - here});
        }
    }
    while (to > first && to[-1] == ' ') to--;
    return to;
}

ptrdiff_t tamis_pieces(const tamis_page *page, const tamis_row *leaves, ptrdiff_t count, const int8_t *breaks,
                       const tamis_row *tabs, const uint8_t *preformatted, const uint8_t *changes, tamis_text others,
                       tamis_text gaps, char *out, ptrdiff_t room) {
    static const char *const separators[] = {"", " ", "", "\n", "\n\n"}; /* cells are put into columns by tabs */
    tamis_text texts = page->texts;
    char *to = out;
    ptrdiff_t done = 0;
    /* Of the leaf before: does it end in white space, was it preformatted, is it alone on its line? */
    int ends_in_space = 0, follows_code = 0, ends_line = 0;
    /* Since then: is there dropped text, or white space next to something hidden? Both keep texts apart. */
    int is_skipped = 0, is_between = 0;
    for (tamis_row leaf = 0; leaf < page->leaves && done < count; leaf++) {
        tamis_text own = next_text(&texts), gap = next_text(&gaps);
        int change = changes ? changes[leaf] : TAMIS_AS_IS, is_media = page->is_media[leaf];
        tamis_text text = change == TAMIS_SHOWN || change == TAMIS_VERBATIM ? next_text(&others) : own;
        if (leaf != leaves[done]) {
            is_skipped |= is_media ? gap.size > 0 : page->visible[leaf];
            is_between |= is_media || change == TAMIS_DROPPED ? gap.size || begins_blank(own) || ends_blank(own)
                                                              : page->visible[leaf];
            continue;
        }
        tamis_row columns = tabs ? tabs[done] : 0;
        if (out + room - to < 3 + columns + gap.size + text.size) return TAMIS_TOO_LITTLE_MEMORY;
        int is_verbatim = change == TAMIS_VERBATIM, is_code = !is_verbatim && preformatted[done];
        int begins_line = ends_line || (is_verbatim && text.size && text.bytes[0] == '\n');
        const char *apart = separators[breaks[done]];
        if (!*apart && !columns && begins_line) apart = "\n";
        int is_apart = *apart || columns;
        if (!is_apart && !is_code) {
            int is_spaced = ends_in_space || gap.size || (!is_verbatim && begins_blank(text));
            if (is_spaced || (done && is_skipped && is_between)) apart = " ";
        } else if (follows_code && !is_code && !is_verbatim) {
            /* The separator takes the place of the line breaks at the end of the piece before, which a NUL ends. */
            for (to--; to > out && to[-1] == '\n';) to--;
            *to++ = 0;
        }
        while (*apart) *to++ = *apart++;
        while (columns-- > 0) *to++ = '\t';
        if (is_verbatim) {
            to = copied(to, without_lines_after(without_lines_before(text)));
        } else if (!is_code) {
            to = folded(to, text);
        } else {
            if (is_apart) gap = without_lines_before(gap);
            if (is_apart && !gap.size) text = without_lines_before(text);
            to = copied(copied(to, gap), text);
        }
        *to++ = 0;
        done++;
        ends_in_space = !is_verbatim && !is_code && ends_blank(text);
        follows_code = is_code;
        ends_line = is_verbatim && text.size && text.bytes[text.size - 1] == '\n';
        is_skipped = is_between = 0;
    }
    return to - out;
}
