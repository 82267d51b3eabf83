/* How many bytes a character takes in another case. The kernel has room for that many and no more (headline.c, noise.c),
 * inside of structures where no sanitizer sees a write that is too long. So every character is tried. */
#include "fold.h"
#include "fuzz.h"

void check_folds(void) {
    for (uint32_t point = 1; point < 0x140000; point++) { /* all that is read as one; the last ones are of no script */
        char text[4], *lowered = malloc(4), *words = malloc(1 + LONGEST_FOLD + 1);
        tamis_text given = {text, put_point(point, text)};
        ptrdiff_t size = lower(given, lowered);
        REQUIRE(size > 0 && size <= 4, "U+%04X in lower case has %td bytes", point, size);
        words[0] = 'a'; /* a word before it, so that a space may be needed */
        size = add_words(given, words, 1);
        REQUIRE(size >= 1 && size <= 1 + LONGEST_FOLD + 1, "the words of U+%04X have %td bytes", point, size);
        free(lowered);
        free(words);
    }
}
