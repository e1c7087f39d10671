/* Arenas: a list of chunks, each at least twice as large as the one before. */
#include "base/arena.h"

#include "base/memory.h"

#include <stdalign.h>
#include <stdint.h>
#include <sys/mman.h>

enum { FIRST_CHUNK = 1024, ALIGNMENT = alignof(max_align_t), HUGE_PAGE = 2 << 20 };

struct fth_arena_chunk {
    struct fth_arena_chunk *next;
    alignas(max_align_t) char memory[];
};

/* What is large is mostly gone through at random, which is faster in huge pages: a wish, that need
 * not be granted. */
static void wish_for_huge_pages(struct fth_arena_chunk *chunk, size_t bytes)
{
    uintptr_t start = ((uintptr_t)chunk + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    uintptr_t end = ((uintptr_t)chunk + bytes) / HUGE_PAGE * HUGE_PAGE;
    if (start < end)
        madvise((void *)start, end - start, MADV_HUGEPAGE);
}

static void add_chunk(struct fth_arena *arena, size_t bytes)
{
    size_t limit = arena->limit ? arena->limit * 2 : FIRST_CHUNK;
    while (limit < bytes)
        limit *= 2;
    struct fth_arena_chunk *chunk = fth_resize(NULL, 1, sizeof *chunk + limit);
    wish_for_huge_pages(chunk, sizeof *chunk + limit);
    chunk->next = arena->chunks;
    *arena = (struct fth_arena){chunk, 0, limit};
}

void *fth_arena_take(struct fth_arena *arena, size_t bytes)
{
    bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (!arena->chunks || arena->limit - arena->used < bytes)
        add_chunk(arena, bytes);
    void *taken = arena->chunks->memory + arena->used;
    arena->used += bytes;
    return taken;
}

static void free_after(struct fth_arena_chunk *chunk)
{
    while (chunk) {
        struct fth_arena_chunk *next = chunk->next;
        free(chunk);
        chunk = next;
    }
}

void fth_arena_reset(struct fth_arena *arena)
{
    if (!arena->chunks)
        return;
    free_after(arena->chunks->next);
    arena->chunks->next = NULL;
    arena->used = 0;
}

void fth_arena_free(struct fth_arena *arena)
{
    free_after(arena->chunks);
    *arena = (struct fth_arena){0};
}
