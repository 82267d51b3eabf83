/* Letter case as in Python: str.lower(), and the words of str.casefold(). The tables are made from Python's own. */
#include "fold.h"

#define COUNT(array) ((ptrdiff_t)(sizeof(array) / sizeof(*(array))))

/* Is a code point in one of these ranges? `bounds` has the first point of each range, and the one behind its last. */
static int is_in(const uint32_t *bounds, ptrdiff_t count, uint32_t point) {
    ptrdiff_t low = 0, high = count;
    while (low < high) {
        ptrdiff_t middle = (low + high) / 2;
        if (bounds[middle] <= point) low = middle + 1;
        else high = middle;
    }
    return low & 1; /* behind a first point, but not behind the last */
}

/* The code points that a character becomes in the other case; returns how many there are. */
static int change_case(const case_range *ranges, ptrdiff_t count, uint32_t point, uint32_t to[LONGEST_CASE]) {
    to[0] = point;
    if (point < 0x80) {
        if (point >= 'A' && point <= 'Z') to[0] += 'a' - 'A';
        return 1;
    }
    ptrdiff_t low = 0, high = count;
    while (low < high) {
        ptrdiff_t middle = (low + high) / 2;
        if (ranges[middle].last < point) low = middle + 1;
        else high = middle;
    }
    if (low == count || point < ranges[low].first) return 1;
    const case_range *range = &ranges[low];
    if (range->step) {
        if ((point - range->first) % range->step == 0) to[0] = point + range->change;
        return 1;
    }
    int size = 0;
    for (; size < LONGEST_CASE && long_cases[range->change][size]; size++) to[size] = long_cases[range->change][size];
    return size;
}

ptrdiff_t put_point(uint32_t point, char *to) {
    if (point < 0x80) {
        to[0] = (char)point;
        return 1;
    }
    int size = point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    for (int place = size - 1; place > 0; place--, point >>= 6) to[place] = (char)(0x80 | (point & 0x3F));
    to[0] = (char)(0xF00 >> size | point); /* as many ones as bytes, and a zero */
    return size;
}

/* Is a capital sigma the last letter of a word? Marks such as apostrophes and accents are passed over. */
static int is_final_sigma(tamis_text text, const char *sigma, const char *next) {
    const char *end = text.bytes + text.size, *at = sigma;
    uint32_t point = 0;
    while (at > text.bytes) {
        do at--;
        while (at > text.bytes && ((uint8_t)*at & 0xC0) == 0x80);
        const char *here = at;
        point = next_point(&here, end);
        if (!is_in(case_ignorable, COUNT(case_ignorable), point)) break;
        point = 0;
    }
    if (!is_in(cased, COUNT(cased), point)) return 0;
    while (next < end) {
        point = next_point(&next, end);
        if (!is_in(case_ignorable, COUNT(case_ignorable), point)) return !is_in(cased, COUNT(cased), point);
    }
    return 1;
}

ptrdiff_t lower(tamis_text text, char *to) {
    const char *at = text.bytes, *end = at + text.size;
    ptrdiff_t size = 0;
    while (at < end) {
        const char *here = at;
        uint32_t point = next_point(&at, end), small[LONGEST_CASE];
        int count = change_case(lower_cases, COUNT(lower_cases), point, small);
        if (point == 0x3A3 && is_final_sigma(text, here, at)) small[0] = 0x3C2;
        for (int each = 0; each < count; each++) size += put_point(small[each], to + size);
    }
    return size;
}

/* Does \w match it? */
static int is_of_word(uint32_t point) {
    /* class_of takes all rare characters for Han. */
    if (point > LAST_POINT) return is_in(rare_letters, COUNT(rare_letters), point);
    return point == '_' || class_of(point) & ALNUM;
}

ptrdiff_t add_words(tamis_text text, char *to, ptrdiff_t size) {
    const char *at = text.bytes, *end = at + text.size;
    int in_word = 0;
    while (at < end) {
        uint32_t folded[LONGEST_CASE];
        int count = change_case(folded_cases, COUNT(folded_cases), next_point(&at, end), folded);
        for (int each = 0; each < count; each++) {
            int was_in_word = in_word;
            in_word = is_of_word(folded[each]);
            if (!in_word) continue;
            if (!was_in_word && size) to[size++] = ' ';
            size += put_point(folded[each], to + size);
        }
    }
    return size;
}

int is_one_of(uint32_t point, tamis_text marks) {
    if (class_of(point) & ALNUM) return 0; /* most are, and this is faster */
    for (const char *at = marks.bytes, *end = at + marks.size; at < end;)
        if (next_point(&at, end) == point) return 1;
    return 0;
}

tamis_text next_part(reader *rest, find_end *separator_end) {
    const char *begin = rest->at, *behind = NULL;
    ptrdiff_t size = rest->end - begin;
    while (rest->at < rest->end && rest->at != behind) {
        if (!behind && (behind = separator_end(rest->at, rest->end, rest->before))) size = rest->at - begin;
        rest->before = next_point(&rest->at, rest->end);
    }
    return (tamis_text){begin, size};
}
