/* Has the process code that makes queues of reads and writes by its own instructions, which no
 * wrapper sees? Each object is looked at once for all processes of an instance
 * (queue_instructions.h). */
#ifndef FTH_PREFIX_QUEUE_CODE_H
#define FTH_PREFIX_QUEUE_CODE_H

#include <stdbool.h>

/* Looks at the objects that have been loaded since the last time. At any time but in signal
 * handlers. */
bool fth_prefix_has_queue_code(void);
/* Has a library that is about to be loaded? False as well where it cannot be read. */
bool fth_prefix_file_has_queue_code(const char *path);
/* Finds what has been looked at by others, or makes that list. */
void fth_prefix_begin_queue_code(int folder);

#endif
