/* Pages as they come from the web, for what stands in front of the parser. */
#include "fuzz.h"

static void add_token(buffer *to) {
    static const char *names[] = {"table", "tr", "td", "th", "template", "b", "i", "a", "font", "nobr", "strong", "div", "p",
                                  "li", "dd", "dt", "option", "svg", "g", "path", "linearGradient", "animateTransform",
                                  "math", "title", "script", "style", "textarea", "xmp", "iframe", "noembed", "noframes",
                                  "plaintext", "frameset", "html", "body", "selectedcontent", "br", "img", "h1", "x-y",
                                  "averylongnamethatnobodyknows", "animatetransformx", "select", "form", "TABLE", "Svg"};
    static const char *attributes[] = {" ", " a", " a=b", " a=\"b\"", " a='b>", " a=\"", " '", "/", " a = b/", "=", " =\"'\"",
                                       "\n", " a=\"<table>\"", " a=>", "\f\t"};
    static const char *others[] = {"<!--", "-->", "--!>", "<!-->", "<!--->", "<!---!>", "<![CDATA[", "]]>", "]", ">", "<",
                                   "</", "<!", "<?", "<!doctype html>", "text", " ", "&lt;", "<script>", "</script>",
                                   "<!--<script>", "</svg>", "<svg>", "\"", "'", "<svg><g><path></svg>",
                                   "<svg><g></path>"};
    if (one_in(4)) {
        add_string(to, PICK(others));
        return;
    }
    add_string(to, one_in(4) ? "</" : "<");
    add_string(to, PICK(names));
    while (one_in(4)) add_string(to, PICK(attributes));
    if (!one_in(20)) add_string(to, one_in(20) ? "/>" : ">");
}

/* Tokens, some of them again and again: what is counted must come to its limits. */
static void add_markup(buffer *to) {
    int is_read = one_in(2); /* the tags are read one by one only before a table that is the last of many tags */
    for (int each = 0; is_read && each < 510; each++) add_string(to, "<p>");
    for (ptrdiff_t parts = below(12); parts > 0; parts--) {
        buffer unit = {0};
        for (ptrdiff_t tokens = 1 + below(4); tokens > 0; tokens--) add_token(&unit);
        ptrdiff_t times = one_in(6) ? below(one_in(20) ? 5000 : 600) : 1;
        for (ptrdiff_t each = 0; each < times; each++) add(to, unit.bytes, unit.size);
        free(unit.bytes);
    }
    if (is_read) add_string(to, "<table><tr>");
}

static void change_bytes(buffer *some) {
    for (ptrdiff_t changes = below(6); changes > 0 && some->size; changes--) {
        if (one_in(4)) some->size = below(some->size) + 1; /* cut off */
        else some->bytes[below(some->size)] = (char)(one_in(3) ? "<>/\"'=- "[below(8)] : below(256));
    }
}

void try_guard(const input *some) {
    buffer made = {0};
    if (some->source.size && one_in(2)) add(&made, some->source.bytes, some->source.size);
    else add_markup(&made);
    if (one_in(2)) change_bytes(&made);
    uint8_t *page = malloc(made.size);
    if (made.size) memcpy(page, made.bytes, made.size);
    int32_t first = tamis_guard(page, made.size), second = tamis_guard(page, made.size);
    REQUIRE((first == 0 || first == 1) && first == second, "tamis_guard: %d, then %d", first, second);
    REQUIRE(!made.size || !memcmp(page, made.bytes, made.size), "the page was changed");
    free(page);
    free(made.bytes);
}
