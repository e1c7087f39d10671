/* Files that commands write beside their place and put there when they are whole: where that place
 * is, and whether it can be written to. Who writes there by opening the file needs none of this
 * (views/output/output.h). */
#ifndef FTH_CMD_SHARED_OUTPUT_FILE_H
#define FTH_CMD_SHARED_OUTPUT_FILE_H

#include "base/error.h"
#include "base/sink.h"

#include <stdbool.h>

/* The file that is meant by `path`: behind the symbolic links, if it is one, also where that file
 * is not there yet. A file put in its place by rename leaves the links as they are. To be freed.
 * NULL: no memory, or links in a circle, with errno. */
char *fth_cmd_output_file(const char *path);
/* Is `what` ("the trace ", or "") at `path`, which is behind all links, a plain file or not there
 * yet, and can a file be made beside it? Tried, so that nothing is lost at the end of a long run.
 * Returns 0, or -1 with *error set. */
int fth_cmd_check_output_file(const char *what, const char *path, struct fth_error **error);
/* The same where a file that is there may not be replaced, unless `force`. */
int fth_cmd_check_new_file(const char *path, bool force, struct fth_error **error);
/* A file that is written beside its place, under another name. */
struct fth_cmd_draft {
    const char *path; /* borrowed: where it goes */
    char *name;
    int descriptor;
    bool force; /* one that is there is replaced */
};
int fth_cmd_open_draft(struct fth_cmd_draft *draft, const char *path, bool force,
                       struct fth_error **error);
/* Puts it in its place, if `result` is 0, and removes it otherwise. Its descriptor is closed.
 * Returns `result`, or -1 with *error set. */
int fth_cmd_close_draft(struct fth_cmd_draft *draft, int result, struct fth_error **error);
/* Writes the file, which is replaced as a whole or not at all; without `force` one that is there is
 * kept, and that is an error. */
int fth_cmd_save(const char *path, const struct fth_sink *content, bool force,
                 struct fth_error **error);
/* An empty file that keeps the name of a trace which will not be made (record_output.c) is removed.
 * Safe in a signal handler. */
void fth_cmd_let_name_go(const char *path);

#endif
