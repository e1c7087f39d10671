/* Which calls of the program do what a model asks for. Inner header of the verify room. */
#ifndef FTH_VERIFY_ADVISE_DONE_CALLS_H
#define FTH_VERIFY_ADVISE_DONE_CALLS_H

#include "verify/advise/advice.h"
#include "verify/judge/judge.h"

/* The layer of a call, as its run knows it; NULL: not known. */
const struct fth_layer *fth_advice_layer(const struct fth_trace *trace,
                                         const struct fth_function *function);
/* Do programs call such functions to access files? */
bool fth_advice_is_of_files(const struct fth_layer *layer);
/* Sets what x and y have done of the construct, if only order lacks. */
void fth_advice_find_done(struct fth_advice *advice, const struct fth_judge *judge, size_t model,
                          const struct fth_situation *x, const struct fth_situation *y);

#endif
