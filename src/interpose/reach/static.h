/* Libraries that are linked into a program statically. Calls of them are no references that could
 * be bound; but a program that was linked with the options of `fathom wrap --static` (the linker's
 * --wrap) calls through *slots*, one for each function that it uses, which lead to the function
 * until they are pointed to its wrapper.
 *
 * The slots come from libfathom-static-NAME.a, made of the files in src/capture/static: a member
 * for each function, so that nothing is linked that the program does not use, and one for what the
 * wrappers themselves ask of the library. A note in the program says where they are. */
#ifndef FTH_INTERPOSE_REACH_STATIC_H
#define FTH_INTERPOSE_REACH_STATIC_H

#include "interpose/interpose.h"
#include "interpose/reach/loaded_objects.h"

/* One of them, as the members lay it down in the section "fathom_static". */
struct fth_slot {
    const char *name;
    void *target; /* what the program calls; NULL: there is only the symbol, for us */
    void *real;   /* NULL: it was not linked */
    const void *library;
};

/* Does the object have slots? Those of the first one that does are kept, with `handle` (of dlopen)
 * as their library's. False for all others. */
bool fth_static_look(const struct fth_object *object);
/* The handle, once they have been found. */
void *fth_static_handle(void);
/* The symbol among the slots; NULL: it is not there. */
void *fth_static_symbol(const char *name);
/* Calls `visit` for each slot that a program calls through. */
void fth_static_visit(void (*visit)(struct fth_slot *slot, void *context), void *context);
/* The symbol of a library (`library`: as fth_attach gets it), loaded or linked statically; NULL: it
 * has none. */
void *fth_library_symbol(void *library, const char *name) FTH_PUBLIC;

#endif
