/* What the wrappers of a plug-in need, which `fathom wrap` makes and the user's compiler compiles.
 * It is installed with all that it includes. */
#ifndef FTH_CAPTURE_BOUND_WRAP_PLUGIN_H
#define FTH_CAPTURE_BOUND_WRAP_PLUGIN_H

#include "build.h"
#include "calls.h"
#include "capture/record/plugin.h"
#include "capture/wrap/wrap_bound.h"

#include <dirent.h>
#include <stdio.h>

/* At the end of what `fathom wrap` has written. */
extern struct fth_plugin fth_plugin __attribute__((visibility("default")));

/* The rows, where they are found in the file without loading it (trace/program/plugin_file.c). */
struct fth_plugin_rows {
    uint64_t build;
    char text[];
};
#define FTH_PLUGIN_ROWS __attribute__((section(".fathom.rows"), used))

/* A value that follows pointers of which nobody says that they were followed before: what they
 * point to may not be there (fth_given_text, fth_list). */
#define fth_doubted(call, value)                                                                   \
    __extension__({                                                                                \
        bool worked = (call)->worked;                                                              \
        (call)->worked = false;                                                                    \
        __typeof__(value) doubted = (value);                                                       \
        (call)->worked = worked;                                                                   \
        doubted;                                                                                   \
    })

/* How the library's functions are bound. */
#include "capture/bound/attach_wrappers.c"

#endif
