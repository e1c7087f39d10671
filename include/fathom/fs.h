/* The primitives of Fathom's file system, for programs that decide themselves when others see
 * what they wrote (C. Wang, Parallel File System with Tunable Consistency, 2022, tables 5.1,
 * 5.2, 5.4).
 *
 * A process writes into a buffer of its own on its node. Nobody else sees these bytes before the
 * process *attaches* them (publishes them). Who wants to see what others published *queries* who
 * has it, and reads it from them. Neither is done by itself: a consistency model is a choice of
 * where to attach and where to query (examples/fs has four of them). Programs of which each
 * process only reads what it wrote need neither.
 *
 *     struct fth_fs_file *file = fth_fs_open("out/result");
 *     fth_fs_write(file, numbers, sizeof numbers);
 *     fth_fs_attach_file(file);              // from now on others can see it
 *     fth_fs_close(file);
 *
 * `fathom fs run -- PROGRAM` starts an instance of the file system for a program, and moves the
 * attached data to the folder below at its end: fathom-fs(1). Link with -lfathom-fs.
 *
 * All functions are thread-safe; two threads that use one handle share its position. They are
 * not for signal handlers. After fork the child is a client of its own: it shares no buffer with
 * its parent, and sees of its parent's data what is attached. Each returns -1, or NULL, with
 * errno: ENOTCONN (no instance, or its server did not come back within 10 s), EBADF (the handle
 * is NULL), EINVAL, EACCES (a path that leaves the file system), ENOSPC, EIO. */
#ifndef FATHOM_FS_H
#define FATHOM_FS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An open file, always for reading and writing. */
struct fth_fs_file;

/* A client of the instance: a process that uses it. */
struct fth_fs_address {
    uint32_t server; /* of its node, from 0 */
    uint32_t client; /* from 1 */
};

/* Bytes [begin, end) of a file, and who attached them last. */
struct fth_fs_interval {
    uint64_t begin, end;
    struct fth_fs_address owner;
};

enum fth_fs_lock { FTH_FS_LOCK_READ, FTH_FS_LOCK_WRITE };

/* Core primitives (table 5.1). */

/* `path`: relative to the file system, or absolute below its prefix. A file that is not there
 * begins to be when somebody writes to it. Sends no message. The position is 0. */
struct fth_fs_file *fth_fs_open(const char *path);
/* What is attached stays readable for others; what is not is dropped, as nothing is flushed. The
 * handle is gone, also after a failure. */
int fth_fs_close(struct fth_fs_file *file);
/* At the position, into this process's buffer; at once visible to this process, and to nobody else.
 * Returns the bytes written, always all. */
ssize_t fth_fs_write(struct fth_fs_file *file, const void *buffer, size_t size);
/* At the position: what this process wrote, else what is in the folder below. Bytes before the end
 * of the file that nobody wrote are zero. Returns the bytes read, 0 at the end of the file. */
ssize_t fth_fs_read(struct fth_fs_file *file, void *buffer, size_t size);
/* Bytes [offset, offset + size) as `peer` attached them; the position does not move. -1 with
 * ENODATA: the peer does not have all of them attached (any more). */
ssize_t fth_fs_read_peer(struct fth_fs_file *file, const struct fth_fs_address *peer,
                         uint64_t offset, size_t size, void *buffer);
/* Writes what this process buffers of the file to the folder below. */
int fth_fs_flush(struct fth_fs_file *file);
/* SEEK_SET, SEEK_CUR, SEEK_END; also behind the end, which it does not move. Returns the
 * position. */
int64_t fth_fs_seek(struct fth_fs_file *file, int64_t offset, int whence);
int64_t fth_fs_tell(struct fth_fs_file *file);
/* Only st_size is set: the end of what this process wrote, anybody attached, or the folder below
 * has. */
int fth_fs_stat(struct fth_fs_file *file, struct stat *status);

/* Synchronization primitives (table 5.4). Each sends at most one message. */

/* What this process wrote of [offset, offset + size) is visible to all who query from now on.
 * Nothing is sent where nothing is new. */
int fth_fs_attach(struct fth_fs_file *file, uint64_t offset, uint64_t size);
int fth_fs_attach_file(struct fth_fs_file *file);
/* Who attached the bytes of [offset, offset + size) last: *owners is an array of *count
 * intervals in ascending order, to be freed with free(); bytes that nobody attached are in none
 * of them. */
int fth_fs_query(struct fth_fs_file *file, uint64_t offset, uint64_t size,
                 struct fth_fs_interval **owners, int *count);
int fth_fs_query_file(struct fth_fs_file *file, struct fth_fs_interval **owners, int *count);
/* What this process attached of the range is not visible any more, unless somebody else has
 * attached it since. It is lost at the end of the instance, if it was not flushed before. */
int fth_fs_detach(struct fth_fs_file *file, uint64_t offset, uint64_t size);
int fth_fs_detach_file(struct fth_fs_file *file);
int fth_fs_detach_client(void);

/* Locking primitives (table 5.2). A lock is a token, as in GPFS: whoever has it may act without
 * asking, until somebody else asks for a conflicting one, who gets it at once. So it does not
 * exclude others from the range (fcntl does that). What it does: writes to locked bytes are
 * attached before fth_fs_write returns, and reads of locked bytes see what others have attached.
 * A program uses either these or the synchronization primitives. */

/* A read lock can be shared, a write lock cannot. More bytes than these may be locked. */
int fth_fs_acquire_lock(struct fth_fs_file *file, uint64_t offset, uint64_t size,
                        enum fth_fs_lock type);
/* The process's locks on bytes of the range are gone. */
int fth_fs_release_lock(struct fth_fs_file *file, uint64_t offset, uint64_t size);
int fth_fs_release_lock_file(struct fth_fs_file *file);
int fth_fs_release_lock_client(void);

/* This process, as others see it in `owner`. {0, 0}: it is no client yet. */
struct fth_fs_address fth_fs_self(void);

#ifdef __cplusplus
}
#endif

#endif
