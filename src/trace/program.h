/* What can be known of a program from its file alone: whether the tracer can be loaded into it. */
#ifndef FTH_TRACE_PROGRAM_H
#define FTH_TRACE_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

/* Finds `name` as execvp does: in PATH when it has no slash. False: nothing there that can be run. */
bool fth_program_find(const char *name, char *path, size_t size);

/* Can nothing of this program be recorded? Then `why` is a sentence about it: it is static, or runs with rights of its own
 * (setuid, setgid, capabilities), or is made for another kind of processor. A script is what its interpreter is. False also when
 * the file cannot be read. */
bool fth_program_is_unseen(const char *path, char *why, size_t size);

/* Who is preloaded stands in front of the runtime of AddressSanitizer, which refuses to start a program then, unless its options say that
 * it need not be first. It works all the same: wrappers call its interceptors as the real functions. */
#define FTH_ASAN_OPTIONS "ASAN_OPTIONS"
#define FTH_ASAN_MAY_COME_LATER "verify_asan_link_order=0"

#endif
