/* What a verdict is about. Inner header of the verify room. */
#ifndef FTH_VERIFY_REPORT_SCOPE_H
#define FTH_VERIFY_REPORT_SCOPE_H

#include "verify/gather/run_accesses.h"
#include "verify/gather/file_identity.h"
#include "verify/verify.h"

/* Once all has been compared: how much that was, and what could not be seen. */
void fth_scope_find(struct fth_verdict *verdict, const struct fth_run_accesses *accesses,
                    const struct fth_files *files);

#endif
