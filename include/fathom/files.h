/* <fathom/files.h>: the file systems of the files of a run, and on which nodes a path is the same
 * file.
 *
 * Mounts are those at the end of the run on the node of `fathom record`, at the start of the first
 * process on others. A path belongs to the longest mount point that contains it. This is also right
 * for deleted files, but not for most symbolic links inside file systems, nor for processes with
 * their own mounts.
 *
 * Thread-safety and lifetime as in <fathom/trace.h>. */
#ifndef FATHOM_FILES_H
#define FATHOM_FILES_H

#include <fathom/trace.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum fth_scope {
    FTH_SCOPE_NODE,   /* the same path on another node is another file */
    FTH_SCOPE_SHARED, /* it is the same file on all nodes: NFS, Lustre, BeeGFS ... */
};

/* A file system of a node. */
struct fth_file_system {
    const char *host;
    const char *type, *mount, *source; /* "ext4", "/home", "/dev/sda2" */
    uint64_t block_size;               /* preferred size of reads and writes; 0: unknown */
    enum fth_scope scope;
};
/* The file systems of all nodes, from 0 to count - 1. */
size_t fth_trace_file_system_count(const struct fth_trace *trace);
const struct fth_file_system *fth_trace_file_system(const struct fth_trace *trace, size_t index);

/* The place of a file. */
struct fth_file {
    const struct fth_file_system *system;
    /* number of servers, and bytes on one of them before the next; 0: unknown, or not striped */
    uint64_t stripe_count, stripe_size;
};
/* Fills *file for an absolute path on the node of this process. False: nothing is known, or the
 * path is relative; then *file is all zeros. O(mounts). */
bool fth_trace_file(const struct fth_trace *trace, size_t proc, const char *path,
                    struct fth_file *file);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
