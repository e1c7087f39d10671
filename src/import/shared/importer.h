/* An importer reads a trace of another tool, and hands its calls to streams of a spill folder
 * (imported_stream.h), from which the merge makes a trace. Each importer is a table of functions,
 * named in the list of import.c. */
#ifndef FTH_IMPORT_SHARED_IMPORTER_H
#define FTH_IMPORT_SHARED_IMPORTER_H

#include "base/bytes.h"
#include "base/progress.h"
#include "import/shared/imported_process.h"
#include "table/table.h"

/* What comes of it. */
struct fth_imported {
    uint64_t calls;           /* that the trace has */
    struct fth_bytes command; /* of the run, each word with a zero behind it */
    char *directory, *host;   /* in which it was started, on which node; NULL: not known */
    char **unseen;            /* what such a trace cannot tell, a sentence each */
    size_t unseen_count;
};

/* What a trace of sums says: tables, and the run. */
struct fth_imported_counters {
    char *command;
    int64_t processes, start, end; /* times: ns since 1970 */
    struct fth_table *tables[4];
    size_t count;
};

struct fth_importer {
    const char *name, *help;
    /* Is it for what is at `path`, by how the file begins, or what is in the folder? */
    bool (*knows)(const char *path);
    /* Of inputs that are known by nothing else, as they are damaged; ended by NULL. NULL: none. */
    const char *const *extensions;
    /* 0, or -1 with *error, which names the place in the input. */
    int (*import)(const char *path, struct fth_imported_run *run, struct fth_imported *imported,
                  struct fth_progress *progress, struct fth_error **error);
    /* The counters that the input has beside calls. NULL: such inputs have none. What was made is
     * freed by fth_imported_counters_free in any case. */
    int (*count)(const char *path, struct fth_imported_counters *counters,
                 struct fth_progress *progress, struct fth_error **error);
};

/* The first bytes of a file, at most `size`; 0: there is none. */
size_t fth_imported_beginning(const char *path, void *bytes, size_t size);
/* Is `name` a file in the folder? */
bool fth_imported_has_file(const char *folder, const char *name);
/* The sentence becomes its own. */
void fth_imported_unseen(struct fth_imported *imported, char *sentence);
void fth_imported_free(struct fth_imported *imported);
void fth_imported_counters_free(struct fth_imported_counters *counters);

extern const struct fth_importer fth_importer_strace, fth_importer_otf2, fth_importer_hdtrace,
    fth_importer_darshan, fth_importer_recorder;

#endif
