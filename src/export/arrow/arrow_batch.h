/* Batches as arrays of Arrow. Texts are dictionaries of the batch. */
#ifndef FTH_EXPORT_ARROW_BATCH_H
#define FTH_EXPORT_ARROW_BATCH_H

#include "export/arrow/arrow.h"
#include "export/shared/batch.h"

/* A structure with a child for each column; units are in the metadata of the child ("unit"). */
void fth_arrow_schema(struct ArrowSchema *out, const struct fth_batch_column *columns,
                      size_t count);
/* Copies the rows: the batch may be emptied then. */
void fth_arrow_array(struct ArrowArray *out, const struct fth_batch *batch);

#endif
