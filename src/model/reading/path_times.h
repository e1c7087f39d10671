/* Times of files that a trace leaves out, because they are those of the calls of a process. */
#ifndef FTH_MODEL_READING_PATH_TIMES_H
#define FTH_MODEL_READING_PATH_TIMES_H

#include "model/reading/model.h"

/* Adds them to the sums of one process of a part, which have none. O(its calls). Returns -1 and
 * sets *error if its calls are damaged, or it has calls about a file without a sum. */
int fth_model_add_path_times(const struct fth_trace *trace, const struct fth_stored_part *part,
                             uint32_t index, struct fth_part_process *sums,
                             struct fth_error **error);

#endif
