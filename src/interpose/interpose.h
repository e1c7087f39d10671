/* Interposition: how preloaded libraries intercept functions of libc and of other libraries,
 * and reach the real functions. The room knows nothing of recording: its user (the recorder in
 * src/capture) defines one table, and is called through it. */
#ifndef FTH_INTERPOSE_INTERPOSE_H
#define FTH_INTERPOSE_INTERPOSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FTH_PUBLIC __attribute__((visibility("default")))
#define FTH_LIKELY(x) __builtin_expect(!!(x), 1)
#define FTH_UNLIKELY(x) __builtin_expect(!!(x), 0)

struct fth_objects;
struct fth_known_library;

/* A library that may come while the program runs, and its wrappers. */
struct fth_wrapped_library {
    const struct fth_known_library *known; /* NULL: there are no more */
    void *wrappers; /* of dlopen; NULL: they are in "libfathom-NAME.so" beside us */
};

/* The user of the room. Every function may be called from any thread, also before constructors have
 * run, and leaves errno alone. */
struct fth_interposer {
    /* a symbol that the user exports: found in the program's scope where it was preloaded */
    const char *symbol;
    const void *symbol_at;
    /* Does it want to know of libraries that come? */
    bool (*is_at_work)(void);
    /* System calls of ours may end the program from now on; `since`: "after it has ..." */
    void (*step_aside)(const char *since);
    /* A sentence about calls that its wrappers do not see. */
    void (*cannot_see)(const char *sentence);
    /* The program loads this file, by dlopen: the loader reads it where no wrapper sees it. */
    void (*loads)(const char *file);
    /* We have written so many bytes to files of our own. */
    void (*has_written)(uint64_t bytes);
    /* Objects were loaded or unloaded; one thread at a time. */
    void (*objects_changed)(const struct fth_objects *objects);
    /* The libraries that it has wrappers of, by number from 0. */
    struct fth_wrapped_library (*library)(unsigned number);
    /* What wrappers are to call for this function of libc: it, or something in front of it. */
    void *(*in_front_of)(const char *name, void *function);
    /* The functions of libc that have wrappers: names, a zero behind each, and where the functions
     * are kept that fth_find_reals has found. */
    const char *real_names;
    void **reals;
    const unsigned *real_count;
};
/* Defined by the user. */
extern const struct fth_interposer fth_interposer;

#endif
