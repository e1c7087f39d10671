#include "model/calls/meets_others.h"

#include "base/text.h"
#include "trace/record/builtin.h"

#include <string.h>

bool fth_function_waits_for_others(const struct fth_function *function)
{
    static const char *const words[] = {"reap",    "child",          "join",
                                        "acquire", "acquire_shared", "reacquire",
                                        "down",    "operate",        "meet"};
    bool starts_only = strchr(function->result_type, '*') != NULL; /* popen, not pclose */
    for (size_t i = 0; function->orders && i < sizeof words / sizeof *words; i++)
        if (strcmp(function->orders, words[i]) == 0 && !starts_only)
            return true;
    return false;
}

bool fth_function_accepts(const struct fth_function *function)
{
    for (size_t i = 0; i < function->parameter_count; i++)
        if (fth_text_begins(function->parameters[i].role, "use fd"))
            return fth_layer_is(function->layer, FTH_LAYER_SYSTEM);
    return false;
}

bool fth_handle_meets_others(const struct fth_handle *handle)
{
    static const char *const names[] = {"pipe:[", "socket:[", "anon_inode:", NULL},
                             *const devices[] = {"/dev/pts/", "/dev/tty", "/dev/console", NULL};
    const char *path = handle ? handle->path : NULL;
    if (!path || (*path == '/' && !fth_text_begins(path, "/dev/")))
        return false;
    for (const char *const *begin = *path == '/' ? devices : names; *begin; begin++)
        if (fth_text_begins(path, *begin))
            return true;
    return false;
}
