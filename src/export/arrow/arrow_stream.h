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
/* `names`: pseudonyms that stand for names, or NULL. They, `selection` and `trace` must outlive the
 * stream; `let_go` is called with `owner` when it is released. A stream belongs to one thread at a
 * time. -1: *error is set, and there is no stream. */
int fth_arrow_stream(struct ArrowArrayStream *out, struct fth_trace *trace,
                     const struct fth_selection *selection, const struct fth_pseudonyms *names,
                     const char *table, void (*let_go)(void *owner), void *owner,
                     struct fth_error **error);

#endif
