/* Do the functions exist that models name? */
#ifndef FTH_VERIFY_GATHER_KNOWN_FUNCTIONS_H
#define FTH_VERIFY_GATHER_KNOWN_FUNCTIONS_H

#include "consistency/language.h"
#include "verify/gather/runs.h"

/* Calls `report` for each function of a set that neither the catalogue nor any of the traces has:
 * no call of it can synchronize anything. */
void fth_consistencies_unknown(const struct fth_consistencies *models, const struct fth_runs *runs,
                               void (*report)(void *context, const char *function, unsigned line,
                                              unsigned column),
                               void *context);

/* A function that a word of a set stands for, to be shown to people: "fsync" for "syncs", of all
 * layers that of the system calls. The word itself where it is a name. */
const char *fth_consistency_example(const char *word);

#endif
