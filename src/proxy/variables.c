/* Handles that are open, and the variables that hold them. */
#include "proxy/variables.h"

#include "base/memory.h"

#include <string.h>

struct key {
    int64_t handle_class, number;
};

struct fth_open_variable {
    uint32_t variable; /* + 1; 0: it is closed */
    uint32_t times;
};

void fth_variables_open(struct fth_variables *variables)
{
    *variables = (struct fth_variables){.open.size = sizeof(struct fth_open_variable)};
}

void fth_variables_close(struct fth_variables *variables)
{
    for (uint32_t i = 0; i < variables->class_limit; i++)
        free(variables->classes[i].used);
    free(variables->classes);
    fth_keyed_free(&variables->open);
}

void fth_variables_copy(struct fth_variables *to, const struct fth_variables *from)
{
    for (uint32_t i = 0; i < fth_keyed_count(&from->open); i++) {
        struct fth_open_variable *open =
            fth_keyed_get(&to->open, fth_keyed_key(&from->open, i), sizeof(struct key));
        *open = *(const struct fth_open_variable *)fth_keyed_item(&from->open, i);
    }
    to->class_limit = from->class_limit;
    to->classes = fth_new(from->class_limit + 1, sizeof *to->classes);
    for (uint32_t i = 0; i < from->class_limit; i++) {
        to->classes[i] = from->classes[i];
        to->classes[i].used = fth_new(from->classes[i].limit + 1, 1);
        if (from->classes[i].limit)
            memcpy(to->classes[i].used, from->classes[i].used, from->classes[i].limit);
    }
}

static struct fth_open_variable *find(struct fth_variables *variables, uint32_t handle_class,
                                      int64_t number)
{
    const struct key key = {handle_class, number};
    return fth_keyed_get(&variables->open, &key, sizeof key);
}

uint32_t fth_variable_of(struct fth_variables *variables, uint32_t handle_class, int64_t number)
{
    return find(variables, handle_class, number)->variable - 1;
}

static void forget(struct fth_variables *variables, uint32_t handle_class,
                   struct fth_open_variable *open)
{
    if (open->variable) {
        struct fth_variable_class *of = &variables->classes[handle_class];
        of->used[open->variable - 1] = 0;
        if (open->variable - 1 < of->lowest)
            of->lowest = open->variable - 1;
    }
    *open = (struct fth_open_variable){0};
}

void fth_variable_drop(struct fth_variables *variables, uint32_t handle_class, int64_t number)
{
    struct fth_open_variable *open = find(variables, handle_class, number);
    if (open->times > 1)
        open->times--;
    else
        forget(variables, handle_class, open);
}

uint32_t fth_variable_make(struct fth_variables *variables, uint32_t handle_class, int64_t number)
{
    forget(variables, handle_class, find(variables, handle_class, number));
    variables->classes = fth_reach(variables->classes, &variables->class_limit, handle_class,
                                   sizeof *variables->classes);
    struct fth_variable_class *of = &variables->classes[handle_class];
    uint32_t variable = of->lowest;
    while (variable < of->limit && of->used[variable])
        variable++;
    of->used = fth_reach(of->used, &of->limit, variable, 1);
    of->used[variable] = 1;
    of->lowest = variable + 1;
    if (variable >= of->most)
        of->most = variable + 1;
    *find(variables, handle_class, number) = (struct fth_open_variable){variable + 1, 1};
    return variable;
}

uint32_t fth_variable_again(struct fth_variables *variables, uint32_t handle_class, int64_t number)
{
    struct fth_open_variable *open = find(variables, handle_class, number);
    if (!open->variable)
        return fth_variable_make(variables, handle_class, number);
    open->times++;
    return open->variable - 1;
}

void fth_variable_mark(struct fth_variables *variables, uint32_t handle_class, uint32_t variable)
{
    if (variable != FTH_NO_VARIABLE)
        variables->classes[handle_class].used[variable] = 2;
}

bool fth_variable_is_marked(const struct fth_variables *variables, uint32_t handle_class,
                            uint32_t variable)
{
    return variable != FTH_NO_VARIABLE && handle_class < variables->class_limit &&
           variable < variables->classes[handle_class].limit &&
           variables->classes[handle_class].used[variable] == 2;
}
