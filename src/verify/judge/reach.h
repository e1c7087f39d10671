/* Where the steps of a construct lead to from an access, and from where to it. Inner header of the
 * verify room. */
#ifndef FTH_VERIFY_JUDGE_REACH_H
#define FTH_VERIFY_JUDGE_REACH_H

#include "verify/judge/judge.h"

/* How many steps at the beginning of a construct, and at its end, stay in one process. */
size_t fth_reach_leading(const struct fth_construct *construct);
size_t fth_reach_trailing(const struct fth_construct *construct);

/* Places in the run, each of one timeline; they live as long as the judge. */
struct fth_reach;

/* Where x ends, and behind that the leading steps lead to. `construct` NULL: none. */
struct fth_reach *fth_reach_forward(struct fth_judge *judge, size_t model,
                                    const struct fth_construct *construct,
                                    const struct fth_situation *x);
/* Where y begins, and before that the trailing steps lead to y from. */
struct fth_reach *fth_reach_backward(struct fth_judge *judge, size_t model,
                                     const struct fth_construct *construct,
                                     const struct fth_situation *y);
/* Where the steps between those lead to. */
struct fth_reach *fth_reach_middle(struct fth_judge *judge, size_t model,
                                   const struct fth_construct *construct,
                                   const struct fth_situation *x, const struct fth_reach *forward);
/* Does any of `from` come before any of `to`? */
bool fth_reach_before(const struct fth_judge *judge, const struct fth_reach *from,
                      const struct fth_reach *to);

#endif
