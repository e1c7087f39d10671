/* The weakest model that is enough for a run. Inner header of the verify room. */
#ifndef FTH_VERIFY_REPORT_WEAKEST_H
#define FTH_VERIFY_REPORT_WEAKEST_H

#include "verify/gather/run_accesses.h"
#include "verify/verify.h"

struct fth_weakest_of {
    const struct fth_consistencies *models;
    const struct fth_run_accesses *accesses;
    const unsigned *model_layers; /* by model: bits of its layers */
    unsigned together;            /* the bit of MPI-IO, which keeps sizes itself */
};

/* Of models that have been judged. */
void fth_weakest_find(struct fth_verdict *verdict, const struct fth_weakest_of *of);

#endif
