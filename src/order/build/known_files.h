/* Files of a run that have to be known before its calls are fed. Inner header of the order room. */
#ifndef FTH_ORDER_BUILD_KNOWN_FILES_H
#define FTH_ORDER_BUILD_KNOWN_FILES_H

#include "fathom/trace.h"

struct fth_file_names {
    char **all; /* absolute */
    size_t count;
};

struct fth_known_files {
    struct fth_file_names fifos;  /* that the run made */
    struct fth_file_names locked; /* by their open file descriptions: flock, F_OFD_SETLK */
};

/* Goes through the calls of those processes that made a FIFO, or called flock or fcntl. A process
 * that cannot be read is left out: whoever feeds its calls finds that, too. */
struct fth_known_files fth_known_files_of(struct fth_trace *trace);
/* That name, which lives as long as the files; or NULL. */
const char *fth_known_files_find(const struct fth_file_names *names, const char *name);
void fth_known_files_free(struct fth_known_files *files);

#endif
