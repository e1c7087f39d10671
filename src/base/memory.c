/* Allocation that does not return without memory. */
#include "base/memory.h"

#include "base/phrase.h"

#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static size_t asked; /* bytes that there were not */

static void say_and_exit(void)
{
    fprintf(stderr, "fathom: out of memory: %s were requested at once\n",
            asked == SIZE_MAX ? "more bytes than can be counted" : fth_phrase_bytes(asked).text);
    exit(1);
}

void (*fth_out_of_memory)(void) = say_and_exit;

static void give_up(size_t count, size_t size)
{
    if (__builtin_mul_overflow(count, size, &asked))
        asked = SIZE_MAX;
    fth_out_of_memory();
}

/* Small memory: calloc of glibc does not take what was freed by the same thread before (2.36: it
 * passes by the thread's cache), malloc does. */
enum { CACHED_BYTES = 1024 };

void *fth_new(size_t count, size_t size)
{
    size_t bytes;
    bool small = !__builtin_mul_overflow(count, size, &bytes) && bytes && bytes <= CACHED_BYTES;
    void *memory = small ? malloc(bytes) : calloc(count ? count : 1, size ? size : 1);
    if (!memory)
        give_up(count, size);
    return small ? memset(memory, 0, bytes) : memory;
}

void *fth_resize(void *memory, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        give_up(count, size);
    memory = realloc(memory, bytes ? bytes : 1);
    if (!memory)
        give_up(count, size);
    return memory;
}

char *fth_text_part(const char *text, size_t length)
{
    char *copy = strndup(text, length);
    if (!copy)
        give_up(length, 1);
    return copy;
}

char *fth_text_copy(const char *text)
{
    return fth_text_part(text, strlen(text));
}

char *fth_text_format(const char *format, ...)
{
    char *text;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length < 0)
        give_up(INT_MAX, 1);
    return text;
}

/* Large memory comes from the system in few large pages, where it has them. */
static void ask_for_large_pages(void *memory, size_t bytes)
{
    enum { LARGE_PAGE = 2 << 20 };
    uintptr_t first = ((uintptr_t)memory + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    uintptr_t end = ((uintptr_t)memory + bytes) / LARGE_PAGE * LARGE_PAGE;
    if (bytes >= 4 * LARGE_PAGE)
        madvise((void *)first, end - first, MADV_HUGEPAGE);
}

void *fth_new_table(size_t count, size_t size)
{
    void *table = fth_resize(NULL, count, size);
    ask_for_large_pages(table, count * size);
    return memset(table, 0, count * size);
}

void *fth_new_rows(size_t count, size_t size)
{
    void *rows = fth_new(count, size);
    ask_for_large_pages(rows, count * size);
    return rows;
}

/* Far behind the end: what lies between may never be touched, and takes no memory if it comes
 * untouched from the system. */
static void *reach_far(void *memory, size_t old, size_t count, size_t size)
{
    void *more = fth_new(count, size);
    memcpy(more, memory, old * size);
    free(memory);
    return more;
}

void *fth_reach_more(void *memory, uint32_t *limit, uint32_t index, size_t size)
{
    enum { FAR = 8 };
    size_t old = *limit, more = (size_t)index * 2 + 16;
    if (more > UINT32_MAX)
        more = UINT32_MAX;
    if (index >= more)
        give_up((size_t)index + 1, size);
    if (old && more / FAR > old) {
        memory = reach_far(memory, old, more, size);
    } else if (!old) {
        free(memory);
        memory = fth_new(more, size);
    } else {
        memory = fth_resize(memory, more, size);
        memset((char *)memory + old * size, 0, (more - old) * size);
    }
    *limit = (uint32_t)more;
    return memory;
}
