/* The names that authors give to the parts of a page: in classes and ids, ARIA roles and schema.org properties.
 *
 * Words of about the same meaning are one group (conventions.json), and a group is a bit. Whole names are not looked
 * up: they tell the site rather than the part of the page.
 */
#include "internal.h"

enum {
    LONGEST = 100,     /* characters of a class attribute that are read; the rest is layout */
    SHORTEST_PART = 3, /* letters of a word that is a part of a longer one */
    LONGEST_WORD = 64  /* no known role or property is longer */
};

static int may_begin_name(const char *letters) {
    unsigned place = ((letters[0] - 'a') * 26 + (letters[1] - 'a')) * 26 + (letters[2] - 'a');
    return name_begins[place / 32] >> place % 32 & 1;
}

/* The groups of a known word, or of the two that a word is made of ("articletext"), or of what comments it is. */
static uint64_t word_bits(tamis_text word) {
    int whole = VALUE_OF(name_words, word);
    if (whole >= 0) return (uint64_t)1 << whole;
    if (word.size < SHORTEST_PART || !may_begin_name(word.bytes)) return 0;
    for (ptrdiff_t cut = SHORTEST_PART; cut <= word.size - SHORTEST_PART; cut++) {
        if (!may_begin_name(word.bytes + cut)) continue;
        int first = VALUE_OF(name_words, ((tamis_text){word.bytes, cut}));
        if (first < 0) continue;
        int second = VALUE_OF(name_words, ((tamis_text){word.bytes + cut, word.size - cut}));
        if (second >= 0) return (uint64_t)1 << first | (uint64_t)1 << second;
    }
    tamis_text commentary = {"commentary", 10};
    int is_comment = word.size >= 7 && !memcmp(word.bytes, "comment", 7) && !is_equal(word, commentary);
    return is_comment ? (uint64_t)1 << NAME_COMMENT : 0;
}

static int is_lower(char letter) { return letter >= 'a' && letter <= 'z'; }
static int is_upper(char letter) { return letter >= 'A' && letter <= 'Z'; }

/* Where the word that begins here ends: of camelCase, snake_case and kebab-case. */
static const char *word_end(const char *at, const char *end) {
    const char *next = at + is_upper(*at);
    if (next < end && is_lower(*next)) {
        while (next < end && is_lower(*next)) next++;
        return next;
    }
    while (next < end && is_upper(*next)) next++;
    /* The last capital begins the next word if small letters follow. */
    return next < end && is_lower(*next) ? next - 1 : next;
}

uint64_t name_bits(tamis_text given) {
    given = prefix_of(given, LONGEST);
    const char *at = given.bytes, *end = at + given.size;
    uint64_t found = 0;
    while (at < end) {
        if (!is_lower(*at) && !is_upper(*at)) {
            at++;
            continue;
        }
        const char *last = word_end(at, end);
        char small[LONGEST];
        ptrdiff_t size = last - at;
        for (ptrdiff_t place = 0; place < size; place++) small[place] = at[place] | 32;
        found |= word_bits((tamis_text){small, size});
        at = last;
    }
    return found;
}

/* A word in lower case, as far as ASCII goes; empty if it is too long to be known. */
static tamis_text lowered(tamis_text word, char small[LONGEST_WORD]) {
    if (word.size > LONGEST_WORD) return (tamis_text){small, 0};
    for (ptrdiff_t at = 0; at < word.size; at++) small[at] = is_upper(word.bytes[at]) ? word.bytes[at] | 32 : word.bytes[at];
    return (tamis_text){small, word.size};
}

uint64_t mark_bits(tamis_text role, tamis_text properties) {
    char small[LONGEST_WORD];
    int group = VALUE_OF(role_words, lowered(stripped(role), small));
    uint64_t found = group < 0 ? 0 : (uint64_t)1 << group;
    const char *at = properties.bytes, *end = at + properties.size;
    while (at < end) {
        const char *begin = at, *next = at;
        while (at < end && !(class_of(next_point(&next, end)) & SPACE)) at = next;
        group = VALUE_OF(property_words, lowered((tamis_text){begin, at - begin}, small));
        if (group >= 0) found |= (uint64_t)1 << (ROLES + group);
        at = next;
    }
    return found;
}
