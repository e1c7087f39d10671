/* What wrappers call where the program calls libc: libc's functions, or a file system that some
 * files of the program are in. Such a file system is a library of its own that is preloaded behind
 * the wrappers and defines `fth_below`; where it is not, wrappers call libc. */
#ifndef FTH_INTERPOSE_OWN_BELOW_H
#define FTH_INTERPOSE_OWN_BELOW_H

#include <stddef.h>

struct fth_below {
    /* What a wrapper is to call for this function of libc, which `function` is: that itself, or
     * something that calls it where none of its files are concerned. Functions are asked for once,
     * at any time, also before constructors have run. */
    void *(*instead)(const char *name, void *function);
    /* The linker is about to read this file, where no wrapper sees it. */
    void (*loads)(const char *file);
    /* It may have loaded something since the last time. */
    void (*loaded)(void);
};

extern const struct fth_below fth_below __attribute__((weak, visibility("default")));

static inline void *fth_below_instead(const char *name, void *function)
{
    return &fth_below != NULL ? fth_below.instead(name, function) : function;
}

static inline void fth_below_loads(const char *file)
{
    if (&fth_below != NULL && file)
        fth_below.loads(file);
}

static inline void fth_below_loaded(void)
{
    if (&fth_below != NULL)
        fth_below.loaded();
}

#endif
