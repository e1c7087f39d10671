/* The processes that are exported, as parts of about equally many calls; and which of them this
 * rank writes, where ranks of a launcher share them. */
#ifndef FTH_EXPORT_DIVISION_H
#define FTH_EXPORT_DIVISION_H

#include "export/shared/exporter.h"

struct fth_export_slice {
    size_t number;       /* among those of all ranks */
    size_t first, count; /* of the processes */
    uint64_t calls;      /* of these processes */
};

struct fth_export_division {
    size_t *processes; /* the selected ones, in the order of the export */
    size_t process_count;
    struct fth_export_slice *parts; /* of this rank, ascending */
    size_t count;
    uint64_t calls; /* of them */
};

/* The same for all ranks of a share, but for which parts are this rank's. */
void fth_export_divide(struct fth_export_division *division, const struct fth_exporter *exporter,
                       struct fth_trace *trace, const struct fth_selection *selection,
                       const struct fth_export_share *share);
void fth_export_division_free(struct fth_export_division *division);

#endif
