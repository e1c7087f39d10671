/* The spill folder that an importer writes to. Small files go to the memory that the folder has for
 * them (trace/spill/spill_memory.h), as long as that is not short: on a disk, to make and to remove
 * them costs more than all else that is done for a short program. */
#ifndef FTH_IMPORT_SHARED_IMPORTED_FOLDER_H
#define FTH_IMPORT_SHARED_IMPORTED_FOLDER_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A failure sticks. */
struct fth_imported_folder {
    const char *path;
    char *memory;        /* NULL: all is on disk */
    uint64_t least_free; /* bytes that must stay free there */
    struct fth_error **error;
    bool failed;
};

enum fth_imported_place { FTH_IMPORTED_TO_DISK, FTH_IMPORTED_TO_MEMORY };

/* Writes to a place `at` of a file, which is made if it is not there; it is as long as `size` then,
 * if that is not 0. A file that is written to twice is on disk. */
void fth_imported_folder_write(struct fth_imported_folder *folder, const char *name,
                               enum fth_imported_place place, const void *bytes, size_t length,
                               uint64_t at, uint64_t size);

#endif
