/* Groups of processes that differ in a part of their calls become one program, in which this part
 * is done by some of them only. */
#ifndef FTH_PROXY_MERGE_GROUPS_H
#define FTH_PROXY_MERGE_GROUPS_H

#include "proxy/body.h"

/* Puts bodies together whose common program is shorter than those of both: *count becomes smaller.
 * Their members are then in order of ranks, and have statements that some of them do not make.
 * Bodies are not built yet. -1: *error. */
int fth_proxy_merge_groups(struct fth_body *bodies, size_t *count, struct fth_error **error);

#endif
