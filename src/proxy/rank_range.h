/* With which numbers of ranks the program can run, and why not with others. Inner header of the
 * proxy room. */
#ifndef FTH_PROXY_RANK_RANGE_H
#define FTH_PROXY_RANK_RANGE_H

#include "proxy/main_text.h"

/* Narrows writing->least_ranks and ->most_ranks to what the calls allow, after all text has been
 * written: that found out about numbers. */
void fth_proxy_find_ranks(const struct fth_proxy_parts *parts);

/* "any number of ranks", "3 ranks", "2 to 8 ranks"; to be freed. */
char *fth_proxy_ranks_text(const struct fth_writing *writing);

/* What ends the program if there are other ranks, as text of C, to be freed; NULL: nothing does. */
char *fth_proxy_ranks_check(const struct fth_writing *writing);

#endif
