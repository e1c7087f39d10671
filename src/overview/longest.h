/* Inner header: the longest calls of each function in a process. */
#ifndef FTH_OVERVIEW_LONGEST_H
#define FTH_OVERVIEW_LONGEST_H

#include "overview/overview.h"

struct fth_overview_longest {
    size_t room, count; /* calls, at most (but one of each function); there are */
    size_t each;        /* of a function, at most; 0: as many as there is room for */
    bool left_out;      /* some found no room */
    uint32_t limit;     /* functions */
    struct fth_overview_heap {
        size_t count;
        struct fth_overview_call *calls; /* the shortest first */
    } * heaps;
};

void fth_overview_keep(struct fth_overview_longest *longest, const struct fth_overview_call *call);
/* The calls go to the end of a list, in no order. Frees them here. */
void fth_overview_hand_over(struct fth_overview_longest *longest, struct fth_overview_call **calls,
                            size_t *count);

#endif
