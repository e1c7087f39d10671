/* Races for names that are alike become one group: of one file, or of files whose names differ in
 * numbers only; of a folder in which many names race alike, all of these. Inner header of the
 * verify room. */
#ifndef FTH_VERIFY_REPORT_RACE_GROUPS_H
#define FTH_VERIFY_REPORT_RACE_GROUPS_H

#include "verify/gather/run_accesses.h"
#include "verify/verify.h"

struct fth_race_groups;

struct fth_race_groups *fth_race_groups_new(const struct fth_run_accesses *accesses);
/* `race` is one of some pairs, about `name`; what it is called is found out here. */
void fth_race_groups_add(struct fth_race_groups *groups, uint32_t name,
                         const struct fth_verdict_race *race);
/* Fills the groups of the verdict, listings last, and frees `groups`. */
void fth_race_groups_fill(struct fth_race_groups *groups, struct fth_verdict *verdict);

#endif
