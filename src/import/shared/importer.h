/* An importer reads a trace of another tool, and hands its calls to streams of a spill folder
 * (imported_stream.h), from which the merge makes a trace. Each importer is a table of functions,
 * named in the list of import.c. */
#ifndef FTH_IMPORT_SHARED_IMPORTER_H
#define FTH_IMPORT_SHARED_IMPORTER_H

#include "base/bytes.h"
#include "base/progress.h"
#include "import/shared/imported_process.h"

/* What comes of it. */
struct fth_imported {
    uint64_t calls;           /* that the trace has */
    struct fth_bytes command; /* of the run, each word with a zero behind it */
    char *directory, *host;   /* in which it was started, on which node; NULL: not known */
    char **unseen;            /* what such a trace cannot tell, a sentence each */
    size_t unseen_count;
};

struct fth_importer {
    const char *name, *help;
    /* Does it know what is at `path`? */
    bool (*knows)(const char *path);
    /* 0, or -1 with *error, which names the place in the input. */
    int (*import)(const char *path, struct fth_imported_run *run, struct fth_imported *imported,
                  struct fth_progress *progress, struct fth_error **error);
};

/* The sentence becomes its own. */
void fth_imported_unseen(struct fth_imported *imported, char *sentence);
void fth_imported_free(struct fth_imported *imported);

extern const struct fth_importer fth_importer_strace, fth_importer_otf2;

#endif
