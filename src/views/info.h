/* What a trace holds: where it came from, its processes, what is missing, and what takes the space.
 */
#ifndef FTH_VIEWS_INFO_H
#define FTH_VIEWS_INFO_H

#include "base/error.h"
#include "table/table.h"
#include "views/output.h"

#include <fathom/trace.h>

struct fth_info_view {
    const char *trace_path;
    bool sizes;         /* what takes the space, part by part and function by function */
    bool all_processes; /* none are folded */
};

/* Both return 0, or -1 with *error set (out of memory, damage). */
int fth_views_info(struct fth_output *output, struct fth_trace *trace,
                   const struct fth_info_view *view, struct fth_error **error);
int fth_views_info_json(struct fth_output *output, struct fth_trace *trace,
                        const struct fth_info_view *view, struct fth_error **error);

/* How times of calls are kept, where they are not exact; else "". */
struct fth_sentence {
    char text[240];
};
struct fth_sentence fth_views_times(const struct fth_trace_info *info);

/* The processes as a tree, one row each, for people; NULL: out of memory. Of more than a few
 * neighbours that are alike (same program, same end, no children) the first stand for the rest,
 * unless `all`. */
struct fth_table *fth_views_process_tree(const struct fth_trace *trace, bool all, bool unicode);

#endif
