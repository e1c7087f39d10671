/* Parameters of a row by their roles and names; FTH_NO_PARAMETER: there is none. Inner header of
 * the order room. */
#ifndef FTH_ORDER_BUILD_ROW_ROLES_H
#define FTH_ORDER_BUILD_ROW_ROLES_H

#include "order/build/order_semantics.h"

#include <string.h>

static inline bool is(const char *text, const char *word)
{
    return text && strcmp(text, word) == 0;
}

/* The part of a role behind `operation`, if that is what the role is: "use comm" with "use" is
 * "comm". */
static inline bool has_role(const struct fth_parameter *parameter, const char *operation,
                            const char *handle_class)
{
    size_t length = strlen(operation), more = strlen(handle_class);
    const char *role = parameter->role;
    return strncmp(role, operation, length) == 0 && role[length] == ' ' &&
           strncmp(role + length + 1, handle_class, more) == 0 &&
           (role[length + 1 + more] == 0 || role[length + 1 + more] == '[' ||
            role[length + 1 + more] == ' ');
}

static inline int find(const struct fth_function *function, const char *operation,
                       const char *handle_class)
{
    for (size_t i = 0; i < function->parameter_count; i++)
        if (has_role(&function->parameters[i], operation, handle_class))
            return (int)i;
    return FTH_NO_PARAMETER;
}

static inline int find_used(const struct fth_function *function, const char *handle_class)
{
    int used = find(function, "use", handle_class);
    return used >= 0 ? used : find(function, "close", handle_class);
}

static inline int named(const struct fth_function *function, const char *name)
{
    for (size_t i = 0; i < function->parameter_count; i++)
        if (is(function->parameters[i].name, name))
            return (int)i;
    return FTH_NO_PARAMETER;
}

static inline int named_with_role(const struct fth_function *function, const char *name)
{
    int found = named(function, name);
    return found >= 0 && function->parameters[found].role[0] ? found : FTH_NO_PARAMETER;
}

/* The first parameter whose role begins so, and the last one. */
static inline int find_start(const struct fth_function *function, const char *start, bool last)
{
    int found = FTH_NO_PARAMETER;
    for (int i = 0; i < (int)function->parameter_count; i++)
        if (strncmp(function->parameters[i].role, start, strlen(start)) == 0 && (last || found < 0))
            found = i;
    return found;
}

#endif
