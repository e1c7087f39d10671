/* What takes longer than a moment: windows, calls and verdicts that are read from the trace, by a
 * few threads, so that the server goes on answering. Of one page only the last window that it asked
 * for counts: the others are outdated, and end early. The last answers are kept. */
#ifndef FTH_CMD_VIEW_JOBS_H
#define FTH_CMD_VIEW_JOBS_H

#include "cmd/view/picture.h"
#include "views/browser/asked.h"

enum fth_job_end { FTH_JOB_DONE, FTH_JOB_OUTDATED, FTH_JOB_FAILED };

struct fth_job {
    enum fth_asked_what what;
    struct fth_picture *picture; /* held by the job */
    /* what is asked for, by which equal answers are known: the query without who asks */
    char *key;
    char *page;   /* that asks for a window; NULL: for something else */
    int64_t turn; /* of the windows that this page asks for; they may come out of turn */
    struct fth_overview_window window;
    char *id;                            /* of a call */
    char *where;                         /* of a filter: an expression */
    struct fth_picture *made;            /* by a filter; whoever answers takes it */
    struct fth_picture_start start;      /* of a call */
    struct fth_verify_progress progress; /* of a verdict */
    void *context;                       /* of who waits */

    atomic_bool outdated;
    enum fth_job_end end;
    struct fth_sink answer; /* deflated; of a failed one its text */
    struct fth_job *next;
};
void fth_job_free(struct fth_job *job);

struct fth_jobs;
/* `done` is called, by some thread, when a job is over. */
struct fth_jobs *fth_jobs_new(void (*done)(struct fth_job *job));
/* True: it is answered at once, and `done` is not called. */
bool fth_jobs_add(struct fth_jobs *jobs, struct fth_job *job);
/* The picture whose run is being verified, and how far that is; false: none is. */
struct fth_jobs_verifying {
    unsigned picture;
    uint64_t read, total; /* as in struct fth_verify_progress */
};
bool fth_jobs_verifies(struct fth_jobs *jobs, struct fth_jobs_verifying *found);
/* Whoever waits for the verdict on this picture's run gets none; it is not verified any more. */
void fth_jobs_stop_verdict(struct fth_jobs *jobs, unsigned picture);

#endif
