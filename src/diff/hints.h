/* Hints that a run gave its libraries: what its calls set in info objects of MPI, and what
 * `fathom tune --live` set in its place. They are found while a survey goes through the calls. */
#ifndef FTH_DIFF_HINTS_H
#define FTH_DIFF_HINTS_H

#include "analysis/survey/survey.h"

struct fth_diff_hints {
    size_t count;
    char **list; /* "cb_nodes=4", each once */
};

/* `hints`, all zero, has them when the survey is over. */
struct fth_listener fth_diff_listen_for_hints(struct fth_diff_hints *hints);
void fth_diff_hints_free(struct fth_diff_hints *hints);

#endif
