/* Recorded beside replayed: the page of `fathom replay`. */
#ifndef FTH_CMD_REPLAY_COMPARED_PAGE_H
#define FTH_CMD_REPLAY_COMPARED_PAGE_H

#include "cmd/replay/players.h"
#include "views/formats/writer.h"

struct fth_replay_page {
    const char *trace_path, *into; /* into NULL: the files are removed */
    const char *folder;            /* where they are; NULL: where those of the run are */
    bool on_originals;             /* the files are those of the run */
    const struct fth_trace *trace;
    const struct fth_repeat_summary *summary;
    const struct fth_replayed *replayed; /* NULL: nothing was played (--plan) */
    const struct fth_repeat_places *places;
    double scale;
};

/* -1: *error is set: out of memory. */
int fth_replay_show(struct fth_writer *writer, const struct fth_replay_page *page,
                    struct fth_error **error);

#endif
