/* A walk over the selected calls of a run, one at a time.
 *
 * Process after process, in order of entry within each, it holds one process open and needs memory
 * for that one only. In order of time over all processes, it holds all selected processes open at
 * once. */
#ifndef FTH_ANALYSIS_CALL_WALK_H
#define FTH_ANALYSIS_CALL_WALK_H

#include "analysis/select/select.h"
#include "base/progress.h"

#include <fathom/access.h>

struct fth_run_walk;

enum fth_walk_order { FTH_WALK_BY_PROCESS, FTH_WALK_BY_TIME };

/* `trace` and `selection` must outlive the walk. progress may be NULL; its unit is a call. NULL:
 * *error is set. */
struct fth_run_walk *fth_analysis_walk_open(struct fth_trace *trace,
                                            const struct fth_selection *selection,
                                            enum fth_walk_order order,
                                            struct fth_progress *progress,
                                            struct fth_error **error);
/* Calls name their handles (fth_calls_with_handles), which means that all calls before the first
 * selected one are read, too. Before the first call is taken. */
void fth_analysis_walk_with_handles(struct fth_run_walk *walk);
/* Before the first call is taken: it is to be known what calls access. The calls of each process
 * are gone through from its beginning on then, also those that are not selected. */
void fth_analysis_walk_accesses(struct fth_run_walk *walk);
/* Before the first call is taken: all calls are handed on, and fth_analysis_walk_selects says
 * which are selected. */
void fth_analysis_walk_all(struct fth_run_walk *walk);
/* 1: *call is the next selected call, valid until the next one is taken; 0: no more; -1: *error is
 * set. */
int fth_analysis_walk_next(struct fth_run_walk *walk, const struct fth_call **call,
                           struct fth_error **error);
/* Is the call that was taken last selected? */
bool fth_analysis_walk_selects(const struct fth_run_walk *walk);
/* If accesses are known: that of the call that was taken last, and who gives its ranges; else
 * NULL. */
const struct fth_access *fth_analysis_walk_access(const struct fth_run_walk *walk,
                                                  struct fth_accesses **accesses);
void fth_analysis_walk_close(struct fth_run_walk *walk); /* NULL is allowed */

/* Does the trace have functions that start what others complete? */
bool fth_analysis_has_operations(const struct fth_trace *trace);
/* Recorded calls of the selected processes: what the walk has to look at. */
uint64_t fth_analysis_walk_length(const struct fth_trace *trace,
                                  const struct fth_selection *selection);

static inline uint64_t fth_analysis_bytes_of_blocks(const struct fth_call *call, bool written)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < call->block_count; i++)
        bytes += call->blocks[i].writes == written ? call->blocks[i].bytes : 0;
    return bytes;
}

/* Bytes that the call read, and those that it wrote: a copy between two files does both, and so may
 * a call that starts several operations. 0: no data call, or not known. */
static inline uint64_t fth_analysis_bytes_read(const struct fth_call *call)
{
    return ((call->reads || call->copies) && call->bytes_known ? call->bytes : 0) +
           fth_analysis_bytes_of_blocks(call, false);
}

static inline uint64_t fth_analysis_bytes_written(const struct fth_call *call)
{
    return ((call->writes || call->copies) && call->bytes_known ? call->bytes : 0) +
           fth_analysis_bytes_of_blocks(call, true);
}

#endif
