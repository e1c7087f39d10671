/* Inner header of the instrument room: one source file with its probes in it. */
#ifndef FTH_INSTRUMENT_INSTRUMENTED_SOURCE_H
#define FTH_INSTRUMENT_INSTRUMENTED_SOURCE_H

#include "instrument/probe_code.h"

struct fth_instrumented_source {
    const char *path;             /* of the copy */
    const char *shown;            /* relative to the sources of its layer */
    const char *library;          /* the folder of templates */
    const char *header;           /* path of <fathom/probe.h> for the sources */
    const char *log;              /* see fth_probe_setting */
    const char *spelled;          /* as its compiler gets its name: for __FILE__ */
    const char *const *arguments; /* of its compiler */
    size_t argument_count;
};

/* An entry that has a place in it. */
struct fth_probe_target {
    const struct fth_probe_entry *entry;
    const char *layer;    /* of the trace */
    uint32_t first, last; /* lines that get probes */
    size_t *found;        /* counts its places */
};

/* Puts the probes of these entries into the text of the file, which stays as it is. NULL: *error;
 * the text is to be freed. `unchanged`: no entry has a place here. What it gives compiles. */
char *fth_instrument_source(const struct fth_instrumented_source *source,
                            const struct fth_probe_list *probes,
                            const struct fth_probe_target *targets, size_t count,
                            struct fth_probe_rows *rows, bool *unchanged, struct fth_error **error);

#endif
