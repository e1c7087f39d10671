/* The file system of a simulated cluster, as nodes see it: one for all of them, whose files are in
 * stripes over the servers. */
#include "sim/record/recorder_state.h"

#include "base/memory.h"
#include "sim/world/world.h"
#include "trace/file/mount_section.h"

#include <stdio.h>
#include <string.h>

static void add_files(const struct fth_sim_recorder *recorder, struct fth_mounts *mounts)
{
    const struct fth_sim_servers *servers = &recorder->world->cluster->servers;
    for (uint32_t i = 0; i < recorder->program->file_count; i++) {
        const struct fth_sim_file *file = &recorder->program->files[i];
        uint64_t count =
            file->servers && file->servers < servers->count ? file->servers : servers->count;
        fth_mounts_add_file(mounts, recorder->paths[i], count,
                            file->stripe ? file->stripe : servers->stripe);
    }
}

void fth_sim_recorder_mounts(const struct fth_sim_recorder *recorder, uint32_t node,
                             struct fth_bytes *raw)
{
    char host[32];
    snprintf(host, sizeof host, "node%u", node);
    struct fth_mounts mounts = {.host = fth_text_copy(host)};
    if (!mounts.host)
        fth_out_of_memory();
    fth_mounts_add(&mounts, &(struct fth_mount){.point = "/",
                                                .type = "simulated",
                                                .source = "servers of the cluster",
                                                .shared = true});
    if (node == 0)
        add_files(recorder, &mounts);
    fth_mounts_write(&mounts, raw);
    fth_mounts_free(&mounts);
}
