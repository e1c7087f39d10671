/* What a trace holds: where it came from, its processes, what is missing, and what takes the space.
 */
#ifndef FTH_VIEWS_INFO_PAGE_H
#define FTH_VIEWS_INFO_PAGE_H

#include "base/error.h"
#include "views/formats/writer.h"

#include <fathom/trace.h>

enum { FTH_INFO_LINE_DEPTH = 2 };

struct fth_info_view {
    const char *trace_path;
    bool sizes;         /* what takes the space, part by part and function by function */
    bool all_processes; /* none are folded */
};

/* 0, or -1 with *error set (out of memory, damage). */
int fth_views_info(struct fth_writer *writer, struct fth_trace *trace,
                   const struct fth_info_view *view, struct fth_error **error);
/* The same for programs: the keys are described in docs/fathom-info.1.md. */
int fth_views_info_facts(struct fth_writer *writer, struct fth_trace *trace,
                         const struct fth_info_view *view, struct fth_error **error);
/* The processes, and the parts of the file, largest first; to be freed. NULL: out of memory. */
struct fth_table *fth_views_processes(const struct fth_trace *trace);
struct fth_table *fth_views_sizes(const struct fth_trace_info *info);
/* What each function costs in the trace, in any order. NULL: *error is set. */
struct fth_table *fth_views_costs(struct fth_trace *trace, struct fth_error **error);

/* The processes as a tree, one row each, for people; NULL: out of memory. Of more than a few
 * neighbours that are alike (same program, same end, no children) the first stand for the rest,
 * unless `all`. */
struct fth_table *fth_views_process_tree(const struct fth_trace *trace, bool all, bool unicode);

#endif
