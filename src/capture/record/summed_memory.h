/* Memory for adding up in a traced program: what takes it is the code of the merge, which allocates
 * (base/memory.h), compiled so that it comes here for it. Nothing of the program's allocator is
 * used. For one thread at a time. */
#ifndef FTH_CAPTURE_RECORD_SUMMED_MEMORY_H
#define FTH_CAPTURE_RECORD_SUMMED_MEMORY_H

#include <stddef.h>

/* Does this work, which comes to an end in its middle when there is no memory; what it took of the
 * passing kind is given back. */
void fth_summed_memory_in(void (*work)(void *), void *argument);
/* What is taken from here on stays; or it is given back when the work is over. */
void fth_summed_memory_lasting(void);
void fth_summed_memory_passing(void);

/* In place of those of libc. */
void *fth_summed_malloc(size_t bytes);
void *fth_summed_calloc(size_t count, size_t size);
void *fth_summed_realloc(void *memory, size_t bytes);
void *fth_summed_reallocarray(void *memory, size_t count, size_t size);
void fth_summed_free(void *memory);

#endif
