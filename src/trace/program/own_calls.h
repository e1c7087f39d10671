/* Does the code of a program make system calls by itself, without libc? */
#ifndef FTH_TRACE_PROGRAM_OWN_CALLS_H
#define FTH_TRACE_PROGRAM_OWN_CALLS_H

#include <stdbool.h>

/* Looks at the file of a program, not at the libraries that it loads. True is a hint, no proof: the
 * instruction may never run. False also when the file cannot be read, or is for a processor other
 * than x86-64 and 64-bit ARM. */
bool fth_makes_own_calls(const char *path);

#endif
