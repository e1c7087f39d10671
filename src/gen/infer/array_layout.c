/* Raw files have their variables one behind the other, and records behind all of them, so each byte
 * up to the last has to belong to one: what nobody accesses is a variable, too. */
#include "gen/infer/array_layout.h"

#include "base/memory.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

char *fth_gen_name_from(const char *text)
{
    size_t length = strlen(text), kept = 0;
    char *name = fth_new(length + 8, 1);
    while (*text == '_' || *text == '/' || *text == '.')
        text++;
    if (isdigit((unsigned char)*text) || !*text || !strncasecmp(text, "io", 2)) {
        strcpy(name, "a_");
        kept = 2;
    }
    for (; *text && kept < 60; text++)
        name[kept++] = isalnum((unsigned char)*text) ? *text : '_';
    name[kept] = '\0';
    return name;
}

static uint32_t add(struct fth_gen_layout *layout, const struct fth_gen_proposed_variable *variable)
{
    FTH_GROW(layout->variables, layout->variable_count);
    layout->variables[layout->variable_count] = *variable;
    return (uint32_t)layout->variable_count++;
}

static bool is_same(const struct fth_gen_proposed_variable *a,
                    const struct fth_gen_proposed_variable *b)
{
    return a->space_number == b->space_number && a->type == b->type && a->at == b->at &&
           a->steps == b->steps && a->grows == b->grows && a->dimensions == b->dimensions &&
           !memcmp(a->length, b->length, a->dimensions * sizeof *a->length);
}

static uint32_t find_or_add(struct fth_gen_layout *layout,
                            const struct fth_gen_proposed_variable *variable)
{
    for (uint32_t i = 0; i < layout->variable_count; i++)
        if (is_same(&layout->variables[i], variable))
            return i;
    return add(layout, variable);
}

static struct fth_gen_proposed_variable variable_of(const struct fth_gen_recorded_file *file,
                                                    const struct fth_gen_array *array)
{
    const struct fth_gen_space *space = &file->spaces[array->space];
    struct fth_gen_proposed_variable variable = {.type = array->type,
                                                 .type_known = array->type_known,
                                                 .reshaped = array->reshaped,
                                                 .steps = 1,
                                                 .space = space->rank ? space : NULL,
                                                 .space_number = array->space,
                                                 .at = array->base,
                                                 .bytes = array->bytes,
                                                 .dimensions = array->dimensions};
    memcpy(variable.length, array->length, sizeof variable.length);
    return variable;
}

static void add_access(struct fth_gen_layout *layout, const struct fth_gen_proposed_access *access)
{
    FTH_GROW(layout->accesses, layout->access_count);
    layout->accesses[layout->access_count++] = *access;
}

/* `records`: the number of the statement whose arrays are records; SIZE_MAX: of none. */
static void collect(struct fth_gen_layout *layout, const struct fth_gen_recorded_file *file,
                    const struct fth_gen_rounds *rounds, size_t records)
{
    for (size_t i = 0; i < rounds->statement_count; i++) {
        const struct fth_gen_statement *statement = &rounds->statements[i];
        for (size_t j = statement->first; j < statement->first + statement->period; j++)
            for (size_t k = 0; k < rounds->rounds[j].arrays.count; k++) {
                const struct fth_gen_array *array = &rounds->rounds[j].arrays.list[k];
                struct fth_gen_proposed_variable variable = variable_of(file, array);
                int64_t shift = fth_gen_shift_of(file, rounds, statement, j, k);
                if (!variable.space && shift) {
                    variable.grows = i == records;
                    variable.steps = variable.grows ? 1 : statement->steps;
                }
                const struct fth_gen_proposed_access access = {i, j, find_or_add(layout, &variable),
                                                               array, variable.space ? shift : 0};
                add_access(layout, &access);
            }
    }
}

static void forget(struct fth_gen_layout *layout)
{
    for (size_t i = 0; i < layout->variable_count; i++)
        free(layout->variables[i].name);
    free(layout->variables);
    free(layout->accesses);
    layout->variables = NULL;
    layout->accesses = NULL;
    layout->variable_count = layout->access_count = 0;
}

void fth_gen_layout_free(struct fth_gen_layout *layout)
{
    forget(layout);
    free(layout->why);
    layout->why = NULL;
}

/* ---- raw files ---- */

static int compare(const void *left, const void *right, void *context)
{
    const struct fth_gen_layout *layout = context;
    const struct fth_gen_proposed_variable *a = &layout->variables[*(const uint32_t *)left],
                                           *b = &layout->variables[*(const uint32_t *)right];
    if (a->grows != b->grows)
        return a->grows ? 1 : -1;
    return (a->at > b->at) - (a->at < b->at);
}

/* Variables in order of place, with gaps for what lies between them. false: some overlap. */
static bool order(struct fth_gen_layout *layout, int64_t record)
{
    uint32_t count = (uint32_t)layout->variable_count;
    uint32_t *sorted = fth_new(count + 1, sizeof *sorted), *now = fth_new(count + 1, sizeof *now);
    struct fth_gen_layout ordered = {0};
    int64_t at = 0, records_at = -1;
    bool fits = true;
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = i;
    qsort_r(sorted, count, sizeof *sorted, compare, layout);
    for (uint32_t i = 0; i <= count && fits; i++) {
        const struct fth_gen_proposed_variable *next =
            i < count ? &layout->variables[sorted[i]] : NULL;
        bool first_record = next && next->grows && records_at < 0;
        int64_t to = next ? next->at : records_at < 0 ? at : records_at + record;
        fits = to >= at;
        const struct fth_gen_proposed_variable gap = {.type = fth_gen_type_find("byte"),
                                                      .type_known = true,
                                                      .gap = true,
                                                      .grows = records_at >= 0,
                                                      .steps = 1,
                                                      .at = at,
                                                      .bytes = to - at,
                                                      .dimensions = 1,
                                                      .length = {to - at}};
        if (fits && to > at)
            add(&ordered, &gap);
        if (first_record)
            records_at = to;
        if (!next)
            break;
        now[sorted[i]] = add(&ordered, next);
        at = to + next->bytes * (int64_t)next->steps;
    }
    if (fits) {
        free(layout->variables);
        layout->variables = ordered.variables;
        layout->variable_count = ordered.variable_count;
        for (size_t i = 0; i < layout->access_count; i++)
            layout->accesses[i].variable = now[layout->accesses[i].variable];
    } else {
        free(ordered.variables);
    }
    free(sorted);
    free(now);
    return fits;
}

/* Each step of these arrays follows the one before it without a hole. */
static bool steps_touch(const struct fth_gen_recorded_file *file,
                        const struct fth_gen_rounds *rounds, size_t records)
{
    for (size_t i = 0; i < rounds->statement_count; i++) {
        const struct fth_gen_statement *statement = &rounds->statements[i];
        for (size_t j = statement->first; i != records && j < statement->first + statement->period;
             j++)
            for (size_t k = 0; k < rounds->rounds[j].arrays.count; k++) {
                int64_t shift = fth_gen_shift_of(file, rounds, statement, j, k);
                if (shift && shift != rounds->rounds[j].arrays.list[k].bytes)
                    return false;
            }
    }
    return true;
}

/* The shift that all arrays of a statement have; 0: none. */
static int64_t record_of(const struct fth_gen_recorded_file *file,
                         const struct fth_gen_rounds *rounds, size_t number)
{
    const struct fth_gen_statement *statement = &rounds->statements[number];
    int64_t record = -1;
    for (size_t j = statement->first; j < statement->first + statement->period; j++)
        for (size_t k = 0; k < rounds->rounds[j].arrays.count; k++) {
            int64_t shift = fth_gen_shift_of(file, rounds, statement, j, k);
            if (record >= 0 && shift != record)
                return 0;
            record = shift;
        }
    return record > 0 ? record : 0;
}

static void lay_out_bytes(struct fth_gen_layout *layout, const struct fth_gen_recorded_file *file,
                          const struct fth_gen_rounds *rounds)
{
    if (steps_touch(file, rounds, SIZE_MAX)) {
        collect(layout, file, rounds, SIZE_MAX);
        if (order(layout, 0))
            return;
        forget(layout);
    }
    for (size_t i = 0; i < rounds->statement_count; i++) {
        int64_t record = record_of(file, rounds, i);
        if (!record || !steps_touch(file, rounds, i))
            continue;
        collect(layout, file, rounds, i);
        if (order(layout, record))
            return;
        forget(layout);
    }
    layout->why = fth_text_copy("its arrays lie over one another, or between one another");
}

/* ---- arrays of libraries ---- */

static void lay_out_arrays(struct fth_gen_layout *layout, const struct fth_gen_recorded_file *file,
                           const struct fth_gen_rounds *rounds)
{
    collect(layout, file, rounds, SIZE_MAX);
    for (size_t i = 0; i < layout->variable_count; i++)
        for (size_t j = 0; j < i; j++)
            if (layout->variables[i].space_number == layout->variables[j].space_number) {
                layout->why = fth_text_copy(
                    "parts of one of its arrays imply other dimensions at other times");
                return;
            }
}

/* ---- names ---- */

static bool is_taken(const struct fth_gen_layout *layout, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (!strcasecmp(layout->variables[i].name, name))
            return true;
    return false;
}

static char *name_of_space(const struct fth_gen_space *space)
{
    if (!space->group)
        return fth_gen_name_from(space->name);
    char *path = fth_text_format("%s/%s", space->group, space->name);
    char *name = fth_gen_name_from(path);
    free(path);
    return name;
}

static void name_all(struct fth_gen_layout *layout, const char *stem)
{
    size_t accessed = 0;
    for (size_t i = 0; i < layout->variable_count; i++)
        accessed += !layout->variables[i].gap;
    for (size_t i = 0; i < layout->variable_count; i++) {
        struct fth_gen_proposed_variable *of = &layout->variables[i];
        char *name = of->space && of->space->name ? name_of_space(of->space)
                     : of->space     ? fth_text_format("%s_%" PRId64, stem, of->space->number)
                     : of->gap       ? fth_text_format("%s_gap", stem)
                     : accessed == 1 ? fth_text_copy(stem)
                                     : fth_text_format("%s_%zu", stem, i + 1);
        of->name = fth_text_copy(name);
        for (unsigned k = 2; is_taken(layout, i, of->name); k++) {
            free(of->name);
            of->name = fth_text_format("%s_%u", name, k);
        }
        free(name);
    }
}

struct fth_gen_layout fth_gen_layout_make(const struct fth_gen_recorded_file *file,
                                          const struct fth_gen_rounds *rounds, const char *stem)
{
    struct fth_gen_layout layout = {0};
    (file->has_elements ? lay_out_arrays : lay_out_bytes)(&layout, file, rounds);
    if (!layout.why)
        name_all(&layout, stem);
    return layout;
}
