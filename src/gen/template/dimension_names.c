/* A dimension and a variable of the program with one name: in numbers of hints the name is the
 * length of the dimension, which is not what the program means by it. Refused where the program's
 * name can be seen from the hint; scopes of C go from brace to brace, and names in brackets in
 * front of a block are of the block. */
#include "gen/template/name_clashes.h"
#include "gen/template/names_in_source.h"

#include "base/memory.h"

#include <string.h>

/* A name of the program that is one of a dimension, too. */
struct seen {
    const char *name;
    size_t length;
    uint32_t depth;
    bool pending; /* in brackets: of the block that follows, or of nothing */
};

/* Those that can be seen at a place of the template. */
struct visible {
    const struct fth_gen_model *model;
    struct seen *list;
    uint32_t count, depth, brackets;
};

static const struct fth_gen_dimension *find(const struct fth_gen_model *model, uint32_t file,
                                            const char *name, size_t length)
{
    uint32_t number;
    if (!fth_intern_find(&model->files[file].dimensions, name, length, &number))
        return NULL;
    const struct fth_gen_dimension *dimension =
        &model->dimensions[model->files[file].dimension_numbers[number]];
    return dimension->unlimited || !strcmp(dimension->length.text, dimension->name) ? NULL
                                                                                    : dimension;
}

/* Is the name one of the brackets in front, as in `for (int x = 0; x < n; x++) sum += x;`? */
static bool is_pending(const struct visible *visible, const char *name, size_t length)
{
    for (uint32_t i = visible->count; i-- > 0 && visible->list[i].depth == visible->depth;)
        if (visible->list[i].pending && visible->list[i].length == length &&
            !memcmp(visible->list[i].name, name, length))
            return true;
    return false;
}

static void note_name(struct visible *visible, const char *name, size_t length)
{
    const struct fth_gen_model *model = visible->model;
    for (uint32_t i = 0; i < model->file_count; i++) {
        if (!find(model, i, name, length))
            continue;
        bool pending = visible->brackets > 0 || is_pending(visible, name, length);
        FTH_GROW(visible->list, visible->count);
        visible->list[visible->count++] = (struct seen){name, length, visible->depth, pending};
        return;
    }
}

/* Pending names become those of the block, or go. */
static void settle(struct visible *visible, bool block)
{
    uint32_t kept = visible->count;
    while (kept && visible->list[kept - 1].depth == visible->depth - block)
        kept--;
    for (uint32_t i = kept; i < visible->count; i++) {
        struct seen seen = visible->list[i];
        if (seen.pending && !block)
            continue;
        seen.depth += seen.pending;
        seen.pending = false;
        visible->list[kept++] = seen;
    }
    visible->count = kept;
}

static void note_sign(struct visible *visible, char sign)
{
    if (sign == '(')
        visible->brackets++;
    else if (sign == ')')
        visible->brackets -= visible->brackets > 0;
    else if (visible->brackets)
        return;
    else if (sign == ';')
        settle(visible, false);
    else if (sign == '{') {
        visible->depth++;
        settle(visible, true);
    } else if (visible->depth) {
        while (visible->count && visible->list[visible->count - 1].depth >= visible->depth)
            visible->count--;
        visible->depth--;
    }
}

/* The template up to a place. */
static void go_through(struct visible *visible, size_t begin, size_t end)
{
    const struct fth_hints *hints = visible->model->hints;
    struct fth_source_names names = {.text = hints->text,
                                     .end = hints->text + end,
                                     .at = hints->text + begin,
                                     .fortran = visible->model->language == FTH_GEN_FORTRAN};
    names.with_signs = !names.fortran;
    while (fth_source_names_next(&names))
        if (names.is_sign)
            note_sign(visible, *names.name);
        else
            note_name(visible, names.name, names.length);
}

static bool is_visible(const struct visible *visible, const char *name, size_t length)
{
    for (uint32_t i = 0; i < visible->count; i++)
        if (visible->list[i].length == length && !memcmp(visible->list[i].name, name, length))
            return true;
    return false;
}

static int check_number(const struct fth_gen_model *model, const struct fth_gen_access *access,
                        const struct fth_gen_number *number, const struct visible *visible,
                        struct fth_error **error)
{
    struct fth_source_names names = {.text = number->text,
                                     .end = number->text + strlen(number->text),
                                     .at = number->text,
                                     .fortran = model->language == FTH_GEN_FORTRAN};
    while (fth_source_names_next(&names)) {
        const struct fth_gen_dimension *dimension =
            find(model, access->file, names.name, names.length);
        if (dimension && is_visible(visible, names.name, names.length))
            return fth_hints_fail(model->hints, number->place, error,
                                  "'%s' is a dimension here, of length %s, and a name of the "
                                  "program, too: call the dimension otherwise",
                                  dimension->name, dimension->length.text);
    }
    return 0;
}

static int check_access(const struct fth_gen_model *model, const struct fth_gen_access *access,
                        const struct visible *visible, struct fth_error **error)
{
    uint32_t count = model->variables[access->variable].dimension_count;
    int result = 0;
    for (uint32_t i = 0; i < access->piece_count && !result; i++)
        for (uint32_t j = 0; j < count && !result; j++)
            result = check_number(model, access, &access->pieces[i].start[j], visible, error) ||
                     check_number(model, access, &access->pieces[i].count[j], visible, error);
    for (uint32_t i = 0; i < count && access->grid && !result; i++)
        result = check_number(model, access, &access->grid[i], visible, error) ||
                 check_number(model, access, &access->stride[i], visible, error);
    for (uint32_t i = 0; i < access->memory_count && !result; i++)
        result = check_number(model, access, &access->memory[i], visible, error) ||
                 check_number(model, access, &access->memory_start[i], visible, error);
    return result ? -1 : 0;
}

int fth_gen_names_of_dimensions_check(const struct fth_gen_model *model, struct fth_error **error)
{
    struct visible visible = {.model = model};
    size_t begin = 0;
    int result = 0;
    for (uint32_t i = 0; i < model->set_count && !result; i++) {
        const struct fth_gen_set *set = &model->sets[i];
        enum fth_hint_kind kind = set->hints->kind;
        go_through(&visible, begin, set->hints->begin);
        begin = set->hints->end;
        for (uint32_t j = set->first; j < set->first + set->count && !result; j++)
            if (kind == FTH_HINTS_WRITE || kind == FTH_HINTS_READ)
                result = check_access(model, &model->accesses[j], &visible, error);
    }
    free(visible.list);
    return result;
}
