/* Samples of the nodes as statistics files of HDTrace. */
#ifndef FTH_EXPORT_HDTRACE_HDTRACE_STATISTICS_H
#define FTH_EXPORT_HDTRACE_HDTRACE_STATISTICS_H

#include "export/hdtrace/places.h"

/* The name of a group: "Utilization", "Utilization2" ... */
const char *fth_hdtrace_group(uint32_t number, char name[FTH_HDTRACE_NODE]);
/* Writes those of all nodes that have samples, and sets how many groups a node has at most. */
int fth_hdtrace_write_statistics(const struct fth_hdtrace_places *places,
                                 const struct fth_exported *exported, uint32_t *groups,
                                 struct fth_error **error);

#endif
