/* What `--where` says, asked of the calls of one process, all of them in order of entry. */
#ifndef FTH_ANALYSIS_WHERE_H
#define FTH_ANALYSIS_WHERE_H

#include "analysis/language/expression.h"

struct fth_where;

/* NULL: there is no expression, and all calls will do. `trace` and `expression` must outlive it. */
struct fth_where *fth_where_open(const struct fth_trace *trace,
                                 const struct fth_expression *expression);
/* `accesses`: what the call is taken from, if that follows accesses, else NULL. */
bool fth_where_holds(struct fth_where *where, const struct fth_call *call,
                     struct fth_accesses *accesses);
void fth_where_close(struct fth_where *where); /* NULL is allowed */

#endif
