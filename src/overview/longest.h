/* Inner header: the longest calls of a process. */
#ifndef FTH_OVERVIEW_LONGEST_H
#define FTH_OVERVIEW_LONGEST_H

#include "overview/overview.h"

struct fth_overview_longest {
    size_t room, count; /* at most; there are */
    bool left_out;      /* some found no room */
    struct fth_overview_call *calls;
};

void fth_overview_keep(struct fth_overview_longest *longest, const struct fth_overview_call *call);

#endif
