/* A run as the server of `fathom view` holds it: its trace, open, and what the page gets of it at
 * once; and what it may ask for. */
#ifndef FTH_CMD_VIEW_PICTURE_H
#define FTH_CMD_VIEW_PICTURE_H

#include "analysis/select/select.h"
#include "base/sink.h"
#include "verify/verify.h"
#include "overview/overview.h"

#include <stdatomic.h>

/* What the page gets of it at once; docs/page.md. */
enum {
    FTH_PICTURE_REPORT,
    FTH_PICTURE_NAMES,
    FTH_PICTURE_NUMBERS,
    FTH_PICTURE_MAPS,
    FTH_PICTURE_CELLS,
    FTH_PICTURE_MESSAGES,
    FTH_PICTURE_LINKS,
    FTH_PICTURE_HANDLES,
    FTH_PICTURE_SAMPLES,
    FTH_PICTURE_PARTS
};

struct fth_picture {
    unsigned number; /* from 1; a run that is still recorded is pictured again and again */
    atomic_uint users;
    struct fth_trace *trace;
    const char *shown; /* what the trace is called */
    /* what it is a picture of; its expression, and the text of that, are the picture's */
    struct fth_selection selection;
    char *where;
    struct fth_picture *whole; /* held: of the whole run, whose trace this is; NULL: it is one */
    unsigned jobs;             /* threads that read all of it; 0: one per processor */
    struct fth_overview *overview;            /* fine: what it has, windows need not be read for */
    struct fth_sink parts[FTH_PICTURE_PARTS]; /* deflated; those that the run has not are empty */
};

/* Of the trace at `path`, which is called `shown`. Takes as long as a report. NULL: *error is
 * set. */
struct fth_picture *fth_picture_take(const char *path, const char *shown,
                                     const struct fth_selection *selection, unsigned jobs,
                                     struct fth_error **error);
/* Of the calls of `whole` for which the expression is true, and of those inside them. NULL: *error
 * is set. */
struct fth_picture *fth_picture_filter(struct fth_picture *whole, const char *where,
                                       struct fth_error **error);
/* The last one who lets it go frees it. NULL is allowed. */
struct fth_picture *fth_picture_hold(struct fth_picture *picture);
void fth_picture_let_go(struct fth_picture *picture);

/* ---- what is asked for ---- */

/* Nobody waits for it any more. */
typedef bool fth_picture_is_over(void *context);

/* The window, deflated, as docs/page.md has it. 1; 0: it is over; -1: *error. */
int fth_picture_window(const struct fth_picture *picture, const struct fth_overview_window *window,
                       fth_picture_is_over *is_over, void *context, struct fth_sink *to,
                       struct fth_error **error);
/* Where the reading of a call starts. */
struct fth_picture_start {
    int64_t time; /* when the call begins, ns; INT64_MIN: that is to be found out, which means
                     reading its process up to it */
    bool ranges; /* which bytes it accesses is asked for, too: its process is read from its begin */
};
/* The call "PROC.THREAD.NUMBER" with those around it and inside of it, as `fathom dump --call
 * --json` (and `--ranges`) prints them, deflated. 1; 0: it is over; -1: *error. */
int fth_picture_call(const struct fth_picture *picture, const char *id,
                     struct fth_picture_start start, fth_picture_is_over *is_over, void *context,
                     struct fth_sink *to, struct fth_error **error);
/* The verdict on the run, deflated, as docs/page.md has it: all of it is verified, whatever is
 * selected. 1; -1: *error. */
int fth_picture_verify(const struct fth_picture *picture, struct fth_verify_progress *progress,
                       struct fth_sink *to, struct fth_error **error);

#endif
