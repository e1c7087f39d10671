/* Reading: each piece of a range comes from this process, from another, or from below. */
#include "fs/client/read_pieces.h"

#include "fs/client/copy_bytes.h"
#include "fs/protocol/fs_messages.h"

#include <errno.h>
#include <string.h>
#include <sys/types.h>

static uint64_t greater(uint64_t one, uint64_t other)
{
    return one > other ? one : other;
}

uint64_t fth_read_pieces_end(struct fth_client_file *file)
{
    return greater(greater(fth_intervals_end(&file->own), file->seen_end),
                   fth_client_end_below(file));
}

/* Where the bytes from `at` on come from, up to *end. */
struct source {
    enum { FROM_OWN, FROM_PEER, FROM_BELOW } kind;
    struct fth_interval interval;
};

/* Is this what was written last, as far as this process knows? */
static bool own_is_newest(const struct fth_interval *own, const struct fth_interval *seen,
                          bool has_seen)
{
    return !(own->state & FTH_OWN_ATTACHED) || !has_seen ||
           seen->owner == fth_client.connection.number;
}

static struct source source_of(struct fth_client_file *file, uint64_t at, uint64_t *end,
                               bool newest)
{
    struct fth_interval own, seen = {.end = 0};
    bool has_own = fth_intervals_within(&file->own, at, *end, &own);
    bool has_seen = newest && fth_intervals_within(&file->seen, at, *end, &seen);
    if (has_own)
        *end = own.begin > at ? own.begin : own.end;
    if (has_seen)
        *end = seen.begin > at && seen.begin < *end  ? seen.begin
               : seen.begin == at && seen.end < *end ? seen.end
                                                     : *end;
    bool own_here = has_own && own.begin == at, seen_here = has_seen && seen.begin == at;
    if (own_here && own_is_newest(&own, &seen, seen_here))
        return (struct source){FROM_OWN, own};
    if (seen_here)
        return (struct source){FROM_PEER, seen};
    return (struct source){.kind = FROM_BELOW};
}

/* Zeros stand where the folder below has nothing. */
static bool take_below(struct fth_client_file *file, uint64_t at, uint8_t *to, size_t size)
{
    size_t done = 0;
    while (done < size) {
        ssize_t count = fth_client_read_below(file, at + done, to + done, size - done);
        if (count < 0)
            return false;
        if (!count)
            break;
        done += (size_t)count;
    }
    memset(to + done, 0, size - done);
    return true;
}

/* false: ENODATA, they are not there any more; EIO, nobody has them any more. */
static bool copy(struct fth_client_file *file, const struct fth_interval *interval, uint64_t at,
                 uint8_t *to, size_t size)
{
    uint64_t place = interval->place + (at - interval->begin);
    if (fth_client_copy_from(interval->owner, place, to, size))
        return true;
    if (errno != ENODATA)
        fth_client_tell_of_loss(file, at, at + size);
    return false;
}

/* What peers have of [at, at + size), as the last query says. false: it is not there any more. */
static bool take_seen(struct fth_client_file *file, uint64_t at, uint8_t *to, size_t size)
{
    struct fth_interval now;
    for (uint64_t piece = at; fth_intervals_within(&file->seen, piece, at + size, &now);
         piece = now.end)
        if (!copy(file, &now, now.begin, to + (now.begin - at), now.end - now.begin))
            return false;
    return true;
}

enum { MOST_QUERIES = 100 };

/* A peer may have written its bytes to the folder below, and used their segment again, since the
 * last query: then it is asked again who has them, as often as that happens. */
static bool take_peer(struct fth_client_file *file, const struct fth_interval *interval,
                      uint64_t at, uint8_t *to, size_t size)
{
    if (copy(file, interval, at, to, size))
        return true;
    bool is_gone = errno == ENODATA;
    for (int i = 0; is_gone && i < MOST_QUERIES; i++) {
        if (!fth_read_pieces_query(file, at, at + size) || !take_below(file, at, to, size))
            return false;
        if (take_seen(file, at, to, size))
            return true;
        is_gone = errno == ENODATA;
    }
    errno = EIO;
    return false;
}

static bool take(struct fth_client_file *file, const struct source *source, uint64_t at,
                 uint8_t *to, size_t size)
{
    switch (source->kind) {
    case FROM_OWN:
        fth_copy_bytes(to, fth_own_buffer_at(&fth_client.buffer, source->interval.place), size);
        return true;
    case FROM_PEER:
        return take_peer(file, &source->interval, at, to, size);
    case FROM_BELOW:
        break;
    }
    return take_below(file, at, to, size);
}

ssize_t fth_read_pieces(struct fth_client_file *file, uint64_t offset, void *to, size_t size,
                        bool newest)
{
    uint64_t behind = offset + size, at = offset;
    struct source source;
    while (at < behind) {
        uint64_t end = behind;
        source = source_of(file, at, &end, newest);
        if (source.kind == FROM_BELOW) {
            uint64_t known = fth_read_pieces_end(file);
            end = end < known ? end : known;
            behind = behind < known ? behind : known;
        }
        if (at >= end)
            break;
        if (!take(file, &source, at, (uint8_t *)to + (at - offset), end - at))
            return -1;
        at = end;
    }
    return (ssize_t)(at - offset);
}

/* The part of it in [begin, end). */
static void keep_part(struct fth_interval *interval, uint64_t begin, uint64_t end)
{
    if (begin > interval->begin) {
        interval->place += begin - interval->begin;
        interval->begin = begin;
    }
    if (end < interval->end)
        interval->end = end;
}

bool fth_read_pieces_own(const struct fth_client_file *file, uint64_t offset,
                         struct fth_interval *own)
{
    struct fth_interval seen;
    if (!fth_intervals_find(&file->own, offset, own) || own->begin > offset)
        return false;
    if (!(own->state & FTH_OWN_ATTACHED))
        return true;
    if (!fth_intervals_find(&file->seen, offset, &seen))
        keep_part(own, offset, own->end);
    else if (seen.begin > offset)
        keep_part(own, offset, seen.begin);
    else if (seen.owner == fth_client.connection.number)
        keep_part(own, seen.begin, seen.end);
    else
        return false;
    return true;
}

bool fth_read_pieces_peer(struct fth_client_file *file, uint32_t peer, uint64_t offset, void *to,
                          size_t size)
{
    struct fth_interval seen;
    uint64_t at = offset, end = offset + size;
    for (; at < end && fth_intervals_within(&file->seen, at, end, &seen); at = seen.end)
        if (seen.begin != at || seen.owner != peer) {
            errno = ENODATA;
            return false;
        } else if (!copy(file, &seen, at, (uint8_t *)to + (at - offset), seen.end - at)) {
            return false;
        }
    if (at < end)
        errno = ENODATA;
    return at >= end;
}

/* What this process attached and nobody has any more was attached by somebody else since, who wrote
 * it to the folder below. */
static void forget_superseded(struct fth_client_file *file, uint64_t begin, uint64_t end)
{
    struct fth_interval own, seen;
    uint64_t at = begin, behind;
    for (; fth_intervals_within(&file->own, at, end, &own); at = behind) {
        behind = own.end;
        if (!(own.state & FTH_OWN_ATTACHED))
            continue;
        if (fth_intervals_within(&file->seen, own.begin, own.end, &seen)) {
            behind = seen.begin > own.begin ? seen.begin : seen.end;
            if (seen.begin == own.begin)
                continue;
        }
        fth_intervals_cut(&file->own, own.begin, behind);
    }
}

/* What this process attached behind the end that the server knows, somebody has cut off. */
static void forget_behind_end(struct fth_client_file *file)
{
    struct fth_interval own;
    for (uint64_t at = file->seen_end; fth_intervals_within(&file->own, at, INT64_MAX, &own);
         at = own.end)
        if (own.state & FTH_OWN_ATTACHED)
            fth_intervals_cut(&file->own, own.begin, own.end);
}

bool fth_read_pieces_query(struct fth_client_file *file, uint64_t begin, uint64_t end)
{
    struct fth_view view;
    fth_connection_begin(&fth_client.connection, FTH_MESSAGE_QUERY);
    fth_bytes_text(&fth_client.connection.out, file->name, strlen(file->name));
    fth_bytes_varint(&fth_client.connection.out, begin);
    fth_bytes_varint(&fth_client.connection.out, end);
    if (!fth_connection_ask(&fth_client.connection, &view)) {
        if (errno == EHOSTDOWN)
            fth_client_tell_of_loss(file, begin, end);
        return false;
    }
    uint64_t seen_end = fth_view_varint(&view);
    bool knows_end = fth_view_varint(&view) != 0;
    file->seen_end = knows_end ? seen_end : greater(file->seen_end, seen_end);
    fth_intervals_cut(&file->seen, begin, end);
    for (uint64_t count = fth_view_count(&view, 4); count--;) {
        struct fth_interval interval = {.begin = fth_view_varint(&view)};
        interval.end = interval.begin + fth_view_varint(&view);
        interval.place = fth_view_varint(&view);
        interval.owner = (uint32_t)fth_view_varint(&view);
        if (view.failed || interval.begin >= interval.end || interval.begin < begin ||
            interval.end > end) {
            errno = EBADMSG;
            return false;
        }
        fth_intervals_put(&file->seen, &interval);
    }
    forget_superseded(file, begin, end);
    if (knows_end)
        forget_behind_end(file);
    return true;
}
