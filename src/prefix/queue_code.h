/* Has the process code that makes queues of reads and writes by its own instructions, which no
 * wrapper sees? The instructions of each loaded object are looked through, once for all
 * processes of an instance, for the numbers of these system calls, and for system calls of any
 * number. Bytes that only look so count as well: that costs little, a queue wrong bytes. */
#ifndef FTH_PREFIX_QUEUE_CODE_H
#define FTH_PREFIX_QUEUE_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Looks at the objects that have been loaded since the last time. At any time but in signal
 * handlers. */
bool fth_prefix_has_queue_code(void);
/* Are there such instructions? */
bool fth_prefix_is_queue_code(const uint8_t *code, size_t length);
/* Finds what has been looked at by others, or makes that list. */
void fth_prefix_begin_queue_code(int folder);

#endif
