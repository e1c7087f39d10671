/* Files that are not held any more. */
#include "fs/server/let_go.h"

#include "fs/server/published_held.h"
#include "fs/server/stage_out.h"

#include <sys/resource.h>

enum { FEW = 256 /* that are held before they are looked through */ };

static int forget(struct fth_published *published, uint32_t number, struct fth_error **error)
{
    size_t length;
    const char *path = fth_published_path(published, number, &length);
    return fth_published_forget(published, path, length, error);
}

static int let_gone_go(struct fth_published *published, struct fth_error **error)
{
    for (uint32_t i = 0; i < fth_keyed_count(&published->files); i++) {
        const struct fth_published_file *file = fth_keyed_item(&published->files, i);
        if (!file->is_staged && !file->leaving && fth_published_is_gone(file) &&
            forget(published, i, error))
            return -1;
    }
    return 0;
}

/* All is in the folder below then. */
static int let_all_go(struct fth_published *published, const struct fth_fs_instance *instance,
                      struct fth_error **error)
{
    struct fth_stage_out done = {.files = 0};
    if (fth_stage_out(published, instance, &(struct fth_stage_out_of){.owner = 0}, &done, error))
        return -1;
    for (uint32_t i = 0; i < fth_keyed_count(&published->files); i++) {
        const struct fth_published_file *file = fth_keyed_item(&published->files, i);
        if (file->is_held && forget(published, i, error))
            return -1;
    }
    return 0;
}

/* Half of what the server may have open; the rest is for clients. */
static uint32_t most_held(void)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur > UINT32_MAX
               ? UINT32_MAX
               : (uint32_t)limit.rlim_cur / 2;
}

static bool is_time(const struct fth_published *published)
{
    return published->held_count >= FEW && published->held_count >= published->look_at;
}

bool fth_let_go_writes(const struct fth_published *published)
{
    return is_time(published) && published->held_count >= most_held();
}

int fth_let_go(struct fth_published *published, const struct fth_fs_instance *instance,
               struct fth_error **error)
{
    uint32_t most = most_held();
    if (!is_time(published))
        return 0;
    if (let_gone_go(published, error) ||
        (published->held_count >= most && let_all_go(published, instance, error)))
        return -1;
    published->look_at = 2 * published->held_count < most ? 2 * published->held_count : most;
    return 0;
}
