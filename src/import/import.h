/* Traces of other tools become traces of Fathom: an importer for each format reads the input once,
 * and writes a spill folder, as a recording does. The merge of recordings makes the trace. */
#ifndef FTH_IMPORT_IMPORT_H
#define FTH_IMPORT_IMPORT_H

#include "import/shared/importer.h"

extern const struct fth_importer *const fth_importers[];
extern const size_t fth_importer_count;

/* The one with this name, or NULL. */
const struct fth_importer *fth_importer_named(const char *name);
/* The one that knows what is at `path`; NULL: *error. */
const struct fth_importer *fth_importer_of(const char *path, struct fth_error **error);

#endif
