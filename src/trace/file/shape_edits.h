/* Bytes described by where they differ from others: what is taken over, what is left out, and what
 * comes in between. */
#ifndef FTH_TRACE_FILE_SHAPE_EDITS_H
#define FTH_TRACE_FILE_SHAPE_EDITS_H

#include "base/bytes.h"

/* Appends what makes `bytes` of `before`. */
void fth_edits_put(struct fth_bytes *to, const uint8_t *before, size_t length_before,
                   const uint8_t *bytes, size_t length);
/* And makes it, `most` bytes at most. False: damaged. */
bool fth_edits_read(struct fth_view *view, const uint8_t *before, size_t length_before,
                    uint64_t most, struct fth_bytes *made);

#endif
