/* The decision: the threshold of a page, comments, copies, structures, noise, pages without content; and the labels.
 */
#include "policy.h"

#include "fold.h"

enum { CONTENT, COMMENT, RELATED }; /* the logits of each run */

/* The logits from which a run is a comment or related. On Dragnet, any from -0.8 to 0 finds as many comments and is as
 * good for the text; on pages of today a lower one takes quotations and documentation for comments. */
#define COMMENT_FROM (-0.25f)
#define RELATED_FROM (-0.25f)
/* The same for a run that is not kept and is in an element named after comments: it loses nothing by that role. */
#define NAMED_COMMENT_FROM (-3.0f)

/* Added to the threshold that training chose, by page type. A line too many is forgiven sooner than a hole, so
 * where F1 hardly changes the lowest is taken. Chosen out of fold and on validation sets: docs/research/tamis.md. */
static const float added_threshold[PAGE_TYPES] = {
    [PAGE_TYPE_ARTICLE] = 0.1f, [PAGE_TYPE_DOCUMENTATION] = -1,   [PAGE_TYPE_SERVICE] = -0.4f,
    [PAGE_TYPE_FORUM] = -0.1f,  [PAGE_TYPE_LISTING] = -0.3f,     [PAGE_TYPE_PRODUCT] = 0.2f,
    [PAGE_TYPE_COLLECTION] = -0.4f,
};

/* A page of fewer words is a menu, a form or a shell, and has no content, if only links, form fields, footers, folded
 * texts, noscript notes and texts without words would be kept. */
#define SMALL_PAGE 150

/* A forum is a thread of posts if at least this share of its records have a date. Out of fold, keeping posts together
 * brings 0.6 points on threads and costs less than 0.1 on the forums of WCXB; shares from 0.5 to 0.8 differ by up to
 * 0.5 points. */
#define MOST_RECORDS 0.6f
/* Runs of posts that look alike are all kept if at least this share of their words is kept; */
#define MOST_WORDS_OF_POSTS 0.6
/* shorter ones stay as they are: they may be names, dates or counters. */
#define LEAST_WORDS_OF_POST 5

/* ---- shared with structures.c ---- */

int is_kept(const decision *page, tamis_row number) { return number >= 0 && number < page->count && page->kept[number]; }
double words_of(const decision *page, tamis_row number) { return page->run[number].words; }

static float linked_share(const run *each) { return each->linked / (each->words > 1 ? each->words : 1); }
double linked_words_of(const decision *page, tamis_row number) {
    return page->run[number].words * linked_share(&page->run[number]);
}

void keep_content(decision *page) {
    for (tamis_row number = 0; number < page->count; number++)
        page->kept[number] = page->content[number] >= page->threshold;
}

double *sums_before(decision *page, double (*value)(const decision *page, tamis_row number)) {
    double *sums = take(page->memory, page->count + 1, sizeof *sums);
    for (tamis_row number = 0; sums && number < page->count; number++) sums[number + 1] = sums[number] + value(page, number);
    return sums;
}

tamis_row *tags_before(decision *page, int (*is_wanted)(uint8_t code)) {
    tamis_row *sums = take(page->memory, page->page->elements + 1, sizeof *sums);
    for (tamis_row row = 0; sums && row < page->page->elements; row++)
        sums[row + 1] = sums[row] + is_wanted(page->page->code[row]);
    return sums;
}

parts find_parts(decision *page, int (*is_wanted)(uint8_t code)) {
    const tamis_row *held = page->runs->state->held;
    ptrdiff_t size = 0;
    for (tamis_row row = 0; row < page->page->elements; row++) size += held[row] && is_wanted(page->page->code[row]);
    parts found = {0, take(page->memory, size, sizeof(tamis_row)), take(page->memory, size, sizeof(tamis_row)),
                   take(page->memory, size, sizeof(tamis_row))};
    if (page->memory->left < 0) return (parts){.count = -1};
    tamis_row first = 0;
    for (tamis_row row = 0; row < page->page->elements; row++) {
        if (!held[row] || !is_wanted(page->page->code[row])) continue;
        while (first < page->count && page->run[first].opened < row) first++;
        found.row[found.count] = row;
        found.first[found.count] = first;
        found.last[found.count++] = first + held[row];
    }
    return found;
}

/* ---- noscript ---- */

static int is_in_noscript(const run *each) { return each->bits >> HOLDER_NOSCRIPT & 1; }

/* Drop the texts of NOSCRIPT beside more other content: they ask for scripts, or are hidden, since no browser shows them.
 * Out of fold that brings 0.1 points on the forums and listings of WCXB dev, and no page loses. */
static void drop_noscript(decision *page) {
    double inside = 0, beside = 0; /* kept words */
    for (tamis_row number = 0; number < page->count; number++)
        if (page->content[number] >= page->threshold)
            *(is_in_noscript(&page->run[number]) ? &inside : &beside) += page->run[number].words;
    if (beside <= inside) return;
    for (tamis_row number = 0; number < page->count; number++)
        if (is_in_noscript(&page->run[number])) page->content[number] = DROPPED;
}

/* ---- posts ---- */

/* May a run be a text of a post? What was dropped before is not, and it stays dropped. */
static int is_in_post(const decision *page, tamis_row number) {
    return page->runs->state->record[number].is_in && page->content[number] > DROPPED;
}

/* In a thread, keep the texts of its posts together: where most words of the runs with one tag at one depth are kept, a
 * short answer among them is kept, too. */
static int32_t keep_posts(decision *page) {
    if (page->type != PAGE_TYPE_FORUM || page->runs->state->records.with_dates < MOST_RECORDS) return 0;
    arena memory = *page->memory;
    /* (runs) the words of all runs like a run, at the first of them, and the words of those that are kept */
    double *words = take(&memory, page->count, sizeof *words), *kept = take(&memory, page->count, sizeof *kept);
    if (!words || !kept) return TAMIS_TOO_LITTLE_MEMORY;
    for (tamis_row number = 0; number < page->count; number++) {
        const run *each = &page->run[number];
        if (!is_in_post(page, number)) continue;
        words[each->like] += each->words;
        if (page->content[number] >= page->threshold) kept[each->like] += each->words;
    }
    for (tamis_row number = 0; number < page->count; number++) {
        const run *each = &page->run[number];
        int stays = is_in_post(page, number) && each->words >= LEAST_WORDS_OF_POST && each->repeated < 2 &&
                    kept[each->like] >= MOST_WORDS_OF_POSTS * words[each->like];
        if (stays && page->content[number] < page->threshold) page->content[number] = page->threshold;
    }
    return 0;
}

/* ---- copies ---- */

/* Paragraphs, list items and cells in one of these are in the flow of the element around it. */
static int is_flow(uint8_t code) {
    return code == TAG_UL || code == TAG_OL || code == TAG_LI || code == TAG_DL || code == TAG_DT || code == TAG_DD ||
           code == TAG_TABLE || code == TAG_THEAD || code == TAG_TBODY || code == TAG_TFOOT || code == TAG_TR;
}

/* (elements) the nearest element around each that is none of them, or -1. For all at once: to climb from each run would
 * take as many steps as lists are nested. */
static tamis_row *find_containers(const tamis_page *page, arena *memory) {
    tamis_row *found = take(memory, page->elements, sizeof *found);
    for (tamis_row row = 0; found && row < page->elements; row++) {
        tamis_row parent = page->parent[row];
        found[row] = parent >= 0 && is_flow(page->code[parent]) ? found[parent] : parent;
    }
    return found;
}

/* A quotation is worth this much less than the text that it quotes, so that the text stays where it was said. With the
 * whole containers below, that brings 0.1 points on threads and 1.1 on the quotations of WCXB dev, out of fold. */
#define QUOTED 3

static double worth(const decision *page, tamis_row number) {
    return page->content[number] - (page->run[number].bits >> HOLDER_BLOCKQUOTE & 1 ? QUOTED : 0);
}

/* (runs) what each copy is worth: the mean of all copies in its container, by words, so that of two lists with the same
 * lines one stays whole. 0 for runs without copies. */
static double *worth_of_copies(const decision *page, const tamis_row *container, const uint8_t *is_copied,
                               arena *memory) {
    double *found = take(memory, page->count, sizeof *found);
    arena scratch = *memory;
    double *sums = take(&scratch, page->page->elements, sizeof *sums);
    double *words = take(&scratch, page->page->elements, sizeof *words);
    if (!words) return NULL;
    for (tamis_row number = 0; number < page->count; number++) {
        tamis_row around = container[page->run[number].element];
        if (!is_copied[page->runs->copy_of[number]] || around < 0 || page->content[number] <= DROPPED) continue;
        sums[around] += worth(page, number) * page->run[number].words;
        words[around] += page->run[number].words;
    }
    for (tamis_row number = 0; number < page->count; number++) {
        tamis_row around = container[page->run[number].element];
        if (!is_copied[page->runs->copy_of[number]]) continue;
        int is_summed = around >= 0 && page->content[number] > DROPPED;
        found[number] = is_summed ? sums[around] / words[around] : worth(page, number);
    }
    return found;
}

/* Drop the runs with the same text as a likelier one that is not in the same flow.
 *
 * Pages repeat tables and teasers for narrow screens, and answers quote what they answer: those copies are in another
 * container. A refrain or a legal phrase is repeated in the flow of one container. */
static int32_t drop_copies(decision *page) {
    const tamis_row *copy_of = page->runs->copy_of;
    arena memory = *page->memory;
    tamis_row *likeliest = take(&memory, page->count, sizeof *likeliest); /* of each text, at its first run */
    uint8_t *is_copied = take(&memory, page->count, 1);
    uint8_t *drops = take(&memory, page->count, 1);
    if (!drops) return TAMIS_TOO_LITTLE_MEMORY;
    int has_copies = 0;
    for (tamis_row number = 0; number < page->count; number++)
        if (copy_of[number] != number) has_copies = is_copied[copy_of[number]] = 1;
    if (!has_copies) return 0;
    const tamis_row *container = find_containers(page->page, &memory);
    if (!container) return TAMIS_TOO_LITTLE_MEMORY;
    const double *worths = worth_of_copies(page, container, is_copied, &memory);
    if (!worths) return TAMIS_TOO_LITTLE_MEMORY;
    for (tamis_row number = 0; number < page->count; number++) {
        tamis_row first = copy_of[number];
        if (first == number || worths[number] > worths[likeliest[first]]) likeliest[first] = number;
    }
    for (tamis_row number = 0; number < page->count; number++) {
        tamis_row first = copy_of[number];
        if (!is_copied[first]) continue;
        const run *each = &page->run[number], *best = &page->run[likeliest[first]];
        drops[number] = each->folded != best->folded || container[each->element] != container[best->element];
    }
    /* What stays is as likely as the likeliest of its copies. */
    for (tamis_row number = 0; number < page->count; number++) {
        tamis_row stays = likeliest[copy_of[number]];
        if (drops[number] && page->content[number] > page->content[stays]) page->content[stays] = page->content[number];
    }
    for (tamis_row number = 0; number < page->count; number++)
        if (drops[number]) page->content[number] = DROPPED;
    return 0;
}

/* ---- headings ---- */

enum { NO_LEVEL, TEXT_LEVEL = 7 };

/* The level of the heading that a run is in, or TEXT_LEVEL. */
static int level_of(const run *each) {
    if (each->bits >> HOLDER_H1 & 1) return 1;
    if (each->bits >> HOLDER_H2 & 1) return 2;
    if (each->bits >> HOLDER_H3 & 1) return 3;
    if (!(each->bits >> HOLDER_H4_H5_H6 & 1)) return TEXT_LEVEL;
    return each->code == TAG_H5 ? 5 : each->code == TAG_H6 ? 6 : 4;
}

/* Is the leaf after a run a visible medium? */
static int has_medium_below(const decision *page, const run *each) {
    tamis_row leaf = page->runs->text[each->text + each->texts - 1] + 1;
    return leaf < page->page->leaves && page->page->is_media[leaf] && page->page->visible[leaf];
}

/* Drop the headings that stay without their section: below them only dropped texts come before the end or a heading at
 * least as high. Where a heading names a thing (a product, a service, an entry of a list), it is content by itself, and
 * documentation has headings above code or a picture alone. */
static void drop_hollow_headings(decision *page) {
    if (page->type != PAGE_TYPE_ARTICLE && page->type != PAGE_TYPE_FORUM) return;
    int below = NO_LEVEL, is_dropped = 1; /* the level of the kept run below, and is a text dropped before it? */
    for (tamis_row number = page->count - 1; number >= 0; number--) {
        int level = level_of(&page->run[number]);
        if (!page->kept[number]) {
            is_dropped |= level == TEXT_LEVEL;
        } else if (level != TEXT_LEVEL && level >= below && is_dropped && !has_medium_below(page, &page->run[number])) {
            page->kept[number] = 0;
            page->content[number] = DROPPED;
        } else {
            below = level;
            is_dropped = 0;
        }
    }
}

/* ---- content ---- */

static int32_t decide(decision *page) {
    for (tamis_row number = 0; number < page->count; number++)
        if (page->comments[number]) page->content[number] = DROPPED;
    drop_noscript(page);
    /* Documentation repeats sentences on purpose. */
    if (page->type != PAGE_TYPE_DOCUMENTATION && drop_copies(page)) return TAMIS_TOO_LITTLE_MEMORY;
    if (keep_posts(page)) return TAMIS_TOO_LITTLE_MEMORY;
    for (tamis_row number = 0; number < page->count; number++) page->dropped[number] = page->content[number] <= DROPPED;
    arena memory = *page->memory;
    if (keep_structures_whole(page)) return TAMIS_TOO_LITTLE_MEMORY;
    *page->memory = memory;
    if (keep_data_tables(page)) return TAMIS_TOO_LITTLE_MEMORY;
    *page->memory = memory;
    keep_content(page);
    uint8_t *noise = take(page->memory, page->count, 1);
    if (!noise || find_noise(page->page, page->runs, page->kept, page->type, noise)) return TAMIS_TOO_LITTLE_MEMORY;
    for (tamis_row number = 0; number < page->count; number++)
        if (noise[number]) page->content[number] = DROPPED;
    *page->memory = memory;
    keep_content(page);
    return 0;
}

/* (elements) is it in a NOSCRIPT? */
static uint8_t *find_notes(const tamis_page *page, arena *memory) {
    uint8_t *found = take(memory, page->elements, 1);
    for (tamis_row row = 0; found && row < page->elements; row++)
        found[row] = page->code[row] == TAG_NOSCRIPT || (row && found[page->parent[row]]);
    return found;
}

/* Is the page large, or is any text with words kept that is not a link, field, footer or note? Also true if nothing is
 * kept. An error if there is too little memory. */
static int32_t has_content(const decision *page) {
    const uint64_t no_prose = 1u << HOLDER_NAV | 1u << HOLDER_FOOTER | 1u << HOLDER_FORM | 1u << HOLDER_BUTTON |
                              1u << HOLDER_TEXTAREA_SELECT;
    if (page->runs->state->before[WORDS][page->count] >= SMALL_PAGE) return 1;
    arena memory = *page->memory;
    const uint8_t *is_note = find_notes(page->page, &memory);
    if (!is_note) return TAMIS_TOO_LITTLE_MEMORY;
    int is_empty = 1;
    for (tamis_row number = 0; number < page->count; number++) {
        const run *each = &page->run[number];
        if (!page->kept[number]) continue;
        is_empty = 0;
        if (each->words && linked_share(each) < 0.5f && !(each->bits & no_prose) && !each->folded &&
            !is_note[page->page->element[each->leaf]])
            return 1;
    }
    return is_empty;
}

/* ---- labels ---- */

static double probability(double logit) {
    if (logit > 30) logit = 30;
    if (!(logit > -30)) logit = -30; /* also for NaN: it is not kept */
    return 1 / (1 + exponential(-logit));
}

static int is_shown_text(const tamis_page *page, tamis_row leaf) { return page->visible[leaf] && !page->is_media[leaf]; }

/* Is a row in the element `around`? No row, -1, is in none. */
static int is_around(const tamis_page *page, tamis_row around, tamis_row row) {
    return around <= row && row < page->end[around];
}

/* A medium stays if the texts next to it on both sides are kept. If only one of them is kept, that text has to be inside
 * the smallest element around the medium that contains any text (its figure, card or paragraph). A caption that is not
 * kept does not count: with it a third of the images between kept paragraphs were lost (WCXB dev). */
void tamis_surrounded_media(const tamis_page *page, const uint8_t *kept, uint8_t *media) {
    tamis_row before = -1, waiting = 0; /* the last text that counts; the first leaf whose next text is not known yet */
    tamis_row figure = -1, next = 0;    /* the last outermost figure; the first element that was not looked at */
    memset(media, 0, page->leaves);
    for (tamis_row leaf = 0; leaf <= page->leaves; leaf++) {
        int is_end = leaf == page->leaves;
        if (!is_end) {
            if (!is_shown_text(page, leaf)) continue;
            for (; next <= page->opened[leaf]; next++)
                if (page->code[next] == TAG_FIGURE && (figure < 0 || page->end[figure] <= next)) figure = next;
            int in_figure = figure >= 0 && figure <= page->element[leaf] && page->element[leaf] < page->end[figure];
            if (in_figure && !kept[leaf]) continue;
        }
        int kept_before = before >= 0 && kept[before], kept_after = !is_end && kept[leaf];
        tamis_row last = -1; /* the element of the medium before, between the same texts; and did that medium stay? */
        int has_stayed = 0;
        for (; waiting < leaf; waiting++) {
            if (!page->is_media[waiting] || !page->visible[waiting] || !(kept_before || kept_after)) continue;
            media[waiting] = 1;
            if (kept_before && kept_after) continue;
            tamis_row wanted = page->element[kept_before ? before : leaf];
            tamis_row other = kept_before ? (is_end ? -1 : page->element[leaf]) : before < 0 ? -1 : page->element[before];
            tamis_row around = page->parent[page->element[waiting]];
            /* Where the way up meets that of the medium before, it goes on to the same end. So no element is passed twice,
             * however deep the media are. */
            while (around >= 0 && !is_around(page, around, wanted) && !is_around(page, around, other) &&
                   !is_around(page, around, last))
                around = page->parent[around];
            int is_met = around >= 0 && !is_around(page, around, wanted) && !is_around(page, around, other);
            media[waiting] = is_met ? has_stayed : around >= 0 && is_around(page, around, wanted);
            has_stayed = media[waiting];
            last = page->element[waiting];
        }
        before = leaf;
    }
}

/* Scores of texts become labels of leaves: media follow the texts around them. */
static void add_media(const tamis_page *page, tamis_labels *labels, uint8_t *media) {
    for (tamis_row leaf = 0; leaf < page->leaves; leaf++) labels->keeps_text |= labels->keep[leaf];
    if (!labels->keeps_text) return;
    tamis_surrounded_media(page, labels->keep, media);
    for (tamis_row leaf = 0; leaf < page->leaves; leaf++)
        if (media[leaf]) {
            labels->keep[leaf] = 1;
            labels->scores[leaf] = 1;
        }
}

static void clear(const tamis_page *page, tamis_labels *labels) {
    memset(labels->scores, 0, page->leaves * sizeof(double));
    memset(labels->keep, 0, page->leaves);
    memset(labels->roles, TAMIS_BOILERPLATE, page->leaves);
    labels->has_roles = labels->keeps_text = 0;
    labels->threshold = 0.5;
}

/* The softmax of the logits of page types, and the likeliest of them. */
static int find_types(const float *logits, tamis_labels *labels) {
    int best = 0;
    double sum = 0;
    for (int type = 1; type < PAGE_TYPES; type++)
        if (logits[type] > logits[best]) best = type;
    for (int type = 0; type < PAGE_TYPES; type++) sum += labels->types[type] = exponential((double)logits[type] - logits[best]);
    for (int type = 0; type < PAGE_TYPES; type++) labels->types[type] /= sum;
    return best;
}

/* Is a run that is not kept a comment? In a forum, too: a post that is not content, or a comment below an article that
 * is taken for a thread. */
static int is_comment(const run *each, float logit) {
    return logit >= (each->names >> NAME_COMMENT & 1 ? NAMED_COMMENT_FROM : COMMENT_FROM);
}

/* Spread what was decided for each run over its leaves. */
static void label_leaves(const decision *found, const float *logits, const uint8_t *is_note, uint8_t *headline,
                         tamis_labels *labels) {
    for (tamis_row number = 0; number < found->count; number++) {
        const run *each = &found->run[number];
        int kept = found->kept[number], in_caption = each->bits >> HOLDER_FIGCAPTION_CAPTION & 1;
        double score = probability(found->content[number]);
        uint8_t role = TAMIS_BOILERPLATE;
        if (is_note[number]) role = TAMIS_NOTE;
        else if (kept) role = in_caption ? TAMIS_CAPTION : TAMIS_TEXT; /* a cell of a data table is not a comment */
        else if (is_comment(each, logits[number * TAMIS_OUTPUTS + COMMENT])) role = TAMIS_COMMENT;
        else if (logits[number * TAMIS_OUTPUTS + RELATED] >= RELATED_FROM) role = TAMIS_RELATED;
        for (tamis_row place = each->text; place < each->text + each->texts; place++) {
            tamis_row leaf = found->runs->text[place];
            labels->roles[leaf] = headline[leaf] ? TAMIS_TITLE : role;
            labels->scores[leaf] = headline[leaf] ? 0 : score;
            labels->keep[leaf] = kept && !headline[leaf];
        }
    }
    add_media(found->page, labels, headline);
}

int32_t tamis_decide(const tamis_page *page, const tamis_declared *declared, tamis_runs *runs, float threshold,
                     const float *logits, const float *type_logits, tamis_labels *labels) {
    struct tamis_state *state = runs->state;
    ptrdiff_t count = runs->runs;
    clear(page, labels);
    if (!count) return 0;
    arena *memory = &state->memory, before = state->memory;
    int type = find_types(type_logits, labels);
    decision found = {.page = page, .runs = runs, .run = state->runs, .count = count, .memory = memory, .type = type,
                      .threshold = threshold + added_threshold[type]};
    uint8_t *comments = take(memory, count, 1), *headline = take(memory, page->leaves, 1);
    found.content = take(memory, count, sizeof(float));
    found.dropped = take(memory, count, 1);
    found.kept = take(memory, count, 1);
    found.comments = comments;
    if (!found.kept) return TAMIS_TOO_LITTLE_MEMORY;
    for (tamis_row number = 0; number < count; number++) {
        /* In a forum no comment is dropped, since the posts of a thread are its content. */
        comments[number] = type != PAGE_TYPE_FORUM && logits[number * TAMIS_OUTPUTS + COMMENT] >= COMMENT_FROM;
        found.content[number] = logits[number * TAMIS_OUTPUTS + CONTENT];
    }
    uint8_t *is_note = take(memory, count, 1);
    if (!is_note || decide(&found) || keep_notes(&found, declared, is_note)) return TAMIS_TOO_LITTLE_MEMORY;
    drop_hollow_headings(&found);
    labels->threshold = probability(found.threshold);
    labels->has_roles = has_content(&found);
    if (labels->has_roles < 0) return labels->has_roles;
    if (labels->has_roles) {
        if (find_headline(page, declared, runs, found.kept, headline)) return TAMIS_TOO_LITTLE_MEMORY;
        label_leaves(&found, logits, is_note, headline, labels);
    }
    state->memory = before;
    return 0;
}

int32_t tamis_label(const tamis_page *page, const tamis_declared *declared, const tamis_model *model, tamis_runs *runs,
                    tamis_labels *labels) {
    if (model->columns != COLUMNS || model->tags != 1 + LEVELS || model->outputs != TAMIS_OUTPUTS ||
        model->types != PAGE_TYPES)
        return TAMIS_BAD_SHAPE;
    arena *memory = &runs->state->memory, before = *memory;
    float *logits = take(memory, runs->runs * TAMIS_OUTPUTS, sizeof(float)), type_logits[PAGE_TYPES];
    if (!logits || tamis_network_memory(model, runs->runs) > memory->left) return TAMIS_TOO_LITTLE_MEMORY;
    if (runs->runs) run_network(page, declared, model, runs, memory->at, logits, type_logits);
    int32_t failed = tamis_decide(page, declared, runs, model->threshold, logits, type_logits, labels);
    *memory = before;
    return failed;
}

int32_t tamis_label_all(const tamis_page *page, const tamis_declared *declared, tamis_runs *runs, tamis_labels *labels) {
    arena *memory = &runs->state->memory, before = *memory;
    uint8_t *keep = take(memory, runs->runs, 1), *headline = take(memory, page->leaves, 1);
    if (!headline) return TAMIS_TOO_LITTLE_MEMORY;
    clear(page, labels);
    memset(keep, 1, runs->runs);
    if (runs->runs && find_headline(page, declared, runs, keep, headline)) return TAMIS_TOO_LITTLE_MEMORY;
    for (tamis_row leaf = 0; leaf < page->leaves; leaf++)
        if (is_shown_text(page, leaf) && !headline[leaf]) labels->keep[leaf] = labels->scores[leaf] = 1;
    add_media(page, labels, headline);
    *memory = before;
    return 0;
}

ptrdiff_t tamis_workspace(const tamis_page *page, const tamis_declared *declared, ptrdiff_t width) {
    /* Generous sums of the memory taken at once; `make fuzz-kernel` would see if they were too small. */
    ptrdiff_t texts = declared->title.size + declared->body.size + declared->description.size + declared->meta.size +
                      declared->review.size + declared->parts.size;
    ptrdiff_t run_size = sizeof(run) + sizeof(node) + 400 + (5 * width + 8) * (ptrdiff_t)sizeof(float);
    if (width > TAMIS_MOST_WIDTH || page->leaves > PTRDIFF_MAX / 4 / run_size || page->elements > PTRDIFF_MAX / 4 / 320)
        return TAMIS_TOO_LITTLE_MEMORY; /* more than can be addressed */
    return page->elements * 320 + page->leaves * run_size + 8 * texts + HEADLINE_MEMORY + 65536 + 64 * width;
}
