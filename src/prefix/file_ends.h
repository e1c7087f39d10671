/* Where files end. The file below is as long as what was flushed of it: nobody who reads it there
 * is to find zeros in place of what is not flushed yet. The server knows the end of what was
 * attached, and this process that of what it has not attached. With the lock of the client. */
#ifndef FTH_PREFIX_FILE_ENDS_H
#define FTH_PREFIX_FILE_ENDS_H

#include "fs/protocol/held_files.h"
#include "prefix/prefix.h"

#include <sys/stat.h>

/* Has anybody attached something of the file, or made it longer, ever? */
bool fth_prefix_is_known(const struct fth_client_file *file);
/* The server gets a descriptor of the file, by which it writes to it; not of one that is given to
 * the system (given_files.h). false: errno is set. */
bool fth_prefix_hold(struct fth_client_file *file, int descriptor);
/* As this process sees it. -1: errno is set. */
int64_t fth_prefix_end(struct fth_client_file *file, int descriptor);
/* Can this process say nothing of the file but what the system says, as nobody has anything of it?
 * Without the lock. */
bool fth_prefix_is_plain(const char *identity);
/* The same of a file that it may not have open, which is so long in the folder below. */
int64_t fth_prefix_end_of(const char *identity, int64_t below);
/* Nothing is behind `length` any more; `descriptor`, to write: it may be longer than the file below
 * now, which this does not change; -1: it is 0. false: errno is set. */
bool fth_prefix_tell_length(struct fth_client_file *file, int descriptor, uint64_t length);
/* Says so of the file of this identity, by any connection. */
bool fth_prefix_tell_cut(struct fth_connection *connection, const char *identity);
bool fth_prefix_truncate(struct fth_client_file *file, int descriptor, uint64_t length);
/* Where an append of so many bytes begins: nobody else gets the same place. -1: errno is set, EXDEV
 * where the file is given to the system. */
int64_t fth_prefix_reserve(struct fth_client_file *file, int descriptor, int64_t bytes);
/* The identity of the file of these facts, which is the one of the path, or with "" of the
 * descriptor (fs/protocol/held_files.h). Its length. */
size_t fth_prefix_identity(const struct stat *facts, int directory, const char *path,
                           char identity[FTH_IDENTITY_MOST]);
/* The file of this process with this identity; NULL: it has none open. */
struct fth_client_file *fth_prefix_find(const char *identity);

#endif
