/* Folders that commands write: made under another name, and put in their place when they are
 * complete. */
#ifndef FTH_CMD_SHARED_OUTPUT_FOLDER_H
#define FTH_CMD_SHARED_OUTPUT_FOLDER_H

#include "base/error.h"

#include <stdbool.h>

struct fth_cmd_draft_folder {
    const char *path; /* borrowed: where it goes */
    char *name;       /* where it is until then */
    bool replaces;    /* a folder that is there */
    bool is_placed;
};
/* `mark`: a file in every such folder. Only a folder with this file is replaced, and only with
 * `force`. -1: *error is set. */
int fth_cmd_open_draft_folder(struct fth_cmd_draft_folder *draft, const char *path,
                              const char *mark, bool force, struct fth_error **error);
/* The same of a folder that is made where it stays, as what is built in it keeps its name: until it
 * is closed it is not complete. */
int fth_cmd_open_placed_folder(struct fth_cmd_draft_folder *draft, const char *path,
                               const char *mark, bool force, struct fth_error **error);
/* Puts it in its place, if `result` is 0, and removes it otherwise. Returns `result`, or -1 with
 * *error set. */
int fth_cmd_close_draft_folder(struct fth_cmd_draft_folder *draft, int result,
                               struct fth_error **error);

/* Removes a folder with all that is in it; what stands behind links is kept. */
void fth_cmd_remove_tree(const char *path);

#endif
