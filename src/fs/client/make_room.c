/* Making room in the buffer of this client. */
#include "fs/client/make_room.h"

#include "base/memory.h"
#include "fs/client/client.h"
#include "fs/protocol/fs_messages.h"

#include <errno.h>
#include <string.h>

/* The part of `interval` that begins at `at` and lies in one segment. */
static struct fth_interval part_in_segment(const struct fth_interval *interval, uint64_t at)
{
    struct fth_interval part = *interval;
    part.begin = at;
    part.place += at - interval->begin;
    uint64_t used = (fth_place_offset(part.place) - FTH_BUFFER_HEAD) % FTH_BUFFER_SEGMENT;
    if (part.end - part.begin > FTH_BUFFER_SEGMENT - used)
        part.end = part.begin + (FTH_BUFFER_SEGMENT - used);
    return part;
}

static void add_live(const struct fth_intervals *intervals, uint32_t *live)
{
    struct fth_interval interval, part;
    for (uint64_t at = 0; fth_intervals_find(intervals, at, &interval); at = interval.end)
        for (uint64_t from = interval.begin; from < interval.end; from = part.end) {
            part = part_in_segment(&interval, from);
            live[fth_place_segment(part.place)] += (uint32_t)(part.end - part.begin);
        }
}

/* Bytes of each segment that somebody needs; to be freed. What is attached may count twice. */
static uint32_t *find_live(void)
{
    uint32_t *live = fth_new(fth_own_buffer_segments(&fth_client.buffer), sizeof *live);
    for (size_t i = 0; i < fth_client.file_count; i++) {
        add_live(&fth_client.files[i]->own, live);
        add_live(&fth_client.files[i]->attached, live);
        add_live(&fth_client.files[i]->doubtful, live);
    }
    return live;
}

/* Segments that nobody needs: so many of four that are made. */
static bool recycle(uint32_t quarters)
{
    uint32_t *live = find_live();
    uint32_t count = fth_own_buffer_recycle(&fth_client.buffer, live);
    free(live);
    return count > 0 && 4 * (uint64_t)count >= (uint64_t)quarters * fth_client.buffer.made;
}

/* What was attached is in the folder below now, and no longer in the buffer. */
static void forget_attached(struct fth_client_file *file)
{
    struct fth_interval interval;
    for (uint64_t at = 0; fth_intervals_find(&file->own, at, &interval); at = interval.end)
        if (interval.state & FTH_OWN_ATTACHED)
            fth_intervals_cut(&file->own, interval.begin, interval.end);
    fth_intervals_free(&file->attached);
    fth_intervals_free(&file->doubtful);
}

static bool reclaim(void)
{
    struct fth_view view;
    fth_connection_begin(&fth_client.connection, FTH_MESSAGE_RECLAIM);
    if (!fth_connection_ask(&fth_client.connection, &view))
        return false;
    for (size_t i = 0; i < fth_client.file_count; i++)
        forget_attached(fth_client.files[i]);
    return true;
}

/* To where the buffer is filled now, which is a segment of its own. */
static void move_part(struct fth_client_file *file, struct fth_interval *part)
{
    const uint8_t *from = fth_own_buffer_at(&fth_client.buffer, part->place);
    uint8_t *to;
    fth_own_buffer_take(&fth_client.buffer, part->end - part->begin, &to, &part->place);
    memcpy(to, from, part->end - part->begin);
    fth_intervals_put(&file->own, part);
}

static void move_out(struct fth_client_file *file, uint32_t segment)
{
    struct fth_interval interval, part;
    for (uint64_t at = 0; fth_intervals_find(&file->own, at, &interval); at = part.end) {
        part = part_in_segment(&interval, at > interval.begin ? at : interval.begin);
        if (fth_place_segment(part.place) == segment)
            move_part(file, &part);
    }
}

/* The segment with the fewest bytes that are needed. All of them are in use but the reserve. */
static uint32_t least_live(const uint32_t *live)
{
    const struct fth_own_buffer *buffer = &fth_client.buffer;
    uint32_t least = buffer->current;
    for (uint32_t segment = 0; segment < fth_own_buffer_segments(buffer); segment++)
        if (segment != buffer->reserve && live[segment] < live[least] &&
            (segment < buffer->made || segment == buffer->most))
            least = segment;
    return least;
}

/* Moves the bytes of one segment together, where that gives room worth the work. */
static bool compact(void)
{
    uint32_t *live = find_live(), least = least_live(live);
    bool worth = live[least] <= FTH_BUFFER_SEGMENT / 16 * 15;
    free(live);
    if (!worth)
        errno = ENOSPC;
    if (!worth || !fth_own_buffer_use_reserve(&fth_client.buffer, least))
        return false;
    for (size_t i = 0; i < fth_client.file_count; i++)
        move_out(fth_client.files[i], least);
    return true;
}

static bool give_up_waiting(void)
{
    return errno == ENOSPC && fth_client.attach_early && fth_client.attach_early() && reclaim() &&
           (recycle(0) || compact());
}

bool fth_make_room(void)
{
    /* To look for segments takes time, so there are some more where it would come again soon. */
    return recycle(1) || fth_own_buffer_grow(&fth_client.buffer) ||
           fth_client.buffer.unused_count ||
           (reclaim() && (recycle(0) || compact() || give_up_waiting()));
}
