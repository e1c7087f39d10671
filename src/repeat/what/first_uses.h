/* From the calls of a run to what is known of its files. Inner header of the repeat room. */
#ifndef FTH_REPEAT_FIRST_USES_H
#define FTH_REPEAT_FIRST_USES_H

#include "base/keyed.h"
#include "repeat/what/file_places.h"
#include "repeat/what/whole_pipes.h"

struct fth_first_uses {
    struct fth_keyed *places; /* of struct fth_repeat_place, by path: all but where they lie */
    struct fth_unseen_list *unseen; /* by process, to be freed */
    struct fth_keyed *standard;     /* by process (standard_streams.h), to be freed */
    struct fth_pipes *pipes;
    char *base; /* the working folder of the run, to be freed, or NULL */
};

/* Finds them. `only`: as of fth_repeat_places_find. -1 and *error: the trace is damaged. */
int fth_repeat_first_uses(struct fth_trace *trace, const struct fth_repeat_ways *ways,
                          const bool *only, struct fth_first_uses *found, struct fth_error **error);

#endif
