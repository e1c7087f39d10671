/* What a server says of itself. */
#include "fs/server/request.h"

#include "base/memory.h"
#include "fs/server/copies.h"
#include "fs/protocol/unsaved.h"
#include "fs/server/node_meeting.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The end of the file: of what was attached, or in the folder below. */
static uint64_t end_of(const struct fth_published_file *file, int under, const char *path)
{
    struct stat facts;
    bool is_below =
        (file->is_held ? fstat(file->held, &facts) : fstatat(under, path, &facts, 0)) == 0;
    return is_below && (uint64_t)facts.st_size > file->end ? (uint64_t)facts.st_size : file->end;
}

static void put_file_status(const struct fth_published_file *file, uint64_t end,
                            struct fth_bytes *answer)
{
    struct fth_interval interval;
    struct fth_intern owners = {.count = 0};
    uint64_t bytes = 0, dirty = 0;
    for (uint64_t at = 0; fth_intervals_find(&file->intervals, at, &interval); at = interval.end) {
        bytes += interval.end - interval.begin;
        fth_intern(&owners, &interval.owner, sizeof interval.owner);
        dirty += interval.state & FTH_STATE_CLEAN ? 0 : interval.end - interval.begin;
    }
    fth_bytes_varint(answer, end);
    fth_bytes_varint(answer, bytes);
    fth_bytes_varint(answer, dirty);
    fth_bytes_varint(answer, file->intervals.count);
    fth_bytes_varint(answer, owners.count);
    fth_intern_free(&owners);
}

/* Does another node have a copy; bytes of it, and of records that it may not have yet. */
static void put_copies(const struct fth_copies *copies, struct fth_bytes *answer)
{
    bool is_on = copies && copies->is_on;
    fth_bytes_varint(answer, is_on);
    fth_bytes_varint(answer, is_on ? copies->copied_bytes + copies->known_bytes : 0);
    fth_bytes_varint(answer,
                     is_on ? copies->put_bytes + copies->records.length - copies->known_bytes : 0);
}

void fth_request_status(struct fth_request *request)
{
    const struct fth_published *published = request->requests->published;
    const struct fth_published_counts *counts = &published->counts;
    const uint64_t numbers[] = {request->requests->clients,
                                counts->attaches,
                                counts->queries,
                                counts->detaches,
                                counts->stats,
                                counts->locks,
                                counts->granted,
                                counts->local,
                                counts->conflicts,
                                counts->requests};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        fth_bytes_varint(request->answer, numbers[i]);
    put_copies(request->requests->copies, request->answer);
    fth_bytes_varint(request->answer, fth_keyed_count(&published->files));
    for (uint32_t i = 0; i < fth_keyed_count(&published->files); i++) {
        const struct fth_published_file *file = fth_keyed_item(&published->files, i);
        size_t length;
        const char *key = fth_published_path(published, i, &length);
        char *path = fth_published_name(published, i);
        fth_bytes_text(request->answer, key, length);
        fth_bytes_text(request->answer, path, strlen(path));
        put_file_status(file, end_of(file, request->requests->instance->under, path),
                        request->answer);
        free(path);
    }
}

static void put_loss(const struct fth_unsaved *process, const struct fth_unsaved_file *file,
                     void *data)
{
    struct fth_bytes *answer = data;
    char node[FTH_NODE_NAME_MOST + 1];
    fth_node_name(node);
    fth_bytes_text(answer, node, strlen(node));
    fth_bytes_text(answer, process->program, strlen(process->program));
    fth_bytes_varint(answer, (uint64_t)process->process);
    fth_bytes_text(answer, file->name, strlen(file->name));
    fth_bytes_varint(answer, file->begin);
    fth_bytes_varint(answer, file->end);
    fth_bytes_varint(answer, file->has_gaps);
}

void fth_request_losses(struct fth_request *request)
{
    fth_unsaved_each(request->requests->instance->folder, put_loss, request->answer);
}
