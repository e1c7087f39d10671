/* An expression, and what is around the calls that it is asked of. */
#include "analysis/select/where.h"

#include "base/memory.h"

struct fth_where {
    const struct fth_trace *trace;
    const struct fth_expression *expression;
    struct fth_around *around; /* NULL: it does not ask */
};

struct fth_where *fth_where_open(const struct fth_trace *trace,
                                 const struct fth_expression *expression)
{
    if (!expression)
        return NULL;
    struct fth_where *where = fth_new(1, sizeof *where);
    where->trace = trace;
    where->expression = expression;
    if (fth_expression_needs(expression) & FTH_NEEDS_AROUND)
        where->around = fth_analysis_around_new();
    return where;
}

bool fth_where_holds(struct fth_where *where, const struct fth_call *call,
                     struct fth_accesses *accesses)
{
    if (!where)
        return true;
    if (where->around)
        fth_analysis_around_enter(where->around, call);
    return fth_expression_holds(where->expression, &(struct fth_subject){.trace = where->trace,
                                                                         .call = call,
                                                                         .accesses = accesses,
                                                                         .around = where->around});
}

void fth_where_close(struct fth_where *where)
{
    if (where)
        fth_analysis_around_free(where->around);
    free(where);
}
