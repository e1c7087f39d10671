/* The interface of exporters: traces in the formats of other tools. An exporter is a file with its
 * table of functions, and a line in `fth_exporters` (export.c).
 *
 * The selected processes are divided into parts, in order. Each part is written by one thread into
 * a file of its own, and the parts are joined in the order of the processes. So an exporter keeps
 * what it knows of a part in `part->state`, and nothing elsewhere. Memory does not grow with the
 * number of calls. */
#ifndef FTH_EXPORT_SHARED_EXPORTER_H
#define FTH_EXPORT_SHARED_EXPORTER_H

#include "analysis/select/select.h"
#include "analysis/survey/survey.h"
#include "export/shared/pseudonyms.h"
#include "views/output/output.h"

#include <fathom/access.h>

#include <string.h>

/* Ranks that a launcher started may share an export: each writes some of the parts. */
struct fth_export_share {
    uint32_t rank, count; /* count 1: it is not shared */
    /* Of a file, not of a folder: called once, when the parts of this rank are written, or could
     * not be, before the end is. Rank 0 appends those of the others. NULL: there is nobody. */
    int (*meet)(void *meeting, int result, uint64_t calls, struct fth_error **error);
    void *meeting;
};

/* What is exported, the same for all parts. */
struct fth_exported {
    struct fth_trace *trace;
    const struct fth_selection *selection;
    const size_t *processes; /* the selected ones, ascending */
    size_t process_count;
    unsigned threads;                    /* that may be used */
    const struct fth_pseudonyms *names;  /* NULL: names stay as they are */
    const struct fth_process *anonymous; /* all processes of the trace with them; or NULL */
    /* of an exporter of folders: the one to write into, and which of its tables */
    const char *folder;
    const struct fth_words *tables; /* NULL, or none in it: all */
    const struct fth_export_share *share;
    /* finds out what `fathom report` does; NULL: it cannot be asked */
    int (*report)(struct fth_trace *trace, const struct fth_selection *selection,
                  struct fth_results *results, struct fth_error **error);
    /* of the exporter, from `begin` to `end`; parts only read it */
    void *shared;
};

/* Some of the processes, written by one thread. */
struct fth_export_part {
    const struct fth_exported *of;
    size_t number;
    size_t first, count;       /* of of->processes */
    struct fth_output *output; /* NULL: it writes files of its own into of->folder */
    struct fth_error *error;   /* what went wrong first; the export ends */
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
    bool wants_handles;    /* calls with their handles */
    /* The tables of a folder, ended by NULL; NULL: it has none to choose from. */
    const char *const *tables;
    /* part->access for all calls; NULL: not */
    bool (*wants_accesses)(const struct fth_exported *exported);
    bool is_folder;   /* it writes a folder of files, not one file */
    const char *mark; /* a file that each of its folders has, by which those are known */
    bool by_rank;     /* processes in order of worlds and ranks, those without one last; the
                              processes of a part are of one world */
    bool by_ranks;    /* ranks of a launcher may share its parts */

    /* All functions but `call` may be NULL. `begin` writes what stands before the parts, `end` what
     * stands behind them, in one thread; `output` is NULL for a folder, and for all ranks of a
     * share but the first. -1: *error is set; `end` is called all the same. */
    int (*begin)(struct fth_exported *exported, struct fth_output *output,
                 struct fth_error **error);
    /* They may set part->error. */
    void (*begin_part)(struct fth_export_part *part);
    void (*begin_process)(struct fth_export_part *part, size_t proc);
    /* Calls of a process in order of entry. */
    void (*call)(struct fth_export_part *part, const struct fth_call *call);
    void (*end_process)(struct fth_export_part *part, size_t proc);
    void (*end_part)(struct fth_export_part *part);
    /* What is held is freed. If the export failed before, *error is set, and nothing is written. */
    int (*end)(struct fth_exported *exported, struct fth_output *output, struct fth_error **error);
};

/* What is exported of a process. */
static inline const struct fth_process *fth_exported_process(const struct fth_exported *exported,
                                                             size_t proc)
{
    return exported->anonymous ? &exported->anonymous[proc]
                               : fth_trace_process(exported->trace, proc);
}

/* Is the table asked for? */
static inline bool fth_export_has_table(const struct fth_exported *exported, const char *table)
{
    for (size_t i = 0; exported->tables && i < exported->tables->count; i++)
        if (!strcmp(exported->tables->items[i], table))
            return true;
    return !exported->tables || !exported->tables->count;
}

extern const struct fth_exporter fth_exporter_parquet, fth_exporter_csv, fth_exporter_jsonl,
    fth_exporter_perfetto, fth_exporter_trace_events, fth_exporter_otf2, fth_exporter_hdtrace,
    fth_exporter_null;

#endif
