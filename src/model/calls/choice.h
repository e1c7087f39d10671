/* Which calls of a process somebody wants, by function and file, and which handles: the others need
 * not be shown. */
#ifndef FTH_MODEL_CALLS_CHOICE_H
#define FTH_MODEL_CALLS_CHOICE_H

#include <fathom/trace.h>

/* Which are wanted. The answers depend on the function, and on the path, alone. */
struct fth_choice {
    bool (*function)(const void *context, const struct fth_function *function);
    bool (*file)(const void *context, const char *path); /* NULL: of any file, or of none */
    const void *context;
};

/* Calls that are not wanted may be left out from now on; the others come with the same numbers. Of
 * calls without handles and turns, before the first one. */
void fth_calls_choose(struct fth_calls *calls, const struct fth_choice *choice);
/* Calls are about no handles of this class and use none, and other handles have other numbers: of
 * datatypes a program may make millions. Of calls with handles, before the first one; not where
 * communicators are known by the numbers of all handles (fth_trace_communicators). */
void fth_calls_leave_handles(struct fth_calls *calls, const char *handle_class);
/* So many were left out so far. */
uint64_t fth_calls_left_out(const struct fth_calls *calls);

#endif
