/* `fathom-mount`: a folder as a mount, for programs into which nothing can be preloaded.
 *
 * It is a program that knows nothing of the file system: it does to the folder what the kernel asks
 * for, by functions of libc, and is preloaded as any other program. So what its calls mean under a
 * consistency model is decided in one place (src/prefix). The kernel caches nothing: names and
 * facts are asked for each time, and bytes go straight to and from it (direct_io), so what is seen
 * is what the model says. Pages that a private map has are dropped with the next map of that file.
 *
 * This header: files and folders as the kernel knows them. Thread-safe. */
#ifndef FTH_MOUNT_MOUNT_H
#define FTH_MOUNT_MOUNT_H

#include <fuse_lowlevel.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

/* An open file of somebody who is not preloaded: one descriptor of ours. */
struct fth_mount_handle {
    int file;
    bool writes;
    unsigned users;                /* who opened it, and calls that are under way */
    struct fth_mount_handle *next; /* of the same node */
};

static inline struct fth_mount_handle *fth_mount_handle_of(const struct fuse_file_info *info)
{
    return (struct fth_mount_handle *)(uintptr_t)info->fh;
}

/* A file or folder that the kernel has a number of: the address of this. It is what it is by its
 * inode, whatever others rename. */
struct fth_mount_node {
    dev_t device;
    ino_t inode;
    mode_t type;                   /* S_IFMT */
    uint64_t lookups;              /* that the kernel has not forgotten */
    uint64_t users;                /* nodes below it, and calls that are under way */
    int folder;                    /* of a folder, O_PATH; else -1 */
    struct fth_mount_node *parent; /* where it was found last, and by which name; NULL: the root */
    char *name;
    struct fth_mount_handle *handles;
    struct fth_mount_node *next; /* with the same hash */
};

/* The folder `under` is the root. -1: errno is set. */
int fth_mount_begin(const char *under);
struct fth_mount_node *fth_mount_node(fuse_ino_t number);
/* The node of `name` in `parent`, with one more lookup; its facts are written. NULL: errno is
 * set. */
struct fth_mount_node *fth_mount_look_up(struct fth_mount_node *parent, const char *name,
                                         struct stat *facts);
void fth_mount_forget(struct fth_mount_node *node, uint64_t lookups);
/* Answers a request with the node of `name`, after what made it. */
void fth_mount_answer_entry(fuse_req_t request, struct fth_mount_node *parent, const char *name);

/* How a call reaches a node: by a descriptor, where somebody has it open or it is a folder, else by
 * its name in a folder. It stays so until fth_mount_done. */
struct fth_mount_place {
    struct fth_mount_node *node, *parent;
    struct fth_mount_handle *handle; /* NULL: by name */
    int file;                        /* of it, or -1 */
    int directory;                   /* for functions that end with "at" */
    char name[256];
};

/* false: errno is set, ESTALE where another file has its name by now. */
bool fth_mount_reach(struct fth_mount_node *node, struct fth_mount_place *place);
void fth_mount_done(struct fth_mount_place *place);

/* Opens a file, and no other: ESTALE. `flags`: how it is accessed. -1: errno is set. */
int fth_mount_open(struct fth_mount_node *node, int flags);
/* Is this descriptor of the node? false: errno is set. */
bool fth_mount_is_of(int file, const struct fth_mount_node *node);
/* NULL: errno is set, and the descriptor is closed. */
struct fth_mount_handle *fth_mount_handle(struct fth_mount_node *node, int file, bool writes);
/* Who opened it closes it; calls that are under way may go on with it. */
void fth_mount_close(struct fth_mount_node *node, struct fth_mount_handle *handle);
/* It was had by one who did not open it. */
void fth_mount_let_go(struct fth_mount_handle *handle);
/* One that may write to the file, until fth_mount_let_go; NULL: nobody has it open so. */
struct fth_mount_handle *fth_mount_writer(struct fth_mount_node *node);

/* Operations, in files of their own. */
void fth_mount_add_names(struct fuse_lowlevel_ops *operations);
void fth_mount_add_facts(struct fuse_lowlevel_ops *operations);
void fth_mount_add_bytes(struct fuse_lowlevel_ops *operations);
void fth_mount_add_folders(struct fuse_lowlevel_ops *operations);
void fth_mount_add_locks(struct fuse_lowlevel_ops *operations);
/* The locks of this owner are given up, as it closes the file. */
void fth_mount_unlock(struct fth_mount_node *node, uint64_t owner);
/* Those that were acquired through this handle, which is about to be closed. */
void fth_mount_unlock_handle(struct fth_mount_node *node, const struct fth_mount_handle *handle);

#endif
