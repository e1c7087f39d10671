/* The files that a server held which was killed, found again: by the names that they had, or, where
 * they have others by now, below the folder below. A file is the same if its number and the time of
 * its birth are: numbers of files that are gone are given again. */
#ifndef FTH_FS_HELD_AGAIN_H
#define FTH_FS_HELD_AGAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

struct fth_held_file {
    const char *identity; /* fs/protocol/held_files.h */
    size_t length;
    uint64_t born; /* ns since 1970; 0: the file system does not say */
};

/* For reading and writing, or for writing. -1: it is another file, or none. */
int fth_held_again(const char *path, const struct fth_held_file *held);
/* Gives `look` each regular file below the folder. */
void fth_held_again_each(const char *folder,
                         void (*look)(const char *path, const struct stat *facts, void *data),
                         void *data);

#endif
