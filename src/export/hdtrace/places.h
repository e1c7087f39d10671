/* Where in the topology of a project processes and threads are: Hostname, Rank, Thread. */
#ifndef FTH_EXPORT_HDTRACE_PLACES_H
#define FTH_EXPORT_HDTRACE_PLACES_H

#include "base/intern.h"
#include "base/sink.h"
#include "export/shared/exporter.h"

#define FTH_HDTRACE_PROJECT "trace.proj"

struct fth_hdtrace_places {
    const struct fth_trace *trace;
    struct fth_intern hosts;
    uint32_t *host; /* by process */
    bool *is_rank;  /* by process: it is called by its rank */
};

void fth_hdtrace_places_begin(struct fth_hdtrace_places *places,
                              const struct fth_exported *exported);
void fth_hdtrace_places_end(struct fth_hdtrace_places *places);

/* Names of nodes, of characters that file names and XML may have. */
enum { FTH_HDTRACE_NODE = 128 };
const char *fth_hdtrace_host(const struct fth_hdtrace_places *places, uint32_t host,
                             char name[FTH_HDTRACE_NODE]);
const char *fth_hdtrace_process(const struct fth_hdtrace_places *places, size_t proc,
                                char name[FTH_HDTRACE_NODE]);
/* The file of a thread in this folder, to be freed. */
char *fth_hdtrace_path(const struct fth_hdtrace_places *places, const char *folder, size_t proc,
                       uint32_t thread);

#endif
