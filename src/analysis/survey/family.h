/* A call of a run by its number, with the calls around it and those inside it: what `fathom dump
 * --call` shows. */
#ifndef FTH_ANALYSIS_FAMILY_H
#define FTH_ANALYSIS_FAMILY_H

#include "base/error.h"
#include "base/progress.h"

#include <fathom/trace.h>

struct fth_family;

/* `id`: "PROC.THREAD.NUMBER", as findings and `dump --json` name calls. Reads the process from
 * `from` (ns, INT64_MIN: its beginning) up to the call, which begins then or later. NULL: *error is
 * set. */
struct fth_family *fth_analysis_family(struct fth_trace *trace, const char *id, int64_t from,
                                       struct fth_progress *progress, struct fth_error **error);
size_t fth_family_proc(const struct fth_family *family);
/* Calls of the process, all of them and in their order: is this one the call, one around it, or one
 * inside it? */
bool fth_family_has(struct fth_family *family, const struct fth_call *call);
/* Does this call begin after the call has ended? Then no more of them follow. */
bool fth_family_is_over(const struct fth_family *family, const struct fth_call *call);
void fth_family_free(struct fth_family *family); /* NULL is allowed */

#endif
