/* Which opened names are the same file, by what happened to names, not by names. Inner header
 * of the verify room. */
#ifndef FTH_VERIFY_GATHER_FILE_IDENTITY_H
#define FTH_VERIFY_GATHER_FILE_IDENTITY_H

#include "verify/gather/run_accesses.h"

/* Files of a run. */
struct fth_files {
    uint32_t count;
    uint32_t *renamed; /* by file: the name that it was renamed to last + 1; 0: none, or deleted */
    uint32_t *names;   /* by file: the one that it was opened by first, in fth_run_accesses.names */
};

/* Numbers files, and puts the number of the file where situations and marks have an opening. Names
 * are followed in order of time through links, renames (also of directories above them) and
 * deletions: what is created under a name that was deleted is another file. Where the tracer has
 * recorded numbers of files, these count before names. A descriptor that a process has from another
 * one is of the file that this one has opened, whatever names have become of. */
void fth_files_identify(struct fth_files *files, struct fth_run_accesses *accesses,
                        const struct fth_runs *runs);
/* The name that a file was renamed to; NULL: none. */
const char *fth_files_renamed(const struct fth_files *files,
                              const struct fth_run_accesses *accesses, uint32_t file);
void fth_files_free(struct fth_files *files);

#endif
