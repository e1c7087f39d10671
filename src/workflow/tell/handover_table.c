#include "workflow/tell/handover_table.h"

#include "base/keyed.h"
#include "base/memory.h"

#include <string.h>

enum column {
    H_FROM,
    H_TO,
    H_HAZARD,
    H_FILES,
    H_BYTES,
    H_BETWEEN,
    H_ORDER,
    H_ENOUGH,
    H_WHY,
    H_FILE
};
static const struct fth_column columns[] = {
    {"from_program", "first", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"to_program", "then", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"hazard", "which is a", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_SAME},
    {"files", "files", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"bytes", "bytes", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
    {"between", "in between", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"order", "order", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"enough", "enough", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"why", "because", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_NULL},
    {"file", "for example", FTH_UNIT_PATH, FTH_SHOW_ALWAYS},
};
static const struct fth_shape shape = {
    "handovers", "Consistency between steps: which model is enough for the files that they hand on",
    columns, sizeof columns / sizeof *columns, 0};

/* By content: does a step read what another one wrote? Of other files, it does not matter. */
static bool *handed_on(const struct fth_workflow_facts *facts)
{
    bool *handed = fth_new((size_t)facts->graph.content_count + 1, sizeof *handed);
    for (uint32_t i = 0; i < facts->handovers.count; i++)
        if (facts->handovers.list[i].hazard == FTH_PASSING_READ)
            handed[facts->handovers.list[i].content] = true;
    return handed;
}

const char **fth_handover_models(const struct fth_workflow_facts *facts,
                                 struct fth_handover_sum *sum)
{
    const struct fth_handovers *handovers = &facts->handovers;
    const char **models = fth_new((size_t)facts->graph.content_count + 1, sizeof *models);
    bool *seen = fth_new((size_t)facts->graph.content_count + 1, sizeof *seen);
    bool *handed = handed_on(facts);
    *sum = (struct fth_handover_sum){0};
    for (uint32_t i = 0; i < handovers->count; i++) {
        const struct fth_handover *handover = &handovers->list[i];
        const char **model = &models[handover->content];
        if (!handed[handover->content])
            continue;
        *model = seen[handover->content]
                     ? fth_handovers_stronger(handovers, *model, handover->enough)
                     : handover->enough;
        seen[handover->content] = true;
        sum->by_clock |= handover->order == FTH_ORDERED_BY_CLOCK;
    }
    for (uint32_t i = 0; i < facts->graph.content_count; i++) {
        models[i] = facts->graph.contents[i].crowded ? NULL : models[i];
        sum->files += seen[i];
        sum->known += models[i] != NULL;
        if (models[i])
            sum->enough =
                sum->enough ? fth_handovers_stronger(handovers, sum->enough, models[i]) : models[i];
    }
    free(seen);
    free(handed);
    return models;
}

/* ---- one row for what is alike: what is read, and what is not known to be in order ---- */

struct row_key {
    uint32_t from, to; /* boxes */
    uint32_t kind;     /* hazard, order and what is between */
    uint32_t enough;   /* model */
};

struct row {
    uint32_t from, to, files, example; /* example: a content */
    uint64_t bytes;
    const struct fth_handover *handover;
};

static uint32_t kind_of(const struct fth_handover *handover)
{
    return (uint32_t)handover->order | (uint32_t)handover->closed << 8 |
           (uint32_t)handover->ended << 9 | (uint32_t)handover->job_ended << 10 |
           (uint32_t)handover->renamed << 11 | (uint32_t)handover->opened << 12 |
           (uint32_t)handover->linked << 13 | (uint32_t)handover->hazard << 14;
}

static const char *why_of(enum fth_handover_order order)
{
    static const char *const reasons[FTH_HANDOVER_ORDERS] = {
        [FTH_ORDERED_BY_CLOCK] = "assumed: only the clock of the node orders them",
        [FTH_NOT_ORDERED] = "not known: the one began before the other one was over",
        [FTH_ORDER_UNSEEN] = "not known: nothing that was recorded orders them",
        [FTH_ORDER_CLOCKS] = "not known: they ran on different nodes, whose clocks may differ",
        [FTH_ORDER_OLD] = "not known: a profile of version 1 does not tell",
    };
    return reasons[order];
}

/* "close, end of process, open"; NULL: not known. To be freed. */
static char *between(const struct fth_handover *handover)
{
    if (handover->order > FTH_ORDERED_BY_CLOCK)
        return NULL;
    const struct {
        bool there;
        const char *word;
    } parts[] = {
        {handover->closed, "close"},         {handover->ended, "end of process"},
        {handover->job_ended, "end of job"}, {handover->renamed, "rename"},
        {handover->linked, "hard link"},     {handover->opened, "open"},
    };
    char text[80] = "", *end = text;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (!parts[i].there)
            continue;
        end = stpcpy(end, end == text ? "" : ", ");
        end = stpcpy(end, parts[i].word);
    }
    return fth_text_copy(*text ? text : "nothing");
}

static int by_need(const void *one, const void *other)
{
    const struct row *a = one, *b = other;
    bool known = a->handover->enough != NULL, also = b->handover->enough != NULL;
    if (known != also)
        return known ? 1 : -1;
    if (a->files != b->files)
        return a->files > b->files ? -1 : 1;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    if (a->to != b->to)
        return a->to < b->to ? -1 : 1;
    return (kind_of(a->handover) > kind_of(b->handover)) -
           (kind_of(a->handover) < kind_of(b->handover));
}

static uint32_t number_of(const struct fth_handovers *handovers, const char *name)
{
    uint32_t number = 0;
    while (name && handovers->models->models[number].name != name)
        number++;
    return name ? number + 1 : 0;
}

static struct row *make_rows(const struct fth_workflow_facts *facts, uint32_t *count)
{
    const struct fth_handovers *handovers = &facts->handovers;
    struct fth_keyed numbers = {.size = sizeof(uint32_t)}, files = {.size = sizeof(bool)};
    struct row *rows = NULL;
    bool *handed = handed_on(facts);
    *count = 0;
    for (uint32_t i = 0; i < handovers->count; i++) {
        const struct fth_handover *handover = &handovers->list[i];
        if (!handed[handover->content] ||
            (handover->hazard != FTH_PASSING_READ && handover->enough))
            continue;
        const struct row_key key = {facts->boxes.of_step[handover->from],
                                    facts->boxes.of_step[handover->to], kind_of(handover),
                                    number_of(handovers, handover->enough)};
        uint32_t *place = fth_keyed_get(&numbers, &key, sizeof key);
        if (!*place) {
            FTH_GROW(rows, *count);
            rows[*count] = (struct row){
                .from = key.from, .to = key.to, .example = handover->content, .handover = handover};
            *place = ++*count;
        }
        const uint32_t pair[] = {*place, handover->content};
        bool *seen = fth_keyed_get(&files, pair, sizeof pair);
        rows[*place - 1].files += !*seen;
        *seen = true;
        rows[*place - 1].bytes += handover->bytes;
    }
    fth_keyed_free(&numbers);
    fth_keyed_free(&files);
    free(handed);
    if (*count)
        qsort(rows, *count, sizeof *rows, by_need);
    return rows;
}

struct fth_table *fth_workflow_handover_table(const struct fth_workflow_facts *facts)
{
    struct fth_table *table = fth_table_new(&shape);
    uint32_t count;
    struct row *rows = make_rows(facts, &count);
    for (uint32_t i = 0; i < count; i++) {
        const struct fth_handover *handover = rows[i].handover;
        char *from = fth_workflow_box_label(&facts->boxes.boxes[rows[i].from]),
             *to = fth_workflow_box_label(&facts->boxes.boxes[rows[i].to]),
             *parts = between(handover);
        size_t row = fth_table_add_row(table);
        fth_table_set(table, row, H_FROM, fth_cell_text(from));
        fth_table_set(table, row, H_TO, fth_cell_text(to));
        fth_table_set(table, row, H_HAZARD,
                      fth_cell_text(fth_handover_hazard_word(handover->hazard)));
        fth_table_set(table, row, H_FILES, fth_cell_integer(rows[i].files));
        fth_table_set(table, row, H_BYTES, fth_cell_integer((int64_t)rows[i].bytes));
        fth_table_set(table, row, H_BETWEEN, fth_cell_text(parts));
        fth_table_set(table, row, H_ORDER, fth_cell_text(fth_handover_order_word(handover->order)));
        fth_table_set(table, row, H_ENOUGH, fth_cell_text(handover->enough));
        fth_table_set(table, row, H_WHY, fth_cell_text(why_of(handover->order)));
        fth_table_set(table, row, H_FILE,
                      fth_cell_text(fth_workflow_shown_file(
                          facts, facts->graph.contents[rows[i].example].file)));
        free(from);
        free(to);
        free(parts);
    }
    free(rows);
    return table;
}
