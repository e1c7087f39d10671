/* The catalogue that is built in. */
#ifndef FTH_TRACE_RECORD_BUILTIN_H
#define FTH_TRACE_RECORD_BUILTIN_H

#include "base/error.h"
#include "catalog/catalog.h"
#include "trace/record/builtin.h"

/* The catalogue that is built in, unpacked once; not for several threads at a time. */
const struct fth_catalog *fth_builtin_catalog(void);

/* The rows of a plug-in become a part of the built-in catalogue, behind those
 * that it has. Before anything is merged; in the order of FATHOM_WITH. `name` is for errors.
 * Returns 0, or -1 with *error and the catalogue as it was but for the rows before the error. */
int fth_builtin_extend(const char *name, const char *text, size_t length, struct fth_error **error);

/* What Fathom's own catalogue says of this layer; NULL: the layer is of a plug-in, or there is
 * none. */
const struct fth_layer *fth_builtin_layer(const char *name);
/* Is it one of Fathom's own that is one of these: FTH_LAYER_...? */
bool fth_layer_is(const char *name, unsigned is);
/* The name of the one that is this. */
const char *fth_layer_that_is(unsigned is);

#endif
