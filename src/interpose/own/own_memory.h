/* Memory and locks of what is preloaded: nothing of the program's allocator. Every function leaves
 * errno alone. */
#ifndef FTH_INTERPOSE_OWN_OWN_MEMORY_H
#define FTH_INTERPOSE_OWN_OWN_MEMORY_H

#include "interpose/interpose.h"

void *fth_map_memory(size_t bytes) FTH_PUBLIC;
void fth_unmap(void *memory, size_t bytes) FTH_PUBLIC;
/* Maps what all threads have in common, unless *table is there already. False: there is no
 * memory. */
bool fth_map_once(void **table, size_t bytes);

/* A table that takes memory, which the program may have a limit of, only as far as it is used. Its
 * place does not change. */
struct fth_memory_table {
    size_t most, size; /* elements, and bytes of one */
    size_t count;      /* so many can be used */
    void *start;
};
/* Makes this element one of those that can be used, as all before it. False: there is no memory. */
bool fth_table_reach(struct fth_memory_table *table, size_t index);

/* A lock for rare things; never taken on the path of a data call. */
struct fth_lock {
    /* an address of the thread's own: one that jumped out of a signal handler may hold it still */
    const char *owner;
};
void fth_lock(struct fth_lock *lock) FTH_PUBLIC;
void fth_unlock(struct fth_lock *lock) FTH_PUBLIC;

#endif
