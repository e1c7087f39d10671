/* What a thread did since it met others. Inner header of the path room. */
#ifndef FTH_PATH_SINCE_MET_H
#define FTH_PATH_SINCE_MET_H

#include "path/run_flow.h"

struct fth_spent {
    int64_t computing, io;
    int64_t below; /* I/O of other functions than the call that is looked at */
};

/* Between two events; `but`: a function whose time counts as I/O, but not as `below`. */
struct fth_spent fth_spent_between(const struct fth_path *path,
                                   const struct fth_thread_timeline *timeline, uint32_t from,
                                   uint32_t to, uint16_t but);

/* What a thread did since it was last in a collective call that nobody left before all had come. */
struct fth_since_met {
    uint32_t met, at; /* steps: the end of that call, and how far all is added up */
    struct fth_spent spent;
    int64_t waited; /* ns, for others */
    struct fth_path_walk walk;
    struct fth_event cause; /* the last of the thread that most of it was for */
    int64_t most;           /* ns: that is sure */
};

/* The thread has met others at step `met`, and nothing is added up before step `at`. */
struct fth_since_met fth_since_met_at(const struct fth_path *path, uint32_t timeline, uint32_t met,
                                      uint32_t at);
/* Adds up what the thread did until this event. `all`: by timeline. */
void fth_since_met_go_on(struct fth_path *path, struct fth_since_met *all, struct fth_event until);

#endif
