/* What functions mean for the verification, by their rows: found once for each function of a trace,
 * as there are many calls. Inner header of the verify room. */
#ifndef FTH_VERIFY_GATHER_SEMANTICS_H
#define FTH_VERIFY_GATHER_SEMANTICS_H

#include "consistency/language.h"

#include <fathom/trace.h>

struct fth_verify_semantics {
    int8_t layer;      /* index among those that are wanted, or -1 */
    int8_t removes;    /* index of the layer that bytes may be taken out of by such calls, or -1 */
    bool marked;       /* it is in a set of a model */
    bool begins_sync;  /* the end of the operation that it begins is */
    bool marked_close; /* NAME_close is: that it closes a handle where it opens another one */
    bool marked_by_name; /* it opens a file by its name, and closes it before it returns */
    bool of_streams;     /* without a stream it is about all of them: fflush(NULL), fcloseall */
    bool of_system, of_mpi, of_stdio;
    bool maps, opens_stream, unprotects, forks, duplicates, seeks;
    bool shares;     /* its flags may say what processes, or threads, have in common from then on */
    bool mounts;     /* names may stand for other files from then on */
    bool has_blocks; /* of aio, as parameters */
    bool has_offset; /* it says itself where in the file */
    bool names;      /* its calls may change names, or look at them */
};

struct fth_verify_semantics_table {
    const struct fth_function *first; /* functions of a trace are one array */
    size_t count;
    struct fth_verify_semantics *semantics_table;
    bool unprotects; /* one of them does */
};

struct fth_verify_semantics_table
fth_verify_semantics_table_of(const struct fth_trace *trace, const struct fth_consistencies *models,
                              const char *const *layers, size_t layer_count);
void fth_verify_semantics_table_free(struct fth_verify_semantics_table *semantics_table);

/* Never NULL: functions of the tracer's own, which stand beside the others, mean nothing. */
static inline const struct fth_verify_semantics *
fth_verify_semantics(const struct fth_verify_semantics_table *semantics_table,
                     const struct fth_function *function)
{
    static const struct fth_verify_semantics nothing = {.layer = -1, .removes = -1};
    ptrdiff_t at = function - semantics_table->first;
    return at >= 0 && (size_t)at < semantics_table->count ? &semantics_table->semantics_table[at]
                                                          : &nothing;
}

#endif
