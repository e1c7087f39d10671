/* Does an object have instructions of its own that make queues of reads and writes, which no
 * wrapper sees? That is a system call with one of the numbers that make one, or with a number that
 * is not known before it runs. Instructions are read from the beginnings of functions on, so bytes
 * within others that only look so do not count. What cannot be read so counts. */
#ifndef FTH_PREFIX_QUEUE_INSTRUCTIONS_H
#define FTH_PREFIX_QUEUE_INSTRUCTIONS_H

#include "prefix/code_functions.h"

/* Of x86-64, beside those of 64 bits: a bit of numbers of system calls with pointers of 32 bits,
 * and numbers of io_setup that differ. */
enum { FTH_SHORT_POINTERS = 0x40000000, FTH_IO_SETUP_SHORT = 543, FTH_IO_SETUP_32 = 245 };

/* `where`: of the first that was found; or NULL. */
bool fth_code_makes_queues(const struct fth_code *code, const uint8_t **where);

#endif
