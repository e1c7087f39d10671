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
    uint32_t thread; /* that made it */
    uint64_t made;   /* the number of it among all handles that were made */
    /* A handle that goes with it, as the descriptor of a stream; lent_class 0: none. */
    uint32_t lent_class; /* + 1 */
    int64_t lent;
};

enum { SHARED_SPACE = 0, FIRST_SPACE = 1 };

void fth_variables_open(struct fth_variables *variables)
{
    *variables = (struct fth_variables){.open.size = sizeof(struct fth_open_variable)};
}

void fth_variable_space_free(struct fth_variable_space *space)
{
    for (uint32_t i = 0; i < space->class_limit; i++)
        free(space->classes[i].used);
    free(space->classes);
    *space = (struct fth_variable_space){0};
}

void fth_variables_close(struct fth_variables *variables)
{
    for (uint32_t i = 0; i < variables->space_limit; i++)
        fth_variable_space_free(&variables->spaces[i]);
    free(variables->spaces);
    fth_keyed_free(&variables->open);
}

struct fth_variable_space fth_variables_take(struct fth_variables *variables, uint32_t space)
{
    struct fth_variable_space taken = {0};
    if (space < variables->space_limit) {
        taken = variables->spaces[space];
        variables->spaces[space] = (struct fth_variable_space){0};
    }
    return taken;
}

static struct fth_variable_space copy_of(const struct fth_variable_space *from)
{
    struct fth_variable_space to = {fth_new(from->class_limit + 1, sizeof *to.classes),
                                    from->class_limit};
    for (uint32_t i = 0; i < from->class_limit; i++) {
        to.classes[i] = from->classes[i];
        to.classes[i].used = fth_new(from->classes[i].limit + 1, 1);
        if (from->classes[i].limit)
            memcpy(to.classes[i].used, from->classes[i].used, from->classes[i].limit);
    }
    return to;
}

/* What a forked process has is what its first thread had, and what threads shared. */
void fth_variables_copy(struct fth_variables *to, const struct fth_variables *from)
{
    for (uint32_t i = 0; i < fth_keyed_count(&from->open); i++) {
        const struct fth_open_variable *open = fth_keyed_item(&from->open, i);
        bool is_had = !open->thread || (open->variable - 1) & FTH_SHARED_VARIABLE;
        if (open->variable && is_had)
            *(struct fth_open_variable *)fth_keyed_get(&to->open, fth_keyed_key(&from->open, i),
                                                       sizeof(struct key)) = *open;
    }
    to->made = from->made;
    to->spaces = fth_reach(to->spaces, &to->space_limit, FIRST_SPACE, sizeof *to->spaces);
    for (uint32_t i = 0; i <= FIRST_SPACE && i < from->space_limit; i++)
        to->spaces[i] = copy_of(&from->spaces[i]);
}

static struct fth_open_variable *find(struct fth_variables *variables, uint32_t handle_class,
                                      int64_t number)
{
    const struct key key = {handle_class, number};
    return fth_keyed_get(&variables->open, &key, sizeof key);
}

static bool is_shared(uint32_t variable)
{
    return variable != FTH_NO_VARIABLE && variable & FTH_SHARED_VARIABLE;
}

uint32_t fth_variable_of(struct fth_variables *variables, uint32_t handle_class, int64_t number)
{
    const struct fth_open_variable *open = find(variables, handle_class, number);
    uint32_t variable = open->variable - 1;
    if (!open->variable || open->thread == variables->thread || is_shared(variable))
        return variable;
    if (!variables->is_looking)
        return FTH_NO_VARIABLE;
    *(bool *)fth_keyed_get(variables->shared, &open->made, sizeof open->made) = true;
    return variable;
}

/* Where the variable is, if there is such a one. */
static struct fth_variable_class *class_of(const struct fth_variables *variables, uint32_t thread,
                                           uint32_t handle_class, uint32_t variable)
{
    uint32_t space = is_shared(variable) ? SHARED_SPACE : FIRST_SPACE + thread,
             place = variable & ~FTH_SHARED_VARIABLE;
    if (variable == FTH_NO_VARIABLE || space >= variables->space_limit ||
        handle_class >= variables->spaces[space].class_limit ||
        place >= variables->spaces[space].classes[handle_class].limit)
        return NULL;
    return &variables->spaces[space].classes[handle_class];
}

static void forget(struct fth_variables *variables, uint32_t handle_class,
                   struct fth_open_variable *open)
{
    const struct fth_open_variable was = *open;
    struct fth_variable_class *of =
        class_of(variables, open->thread, handle_class, open->variable - 1);
    if (of) {
        uint32_t place = (open->variable - 1) & ~FTH_SHARED_VARIABLE;
        of->used[place] = 0;
        of->lowest = place < of->lowest ? place : of->lowest;
    }
    *open = (struct fth_open_variable){0};
    if (was.lent_class)
        fth_variable_drop(variables, was.lent_class - 1, was.lent);
}

void fth_variable_lend(struct fth_variables *variables, uint32_t handle_class, int64_t number,
                       uint32_t lent_class, int64_t lent)
{
    struct fth_open_variable *open = find(variables, handle_class, number);
    if (!open->variable)
        return;
    open->lent_class = lent_class + 1;
    open->lent = lent;
}

void fth_variable_drop(struct fth_variables *variables, uint32_t handle_class, int64_t number)
{
    struct fth_open_variable *open = find(variables, handle_class, number);
    if (open->times > 1)
        open->times--;
    else
        forget(variables, handle_class, open);
}

static uint32_t take_free(struct fth_variables *variables, uint32_t space_number,
                          uint32_t handle_class)
{
    variables->spaces = fth_reach(variables->spaces, &variables->space_limit, space_number,
                                  sizeof *variables->spaces);
    struct fth_variable_space *space = &variables->spaces[space_number];
    space->classes =
        fth_reach(space->classes, &space->class_limit, handle_class, sizeof *space->classes);
    struct fth_variable_class *of = &space->classes[handle_class];
    uint32_t variable = of->lowest;
    while (variable < of->limit && of->used[variable])
        variable++;
    of->used = fth_reach(of->used, &of->limit, variable, 1);
    of->used[variable] = 1;
    of->lowest = variable + 1;
    if (variable >= of->most)
        of->most = variable + 1;
    return variable;
}

uint32_t fth_variable_make(struct fth_variables *variables, uint32_t handle_class, int64_t number)
{
    forget(variables, handle_class, find(variables, handle_class, number));
    uint64_t made = ++variables->made;
    bool shared = variables->shared && !variables->is_looking &&
                  fth_keyed_has(variables->shared, &made, sizeof made);
    uint32_t space = shared ? SHARED_SPACE : FIRST_SPACE + variables->thread,
             variable = take_free(variables, space, handle_class);
    if (shared)
        variable |= FTH_SHARED_VARIABLE;
    *find(variables, handle_class, number) = (struct fth_open_variable){
        .variable = variable + 1, .times = 1, .thread = variables->thread, .made = made};
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
    struct fth_variable_class *of = class_of(variables, variables->thread, handle_class, variable);
    if (of)
        of->used[variable & ~FTH_SHARED_VARIABLE] = 2;
}

bool fth_variable_is_marked(const struct fth_variables *variables, uint32_t handle_class,
                            uint32_t variable)
{
    const struct fth_variable_class *of =
        class_of(variables, variables->thread, handle_class, variable);
    return of && of->used[variable & ~FTH_SHARED_VARIABLE] == 2;
}
