/* Inner header: how fast names of files are, and what it costs when two processes do the same to
 * one folder, or one file. */
#ifndef FTH_MEASURE_NAMES_SPEED_H
#define FTH_MEASURE_NAMES_SPEED_H

#include "measure/partner.h"
#include "measure/trial.h"

/* Times "create", "open again", "close", "stat", "rename" and "delete" of small files in the
 * partner's folder, "two create" and "two write" (records of 16 KiB) at the same time, and "one
 * writes", the same by one. */
int fth_measure_names(struct fth_trials *trials, struct fth_partner *partner, int64_t budget,
                      struct fth_progress *progress, struct fth_error **error);

enum { FTH_SHARED_RECORD = 16 << 10 };

#endif
