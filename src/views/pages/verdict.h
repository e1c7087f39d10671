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

/* Violations of the first model, which is the one that was asked for, if calls of MPI-IO are among
 * them; else 0. */
uint64_t fth_views_verdict_of_mpi_io(const struct fth_verdict *verdict);

#endif
