/* What `record` knew about the run: the JSON object that travels in the trace, read with Jansson.
 */
#ifndef FTH_VIEWS_META_H
#define FTH_VIEWS_META_H

#include "views/output/output.h"

#include <fathom/trace.h>

/* The recorded command after `before`, cut to what is left of an 80-column line or the terminal's;
 * or "imported from FILE" where that does not say it; nothing when it is not known. */
void fth_views_put_command(struct fth_output *output, const struct fth_trace_info *info,
                           const char *before);
/* How the command ended ("exit 1", "signal 9"), where that is known and not "exit 0", to be freed;
 * or NULL. */
char *fth_views_failure(const struct fth_trace_info *info);
/* The job of the batch system that this was: "Slurm job 4711, task 3", to be freed; NULL: none, or
 * not known. */
char *fth_views_job(const struct fth_trace_info *info);
/* One line per fact, with titles padded to `pad` columns. */
void fth_views_put_meta(struct fth_output *output, const struct fth_trace_info *info, size_t pad);
/* Which filters left calls out, and how to have them: " on files of the system
 * (--no-default-excludes records them) ...", to follow "9,368 calls"; to be freed. NULL: not
 * known. */
char *fth_views_filters(const char *meta_json);
/* The object as one line of JSON, checked, to be freed; NULL when it is not an object. */
char *fth_views_meta_json(const struct fth_trace_info *info);

/* How times of calls are kept, where they are not exact; else "". */
struct fth_sentence {
    char text[240];
};
struct fth_sentence fth_views_times(const struct fth_trace_info *info);

#endif
