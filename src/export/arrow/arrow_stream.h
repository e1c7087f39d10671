/* Tables of a trace as streams of Arrow: rows are read when they are asked for, so memory does not
 * grow with their number. */
#ifndef FTH_EXPORT_ARROW_STREAM_H
#define FTH_EXPORT_ARROW_STREAM_H

#include "analysis/select/select.h"
#include "export/arrow/arrow.h"
#include "export/shared/pseudonyms.h"

/* A table that can be streamed: "calls", "accesses", "processes", "messages",
 * "samples", "files", "handles". */
bool fth_arrow_has_table(const char *table);
/* What is streamed. It must outlive the stream, but for the structure itself. */
struct fth_arrow_request {
    struct fth_trace *trace;
    const struct fth_selection *selection;
    const struct fth_pseudonyms *names; /* that stand for names; NULL: these stay */
    const char *table;
    bool arguments; /* calls have columns for their parameters */
    /* called with `owner` when the stream is released */
    void (*let_go)(void *owner);
    void *owner;
};
/* A stream belongs to one thread at a time. -1: *error is set, and there is no stream. */
int fth_arrow_stream(struct ArrowArrayStream *out, const struct fth_arrow_request *request,
                     struct fth_error **error);

#endif
