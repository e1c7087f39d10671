/* Memory for what dies together: taken piece by piece, given back all at once. */
#ifndef FTH_BASE_ARENA_H
#define FTH_BASE_ARENA_H

#include <stddef.h>

struct fth_arena {
    struct fth_arena_chunk *chunks; /* the newest first */
    size_t used, limit;             /* of the newest */
};

/* `bytes` of memory, aligned for anything, not cleared; it lives until the reset. */
void *fth_arena_take(struct fth_arena *arena, size_t bytes);
/* Everything that was taken is gone; the largest chunk is kept for what comes. */
void fth_arena_reset(struct fth_arena *arena);
void fth_arena_free(struct fth_arena *arena);

#endif
