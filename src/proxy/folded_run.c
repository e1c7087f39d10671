/* Calls that follow one another and differ in nothing but constant numbers become one loop over
 * tables of these: a header of a file that is written number by number is no program that people
 * read. */
#include "proxy/writing.h"

#include "base/memory.h"

#include <string.h>

enum {
    MOST_CALLS = 4096,
    LEAST_LINES = 8, /* fewer are written as they are */
};

struct folding {
    struct fth_writing *writing;
    const struct fth_item *first; /* a statement of the run */
    const struct fth_known_form *known;
    int64_t *numbers; /* of each call */
    size_t calls, lines;
};

/* ---- which calls ---- */

/* Its numbers, if all members make the call with the same. */
static bool add_call(struct folding *folding, const struct fth_item *item)
{
    const struct fth_body *body = folding->writing->body;
    uint32_t count = folding->known->form.number_count;
    if (folding->calls == MOST_CALLS)
        return false;
    folding->numbers =
        fth_resize(folding->numbers, (folding->calls + 1) * count + 1, sizeof *folding->numbers);
    int64_t *numbers = folding->numbers + folding->calls * count;
    const int64_t *known = NULL;
    for (size_t m = 0; m < body->member_count; m++) {
        if (!fth_proxy_is_written_for(folding->writing, m))
            continue;
        const struct fth_statement *statement =
            &fth_body_sequence(body, m)->statements[item->number];
        const int64_t *own = statement->first;
        if (statement->parts)
            return false;
        if (known && memcmp(known, own, count * sizeof *own) != 0)
            return false;
        known = own;
    }
    memcpy(numbers, known, count * sizeof *known);
    folding->calls++;
    return true;
}

static bool add_statement(struct folding *folding, const struct fth_item *item)
{
    const struct fth_known_form *known = fth_body_form(folding->writing->body, item->number);
    if (!folding->known) {
        folding->known = known;
        folding->first = item;
    }
    folding->lines++;
    return known == folding->known && !item->value_count &&
           !fth_proxy_has_gap(folding->writing, item) && add_call(folding, item);
}

static bool add_item(struct folding *folding, const struct fth_item *item, uint32_t makers);

static bool add_turn(struct folding *folding, const struct fth_item *item, uint32_t makers)
{
    if (item->kind == FTH_ITEM_STATEMENT)
        return add_statement(folding, item);
    for (uint32_t i = 0; i < item->item_count; i++)
        if (!add_item(folding, &item->items[i], makers))
            return false;
    return true;
}

static bool add_item(struct folding *folding, const struct fth_item *item, uint32_t makers)
{
    if (item->kind == FTH_ITEM_CALL || item->is_step || item->makers != makers)
        return false;
    size_t lines = folding->lines;
    for (uint32_t turn = 0; turn < item->times; turn++) {
        folding->lines = lines + (item->times > 1) + (item->item_count > 1);
        if (!add_turn(folding, item, makers))
            return false;
    }
    return true;
}

/* As many items as fit. */
static uint32_t gather(struct folding *folding, const struct fth_item *items, uint32_t count)
{
    uint32_t taken = 0;
    for (; taken < count; taken++) {
        size_t calls = folding->calls, lines = folding->lines;
        if (add_item(folding, &items[taken], items->makers))
            continue;
        folding->calls = calls;
        folding->lines = lines;
        break;
    }
    return taken;
}

/* ---- their numbers ---- */

static bool varies(const struct folding *folding, uint32_t number)
{
    uint32_t count = folding->known->form.number_count;
    for (size_t i = 1; i < folding->calls; i++)
        if (folding->numbers[i * count + number] != folding->numbers[number])
            return true;
    return false;
}

/* Flags have names, and so have some numbers; names of files are read better where they stand. */
static bool can_be_in_table(const struct folding *folding, size_t field, uint32_t number)
{
    const struct fth_form *form = &folding->known->form;
    enum fth_written written = form->arguments[field].written;
    enum fth_role role = form->row->fields[field].role;
    return (written == FTH_WRITTEN_NUMBER || written == FTH_WRITTEN_CONTENT ||
            written == FTH_WRITTEN_FORMAT) &&
           role != FTH_ROLE_MODE && role != FTH_ROLE_PEER && role != FTH_ROLE_ROOT &&
           role != FTH_ROLE_TAG && !folding->known->numbers[number].name;
}

static bool can_fold(const struct folding *folding)
{
    const struct fth_form *form = &folding->known->form;
    for (size_t field = 0; field < form->row->field_count; field++) {
        const struct fth_argument *argument = &form->arguments[field];
        if (argument->written == FTH_WRITTEN_TABLE)
            continue;
        for (uint32_t k = argument->first; k < argument->first + argument->count; k++)
            if (varies(folding, k) && !can_be_in_table(folding, field, k))
                return false;
    }
    return true;
}

/* ---- the loop ---- */

static char *table_of(const struct folding *folding, uint32_t number)
{
    struct fth_number_series series = {0};
    uint32_t count = folding->known->form.number_count;
    for (size_t i = 0; i < folding->calls; i++)
        fth_number_series_add(&series, folding->numbers[i * count + number]);
    char *text = fth_proxy_write_table(folding->writing, &series);
    free(series.runs);
    return text;
}

static void write_counter(const struct folding *folding, const struct fth_item *first,
                          char name[static 16])
{
    const struct fth_body_function *function =
        &folding->writing->body->functions[folding->writing->function];
    int around = first->loop >= 0 ? function->loops[first->loop].outer : first->inside;
    size_t depth = 0;
    for (; around >= 0; around = function->loops[around].outer)
        depth++;
    snprintf(name, 16, depth < 6 ? "%c" : "i%c", "ijklmnabcdefgh"[depth < 14 ? depth : 13]);
}

static void write_loop(const struct folding *folding, FILE *to, const struct fth_item *first,
                       int indent)
{
    struct fth_writing *writing = folding->writing;
    uint32_t count = folding->known->form.number_count;
    char counter[16], **tables = fth_new(count + 1, sizeof *tables);
    for (uint32_t k = 0; k < count; k++)
        if (varies(folding, k))
            tables[k] = table_of(folding, k);
    write_counter(folding, first, counter);
    fprintf(to, "%*sfor (long %s = 0; %s < %zu; %s++)\n", 4 * indent, "", counter, counter,
            folding->calls, counter);
    writing->tables_of_numbers = tables;
    fth_proxy_write_statement(writing, to, folding->first, indent + 1);
    writing->tables_of_numbers = NULL;
    for (uint32_t k = 0; k < count; k++)
        free(tables[k]);
    free(tables);
}

uint32_t fth_proxy_write_folded(struct fth_writing *writing, FILE *to, const struct fth_item *items,
                                uint32_t count, int indent)
{
    struct folding folding = {.writing = writing};
    uint32_t taken = gather(&folding, items, count);
    bool folds = taken && folding.lines >= LEAST_LINES && can_fold(&folding);
    if (folds)
        write_loop(&folding, to, items, indent);
    free(folding.numbers);
    return folds ? taken : 0;
}
