/* Inner header: the file that a disk is measured with, and what is done with it several operations
 * at once. */
#ifndef FTH_MEASURE_DISK_FILE_H
#define FTH_MEASURE_DISK_FILE_H

#include "measure/trial.h"

#include <linux/aio_abi.h>
#include <stdbool.h>

struct fth_disk_file {
    const char *folder;
    int descriptor, directory;
    bool is_direct;
    uint64_t size, random;
    char *buffer;        /* FTH_DISK_MOST_RECORD */
    aio_context_t queue; /* 0: there is none */
    int cached; /* another file, through the page cache; how large it is, where it is read next */
    uint64_t cached_size, read_at;
};

/* The place of a record, such that `behind` bytes after it are in the file, too. */
uint64_t fth_disk_place(struct fth_disk_file *file, uint64_t bytes, uint64_t behind);

/* Adds trials of 1, 2, 4 ... random reads at once, and of a read beside a write. Nothing where the
 * kernel has no queues for programs, or the file cannot be accessed directly: it would do one after
 * the other. */
void fth_disk_queue_open(struct fth_disk_file *file, struct fth_trials *trials);
void fth_disk_queue_close(struct fth_disk_file *file);

/* A file that has no name; -1: errno says why. */
int fth_disk_open_unnamed(const char *folder, int flags);

/* Adds trials of files in the page cache: "cached write", "cached read", "flush" behind as many
 * bytes, "open", "make", "close and delete". -1: *error is set. */
int fth_disk_cache_open(struct fth_disk_file *file, struct fth_trials *trials,
                        struct fth_error **error);
void fth_disk_cache_close(struct fth_disk_file *file);

/* The next random number. */
uint64_t fth_disk_draw(uint64_t *state);

#endif
