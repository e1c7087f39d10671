/* A run that is still being recorded, as a trace of what there is so far: its spill folder is
 * merged by a process of its own, again and again. */
#ifndef FTH_CMD_VIEW_FOLLOW_H
#define FTH_CMD_VIEW_FOLLOW_H

#include "cmd/run/run.h"

struct fth_following {
    const char *folder;
    struct fth_cmd_run run;
    char *place; /* a folder for traces, of which none is kept */
    char *trace; /* in it; or that which the recording has written; NULL: there is none */
    bool goes_on;
    int64_t since; /* when it began to be followed, ns since 1970 */
};

/* Is it a folder, which can be followed, and no trace? */
bool fth_follow_is_folder(const char *path);
int fth_follow_begin(struct fth_following *following, const char *folder, struct fth_error **error);
/* Makes following->trace, to be opened. When the recording is over and has taken its folder away,
 * it is that which the recording has made, and `goes_on` is false. */
int fth_follow_merge(struct fth_following *following, struct fth_error **error);
/* The trace was opened: its name is not needed any more. */
void fth_follow_forget(const struct fth_following *following);
/* Removes what is left; safe at any time. */
void fth_follow_end(const struct fth_following *following);

#endif
