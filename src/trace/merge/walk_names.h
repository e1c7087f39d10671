/* Names of a call that is being walked through: taken apart once for each kind of call, and then
 * only compared with what is expected. Inner header of walk.c. */
#ifndef FTH_TRACE_MERGE_WALK_NAMES_H
#define FTH_TRACE_MERGE_WALK_NAMES_H

#include "trace/merge/walk.h"

/* A name of a call that is on its way: as its signature keeps it. */
struct fth_kept_name {
    uint32_t template, site;
    bool literal;
    struct fth_name name;
};

/* A string of the part. It stays until the next one is asked for. */
const struct fth_template *fth_walk_template(struct fth_walk *walk, uint32_t string);

/* What is kept of each name of a call of this kind, which has names. */
void fth_walk_keep_names(struct fth_walk *walk, struct fth_call_kind *kind,
                         struct fth_kept_name *names);
/* Is that what was kept the last time that this was asked? Without names it is. */
bool fth_walk_names_are_as_before(struct fth_call_kind *kind, const struct fth_kept_name *names);

#endif
