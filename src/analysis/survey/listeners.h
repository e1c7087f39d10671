/* Two listeners of one survey: the calls are read once for both. */
#ifndef FTH_ANALYSIS_LISTENERS_H
#define FTH_ANALYSIS_LISTENERS_H

#include "analysis/survey/survey.h"

struct fth_two_listeners {
    struct fth_listener one, other;
};

/* *two must outlive the survey. */
struct fth_listener fth_listen_both(struct fth_two_listeners *two);

#endif
