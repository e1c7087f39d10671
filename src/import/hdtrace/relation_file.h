/* Relation files: activities that go on beside one another. Each becomes a thread of the process,
 * and its states regions. */
#ifndef FTH_IMPORT_HDTRACE_RELATION_FILE_H
#define FTH_IMPORT_HDTRACE_RELATION_FILE_H

#ifdef FATHOM_EXPAT
#include "import/hdtrace/traced_file.h"

int fth_relation_file_begins(const char *path, struct fth_traced_program *program,
                             struct fth_error **error);
int fth_relation_file_read(const char *path, struct fth_traced_reading *reading, int64_t tid,
                           struct fth_error **error);

#endif
#endif
