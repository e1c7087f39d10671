/* Whether what was written to a file was synced to disk before it was renamed: by the process that
 * wrote it, or by another one in between. Of each process the first and the last sync are known. */
#include "analysis/passes/file_safety.h"

#include "base/memory.h"

const struct fth_file_safety fth_file_safety_none = {.last = -1, .syncs = {-1, -1}};

void fth_syncs_see(struct fth_syncs *syncs, int64_t end)
{
    if (syncs->first < 0)
        syncs->first = end;
    syncs->last = end > syncs->last ? end : syncs->last;
}

void fth_file_safety_write(struct fth_file_safety *safety, const struct fth_frame *frame)
{
    safety->writes = true;
    for (const struct fth_frame *around = frame->around; around; around = around->around)
        safety->streamed |= around->class->stream;
    if (!frame->file.synced)
        safety->last = frame->times.last;
}

void fth_shared_safety_sync(struct fth_shared_safety *shared, size_t proc,
                            const struct fth_syncs *syncs)
{
    if (syncs->first < 0)
        return;
    shared->syncs = fth_resize(shared->syncs, shared->sync_count + 1, sizeof *shared->syncs);
    shared->syncs[shared->sync_count++] = (struct fth_syncs_of){proc, *syncs};
}

void fth_shared_safety_add(struct fth_shared_safety *shared, size_t proc,
                           const struct fth_file_safety *safety,
                           const struct fth_renaming *renaming, const uint32_t *files)
{
    fth_shared_safety_sync(shared, proc, &safety->syncs);
    if (safety->last > safety->syncs.last && safety->last >= shared->last) {
        shared->last = safety->last + 1;
        shared->streamed = safety->streamed;
    }
    if (!renaming)
        return;
    shared->renamings =
        fth_resize(shared->renamings, shared->renaming_count + 1, sizeof *shared->renamings);
    struct fth_renaming_by *by = &shared->renamings[shared->renaming_count++];
    *by = (struct fth_renaming_by){proc, *renaming};
    by->renaming.to = files[renaming->to - 1] + 1;
}

/* May one of the processes, but for `writer`, have synced it then? */
static bool may_be_synced(const struct fth_shared_safety *shared, size_t writer, int64_t written,
                          int64_t renamed)
{
    for (size_t i = 0; i < shared->sync_count; i++)
        if (shared->syncs[i].proc != writer && shared->syncs[i].syncs.first <= renamed &&
            shared->syncs[i].syncs.last >= written)
            return true;
    return false;
}

bool fth_shared_safety_lacks(const struct fth_shared_safety *shared,
                             const struct fth_shared_safety *of_all,
                             const struct fth_renaming_by *by)
{
    const struct fth_file_safety *safety = &by->renaming.safety;
    bool own = safety->last > safety->syncs.last;
    int64_t written = own ? safety->last : shared->last - 1;
    size_t writer = own ? by->proc : SIZE_MAX; /* whose own syncs are known to be too early */
    return written >= 0 && written <= by->renaming.at &&
           !may_be_synced(shared, writer, written, by->renaming.at) &&
           !may_be_synced(of_all, writer, written, by->renaming.at);
}

void fth_shared_safety_free(struct fth_shared_safety *shared)
{
    free(shared->syncs);
    free(shared->renamings);
}
