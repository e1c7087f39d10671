/* The statistics pass: who did how much, from the sums that were kept while recording. Calls are
 * not expanded, unless --where chooses some of them: the work is proportional to processes x
 * (functions + files), the memory to functions + files + ranks.
 *
 * Bytes are counted once: a call on a file that happens inside another one (the pwrite of an
 * MPI_File_write) moves bytes that its caller counts already. Hence: functions  time with all that
 * happened inside, of every call files      bytes and time of calls that are not inside another
 * call on a file layers     bytes and time of calls that are not inside another call of the same
 * layer ranks      bytes and time of calls that are not inside another call on a file; so does the
 * total `calls` counts every call, `errors` every call that failed. */
#ifndef FTH_ANALYSIS_STATS_TABLE_H
#define FTH_ANALYSIS_STATS_TABLE_H

#include "analysis/select/select.h"
#include "analysis/survey/selected_sums.h"
#include "base/progress.h"
#include "table/table.h"

/* Columns of the tables, in the order of JSON. */
enum fth_stats_table {
    FTH_STATS_TOTAL, /* one row: processes ranks threads files system_files calls errors bytes_read
                        bytes_written time */
    FTH_STATS_FUNCTIONS, /* func layer kind calls errors bytes_read bytes_written time shortest mean
                            longest */
    /* path host file_system scope stripe_count stripe_size opens bytes_read bytes_written calls
     * time */
    FTH_STATS_FILES,
    FTH_STATS_LAYERS, /* layer calls bytes_read bytes_written time */
    FTH_STATS_RANKS,  /* world rank proc program calls bytes_read bytes_written time */
    FTH_STATS_TABLES
};
extern const struct fth_shape fth_stats_shapes[FTH_STATS_TABLES];

/* Every table is in its natural order: by name, by path, by world, rank and process. A rank that
 * was several processes (exec) is one row with its first process; a process outside MPI is a row of
 * its own, world and rank null. */
struct fth_stats {
    struct fth_table *tables[FTH_STATS_TABLES];
    bool several_nodes; /* the run was on */
    bool other_calls;   /* on files, which do not read or write them */
};

/* The statistics of the selected processes. NULL: *error is set. progress may be NULL; its unit is
 * a process, with --where a call. */
struct fth_stats *fth_analysis_stats(struct fth_trace *trace, const struct fth_selection *selection,
                                     enum fth_where_scope scope, struct fth_progress *progress,
                                     struct fth_error **error);
void fth_analysis_stats_free(struct fth_stats *stats);

enum fth_stats_order { FTH_STATS_BY_TIME, FTH_STATS_BY_BYTES, FTH_STATS_BY_CALLS };
/* Sorts one of the tables, largest first. */
void fth_analysis_stats_sort(struct fth_stats *stats, enum fth_stats_table which,
                             enum fth_stats_order order);

#endif
