/* The columns that the table of calls has for parameters: `arg_NAME` for numbers, `text_NAME` for
 * texts, for all parameters of this name of the functions of a trace. Lists are texts of JSON. */
#ifndef FTH_EXPORT_SHARED_ARGUMENT_COLUMNS_H
#define FTH_EXPORT_SHARED_ARGUMENT_COLUMNS_H

#include "export/shared/batch.h"

#include <fathom/trace.h>

struct fth_argument_columns {
    const struct fth_trace *trace;
    struct fth_batch_column *columns; /* given ones, then those of parameters */
    size_t given, count;
    struct fth_intern names; /* of the latter, by number; with 0 at the end */
    struct fth_argument_place {
        uint32_t number, text; /* columns; 0: there is none */
    } * *of_functions;         /* by number of a function, then by parameter */
};
/* Behind `count` columns that a table has anyway. */
void fth_argument_columns_begin(struct fth_argument_columns *columns, const struct fth_trace *trace,
                                const struct fth_batch_column *given, size_t count);
void fth_argument_columns_end(struct fth_argument_columns *columns);
/* Fills the cells of a call. `function`: the number of its function. */
void fth_argument_columns_put(const struct fth_argument_columns *columns, struct fth_batch *batch,
                              const struct fth_call *call, uint32_t function);

#endif
