/* Files of the run, by number: what a process calls by a path is another file on each node, where
 * that has file systems of its own. Each file has a text of its own, so that texts of files are
 * compared by their address. */
#include "path/run_flow.h"

#include "analysis/survey/node_files.h"
#include "base/memory.h"

#include <string.h>

/* Interned is the path, and behind its zero the host, with a zero as well, if it is of one node. */
uint32_t fth_path_add_file(struct fth_path *path, size_t proc, const char *name)
{
    struct fth_file place;
    const char *host = path->several_nodes && fth_trace_file(path->trace, proc, name, &place)
                           ? fth_analysis_node_of(path->trace, proc, &place)
                           : NULL;
    size_t length = strlen(name) + 1, host_length = host ? strlen(host) + 1 : 0;
    char *key = fth_new(length + host_length, 1);
    memcpy(key, name, length);
    if (host)
        memcpy(key + length, host, host_length);
    uint32_t number = fth_intern(&path->files, key, length + host_length);
    free(key);
    return number;
}

const char *fth_path_file(const struct fth_path *path, uint32_t file)
{
    size_t length;
    return (const char *)fth_interned(&path->files, file, &length);
}

const char *fth_path_file_host(const struct fth_path *path, uint32_t file)
{
    size_t length;
    const char *text = (const char *)fth_interned(&path->files, file, &length);
    return strlen(text) + 1 < length ? text + strlen(text) + 1 : NULL;
}
