/* Which request writes next, and which ones wait for it. */
#include "fs/server/flushes.h"

#include "base/memory.h"
#include "fs/protocol/fs_messages.h"
#include "fs/server/flush.h"
#include "fs/server/let_go.h"

#include <unistd.h>

/* What a request waits for. */
enum need {
    NOTHING,
    ONE_FILE,  /* is being written, or is not to be attached to */
    ALL_FILES, /* that are being written, with no other one begun */
    ALL_FLUSHES,
    THE_END, /* of the instance, which comes first */
    A_TURN,  /* to write, of those that other servers ask for */
};

struct fth_flush_waiting {
    struct fth_flush_waiting *next;
    uint64_t connection;
    struct fth_asker asker;
    uint8_t kind;
    enum need need;
    struct fth_bytes message;
    int passed;
};

void fth_flushes_begin(struct fth_flushes *flushes, struct fth_requests *requests,
                       fth_flushes_answered *answered, void *data)
{
    *flushes = (struct fth_flushes){
        .requests = requests, .answered = answered, .data = data, .left = FTH_STAGE_PIECE};
}

/* ---- what is waited for ---- */

/* The file that a request begins with; NULL: the server does not know it. */
static const struct fth_published_file *file_of(const struct fth_flushes *flushes,
                                                const struct fth_view *message)
{
    const struct fth_keyed *files = &flushes->requests->published->files;
    struct fth_view view = *message;
    uint64_t length = fth_view_varint(&view);
    const uint8_t *path = fth_view_bytes(&view, length);
    uint32_t number;
    return path && fth_keyed_number(files, path, length, &number) ? fth_keyed_item(files, number)
                                                                  : NULL;
}

static bool writes_a_file(const struct fth_flushes *flushes)
{
    for (const struct fth_flush *flush = flushes->first; flush; flush = flush->next)
        if (flush->staging.is_writing)
            return true;
    return false;
}

static bool has_end(const struct fth_flushes *flushes)
{
    for (const struct fth_flush_waiting *one = flushes->waiting; one; one = one->next)
        if (one->kind == FTH_MESSAGE_STOP)
            return true;
    return false;
}

static enum need need_of_file(const struct fth_flushes *flushes, uint8_t kind,
                              const struct fth_view *message)
{
    const struct fth_published_file *file = file_of(flushes, message);
    bool attaches = kind == FTH_MESSAGE_ATTACH || kind == FTH_MESSAGE_RESERVE;
    return file && (file->leaving || (file->is_staged && !attaches)) ? ONE_FILE : NOTHING;
}

/* Of one file, or of all. */
static enum need need_to_forget(const struct fth_flushes *flushes, const struct fth_view *message)
{
    struct fth_view view = *message;
    if (fth_view_varint(&view))
        return need_of_file(flushes, FTH_MESSAGE_FORGET, message);
    return writes_a_file(flushes) ? ALL_FILES : NOTHING;
}

static enum need need_behind_end(const struct fth_flushes *flushes, uint8_t kind)
{
    return fth_flush_is_one(kind, flushes->elsewhere.ask) && has_end(flushes) ? THE_END : NOTHING;
}

static enum need need_of(const struct fth_flushes *flushes, uint8_t kind,
                         const struct fth_view *message)
{
    bool is_part = flushes->elsewhere.ask;
    if (is_part && kind == FTH_MESSAGE_WRITE)
        return flushes->has_written ? A_TURN : NOTHING;
    if (!flushes->first)
        return NOTHING;
    switch (kind) {
    case FTH_MESSAGE_FORGET:
        return need_to_forget(flushes, message);
    case FTH_MESSAGE_ATTACH:
    case FTH_MESSAGE_RESERVE:
    case FTH_MESSAGE_TRUNCATE:
    case FTH_MESSAGE_DETACH:
        return need_of_file(flushes, kind, message);
    case FTH_MESSAGE_HOLD:
        return fth_let_go_writes(flushes->requests->published) && writes_a_file(flushes)
                   ? ALL_FILES
                   : need_of_file(flushes, kind, message);
    case FTH_MESSAGE_DETACH_ALL:
        return writes_a_file(flushes) ? ALL_FILES : NOTHING;
    case FTH_MESSAGE_RECLAIM:
        return is_part && writes_a_file(flushes) ? ALL_FILES : need_behind_end(flushes, kind);
    case FTH_MESSAGE_STOP:
        return ALL_FLUSHES;
    default:
        return need_behind_end(flushes, kind);
    }
}

/* ---- doing ---- */

static void add(struct fth_flushes *flushes, struct fth_flush *flush)
{
    struct fth_flush **last = &flushes->first;
    while (*last)
        last = &(*last)->next;
    flush->next = NULL;
    *last = flush;
}

static void take_out(struct fth_flushes *flushes, const struct fth_flush *flush)
{
    struct fth_flush **at = &flushes->first;
    while (*at != flush)
        at = &(*at)->next;
    *at = flush->next;
}

/* Others come to their turn where one waits for all files that are being written. false: nothing
 * can be done. */
static bool write_piece(struct fth_flushes *flushes, struct fth_flush *flush)
{
    bool may_begin = true;
    for (const struct fth_flush_waiting *one = flushes->waiting; one; one = one->next)
        may_begin &= one->need != ALL_FILES;
    return fth_staging_step(&flush->staging, &flushes->left, may_begin);
}

/* false: the answer comes later. */
static bool flush_now(struct fth_flushes *flushes, uint64_t connection,
                      const struct fth_asker *asker, uint8_t kind, struct fth_view *message,
                      struct fth_bytes *answer)
{
    struct fth_flush *flush =
        fth_flush_begin(flushes->requests, &flushes->elsewhere, asker->client, kind, message);
    flush->connection = connection;
    if (!flush->has_ended) {
        add(flushes, flush);
        write_piece(flushes, flush);
        if (!flush->has_ended)
            return false;
        take_out(flushes, flush);
    }
    fth_flush_end(flush, answer);
    return true;
}

static bool do_now(struct fth_flushes *flushes, uint64_t connection, const struct fth_asker *asker,
                   uint8_t kind, struct fth_view *message, int *passed, struct fth_bytes *answer)
{
    bool is_part = flushes->elsewhere.ask;
    if (fth_flush_is_one(kind, is_part))
        return flush_now(flushes, connection, asker, kind, message, answer);
    if (is_part && kind == FTH_MESSAGE_WRITE)
        flushes->has_written = true;
    if (is_part)
        fth_requests_answer_part(flushes->requests, asker, kind, message, answer);
    else
        fth_requests_answer(flushes->requests, asker, kind, message, passed, answer);
    return true;
}

/* ---- waiting ---- */

static void put_off(struct fth_flushes *flushes, const struct fth_flush_waiting *as,
                    const struct fth_view *message, int *passed)
{
    struct fth_flush_waiting **last = &flushes->waiting, *made = fth_new(1, sizeof *made);
    *made = *as;
    fth_bytes_put(&made->message, message->at, fth_view_left(message));
    made->passed = *passed;
    *passed = -1;
    while (*last)
        last = &(*last)->next;
    *last = made;
}

static void free_waiting(struct fth_flush_waiting *one)
{
    if (one->passed >= 0)
        close(one->passed);
    fth_bytes_free(&one->message);
    free(one);
}

static void answer_one(struct fth_flushes *flushes, struct fth_flush_waiting *one)
{
    struct fth_view message = fth_view_of(one->message.data, one->message.length);
    struct fth_bytes answer = {.data = NULL};
    if (do_now(flushes, one->connection, &one->asker, one->kind, &message, &one->passed, &answer))
        flushes->answered(flushes->data, one->connection, &answer);
    fth_bytes_free(&answer);
    free_waiting(one);
}

/* The first that does not have to wait any more; it is taken out. NULL: none. */
static struct fth_flush_waiting *next_to_answer(struct fth_flushes *flushes)
{
    for (struct fth_flush_waiting **at = &flushes->waiting; *at; at = &(*at)->next) {
        struct fth_flush_waiting *one = *at;
        const struct fth_view message = fth_view_of(one->message.data, one->message.length);
        one->need = need_of(flushes, one->kind, &message);
        if (one->need != NOTHING)
            continue;
        *at = one->next;
        return one;
    }
    return NULL;
}

/* What is written for other servers is written in the order in which they asked. */
static bool must_queue(const struct fth_flushes *flushes, uint8_t kind)
{
    for (const struct fth_flush_waiting *one = flushes->waiting; one; one = one->next)
        if (kind == FTH_MESSAGE_WRITE && one->need == A_TURN)
            return true;
    return false;
}

bool fth_flushes_request(struct fth_flushes *flushes, uint64_t connection,
                         const struct fth_asker *asker, uint8_t kind, struct fth_view *message,
                         int *passed, struct fth_bytes *answer)
{
    enum need need = must_queue(flushes, kind) ? A_TURN : need_of(flushes, kind, message);
    if (need == NOTHING)
        return do_now(flushes, connection, asker, kind, message, passed, answer);
    put_off(flushes,
            &(struct fth_flush_waiting){
                .connection = connection, .asker = *asker, .kind = kind, .need = need},
            message, passed);
    return false;
}

void fth_flushes_drop(struct fth_flushes *flushes, uint64_t connection)
{
    for (struct fth_flush_waiting **at = &flushes->waiting; *at;) {
        struct fth_flush_waiting *one = *at;
        if (one->connection != connection) {
            at = &one->next;
            continue;
        }
        *at = one->next;
        free_waiting(one);
    }
}

/* ---- turns ---- */

static void end_one(struct fth_flushes *flushes, struct fth_flush *flush)
{
    struct fth_bytes answer = {.data = NULL};
    uint64_t connection = flush->connection;
    take_out(flushes, flush);
    fth_flush_end(flush, &answer);
    flushes->answered(flushes->data, connection, &answer);
    fth_bytes_free(&answer);
}

/* The first that can do something. false: none can. */
static bool write_next(struct fth_flushes *flushes)
{
    bool done = false;
    size_t count = 0;
    for (const struct fth_flush *one = flushes->first; one; one = one->next)
        count++;
    while (count-- && !done) {
        struct fth_flush *flush = flushes->first;
        take_out(flushes, flush);
        add(flushes, flush);
        done = write_piece(flushes, flush);
        if (flush->has_ended)
            end_one(flushes, flush);
    }
    return done;
}

bool fth_flushes_step(struct fth_flushes *flushes)
{
    struct fth_flush_waiting *waiting;
    flushes->left = FTH_STAGE_PIECE;
    flushes->has_written = false;
    bool done = write_next(flushes);
    while (!flushes->requests->stop && (waiting = next_to_answer(flushes))) {
        answer_one(flushes, waiting);
        done = true;
    }
    if (!flushes->first && !flushes->waiting)
        fth_published_purge(flushes->requests->published);
    return done;
}

void fth_flushes_end(struct fth_flushes *flushes)
{
    while (flushes->first) {
        struct fth_flush *flush = flushes->first;
        take_out(flushes, flush);
        fth_flush_leave(flush);
    }
    while (flushes->waiting) {
        struct fth_flush_waiting *one = flushes->waiting;
        flushes->waiting = one->next;
        free_waiting(one);
    }
}
