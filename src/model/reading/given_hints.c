/* Who gives hints, by the roles of the catalogue: see the header. */
#include "model/reading/given_hints.h"

#include <string.h>

static size_t strings_of(const struct fth_function *function)
{
    size_t strings = 0;
    for (size_t i = 0; i < function->parameter_count; i++)
        strings += !strcmp(function->parameters[i].role, "string");
    return strings;
}

static bool has_handle(const struct fth_function *function)
{
    for (size_t i = 0; i < function->parameter_count; i++)
        if (!strncmp(function->parameters[i].role, "use ", 4))
            return true;
    return false;
}

bool fth_given_hint_by(const struct fth_function *function)
{
    return !strcmp(function->kind, "info") && strings_of(function) == 2;
}

bool fth_given_hint_by_tuner(const struct fth_function *function)
{
    return fth_given_hint_by(function) && !has_handle(function);
}
