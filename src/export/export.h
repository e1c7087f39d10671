/* Writes a trace in the format of another tool: see shared/exporter.h. */
#ifndef FTH_EXPORT_EXPORT_H
#define FTH_EXPORT_EXPORT_H

#include "export/shared/exporter.h"

/* All that there are, in the order of the help. */
extern const struct fth_exporter *const fth_exporters[];
extern const size_t fth_exporter_count;

/* What was written. */
struct fth_export_sums {
    uint64_t calls; /* by this rank */
};

/* What is exported, and where it goes. */
struct fth_export_request {
    const struct fth_exporter *exporter;
    const struct fth_selection *selection;
    struct fth_output *output; /* NULL for an exporter of folders */
    /* of an exporter of folders: where files go; else where parts that wait for others are kept, in
     * files without a name */
    const char *folder;
    const struct fth_words *tables;     /* of that folder; NULL, or none in it: all */
    const struct fth_pseudonyms *names; /* that stand for names; NULL: these stay */
    unsigned jobs;                      /* threads; 0: one for each processor */
    struct fth_export_share share;
    int (*report)(struct fth_trace *trace, const struct fth_selection *selection,
                  struct fth_results *results, struct fth_error **error);
};

/* Exports, and shows progress. Returns 0, or -1 with *error set: what was written so far is of no
 * use. */
int fth_export(const struct fth_export_request *request, struct fth_trace *trace,
               struct fth_export_sums *sums, struct fth_error **error);

#endif
