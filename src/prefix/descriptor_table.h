/* Descriptors of files that live in the file system. The kernel has everything about them but the
 * bytes: positions, sharing, what a fork and an exec inherit. */
#ifndef FTH_PREFIX_DESCRIPTOR_TABLE_H
#define FTH_PREFIX_DESCRIPTOR_TABLE_H

#include "prefix/kept_flags.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fth_client_file;

/* NULL: the descriptor is of no file of ours. */
extern struct fth_client_file *fth_prefix_opened[FTH_PREFIX_DESCRIPTORS];
/* With the lock of the client. */
void fth_prefix_set_file(int descriptor, struct fth_client_file *file);
/* May there be one of a file with this bit (fs/protocol/held_files.h)? At any time. */
bool fth_prefix_may_have(uint32_t bit);

static inline struct fth_client_file *fth_prefix_file(int descriptor)
{
    return (unsigned)descriptor < (unsigned)FTH_PREFIX_DESCRIPTORS ? fth_prefix_opened[descriptor]
                                                                   : NULL;
}

/* Is the file in the folder below, or that itself? `name`: its path from there, then. */
bool fth_prefix_is_below(int descriptor, char name[PATH_MAX]);

/* What one of our descriptors may be used for, which never changes: of enum fth_prefix_use. */
enum fth_prefix_use { FTH_PREFIX_READS = 1, FTH_PREFIX_WRITES = 2 };
extern uint8_t fth_prefix_uses[FTH_PREFIX_DESCRIPTORS];

static inline bool fth_prefix_reads(int descriptor)
{
    return fth_prefix_uses[descriptor] & FTH_PREFIX_READS;
}

static inline bool fth_prefix_writes(int descriptor)
{
    return fth_prefix_uses[descriptor] & FTH_PREFIX_WRITES;
}

/* A descriptor of the file that may be written to; -1: none. With the lock of the client. */
int fth_prefix_any_writer(const struct fth_client_file *file);

#endif
