/* Reading what this process has written without the lock of the client, for which signals would
 * have to wait: two system calls. Who has had the lock, and read such bytes, leaves where they are
 * in the file's window. That is right until somebody has the lock the next time, which changes
 * fth_prefix.turn: whoever copied the bytes and finds the same turn behind that has copied what
 * anybody with the lock would have (a sequence lock). */
#ifndef FTH_PREFIX_QUICK_READS_H
#define FTH_PREFIX_QUICK_READS_H

#include "prefix/prefix.h"

/* Copies bytes of an open file. false: with the lock, then; some may have been copied. */
bool fth_prefix_read_quickly(const struct fth_client_file *file, void *to, size_t size,
                             uint64_t offset);
/* The byte at this offset has been read, with the lock. */
void fth_prefix_open_window(struct fth_client_file *file, uint64_t offset);

#endif
