/* Inner header of the cmd room: what runs of a program leave in a folder, compared. */
#ifndef FTH_CMD_TUNE_OUTPUT_FILES_H
#define FTH_CMD_TUNE_OUTPUT_FILES_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

struct fth_cmd_output {
    char *path;
    unsigned mode; /* its kind and permissions */
    uint64_t size, hash[2];
    bool varies; /* it is not the same in each unchanged run */
};
struct fth_cmd_outputs {
    struct fth_cmd_output *list; /* by path */
    size_t count;
};

/* By the clock that file systems take the times of files from. */
struct timespec fth_cmd_outputs_now(void);
/* All files and links below `folder` that were made or changed since then, but those below
 * `without`, with their contents. -1: *error says what cannot be read. */
int fth_cmd_outputs_read(struct fth_cmd_outputs *outputs, const char *folder, struct timespec since,
                         const char *without, struct fth_error **error);
/* What another unchanged run left: what differs, varies from then on. */
void fth_cmd_outputs_meet(struct fth_cmd_outputs *outputs, const struct fth_cmd_outputs *other);
size_t fth_cmd_outputs_steady(const struct fth_cmd_outputs *outputs);
/* -1: a file that does not vary is missing or not the same, or there is one too many, and none
 * varies; *error says which. */
int fth_cmd_outputs_check(const struct fth_cmd_outputs *outputs,
                          const struct fth_cmd_outputs *changed, struct fth_error **error);
void fth_cmd_outputs_free(struct fth_cmd_outputs *outputs);

#endif
