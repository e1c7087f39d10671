/* What can be known of a program from its file alone: whether the tracer can be loaded into it. */
#ifndef FTH_TRACE_PROGRAM_PROGRAM_H
#define FTH_TRACE_PROGRAM_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

/* Finds `name` as execvp does: in PATH when it has no slash. False: nothing there that can be
 * run. */
bool fth_program_find(const char *name, char *path, size_t size);

/* Can nothing of this program be recorded? Then `why` is a sentence about it: it is static, or runs
 * with rights of its own (setuid, setgid, capabilities), or is made for another C library or kind
 * of processor. A script is what its interpreter is. False also when the file cannot be read. */
bool fth_program_is_unseen(const char *path, char *why, size_t size);
/* Would its loader complain about the tracer, or end it? Then it is to be started without. */
bool fth_program_refuses_tracer(const char *path);

/* Who is preloaded stands in front of the runtime of AddressSanitizer, which refuses to start a
 * program then, unless its options say that it need not be first. It works all the same: wrappers
 * call its interceptors as the real functions. */
#define FTH_ASAN_OPTIONS "ASAN_OPTIONS"
#define FTH_ASAN_MAY_COME_LATER "verify_asan_link_order=0"

/* Notes of a process, "PID NAME" each, about programs that it started without the tracer, and what
 * is said of those. */
struct fth_stranger {
    const char *key, *why;
};
#define FTH_STRANGER_OTHER_LIBC                                                                    \
    {                                                                                              \
        "other_libc",                                                                              \
            "made for another C library than glibc, which cannot load the tracer; what it "        \
            "starts is not recorded either"                                                        \
    }
#define FTH_STRANGER_FOREIGN                                                                       \
    {                                                                                              \
        "foreign", "made for another kind of processor than the tracer"                            \
    }
#define FTH_STRANGER_VALGRIND                                                                      \
    {                                                                                              \
        "in_valgrind",                                                                             \
            "run by valgrind, which ends a program for system calls that the tracer makes"         \
    }
#define FTH_STRANGER_RR                                                                            \
    {                                                                                              \
        "in_rr", "run by rr, which would record and replay what the tracer does"                   \
    }
#define FTH_STRANGER_EMULATED                                                                      \
    {                                                                                              \
        "emulated", "runs a program for another kind of processor, which cannot load the tracer"   \
    }
#define FTH_STRANGER_FILTERED                                                                      \
    {                                                                                              \
        "filtered",                                                                                \
            "started behind a filter of system calls (seccomp), which might end it for those "     \
            "of the tracer"                                                                        \
    }

#endif
