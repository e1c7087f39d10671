/* Which file a descriptor is of, where its name does not say. Inner header of the capture room. */
#ifndef FTH_CAPTURE_FOLLOW_DESCRIPTOR_IDENTITY_H
#define FTH_CAPTURE_FOLLOW_DESCRIPTOR_IDENTITY_H

#include "capture/record/runtime.h"

struct fth_identity_known {
    uint64_t device, inode; /* inode 0: it is no regular file, nor a folder, or nobody knows */
    bool is_folder;
    uint32_t links;   /* names that it had */
    bool is_reported; /* its name alone does not say which: the trace has to */
    uint64_t size;    /* how long it was when it was opened, + 1; 0: not known */
    bool tells_size;  /* the trace has to say it */
};

/* Asks the system, once for each descriptor that is opened. */
struct fth_identity_known fth_identity_of(int descriptor);
/* Is this the first time that the process opens the file? Of many files it may be said twice. */
bool fth_identity_is_first(const struct fth_identity_known *file);
/* It is the copy of a process, of which what that has opened is not known to be recorded. */
void fth_identity_in_child(void);
/* The same of what a path leads to, which may be a link. */
struct fth_identity_known fth_identity_at(const char *path, bool *is_link);
/* Where the system says that the file of the descriptor is, if that is not `path`; else NULL.
 * Stands until the next text is put together. */
const char *fth_real_path(int descriptor, const char *path, const struct fth_identity_known *file);
/* What a path of a descriptor ("/proc/self/fd/3", "/dev/fd/3"), or below a folder of a process
 * ("/proc/self/cwd/f"), leads to, if that is a path or a pipe ("pipe:[1234]"); any other path
 * itself. Stands as long as that of fth_real_path. */
const char *fth_led_to(const char *path);
bool fth_is_pipe_name(const char *name);
/* The same of a symbolic link to an absolute path. */
const char *fth_link_led_to(const char *path);
/* Notes, behind the binding of the slot, what is known of its file. `real`: the path of so many
 * bytes, if there are any. */
void fth_identity_note(struct fth_draft *draft, const char *class_name, int32_t slot,
                       const struct fth_identity_known *file, const char *real, size_t length);

struct fth_path_hashes {
    uint64_t path, folder; /* of the path, and of what comes before its last part */
};
struct fth_path_hashes fth_path_hashes_of(const char *path);
/* Was it found that no folder on the way to the name is a link? This says so. */
bool fth_folder_is_plain(struct fth_path_hashes hashes);
void fth_folder_plain(struct fth_path_hashes hashes);

#endif
