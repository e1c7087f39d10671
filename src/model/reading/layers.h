/* What the catalogue says of the layers of a trace: Fathom's own of its own ones, also where the
 * trace is older; the trace of those that a plug-in has added. */
#ifndef FTH_MODEL_READING_LAYERS_H
#define FTH_MODEL_READING_LAYERS_H

#include "catalog/catalog.h"
#include "fathom/trace.h"

/* NULL: there is no such layer. */
const struct fth_layer *fth_trace_layer(const struct fth_trace *trace, const char *name);

#endif
