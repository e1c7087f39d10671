/* Allocation that ends the program when memory is out. */
#include "base/memory.h"

#include <stdio.h>

static void out_of_memory(void)
{
    fputs("fathom: out of memory\n", stderr);
    exit(1);
}

void *fth_new(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size ? size : 1);
    if (!memory)
        out_of_memory();
    return memory;
}

void *fth_resize(void *memory, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        out_of_memory();
    memory = realloc(memory, bytes ? bytes : 1);
    if (!memory)
        out_of_memory();
    return memory;
}
