/* Several listeners of one survey: the calls are read once for all of them. */
#ifndef FTH_ANALYSIS_LISTENERS_H
#define FTH_ANALYSIS_LISTENERS_H

#include "analysis/survey/survey.h"

enum { FTH_MOST_LISTENERS = 4 };

struct fth_listeners {
    struct fth_listener list[FTH_MOST_LISTENERS];
    size_t count;
    struct fth_listener all;
};

/* A call to this one goes to all in the list; NULL if it is empty. *listeners must
 * outlive the survey. */
const struct fth_listener *fth_listeners_as_one(struct fth_listeners *listeners);

#endif
