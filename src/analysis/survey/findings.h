/* What findings of the passes and of the critical path have in common. */
#ifndef FTH_ANALYSIS_FINDINGS_H
#define FTH_ANALYSIS_FINDINGS_H

#include "table/finding.h"

#include <fathom/trace.h>

/* The rank of a process, or "proc N": one that makes the calls that the finding is about; one that
 * others wait for. */
void fth_finding_rank(struct fth_finding *finding, const struct fth_trace *trace, size_t proc);
void fth_finding_late(struct fth_finding *finding, const struct fth_trace *trace, size_t proc);

/* Findings about the same seconds: the cause keeps them, the others become part of it. Sets
 * `part_of` and `partly_due_to`. Findings of one kind are one (fth_findings_fold). */
void fth_findings_relate(struct fth_findings *findings);
/* Processes were only watched from time to time: takes away findings that need all calls, and what
 * the others say of the run as a whole. */
void fth_findings_of_a_part(struct fth_findings *findings);

#endif
