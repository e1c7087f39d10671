/* Inner header of the instrument room: the calls that probes become: a row of the catalogue for
 * each name of a probe. */
#ifndef FTH_INSTRUMENT_PROBE_ROWS_H
#define FTH_INSTRUMENT_PROBE_ROWS_H

#include "base/sink.h"
#include "instrument/probe_file.h"

struct fth_probe_row {
    const char *layer; /* of the trace */
    char *name;        /* LAYER_NAME */
    enum fth_probe_class of_class;
    bool begun, ended; /* by code of its own, which a scope needs none of */
    bool moves;        /* its first value is a number of bytes that it reads or writes */
    const struct fth_probe_entry *first; /* where it is named first */
    struct fth_probe_value values[FTH_PROBE_MOST_VALUES];
    uint32_t value_count;
};
struct fth_probe_rows {
    struct fth_probe_row *list;
    size_t count;
};

/* The row of an entry, of the layer that is called `layer` in the trace; made when it is the first
 * of its name. `named` is what the entry is called where it does not say. NULL: *error. */
struct fth_probe_row *fth_probe_row_of(struct fth_probe_rows *rows,
                                       const struct fth_probe_list *probes,
                                       const struct fth_probe_entry *entry, const char *layer,
                                       const char *named, struct fth_error **error);
/* The rows as a file of `fathom wrap`, for a plug-in of this name. */
void fth_probe_rows_write(const struct fth_probe_rows *rows, const char *name,
                          struct fth_sink *sink);
void fth_probe_rows_free(struct fth_probe_rows *rows);

#endif
