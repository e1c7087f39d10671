/* `fathom tune --live`: a program that runs is tuned file by file. Inner header of the cmd room. */
#ifndef FTH_CMD_TUNE_TUNE_LIVE_H
#define FTH_CMD_TUNE_TUNE_LIVE_H

#include "cmd/run/run.h"
#include "cmd/tune/tune_command.h"
#include "trace/record/tunable_page.h"

/* A recording that was begun with --tunable. */
struct fth_cmd_tune_live {
    const char *asked; /* its spill folder, or a process of it; NULL: the one that there is */
    struct fth_cmd_run run;
    struct fth_tunable_page *page; /* mapped; NULL: not found yet */
    uint64_t name;                 /* the files whose time counts: fth_tunable_open.name */
    char path[FTH_TUNABLE_PATH];   /* the end of one's path */
    uint32_t ranks;                /* that open it together */
    uint64_t seen;                 /* files of this kind that were measured */
};

/* Finds the recording, tries hints for files that it opens, and leaves the best ones in effect, or
 * none; -1: *error, and none is in effect. */
int fth_cmd_tune_while_it_runs(struct fth_cmd_tuning *tuning, struct fth_error **error);
void fth_cmd_tune_live_free(struct fth_cmd_tune_live *live);

/* tune_request.c: the page. */

/* Finds the run that `asked` means. */
int fth_cmd_tune_find_run(struct fth_cmd_tune_live *live, struct fth_error **error);
/* Maps the page, once it is there, and makes this process the one that is at it. */
int fth_cmd_tune_take_page(struct fth_cmd_tune_live *live, struct fth_error **error);
/* What files get that are opened from now on; 0 for what is left as it is. *request: what their
 * rows say. */
int fth_cmd_tune_request(struct fth_cmd_tune_live *live, uint64_t nodes, uint64_t buffer,
                         uint64_t *request, struct fth_error **error);
/* The next file that has been closed and was opened with this request: `name` 0: any, but for those
 * with numbers up to *after; *after becomes its number. Waits for it. */
int fth_cmd_tune_await(struct fth_cmd_tune_live *live, uint64_t request, uint64_t name,
                       uint64_t *after, struct fth_tunable_open *found, struct fth_error **error);
/* Others may be at it from now on. */
void fth_cmd_tune_let_page_go(struct fth_cmd_tune_live *live);

#endif
