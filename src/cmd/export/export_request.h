/* What `fathom export` was asked for, and how it is done: by one process, or by ranks of a launcher
 * that share the work. */
#ifndef FTH_CMD_EXPORT_EXPORT_REQUEST_H
#define FTH_CMD_EXPORT_EXPORT_REQUEST_H

#include "cmd/run/launched_together.h"
#include "export/export.h"

struct fth_cmd_export {
    struct fth_selection selection;
    const struct fth_exporter *exporter;
    const char *trace_path;
    const char *output; /* -o; NULL: named after the trace */
    struct fth_words tables;
    bool force, anonymous;
    const char *key_file;
    struct fth_pseudonyms names;
    unsigned jobs; /* 0: one for each processor */
};

bool fth_cmd_export_to_standard_output(const struct fth_cmd_export *request);
/* "app.csv" for "/data/app.fathom", or what -o says. To be freed. */
char *fth_cmd_export_output(const struct fth_cmd_export *request);
/* A draft beside the file at `path`, if it may be written there. -1: *error is set. */
struct fth_cmd_draft;
int fth_cmd_export_draft(const struct fth_cmd_export *request, struct fth_cmd_draft *draft,
                         const char *path, struct fth_error **error);
/* The trace; with it the key of pseudonyms is made, and what is missing is said. NULL: *error is
 * set. */
struct fth_trace *fth_cmd_export_open(struct fth_cmd_export *request, struct fth_error **error);
/* Into an output that is open, or a folder. `share` NULL: all of it. -1: *error is set. */
int fth_cmd_export_to(const struct fth_cmd_export *request, struct fth_trace *trace,
                      struct fth_output *output, const char *folder,
                      const struct fth_export_share *share, struct fth_export_sums *sums,
                      struct fth_error **error);
/* The whole export, with `name` in its place at the end. -1: *error is set. */
int fth_cmd_export_alone(const struct fth_cmd_export *request, struct fth_trace *trace,
                         const char *name, struct fth_export_sums *sums, struct fth_error **error);

struct fth_ranks;
/* This rank's share; the first rank puts the export in its place when all have done theirs, and
 * removes it if one could not. `name`, `calls` and *error are for that rank: the others have
 * nothing to say, and return 0. */
int fth_cmd_export_together(struct fth_cmd_export *request, const struct fth_together *together,
                            struct fth_ranks *ranks, const char *name, uint64_t *calls,
                            struct fth_error **error);

#endif
