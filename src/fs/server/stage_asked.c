/* What other servers are asked for, and which of them have not answered. */
#include "fs/server/stage_asked.h"

#include "base/memory.h"
#include "fs/server/node_meeting.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

void fth_stage_ask(struct fth_staging *staging, struct fth_stage_asked *asked, const char *name,
                   uint64_t end)
{
    struct fth_bytes fields = {.data = NULL};
    size_t length;
    const char *key = fth_published_path(staging->published, staging->file, &length);
    fth_bytes_text(&fields, key, length);
    fth_bytes_text(&fields, name, strlen(name));
    fth_bytes_varint(&fields, end);
    fth_bytes_varint(&fields, asked->count);
    for (size_t i = 0; i < asked->count; i++) {
        fth_bytes_varint(&fields, asked->intervals[i].begin);
        fth_bytes_varint(&fields, asked->intervals[i].end - asked->intervals[i].begin);
        fth_bytes_varint(&fields, asked->intervals[i].place);
        fth_bytes_varint(&fields, asked->intervals[i].owner);
    }
    staging->elsewhere(staging->elsewhere_data, asked->server, &fields, asked);
    fth_bytes_free(&fields);
}

struct fth_stage_asked *fth_stage_new_asked(struct fth_staging *staging, uint32_t server,
                                            uint32_t share)
{
    struct fth_stage_asked *asked = fth_new(1, sizeof *asked);
    *asked = (struct fth_stage_asked){.staging = staging, .server = server, .share = share};
    return asked;
}

bool fth_stage_is_lost(const struct fth_staging *staging, uint32_t server)
{
    return staging->lost && staging->lost[server];
}

void fth_stage_tell_who_is_lost(const struct fth_staging *staging, uint32_t server,
                                char why[FTH_STAGE_WHY])
{
    struct fth_met_node node;
    if (fth_node_meeting_find(staging->instance, server, &node))
        snprintf(why, FTH_STAGE_WHY, "the server of node '%s' (number %u) does not answer",
                 node.name, server);
    else
        snprintf(why, FTH_STAGE_WHY, "the server number %u does not answer", server);
}

void fth_stage_note_unanswered(struct fth_staging *staging, uint32_t server)
{
    struct fth_published_file *file = fth_staging_file(staging);
    uint32_t count = staging->instance->server_count;
    if (!staging->lost)
        staging->lost = fth_new(count, sizeof *staging->lost);
    if (!file->unanswered)
        file->unanswered = fth_new(count, sizeof *file->unanswered);
    staging->lost[server] = file->unanswered[server] = true;
}

/* ---- old bytes ---- */

/* Of one that was asked whether it still writes old bytes to the file. */
void fth_stage_take_end_of_old(struct fth_staging *staging, uint32_t server, int error,
                               const char *why)
{
    struct fth_error *failure = NULL;
    struct fth_published_file *file = fth_staging_file(staging);
    if (!error && file->unanswered) {
        file->unanswered[server] = false;
    } else if (error) {
        fth_stage_note_unanswered(staging, server);
        fth_fail(&failure,
                 "'%s' cannot be written in the folder below: whether older bytes are still "
                 "written to it is not known: %s",
                 staging->name, *why ? why : strerror(error));
        fth_staging_fail(staging, failure);
    }
    if (--staging->asked)
        return;
    staging->file += staging->has_failed;
    if (!staging->has_failed) {
        free(file->unanswered);
        file->unanswered = NULL;
    }
    free(staging->name);
    staging->name = NULL;
}

bool fth_stage_ask_unanswered(struct fth_staging *staging)
{
    const struct fth_published_file *file = fth_staging_file(staging);
    struct fth_error *error = NULL;
    char why[FTH_STAGE_WHY];
    staging->has_failed = false;
    staging->name = fth_published_name(staging->published, staging->file);
    for (uint32_t i = 0; i < staging->instance->server_count && !error; i++)
        if (file->unanswered[i] && fth_stage_is_lost(staging, i)) {
            fth_stage_tell_who_is_lost(staging, i, why);
            fth_fail(&error,
                     "'%s' cannot be written in the folder below: whether older bytes are still "
                     "written to it is not known: %s",
                     staging->name, why);
        }
    for (uint32_t i = 0; i < staging->instance->server_count && !error; i++)
        if (file->unanswered[i]) {
            staging->asked++;
            fth_stage_ask(staging, fth_stage_new_asked(staging, i, FTH_STAGE_NO_SHARE), "", 0);
        }
    if (staging->asked)
        return true;
    free(staging->name);
    staging->name = NULL;
    if (error)
        fth_staging_fail(staging, error);
    return false;
}
