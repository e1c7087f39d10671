/* Memory that a program gives to read and write: the kernel answers EFAULT where there is none. */
#ifndef FTH_PREFIX_PROGRAM_MEMORY_H
#define FTH_PREFIX_PROGRAM_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* How many of `size` bytes from `at` on can be read, or `to_write`: written, before the first that
 * cannot. Pages that could be are remembered until the program changes its maps. */
size_t fth_memory_there(const void *at, size_t size, bool to_write);
/* The program has changed its maps. */
void fth_memory_changed(void);

#endif
