/* Statistics files: the values of a node of the topology over time become samples of its host. */
#ifndef FTH_IMPORT_HDTRACE_STATISTICS_FILE_H
#define FTH_IMPORT_HDTRACE_STATISTICS_FILE_H

#ifdef FATHOM_EXPAT
#include "import/hdtrace/traced_state.h"

/* Those of all groups of the project that the node has. -1: *error is set. */
int fth_statistics_file_read(struct fth_traced_reading *reading, uint32_t node,
                             struct fth_error **error);

#endif
#endif
