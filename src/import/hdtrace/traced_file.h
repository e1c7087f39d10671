/* Trace files: read twice, because what is nested stands before the state that it is nested in. The
 * first time, the functions of the states with nested ones are noted. */
#ifndef FTH_IMPORT_HDTRACE_TRACED_FILE_H
#define FTH_IMPORT_HDTRACE_TRACED_FILE_H

#ifdef FATHOM_EXPAT
#include "import/hdtrace/traced_state.h"

/* What a file says of its program. */
struct fth_traced_program {
    int64_t adjustment;                           /* ns since 1970 */
    int64_t pid, tid;                             /* -1: not known */
    int64_t start, end;                           /* of the process, ns since 1970; -1: not known */
    char *executable, *directory, *mpi, *mpi_abi; /* or NULL */
};

/* Its first element alone. -1: *error is set. */
int fth_traced_file_begins(const char *path, struct fth_traced_program *program,
                           struct fth_error **error);
void fth_traced_program_free(struct fth_traced_program *program);
/* Hands its states on to the stream of `reading`. */
int fth_traced_file_read(const char *path, struct fth_traced_reading *reading,
                         struct fth_error **error);

#endif
#endif
