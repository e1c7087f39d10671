/* What stands in hints, by its value or name: numbers of a rank, variables, the order of
 * dimensions. */
#include "gen/template/data_model.h"

#include "base/nearest.h"

#include <stdio.h>
#include <string.h>

/* ---- names in formulas: the rank, the number of processes, assumptions, dimensions ---- */

enum { NAME_RANK, NAME_SIZE, NAME_OTHERS, MOST_DEPTH = 40 };

static int64_t find_name(void *context, const char *name, size_t length)
{
    struct fth_gen_model *model = context;
    uint32_t number;
    if (model->scope_file != UINT32_MAX &&
        fth_intern_find(&model->files[model->scope_file].dimensions, name, length, &number))
        return NAME_OTHERS + 1 +
               2 * (int64_t)model->files[model->scope_file].dimension_numbers[number];
    if (fth_intern_find(&model->assumed, name, length, &number))
        return NAME_OTHERS + 2 * (int64_t)number;
    if (length == 4 && !memcmp(name, "rank", 4))
        return NAME_RANK;
    if (length == 4 && !memcmp(name, "size", 4))
        return NAME_SIZE;
    return -1;
}

static bool name_value(void *context, int64_t number, int64_t *value, const char **unknown)
{
    struct fth_gen_model *model = context;
    if (number == NAME_RANK || number == NAME_SIZE) {
        *value = number == NAME_RANK ? model->rank : model->processes;
        *unknown = number == NAME_RANK ? "rank" : "size";
        return number == NAME_RANK ? *value >= 0 : *value > 0;
    }
    number -= NAME_OTHERS;
    if (number & 1) {
        const struct fth_gen_dimension *dimension = &model->dimensions[number / 2];
        *value = dimension->value;
        *unknown = dimension->name;
        return dimension->known;
    }
    if (model->depth >= MOST_DEPTH)
        return false;
    model->depth++;
    bool known = fth_formula_value(model->assumptions[number / 2].value.formula, &model->scope,
                                   value, unknown);
    model->depth--;
    return known;
}

struct fth_gen_number fth_gen_number_read(struct fth_gen_model *model,
                                          const struct fth_hint_word *word)
{
    return (struct fth_gen_number){
        word->text, fth_formula_read(&model->hints->arena, word->text, &model->scope), word->place};
}

bool fth_gen_number_value(struct fth_gen_model *model, uint32_t file,
                          const struct fth_gen_number *number, int64_t rank, int64_t *value,
                          const char **unknown)
{
    model->scope_file = file;
    model->rank = rank;
    model->depth = 0;
    if (!number->formula)
        *unknown = number->text;
    return number->formula && fth_formula_value(number->formula, &model->scope, value, unknown);
}

struct fth_formula_scope fth_gen_scope(struct fth_gen_model *model)
{
    return (struct fth_formula_scope){model, find_name, name_value};
}

/* ---- variables ---- */

int fth_gen_no_such(struct fth_gen_model *model, const struct fth_hint_word *word, const char *what,
                    const struct fth_intern *names, struct fth_error **error)
{
    char nearest[64] = "";
    size_t least = SIZE_MAX;
    for (uint32_t i = 0; i < names->count && i < 1000; i++) {
        size_t length;
        const void *bytes = fth_interned(names, i, &length);
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)length, (const char *)bytes);
        if (fth_is_nearer(word->text, name, &least))
            memcpy(nearest, name, sizeof nearest);
    }
    if (least != SIZE_MAX)
        return fth_hints_fail(model->hints, word->place, error,
                              "there is no %s '%s': did you mean '%s'?", what, word->text, nearest);
    return fth_hints_fail(model->hints, word->place, error,
                          "there is no %s '%s': define it in #begin_%ss before", what, word->text,
                          what);
}

int64_t fth_gen_variable_find(struct fth_gen_model *model, uint32_t file,
                              const struct fth_hint_word *word, struct fth_error **error)
{
    uint32_t number;
    const struct fth_gen_file *of = &model->files[file];
    if (!fth_intern_find(&of->variables, word->text, strlen(word->text), &number))
        return fth_gen_no_such(model, word, "variable", &of->variables, error);
    return of->variable_numbers[number];
}

uint32_t fth_gen_dimension_at(const struct fth_gen_model *model,
                              const struct fth_gen_variable *variable, uint32_t index)
{
    bool reversed = model->language == FTH_GEN_FORTRAN;
    return variable->dimensions[reversed ? variable->dimension_count - 1 - index : index];
}

unsigned fth_gen_bytes_of(const struct fth_gen_variable *variable)
{
    if (variable->type)
        return variable->type->bytes;
    /* As compilers for this machine lay out structures. */
    uint64_t bytes = 0, alignment = 1;
    for (uint32_t i = 0; i < variable->compound->member_count; i++) {
        const struct fth_gen_member *member = &variable->compound->members[i];
        uint64_t own = member->type->bytes;
        bytes = (bytes + own - 1) / own * own + own * member->length;
        alignment = own > alignment ? own : alignment;
    }
    return (unsigned)((bytes + alignment - 1) / alignment * alignment);
}
