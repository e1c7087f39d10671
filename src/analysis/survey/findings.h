/* What findings of the passes and of the critical path have in common. */
#ifndef FTH_ANALYSIS_FINDINGS_H
#define FTH_ANALYSIS_FINDINGS_H

#include "table/finding.h"

#include <fathom/trace.h>

/* The rank of a process, or "proc N". */
void fth_finding_rank(struct fth_finding *finding, const struct fth_trace *trace, size_t proc);

/* Findings about the same seconds: the cause keeps them, the others become part of it. Sets
 * `part_of`, and adds to the evidence of causes that of what is part of them. Findings of one kind
 * are one (fth_findings_fold). */
void fth_findings_relate(struct fth_findings *findings);

#endif
