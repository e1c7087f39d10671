/* Two regions, taken from the front to the end; what is freed stays until all of it goes. */
#include "capture/record/summed_memory.h"

#include "base/memory.h"
#include "interpose/own/own_memory.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { LASTING = 8 << 20, PASSING = 32 << 20 }; /* bytes; only what is used is taken */

struct region {
    char *start;
    size_t used, bytes;
};
static struct region lasting = {.bytes = LASTING}, passing = {.bytes = PASSING};
static struct region *current = &passing;

/* In front of each piece. */
struct piece {
    _Alignas(16) size_t bytes;
};

void *fth_summed_malloc(size_t bytes)
{
    size_t needed = sizeof(struct piece) + (bytes + 15) / 16 * 16;
    if (!current->start && !(current->start = fth_map_memory(current->bytes)))
        return NULL;
    if (bytes > current->bytes || needed > current->bytes - current->used)
        return NULL;
    struct piece *piece = (struct piece *)(current->start + current->used);
    current->used += needed;
    piece->bytes = bytes;
    return piece + 1;
}

/* The memory is all zero when it is taken. */
void *fth_summed_calloc(size_t count, size_t size)
{
    size_t bytes;
    return __builtin_mul_overflow(count, size, &bytes) ? NULL : fth_summed_malloc(bytes);
}

void *fth_summed_realloc(void *memory, size_t bytes)
{
    void *more = fth_summed_malloc(bytes);
    if (more && memory) {
        size_t before = ((struct piece *)memory - 1)->bytes;
        memcpy(more, memory, before < bytes ? before : bytes);
    }
    return more;
}

void *fth_summed_reallocarray(void *memory, size_t count, size_t size)
{
    size_t bytes;
    return __builtin_mul_overflow(count, size, &bytes) ? NULL : fth_summed_realloc(memory, bytes);
}

void fth_summed_free(void *memory)
{
    (void)memory;
}

void fth_summed_memory_lasting(void)
{
    current = &lasting;
}

void fth_summed_memory_passing(void)
{
    current = &passing;
}

/* ---- work that may end in its middle ---- */

static void
    *gave_up[5]; /* of __builtin_setjmp: that of libc is one of the functions that are seen */

static void give_up(void)
{
    __builtin_longjmp(gave_up, 1);
}

__attribute__((noinline)) void fth_summed_memory_in(void (*work)(void *), void *argument)
{
    fth_out_of_memory = give_up;
    fth_summed_memory_passing();
    if (__builtin_setjmp(gave_up) == 0)
        work(argument);
    if (passing.start)
        fth_unmap(passing.start, passing.bytes);
    passing.start = NULL;
    passing.used = 0;
}
