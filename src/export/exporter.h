/* The interface of exporters: traces in the formats of other tools. An exporter is a file with its
 * table of functions, and a line in `fth_exporters` (export.c).
 *
 * The selected processes are divided into parts, in order. Each part is written by one thread into
 * a file of its own, and the parts are joined in the order of the processes. So an exporter keeps
 * what it knows of a part in `part->state`, and nothing elsewhere. Memory does not grow with the
 * number of calls. */
#ifndef FTH_EXPORT_EXPORTER_H
#define FTH_EXPORT_EXPORTER_H

#include "analysis/select/select.h"
#include "analysis/survey/message_list.h"
#include "views/output/output.h"

#include <fathom/access.h>

/* What is exported, the same for all parts. */
struct fth_exported {
    struct fth_trace *trace;
    const struct fth_selection *selection;
    const size_t *processes; /* the selected ones, ascending */
    size_t process_count;
    unsigned threads; /* that may be used */
    /* of the exporter, from `begin` to `end`; parts only read it */
    void *shared;
};

/* Some of the processes, written by one thread. */
struct fth_export_part {
    const struct fth_exported *of;
    size_t first, count; /* of of->processes */
    struct fth_output *output;
    /* of the call that is written, and who gives its ranges; NULL if they are not known */
    const struct fth_access *access;
    struct fth_accesses *accesses;
    void *state; /* of the exporter, from `begin_part` to `end_part` */
};

struct fth_exporter {
    const char *name;      /* "csv" */
    const char *extension; /* ".csv" */
    const char *help;      /* what it is for */
    bool wants_operations; /* part->access for calls that start or complete others */

    /* All functions but `call` may be NULL. `begin` writes what stands before the parts, `end` what
     * stands behind them, in one thread. -1: *error is set; `end` is called all the same. */
    int (*begin)(struct fth_exported *exported, struct fth_output *output,
                 struct fth_error **error);
    void (*begin_part)(struct fth_export_part *part);
    void (*begin_process)(struct fth_export_part *part, size_t proc);
    /* Calls of a process in order of entry. */
    void (*call)(struct fth_export_part *part, const struct fth_call *call);
    void (*end_process)(struct fth_export_part *part, size_t proc);
    void (*end_part)(struct fth_export_part *part);
    /* `output` is NULL if the export failed: what is held is freed. */
    void (*end)(struct fth_exported *exported, struct fth_output *output);
};

extern const struct fth_exporter fth_exporter_csv, fth_exporter_jsonl, fth_exporter_perfetto,
    fth_exporter_null;

#endif
