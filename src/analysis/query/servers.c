/* Files are those with bytes in the sums of processes, launchers left out: no call is looked at.
 * Those of the system and of libraries are no servers. */
#include "analysis/query/servers.h"
#include "analysis/query/served.h"

#include "analysis/select/noise.h"
#include "base/memory.h"

#include <fathom/files.h>
#include <stdlib.h>
#include <string.h>

struct fth_servers {
    struct fth_trace *trace;
    enum fth_query_servers kind;
    size_t count;
    const char **names; /* paths, sorted, or mount points; of the trace */
    size_t *processes;  /* of probes, with names of our own */
    char **own_names;
};

static int by_name(const void *one, const void *other)
{
    return strcmp(*(const char *const *)one, *(const char *const *)other);
}

static int add_files(struct fth_servers *servers, size_t proc, struct fth_error **error)
{
    const struct fth_file_sum *rows;
    size_t count;
    if (!fth_trace_file_sums(servers->trace, proc, &rows, &count, error))
        return fth_fail_in(error, "cannot read the sums of process %zu", proc);
    for (size_t i = 0; i < count; i++) {
        if ((!rows[i].bytes_read && !rows[i].bytes_written) ||
            fth_analysis_is_noise(rows[i].path, true))
            continue;
        FTH_GROW(servers->names, servers->count);
        servers->names[servers->count++] = rows[i].path;
    }
    return 0;
}

static int list_files(struct fth_servers *servers, struct fth_error **error)
{
    for (size_t proc = 0; proc < fth_trace_process_count(servers->trace); proc++)
        if (!fth_trace_process(servers->trace, proc)->launcher && add_files(servers, proc, error))
            return -1;
    if (servers->count)
        qsort(servers->names, servers->count, sizeof *servers->names, by_name);
    size_t kept = 0;
    for (size_t i = 0; i < servers->count; i++)
        if (!kept || strcmp(servers->names[kept - 1], servers->names[i]) != 0)
            servers->names[kept++] = servers->names[i];
    servers->count = kept;
    return 0;
}

static void list_mounts(struct fth_servers *servers)
{
    servers->count = fth_trace_file_system_count(servers->trace);
    servers->names = fth_new(servers->count, sizeof *servers->names);
    for (size_t i = 0; i < servers->count; i++)
        servers->names[i] = fth_trace_file_system(servers->trace, i)->mount;
}

/* A server by its program and what it was called with, where it says which one it is. */
static void list_processes(struct fth_servers *servers, const struct fth_served *served)
{
    servers->count = served->process_count;
    servers->names = fth_new(servers->count, sizeof *servers->names);
    servers->own_names = fth_new(servers->count, sizeof *servers->own_names);
    servers->processes = fth_new(servers->count, sizeof *servers->processes);
    for (size_t i = 0; i < servers->count; i++) {
        const struct fth_process *process = fth_trace_process(servers->trace, served->processes[i]);
        const char *slash = strrchr(process->executable ? process->executable : "", '/');
        servers->own_names[i] = fth_text_format(
            "%s%s%s (process %zu)", slash ? slash + 1 : "", process->argument_count > 1 ? " " : "",
            process->argument_count > 1 ? process->arguments[1] : "", served->processes[i]);
        servers->names[i] = servers->own_names[i];
        servers->processes[i] = served->processes[i];
    }
}

struct fth_servers *fth_analysis_servers(struct fth_trace *trace, enum fth_query_servers kind,
                                         const struct fth_served *served, struct fth_error **error)
{
    struct fth_servers *servers = fth_new(1, sizeof *servers);
    servers->trace = trace;
    servers->kind = kind;
    int result = 0;
    if (kind == FTH_SERVERS_ARE_MOUNTS)
        list_mounts(servers);
    else if (kind == FTH_SERVERS_ARE_PROBES)
        list_processes(servers, served);
    else
        result = list_files(servers, error);
    if (!result)
        return servers;
    fth_analysis_servers_free(servers);
    return NULL;
}

void fth_analysis_servers_free(struct fth_servers *servers)
{
    for (size_t i = 0; servers && servers->own_names && i < servers->count; i++)
        free(servers->own_names[i]);
    if (servers) {
        free(servers->names);
        free(servers->own_names);
        free(servers->processes);
    }
    free(servers);
}

size_t fth_analysis_server_count(const struct fth_servers *servers)
{
    return servers->count;
}

const char *fth_analysis_server_name(const struct fth_servers *servers, int64_t number)
{
    return number >= 0 && (uint64_t)number < servers->count ? servers->names[number] : NULL;
}

int64_t fth_analysis_server_of(const struct fth_servers *servers, size_t proc, const char *file)
{
    struct fth_file place;
    if (!file || servers->kind == FTH_SERVERS_ARE_PROBES)
        return -1;
    if (servers->kind == FTH_SERVERS_ARE_FILES) {
        const char **found = servers->count ? bsearch(&file, servers->names, servers->count,
                                                      sizeof *servers->names, by_name)
                                            : NULL;
        return found ? found - servers->names : -1;
    }
    if (!fth_trace_file(servers->trace, proc, file, &place))
        return -1;
    for (size_t i = 0; i < servers->count; i++)
        if (fth_trace_file_system(servers->trace, i) == place.system)
            return (int64_t)i;
    return -1;
}

int64_t fth_analysis_server_process(const struct fth_servers *servers, size_t proc)
{
    for (size_t i = 0; servers->processes && i < servers->count; i++)
        if (servers->processes[i] == proc)
            return (int64_t)i;
    return -1;
}
