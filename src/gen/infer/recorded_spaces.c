/* The arrays of a file. Variables of NetCDF and PnetCDF have numbers in calls: their names and
 * types are those of the calls that defined them, or asked for a number by the name. */
#include "gen/infer/recorded.h"

#include "base/memory.h"
#include "model/reading/trace_functions.h"
#include "base/text.h"

#include <string.h>

enum { MOST_VARIABLES = 1 << 16 /* with names, of a file */ };

static char *keep(struct fth_gen_recorded *recorded, const char *text)
{
    if (!text)
        return NULL;
    char *copy = fth_arena_take(&recorded->arena, strlen(text) + 1);
    return strcpy(copy, text);
}

/* ---- variables by their numbers ---- */

static const struct fth_value *find(const struct fth_call *call, const char *name, const char *role,
                                    enum fth_value_type type)
{
    for (size_t i = 0; i < call->function->parameter_count; i++) {
        const struct fth_parameter *parameter = &call->function->parameters[i];
        if (!strncmp(parameter->name, name, strlen(name)) && !strcmp(parameter->role, role) &&
            call->arguments[i].type == type)
            return &call->arguments[i];
    }
    return NULL;
}

/* The newest with this number: a file may have been made anew. */
static const struct fth_gen_named_variable *named(const struct fth_gen_recorded_file *file,
                                                  const char *group, int64_t number)
{
    for (size_t i = file->variable_count; i-- > 0;)
        if (file->variables[i].number == number && fth_text_same(file->variables[i].group, group))
            return &file->variables[i];
    return NULL;
}

/* The name of the type among the arguments, in words of the library; NULL: there is none. */
static const char *type_name(const struct fth_trace *trace, const struct fth_call *call)
{
    static const char flags_role[] = "flags ";
    for (size_t i = 0; i < call->function->parameter_count; i++) {
        const struct fth_parameter *parameter = &call->function->parameters[i];
        size_t length = strlen(flags_role);
        if (strcmp(parameter->name, "xtype") != 0 ||
            strncmp(parameter->role, flags_role, length) != 0 ||
            call->arguments[i].type != FTH_VALUE_INTEGER)
            continue;
        const struct fth_flags *flags =
            fth_trace_flags(trace, call->proc, parameter->role + length);
        for (size_t j = 0; flags && j < flags->count; j++)
            if (flags->entries[j].value == call->arguments[i].integer)
                return flags->entries[j].name;
        return "a type of the program";
    }
    return NULL;
}

void fth_gen_variables_note(const struct fth_trace *trace, struct fth_gen_recorded *recorded,
                            struct fth_gen_recorded_file *file, const struct fth_call *call)
{
    const struct fth_value *number = find(call, "varid", "out", FTH_VALUE_INTEGER);
    const struct fth_value *name = find(call, "", "string", FTH_VALUE_TEXT);
    if (!number || !name || !name->text || number->integer < 0)
        return;
    const char *type = type_name(trace, call);
    const struct fth_gen_named_variable *before = named(file, call->object, number->integer);
    bool known = before && !strcmp(before->name, name->text);
    struct fth_gen_named_variable variable = {.type = type ? fth_gen_type_of_netcdf(type) : NULL,
                                              .number = number->integer};
    if (known && (!type || (before->type == variable.type &&
                            (variable.type || fth_text_same(before->foreign, type)))))
        return;
    if (file->variable_count == MOST_VARIABLES)
        return;
    variable.group = keep(recorded, call->object);
    variable.name = keep(recorded, name->text);
    variable.foreign = variable.type ? NULL : keep(recorded, type);
    FTH_GROW(file->variables, file->variable_count);
    file->variables[file->variable_count++] = variable;
}

/* ---- arrays ---- */

struct fth_gen_space_key fth_gen_space_key_of(const struct fth_gen_recorded_file *file,
                                              const struct fth_call *call,
                                              const struct fth_selected *selected)
{
    struct fth_gen_space_key key = {.name = selected->object, .number = selected->variable};
    if (selected->variable < 0)
        return key;
    key.group = call->object;
    key.variable = named(file, key.group, key.number);
    key.name = key.variable ? key.variable->name : NULL;
    return key;
}

/* A name may become known later than the number. */
static bool is_of(const struct fth_gen_space *space, const struct fth_gen_space_key *key,
                  unsigned rank)
{
    bool by_number = key->number >= 0 && (!key->name || !space->name);
    return space->number == key->number && fth_text_same(space->group, key->group) &&
           (by_number || fth_text_same(space->name, key->name)) && (space->rank || !rank);
}

static void take_variable(struct fth_gen_recorded *recorded, struct fth_gen_space *space,
                          const struct fth_gen_space_key *key)
{
    if (!space->name)
        space->name = keep(recorded, key->name);
    if (!key->variable)
        return;
    space->defined = key->variable->type ? key->variable->type : space->defined;
    space->foreign = key->variable->foreign ? key->variable->foreign : space->foreign;
}

uint32_t fth_gen_space_of(struct fth_gen_recorded *recorded, struct fth_gen_recorded_file *file,
                          const struct fth_gen_space_key *key, unsigned rank)
{
    uint32_t i = 0;
    while (i < file->space_count && !is_of(&file->spaces[i], key, rank))
        i++;
    if (i == FTH_GEN_MOST_SPACES)
        return UINT32_MAX;
    if (i == file->space_count) {
        int64_t *extent = fth_arena_take(&recorded->arena, (rank + 1) * sizeof *extent);
        memset(extent, 0, (rank + 1) * sizeof *extent);
        FTH_GROW(file->spaces, file->space_count);
        file->spaces[file->space_count++] =
            (struct fth_gen_space){.group = keep(recorded, key->group),
                                   .number = key->number,
                                   .rank = rank,
                                   .extent = extent};
    }
    take_variable(recorded, &file->spaces[i], key);
    return i;
}

void fth_gen_space_take_type(struct fth_gen_space *space, const struct fth_access *access)
{
    const struct fth_gen_type *given = fth_gen_type_in_memory(access);
    if (space->has_given && space->given != given)
        space->gives_several = true;
    space->has_given = true;
    space->given = space->gives_several ? NULL : given;
}

const struct fth_gen_type *fth_gen_space_type(const struct fth_gen_space *space)
{
    const struct fth_gen_type *type = space->defined   ? space->defined
                                      : space->foreign ? NULL
                                                       : space->given;
    return type && type->bytes == space->item ? type : NULL;
}
