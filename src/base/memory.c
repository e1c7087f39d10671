/* Allocation that does not return without memory. */
#include "base/memory.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static void say_and_exit(void)
{
    fputs("fathom: out of memory\n", stderr);
    exit(1);
}

void (*fth_out_of_memory)(void) = say_and_exit;

/* Small memory: calloc of glibc does not take what was freed by the same thread before (2.36: it passes by the thread's cache), malloc does. */
enum { CACHED_BYTES = 1024 };

void *fth_new(size_t count, size_t size)
{
    size_t bytes;
    bool small = !__builtin_mul_overflow(count, size, &bytes) && bytes && bytes <= CACHED_BYTES;
    void *memory = small ? malloc(bytes) : calloc(count ? count : 1, size ? size : 1);
    if (!memory)
        fth_out_of_memory();
    return small ? memset(memory, 0, bytes) : memory;
}

void *fth_resize(void *memory, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        fth_out_of_memory();
    memory = realloc(memory, bytes ? bytes : 1);
    if (!memory)
        fth_out_of_memory();
    return memory;
}

void *fth_new_table(size_t count, size_t size)
{
    return memset(fth_resize(NULL, count, size), 0, count * size);
}

void *fth_reach(void *memory, uint32_t *limit, uint32_t index, size_t size)
{
    if (index < *limit)
        return memory;
    uint32_t more = index * 2 + 16;
    memory = fth_resize(memory, more, size);
    memset((char *)memory + *limit * size, 0, (more - *limit) * size);
    *limit = more;
    return memory;
}
