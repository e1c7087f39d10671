/* Files and folders that have to be there before the program runs: those that a process used before
 * any had made them. */
#ifndef FTH_PROXY_NEEDED_FILES_H
#define FTH_PROXY_NEEDED_FILES_H

#include "proxy/kept_calls.h"

struct fth_needed_file {
    char *path;         /* as in the trace */
    int64_t made, used; /* when it was first: ns; INT64_MAX: never */
    uint64_t bytes;     /* how far it was read before it was written to */
    bool is_folder, by_library;
    /* lengths of the lines that process `reader` read of it; without, it is no text */
    uint64_t *lines;
    size_t line_count, reader;
};

struct fth_needed_files {
    struct fth_intern paths;
    struct fth_needed_file *files;
};

/* Takes the call that `kept` is at, of this row. */
void fth_needed_files_see(struct fth_needed_files *needed, struct fth_proxy_calls *kept,
                          const struct fth_row *row);
bool fth_file_is_needed(const struct fth_needed_file *file);
void fth_needed_files_free(struct fth_needed_files *needed);

#endif
