/* Queries over the calls of libraries and what they became below: `latency breakdown exclusive
 * [0-4] [1-10]`. The forms are those of Kim's IOPro (2014); what stands for the layers of its
 * machine is described in docs/fathom-query.1.md.
 *
 * Memory grows with the rows of the answer, and with the calls inside of one numbered call. */
#ifndef FTH_ANALYSIS_QUERY_H
#define FTH_ANALYSIS_QUERY_H

#include "analysis/select/select.h"
#include "base/progress.h"
#include "table/table.h"

enum fth_query_kind {
    FTH_QUERY_INCLUSIVE,
    FTH_QUERY_EXCLUSIVE,
    FTH_QUERY_LIST,
    FTH_QUERY_MAX,
    FTH_QUERY_MIN,
    FTH_QUERY_AVERAGE,
    FTH_QUERY_SEGMENT,
    FTH_QUERY_THROUGHPUT,
    FTH_QUERY_ENERGY,
    FTH_QUERY_CALLS,
    FTH_QUERY_ACCESSES,
    FTH_QUERY_COMMUNICATION,
    FTH_QUERY_NODES,
    FTH_QUERY_SERVERS,
};

/* What a person reads of a form. */
struct fth_query_form {
    const char *name, *parameters, *what, *example;
};
const struct fth_query_form *fth_query_form(size_t index); /* NULL behind the last one */

enum { FTH_QUERY_RANGES = 16 };
struct fth_query_ranges {
    size_t count; /* 0: all */
    struct {
        int64_t first, last;
    } list[FTH_QUERY_RANGES];
};

/* Probes: the processes whose probes say which requests they served. */
enum fth_query_servers { FTH_SERVERS_ARE_FILES, FTH_SERVERS_ARE_MOUNTS, FTH_SERVERS_ARE_PROBES };

struct fth_query {
    enum fth_query_kind kind;
    double active, inactive; /* watts */
    struct fth_query_ranges processes, calls, subcalls, servers;
    /* A program segment: lines of a file, or a region (last 0). */
    char segment[256];
    int64_t first, last;
    /* Not of the text: the layer whose data calls are numbered, NULL: found in the trace; and what
     * stands for servers. */
    const char *layer;
    enum fth_query_servers server;
};

/* -1: *error gives the column and what is expected. */
int fth_query_parse(const char *text, struct fth_query *query, struct fth_error **error);

struct fth_answer {
    size_t count;
    struct fth_table *tables[2];
    const char *layer; /* whose calls are numbered */
    uint64_t numbered; /* calls, of all processes that were gone through */
    bool ranks;        /* processes are ranks */
    /* of the tables: their columns may be made for this run */
    struct fth_shape shape;
    struct fth_column *columns;
};
/* Where there are columns that were made for this run, they are those of layers, from this one
 * on. */
enum { FTH_ANSWER_FIRST_LAYER = 5 };
/* progress may be NULL; its unit is a call. -1: *error. *answer is freed by the caller in any
 * case. */
int fth_analysis_query(struct fth_trace *trace, const struct fth_selection *selection,
                       const struct fth_query *query, struct fth_progress *progress,
                       struct fth_answer *answer, struct fth_error **error);
void fth_answer_free(struct fth_answer *answer);

#endif
