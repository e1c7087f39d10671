/* Names of flags, for views. */
#ifndef FTH_MODEL_FLAGS_H
#define FTH_MODEL_FLAGS_H

#include "catalog/catalog.h"
#include "fathom/trace.h"

/* What the bits or values of the parameters with the role `flags NAME` are called in this process, or NULL. */
const struct fth_flags *fth_trace_flags(const struct fth_trace *trace, size_t proc,
                                        const char *name);

#endif
