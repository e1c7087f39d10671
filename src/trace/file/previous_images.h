/* The previous images of processes, where these are in the same part: the number of the process
 * says it, as ranks have the children of their launcher one after another. */
#ifndef FTH_TRACE_FILE_PREVIOUS_IMAGES_H
#define FTH_TRACE_FILE_PREVIOUS_IMAGES_H

#include "trace/file/part.h"

/* In the rows of all processes, before they are written. `facts`: of each of them. */
void fth_previous_refer(struct fth_shapes *shapes, const struct fth_bytes *facts);

/* The image that such a number says. */
uint64_t fth_previous_image(const struct fth_stored_part *part, int64_t number);

#endif
