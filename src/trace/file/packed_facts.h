/* Facts of many processes together (docs/format.md, PRCS). Processes that did the same have as many
 * numbers in their facts, and those at one place are about as large: how long MPI_Init took, or
 * when the process began. So each number is coded by what stood there in the process before. */
#ifndef FTH_TRACE_FILE_PACKED_FACTS_H
#define FTH_TRACE_FILE_PACKED_FACTS_H

#include "base/bytes.h"

/* Appends the facts of so many processes, each as in PROC. */
void fth_facts_pack(const struct fth_bytes *facts, uint32_t count, struct fth_bytes *to);
/* And back: *facts, *count of them, which the caller frees, also when it fails. False: damaged.
 * `version`: of the trace. */
bool fth_facts_unpack(const uint8_t *packed, size_t length, uint32_t version,
                      struct fth_bytes **facts, uint32_t *count);
void fth_facts_free(struct fth_bytes *facts, uint32_t count);

#endif
