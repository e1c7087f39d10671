/* Inner header: the tables that answer queries. */
#ifndef FTH_ANALYSIS_QUERY_TABLES_H
#define FTH_ANALYSIS_QUERY_TABLES_H

#include "analysis/query/numbered.h"
#include "analysis/query/query.h"
#include "analysis/query/servers.h"

/* A query that is being answered. */
struct fth_asking {
    struct fth_trace *trace;
    const struct fth_query *query;
    const struct fth_call_classes *classes;
    struct fth_servers *servers;
    const struct fth_served *served; /* NULL: servers are not processes */
    struct fth_answer *answer;
    bool ranks;                    /* processes are known by their rank */
    struct fth_query_state *state; /* of forms that need one */
};

bool fth_query_has(const struct fth_query_ranges *ranges, int64_t value);

/* The tables of this kind of query; what a call adds to them, of the processes and calls that are
 * asked for; and what is known only at the end. */
struct fth_table *fth_query_table(const struct fth_asking *asking, size_t number);
void fth_query_add(struct fth_asking *asking, const struct fth_numbered_call *call);
void fth_query_end(struct fth_asking *asking);

#endif
