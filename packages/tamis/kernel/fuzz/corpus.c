/* Pages that were real: corpus.py wrote their tables to a file. */
#include "fuzz.h"

/* In the order of the file. */
enum { FILE_CODE, FILE_PARENT, FILE_END, FILE_ELEMENT, FILE_OPENED, FILE_IS_MEDIA, FILE_VISIBLE, FILE_FOLDED, FILE_TEXTS,
       FILE_TITLE, FILE_OG_TITLE, FILE_BODY, FILE_DESCRIPTION, FILE_META, FILE_REVIEW, FILE_PARTS, FILE_NAMES,
       FILE_OPENINGS, FILE_COLUMNS, FILE_NAMES_OF, FILE_MARKED_ROWS, FILE_MARKS, FILE_SOURCE, PARTS };

typedef struct {
    const char *bytes;
    int64_t size;
} part;

static buffer file;
static buffer pages; /* a `part[PARTS]` for each */

void read_corpus(const char *path) {
    FILE *from = fopen(path, "rb");
    REQUIRE(from, "can't read %s", path);
    char piece[65536];
    for (size_t size; (size = fread(piece, 1, sizeof piece, from));) add(&file, piece, size);
    fclose(from);
    for (const char *at = file.bytes, *end = at + file.size; at < end;) {
        part read[PARTS];
        for (int each = 0; each < PARTS; each++) { /* its bytes, and before them how many there are */
            REQUIRE(end - at >= 8, "%s is cut off", path);
            memcpy(&read[each].size, at, 8);
            read[each].bytes = at + 8;
            REQUIRE(read[each].size >= 0 && read[each].size <= end - at - 8, "%s is cut off", path);
            at += 8 + read[each].size;
        }
        add(&pages, read, sizeof read);
    }
}

int has_corpus(void) { return pages.size > 0; }

input page_of_corpus(void) {
    const part *from = (const part *)pages.bytes + PARTS * below(pages.size / (ptrdiff_t)(PARTS * sizeof(part)));
    void *bytes[PARTS];
    input made = {0};
    for (int each = 0; each < PARTS; each++) bytes[each] = own(&made, from[each].bytes, from[each].size);
#define TEXT(which) ((tamis_text){bytes[which], from[which].size})
    made.page = (tamis_page){.elements = from[FILE_CODE].size, .leaves = from[FILE_IS_MEDIA].size, .code = bytes[FILE_CODE],
                             .parent = bytes[FILE_PARENT], .end = bytes[FILE_END], .element = bytes[FILE_ELEMENT],
                             .opened = bytes[FILE_OPENED], .is_media = bytes[FILE_IS_MEDIA], .visible = bytes[FILE_VISIBLE],
                             .folded = bytes[FILE_FOLDED], .texts = TEXT(FILE_TEXTS)};
    made.declared = (tamis_declared){.title = TEXT(FILE_TITLE), .og_title = TEXT(FILE_OG_TITLE), .body = TEXT(FILE_BODY),
                                     .description = TEXT(FILE_DESCRIPTION), .meta = TEXT(FILE_META),
                                     .review = TEXT(FILE_REVIEW), .parts = TEXT(FILE_PARTS),
                                     .names = TEXT(FILE_NAMES), .openings = TEXT(FILE_OPENINGS), .page = bytes[FILE_COLUMNS],
                                     .marked = from[FILE_MARKED_ROWS].size / (ptrdiff_t)sizeof(tamis_row),
                                     .marked_rows = bytes[FILE_MARKED_ROWS], .marks = TEXT(FILE_MARKS)};
    made.names = TEXT(FILE_NAMES_OF);
    made.source = TEXT(FILE_SOURCE);
    return made;
}
