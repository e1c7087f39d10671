/* Descriptors of files that live in the file system. The kernel has everything about them but the
 * bytes: positions, sharing, what a fork and an exec inherit. Only the flags that would change how
 * the kernel writes (O_APPEND, O_DIRECT) are taken off, as the server may write through such a
 * descriptor, too (fth_published_hold); they are kept in a field of the open file that travels with
 * it wherever it goes: the signal of F_SETSIG. */
#ifndef FTH_PREFIX_DESCRIPTOR_TABLE_H
#define FTH_PREFIX_DESCRIPTOR_TABLE_H

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fth_client_file;

enum { FTH_PREFIX_DESCRIPTORS = 65536, FTH_PREFIX_KEPT = O_APPEND | O_DIRECT };

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
/* O_APPEND and O_DIRECT, as the program has set them; and the flags that the kernel has. */
int fth_prefix_flags(int descriptor);
/* Has it O_APPEND? With the lock of the client. The system is asked only where somebody on this
 * node has changed such flags of any file since: processes count these changes in the file
 * `changes` of the instance. */
bool fth_prefix_appends(int descriptor);
/* Finds that file, or makes it. */
void fth_prefix_begin_flags(int folder);
void fth_prefix_set_flags(int descriptor, int flags);
int fth_prefix_kernel_flags(int descriptor);

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
