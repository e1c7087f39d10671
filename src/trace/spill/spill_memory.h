/* The part of a spill folder that is in memory: small files of processes, which would cost more to
 * make and to remove on a disk than all else that is done for a short process. The folder has a
 * link to it, FTH_SPILL_MEMORY. */
#ifndef FTH_TRACE_SPILL_SPILL_MEMORY_H
#define FTH_TRACE_SPILL_SPILL_MEMORY_H

#include <stdint.h>

/* Makes it, with the link. Returns how many bytes must stay free where it is: with less, small
 * files are to be made on disk. 0: there is none, because there is no such memory, it is short, or
 * the spill folder is in memory itself. */
uint64_t fth_spill_memory_make(const char *folder);
/* Its path, to be freed. NULL: there is none. A link that leads elsewhere than to a folder that a
 * recording of this user has made is none. */
char *fth_spill_memory_of(const char *folder);
/* Removes the link and what it leads to, which is empty. */
void fth_spill_memory_remove(const char *folder);

#endif
