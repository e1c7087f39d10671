/* The files in which MPI worlds have merged themselves at their end: PREFIX-WORLD beside the trace,
 * WORLD in 16 hexadecimal digits, and PREFIX-WORLD.tmp while such a file is written. Files of that
 * form that belong to this user are looked at and removed, and nothing else: no link, no other
 * name. */
#ifndef FTH_TRACE_SPILL_PART_FILES_H
#define FTH_TRACE_SPILL_PART_FILES_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct fth_part_files {
    int folder;   /* that they lie in; -1: there is none */
    char **names; /* in it, in order */
    size_t count;
};

/* `prefix` may be NULL; a folder that is not there, or cannot be read, has none. To be closed. */
void fth_part_files_list(struct fth_part_files *files, const char *prefix);
void fth_part_files_close(struct fth_part_files *files);
/* Was it left behind by ranks that were killed while they wrote it? */
bool fth_part_file_is_begun(const char *name);
/* Opens one for reading; -1 and *error: it is no regular file of this user. */
int fth_part_file_open(const struct fth_part_files *files, size_t number, struct fth_error **error);
/* Removes all of them. */
void fth_part_files_remove(const struct fth_part_files *files);

#endif
