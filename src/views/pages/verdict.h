/* A verdict on the consistency that a run needs. */
#ifndef FTH_VIEWS_VERDICT_H
#define FTH_VIEWS_VERDICT_H

#include "verify/verify.h"
#include "views/formats/writer.h"

enum { FTH_VERDICT_LINE_DEPTH = 5 };

/* top: groups shown of each model; 0: all. `asked`: the model to judge by, or NULL for all of
 * them. */
void fth_views_verdict(struct fth_writer *writer, const struct fth_verdict *verdict,
                       const char *asked, size_t top);

#endif
