/* glibc's allocator, with a count of the bytes. One thread at a time. */
#include "heap.h"

#include <malloc.h>
#include <stdlib.h>

int64_t heap_bytes, heap_most;

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
extern void __libc_free(void *);

static void *counted(void *memory)
{
    heap_bytes += (int64_t)malloc_usable_size(memory);
    if (heap_bytes > heap_most)
        heap_most = heap_bytes;
    return memory;
}

static void *uncounted(void *memory)
{
    heap_bytes -= (int64_t)malloc_usable_size(memory);
    return memory;
}

void *malloc(size_t size)
{
    return counted(__libc_malloc(size));
}

void *calloc(size_t count, size_t size)
{
    return counted(__libc_calloc(count, size));
}

void *realloc(void *memory, size_t size)
{
    return counted(__libc_realloc(uncounted(memory), size));
}

void free(void *memory)
{
    __libc_free(uncounted(memory));
}
