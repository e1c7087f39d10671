/* Which functions of a program's own libraries do what a consistency model asks for. Inner header
 * of the verify room. */
#ifndef FTH_VERIFY_ADVISE_ADVICE_FUNCTIONS_H
#define FTH_VERIFY_ADVISE_ADVICE_FUNCTIONS_H

#include "verify/advise/advice.h"

enum fth_advice_operation {
    FTH_ADVICE_FLUSH,
    FTH_ADVICE_CLOSE,
    FTH_ADVICE_OPEN,
    FTH_ADVICE_OTHER, /* behind the others */
};

/* What is common to the functions of a set. */
enum fth_advice_operation fth_advice_operation(const struct fth_consistency_set *set);
/* The function of the side's own library that does what the set asks for; NULL: nobody knows. */
const char *fth_advice_function(const struct fth_consistency_set *set,
                                const struct fth_advice_side *side);
/* The same as text, or some functions of the set. */
void fth_advice_put_function(struct fth_sink *sink, const struct fth_consistency_set *set,
                             const struct fth_advice_side *side);
/* Of a function of the library: do all who opened the file together have to call it? */
bool fth_advice_is_collective(const struct fth_advice_side *side, const char *function);
/* The access is part of a call that does what the set asks for. */
bool fth_advice_is_done_by_itself(const struct fth_consistency_set *set,
                                  const struct fth_advice_side *side);

#endif
