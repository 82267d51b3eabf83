/* Which of two networks labels a page: the one that learned from pages as they are published today, or the one that
 * learned from pages of earlier years, too. The markup tells it before any run is looked at. */
#include "internal.h"

enum { HAS_NESTED_TABLES = 256, HAS_MARKS, DECLARED_PAGE };
_Static_assert(DECLARED_PAGE + TAMIS_PAGE_COLUMNS == TAMIS_GATE_COLUMNS, "the columns of the gate");

static int is_nested_table(const tamis_page *page, tamis_row row) {
    for (tamis_row above = page->parent[row], step = 0; above >= 0 && step < 4; above = page->parent[above], step++)
        if (page->code[above] == TAG_TD) return 1;
    return 0;
}

ptrdiff_t tamis_gate_size(void) { return TAMIS_GATE_COLUMNS + 1; }

void tamis_gate_columns(const tamis_page *page, const tamis_declared *declared, float *columns) {
    memset(columns, 0, TAMIS_GATE_COLUMNS * sizeof(float));
    for (tamis_row row = 0; row < page->elements; row++) {
        columns[page->code[row]] = 1; /* the tags of the page, whatever their number */
        if (page->code[row] == TAG_TABLE && !columns[HAS_NESTED_TABLES])
            columns[HAS_NESTED_TABLES] = is_nested_table(page, row);
    }
    columns[HAS_MARKS] = declared->marked > 0;
    memcpy(columns + DECLARED_PAGE, declared->page, TAMIS_PAGE_COLUMNS * sizeof(float));
}

float tamis_gate(const tamis_page *page, const tamis_declared *declared, const float *weights) {
    float columns[TAMIS_GATE_COLUMNS], sum = weights[TAMIS_GATE_COLUMNS];
    tamis_gate_columns(page, declared, columns);
    for (ptrdiff_t column = 0; column < TAMIS_GATE_COLUMNS; column++) sum += columns[column] * weights[column];
    return sum;
}
