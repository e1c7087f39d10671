/* Writes a trace in the format of another tool: see exporter.h. */
#ifndef FTH_EXPORT_EXPORT_H
#define FTH_EXPORT_EXPORT_H

#include "export/exporter.h"

/* All that there are, in the order of the help. */
extern const struct fth_exporter *const fth_exporters[];
extern const size_t fth_exporter_count;

/* What was written. */
struct fth_export_sums {
    uint64_t calls, bytes;
};

/* Writes the selected calls to `output`, with one thread for each of `jobs`, at most. Parts that
 * have to wait for others are kept in files without a name in `folder`. Shows progress. Returns 0,
 * or -1 with *error set: what was written so far is of no use. */
int fth_export(const struct fth_exporter *exporter, struct fth_trace *trace,
               const struct fth_selection *selection, struct fth_output *output, const char *folder,
               unsigned jobs, struct fth_export_sums *sums, struct fth_error **error);

#endif
