/* Handles that are open, and the variables that hold them. */
#include "proxy/variables.h"

#include "base/memory.h"

struct key {
    int64_t handle_class, number;
};

void fth_variables_open(struct fth_variables *variables)
{
    *variables = (struct fth_variables){.open.size = sizeof(uint32_t)};
}

void fth_variables_close(struct fth_variables *variables)
{
    for (uint32_t i = 0; i < variables->class_limit; i++)
        free(variables->classes[i].used);
    free(variables->classes);
    fth_keyed_free(&variables->open);
}

static uint32_t *find(struct fth_variables *variables, uint32_t handle_class, int64_t number)
{
    const struct key key = {handle_class, number};
    return fth_keyed_get(&variables->open, &key, sizeof key);
}

uint32_t fth_variable_of(struct fth_variables *variables, uint32_t handle_class, int64_t number)
{
    return *find(variables, handle_class, number) - 1;
}

void fth_variable_drop(struct fth_variables *variables, uint32_t handle_class, int64_t number)
{
    uint32_t *place = find(variables, handle_class, number);
    if (*place) {
        struct fth_variable_class *of = &variables->classes[handle_class];
        of->used[*place - 1] = 0;
        if (*place - 1 < of->lowest)
            of->lowest = *place - 1;
    }
    *place = 0;
}

uint32_t fth_variable_make(struct fth_variables *variables, uint32_t handle_class, int64_t number)
{
    fth_variable_drop(variables, handle_class, number);
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
    *find(variables, handle_class, number) = variable + 1;
    return variable;
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
