/* What stands for the servers of a file system, which a trace does not know: files, or the file
 * systems that they are in. Numbered from 0, files in order of their paths, file systems as the
 * trace lists them. */
#ifndef FTH_ANALYSIS_SERVERS_H
#define FTH_ANALYSIS_SERVERS_H

#include "analysis/query/query.h"

struct fth_servers;
struct fth_served;

/* `served`: what processes did for others, of FTH_SERVERS_ARE_PROBES alone. NULL: *error. */
struct fth_servers *fth_analysis_servers(struct fth_trace *trace, enum fth_query_servers kind,
                                         const struct fth_served *served, struct fth_error **error);
void fth_analysis_servers_free(struct fth_servers *servers); /* NULL is allowed */
size_t fth_analysis_server_count(const struct fth_servers *servers);
const char *fth_analysis_server_name(const struct fth_servers *servers, int64_t number);
/* The server of a file, as a process sees it; -1: none that is known. */
int64_t fth_analysis_server_of(const struct fth_servers *servers, size_t proc, const char *file);
/* The server that a process is; -1: it is none. */
int64_t fth_analysis_server_process(const struct fth_servers *servers, size_t proc);

#endif
