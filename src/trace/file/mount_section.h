/* What was mounted where on a node of the run, as far as it concerns files: section MNTS of a trace
 * (docs/format.md). */
#ifndef FTH_TRACE_FILE_MOUNT_SECTION_H
#define FTH_TRACE_FILE_MOUNT_SECTION_H

#include "base/bytes.h"
#include "base/error.h"

struct fth_mount {
    char *point, *type, *source;
    uint64_t block_size; /* that the file system wants to be read and written in; 0: not known */
    bool shared;         /* a path is the same file on every node that has it mounted */
};

/* A path that leads elsewhere. */
struct fth_mount_link {
    char *from, *to;
};

/* A file in stripes over servers. */
struct fth_striped {
    char *path;
    uint64_t count, size;
};

struct fth_mounts {
    char *host;
    struct fth_mount *mounts; /* of two at one point the later one counts */
    size_t mount_count;
    struct fth_mount_link *links;
    size_t link_count;
    struct fth_striped *files;
    size_t file_count;
};

/* Texts are copied. */
void fth_mounts_add(struct fth_mounts *mounts, const struct fth_mount *mount);
void fth_mounts_add_link(struct fth_mounts *mounts, const char *from, const char *to);
void fth_mounts_add_file(struct fth_mounts *mounts, const char *path, uint64_t count,
                         uint64_t size);
void fth_mounts_free(struct fth_mounts *mounts);
/* The mount that this absolute path is in, links followed as far as they are known; NULL: none. */
const struct fth_mount *fth_mounts_find(const struct fth_mounts *mounts, const char *path);

void fth_mounts_write(const struct fth_mounts *mounts, struct fth_bytes *to);
int fth_mounts_read(struct fth_mounts *mounts, const void *bytes, size_t length,
                    struct fth_error **error);

#endif
