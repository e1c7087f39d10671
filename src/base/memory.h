/* Allocation that cannot fail for the caller: when memory is out, fth_out_of_memory is called,
 * which does not return. In `fathom` itself it says so and ends the program with status 1; in a
 * traced program, where the merge at MPI_Finalize needs memory, it gives the merge up. */
#ifndef FTH_BASE_MEMORY_H
#define FTH_BASE_MEMORY_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

extern void (*fth_out_of_memory)(void);

/* count * size zeroed bytes; free() them. */
void *fth_new(size_t count, size_t size) __attribute__((__malloc__));
/* The same for a table that will be written to all over: its memory is there at once. What calloc
 * gives is there when it is read, and once more when it is written to, of which all threads have to
 * be notified. */
void *fth_new_table(size_t count, size_t size) __attribute__((__malloc__));
/* The same for an array that is written to once, from its begin on, most of it: there may be many
 * megabytes of it. */
void *fth_new_rows(size_t count, size_t size) __attribute__((__malloc__));
void *fth_resize(void *memory, size_t count, size_t size);

/* A text of one's own: free() it. fth_text_part: its first `length` bytes, or all if it is shorter.
 * fth_text_format: as printf makes it. */
char *fth_text_copy(const char *text) __attribute__((__malloc__));
char *fth_text_part(const char *text, size_t length) __attribute__((__malloc__));
char *fth_text_format(const char *format, ...) __attribute__((__malloc__, format(printf, 1, 2)));

/* `memory`, an array of *limit items, made long enough for items[index]: what is new is zeroed.
 * Grows by doubling; what lies between its end and an index far behind it takes no memory before it
 * is written to. */
void *fth_reach_more(void *memory, uint32_t *limit, uint32_t index, size_t size);
static inline void *fth_reach(void *memory, uint32_t *limit, uint32_t index, size_t size)
{
    return index < *limit ? memory : fth_reach_more(memory, limit, index, size);
}

/* Room for one more in an array of `count` elements that grows in powers of two, without a capacity
 * beside it. */
#define FTH_GROW(array, count)                                                                     \
    do {                                                                                           \
        if (((count) & ((count)-1)) == 0)                                                          \
            (array) = fth_resize((array), (count) ? (size_t)(count)*2 : 1, sizeof *(array));       \
    } while (0)

#endif
