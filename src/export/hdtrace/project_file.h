/* The project file: what trace files refer to. It is written when they are, from what the parts
 * gathered. */
#ifndef FTH_EXPORT_HDTRACE_PROJECT_FILE_H
#define FTH_EXPORT_HDTRACE_PROJECT_FILE_H

#include "export/hdtrace/places.h"
#include "export/shared/communicators.h"
#include "export/shared/exporter.h"

#include <pthread.h>

struct fth_hdtrace_project {
    struct fth_hdtrace_places places;
    struct fth_exported_communicators communicators;
    pthread_mutex_t lock;
    struct fth_intern files;  /* of all processes */
    uint32_t *threads;        /* by process: how many have a file */
    uint32_t statistic_count; /* groups of statistics */
};

/* The file where a process keeps what the project says of its datatypes; to be freed. */
char *fth_hdtrace_info_path(const struct fth_hdtrace_project *project, const char *folder,
                            size_t proc);
int fth_hdtrace_write_project(const struct fth_hdtrace_project *project,
                              const struct fth_exported *exported, struct fth_error **error);

#endif
