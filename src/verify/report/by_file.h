/* The weakest model that is enough, file by file. Inner header of the verify room. */
#ifndef FTH_VERIFY_REPORT_BY_FILE_H
#define FTH_VERIFY_REPORT_BY_FILE_H

#include "verify/advise/violation_groups.h"

/* Fills verdict->by_file and ->single from the groups of violations, when it is known which models
 * are on the ladder. */
void fth_by_file_find(struct fth_verdict *verdict, const struct fth_run_accesses *accesses,
                      const struct fth_files *files, const struct fth_groups *groups);

#endif
