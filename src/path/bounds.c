/* How much shorter the run could be without what a finding is about: without all I/O on its files, along the critical path. */
#include "path/flow.h"

#include <string.h>

static bool is_about(void *context, const struct fth_path_work *work)
{
    const struct fth_finding *finding = context;
    if (!work->asked || !work->file)
        return false;
    for (size_t i = 0; i < finding->files.count; i++)
        if (strcmp(finding->files.items[i], work->file) == 0)
            return true;
    return false;
}

void fth_path_bound(const struct fth_path *path, struct fth_findings *findings)
{
    for (size_t i = 0; i < findings->count; i++) {
        struct fth_finding *finding = &findings->list[i];
        if (finding->effective || finding->severity <= 0 || !finding->files.count ||
            finding->files.total > finding->files.count)
            continue;
        int64_t length =
            fth_path_without(path, &(struct fth_path_change){.gone = is_about, .context = finding});
        finding->gain = length < path->sums.length ? path->sums.length - length : 0;
    }
}
