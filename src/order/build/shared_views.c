/* Files that a process maps to read: what another process writes to such a file, by calls or
 * through a mapping of its own, the reader may see at any time. */
#include "base/memory.h"
#include "order/build/shared_finding.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = 5000 };

void fth_shared_view(struct fth_shared_finding *finding, const char *path, int64_t from)
{
    char name[LONGEST], text[LONGEST];
    if (!path || *path != '/')
        return;
    fth_shared_name_memory(name, fth_trace_process(finding->trace, finding->proc)->host, path);
    snprintf(text, sizeof text, "shared memory (%s)", path);
    fth_intern(&finding->viewed, name, strlen(name) + 1);
    fth_shared_add(finding, name, text,
                   (struct fth_shared_thing){.proc = (uint32_t)finding->proc,
                                             .releases_until = INT64_MIN,
                                             .acquires_from = from});
}

void fth_shared_name_memory(char name[static 5000], const char *host, const char *path)
{
    snprintf(name, LONGEST, "%s shared memory %s", host, path);
}

/* Who writes such a file by calls. */
static void find_writer(struct fth_shared_finding *finding, size_t proc)
{
    const struct fth_file_sum *files;
    size_t count;
    struct fth_error *error = NULL;
    char name[LONGEST];
    if (!fth_trace_file_sums(finding->trace, proc, &files, &count, &error))
        count = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t number;
        if (!files[i].bytes_written)
            continue;
        fth_shared_name_memory(name, fth_trace_process(finding->trace, proc)->host, files[i].path);
        if (fth_intern_find(&finding->viewed, name, strlen(name) + 1, &number))
            fth_shared_add(finding, name, "shared memory",
                           (struct fth_shared_thing){.proc = (uint32_t)proc,
                                                     .releases_until = INT64_MAX,
                                                     .acquires_from = INT64_MAX});
    }
    fth_error_free(error);
}

void fth_shared_find_writers(struct fth_shared_finding *finding)
{
    for (size_t i = 0; finding->viewed.count && i < fth_trace_process_count(finding->trace); i++)
        find_writer(finding, i);
    fth_intern_free(&finding->viewed);
}
