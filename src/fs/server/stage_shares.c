/* Pieces of a file that is written to the folder below: here, or by the servers of the nodes where
 * the bytes are. */
#include "fs/server/stage_shares.h"

#include "base/memory.h"
#include "fs/server/stage_asked.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum {
    AT_A_TIME = 2, /* pieces of a share that others write: one is on its way behind the other */
    INTERVALS_MOST = 1024, /* of a piece */
    BACKS_MOST = 1000,
};

/* ---- beginning ---- */

static struct fth_stage_share *share_of(struct fth_staging *staging, uint32_t server)
{
    for (size_t i = 0; i < staging->share_count; i++)
        if (staging->shares[i].server == server)
            return &staging->shares[i];
    FTH_GROW(staging->shares, staging->share_count);
    staging->shares[staging->share_count] = (struct fth_stage_share){.server = server};
    return &staging->shares[staging->share_count++];
}

/* Whoever made a file longer, without bytes, has it to make it longer below. */
static void add_lengthener(struct fth_staging *staging)
{
    uint32_t by = fth_staging_file(staging)->lengthener, server = fth_server_of(by);
    size_t had = staging->share_count;
    if (!staging->elsewhere || !by || staging->of.owner || server == staging->instance->server ||
        server >= staging->instance->server_count)
        return;
    struct fth_stage_share *share = share_of(staging, server);
    share->lengthens = staging->share_count > had;
}

void fth_stage_shares_begin(struct fth_staging *staging)
{
    for (size_t i = 0; i < staging->chosen_count; i++)
        share_of(staging, fth_server_of(staging->chosen[i].owner))->at = 0;
    add_lengthener(staging);
}

/* ---- failures ---- */

/* The rest of a share is not written: whose it is, and which bytes. */
static void fail_share(struct fth_staging *staging, struct fth_stage_share *share, uint64_t begin,
                       const char *why)
{
    struct fth_error *error = NULL;
    uint64_t end = begin;
    share->is_over = true;
    if (share->has_reason)
        return;
    share->has_reason = true;
    for (size_t i = 0; i < staging->chosen_count; i++)
        if (fth_server_of(staging->chosen[i].owner) == share->server &&
            staging->chosen[i].end > end)
            end = staging->chosen[i].end;
    if (share->lengthens)
        fth_fail(&error, "'%s' cannot be made longer in the folder below: %s", staging->name, why);
    else
        fth_fail(&error,
                 "'%s' cannot be written in the folder below: of bytes %llu to %llu, what clients "
                 "of the node number %u wrote is not there: %s",
                 staging->name, (unsigned long long)begin, (unsigned long long)end, share->server,
                 why);
    fth_staging_fail(staging, error);
}

static void fail_lost(struct fth_staging *staging, struct fth_stage_share *share, uint32_t server,
                      uint64_t begin)
{
    char why[FTH_STAGE_WHY];
    fth_stage_tell_who_is_lost(staging, server, why);
    fail_share(staging, share, begin, why);
}

/* ---- what comes next of a share ---- */

/* As it is in the index by now: whoever wrote over it meanwhile may have used the place again where
 * the old bytes were. false: there is nothing more, or *left is over. */
static bool find_next(const struct fth_staging *staging, struct fth_stage_share *share,
                      struct fth_interval *next, uint64_t *left)
{
    const struct fth_published_file *file = fth_staging_file(staging);
    for (; *left && share->piece < staging->chosen_count; share->piece++) {
        const struct fth_interval *chosen = &staging->chosen[share->piece];
        uint64_t from = share->at > chosen->begin ? share->at : chosen->begin;
        fth_staging_spend(left, 0);
        if (fth_server_of(chosen->owner) != share->server)
            continue;
        for (; fth_intervals_within(&file->intervals, from, chosen->end, next); from = next->end)
            if (!(next->state & FTH_STATE_CLEAN))
                return true;
    }
    return false;
}

static void cut_to(struct fth_interval *interval, uint64_t bytes)
{
    if (interval->end - interval->begin > bytes)
        interval->end = interval->begin + bytes;
}

/* ---- here ---- */

static void write_here(struct fth_staging *staging, struct fth_stage_share *share,
                       struct fth_interval *next, uint64_t *left)
{
    struct fth_error *error = NULL;
    cut_to(next, *left ? *left : 1);
    if (!fth_staging_open(staging)) {
        share->is_over = true;
        return;
    }
    if (fth_stage_target_write(&staging->target, staging->instance, &staging->buffers, next,
                               next->begin, next->end, &error)) {
        share->is_over = true;
        fth_staging_fail(staging, error);
        return;
    }
    staging->done.bytes += next->end - next->begin;
    fth_staging_spend(left, next->end - next->begin);
    share->at = next->end;
}

/* ---- elsewhere ---- */

static const char *name_to_write(const struct fth_staging *staging)
{
    if (!staging->has_target || fth_staging_file(staging)->is_held)
        return "";
    return *staging->target.part ? staging->target.part : staging->target.path;
}

/* The next piece of a share, from `next` on, which clients of one other node have. */
static void ask_piece(struct fth_staging *staging, struct fth_stage_share *share,
                      struct fth_interval *next, uint64_t *left)
{
    uint32_t server = fth_server_of(next->owner);
    if (!staging->elsewhere || server >= staging->instance->server_count ||
        fth_stage_is_lost(staging, server)) {
        fail_lost(staging, share, server, next->begin);
        return;
    }
    struct fth_stage_asked *asked =
        fth_stage_new_asked(staging, server, (uint32_t)(share - staging->shares));
    asked->piece = share->piece;
    do {
        cut_to(next, FTH_STAGE_PIECE - asked->bytes);
        FTH_GROW(asked->intervals, asked->count);
        asked->intervals[asked->count++] = *next;
        asked->bytes += next->end - next->begin;
        share->at = next->end;
    } while (asked->bytes < FTH_STAGE_PIECE && asked->count < INTERVALS_MOST &&
             find_next(staging, share, next, left) && fth_server_of(next->owner) == server);
    share->asked++;
    fth_stage_ask(staging, asked, name_to_write(staging), staging->end);
}

static void ask_to_lengthen(struct fth_staging *staging, struct fth_stage_share *share)
{
    share->is_over = true;
    if (fth_stage_is_lost(staging, share->server)) {
        fail_lost(staging, share, share->server, staging->end);
        return;
    }
    share->asked++;
    fth_stage_ask(staging,
                  fth_stage_new_asked(staging, share->server, (uint32_t)(share - staging->shares)),
                  name_to_write(staging), staging->end);
}

/* ---- steps ---- */

/* Nothing comes back behind what comes later: all that is on its way has to be there before. */
static void go_back(struct fth_stage_share *share)
{
    share->goes_back = share->is_over = false;
    share->piece = share->back_piece;
    share->at = share->back_at;
}

static bool waits(const struct fth_stage_share *share)
{
    return share->asked && (share->is_over || share->goes_back || share->asked >= AT_A_TIME);
}

static void write_share(struct fth_staging *staging, struct fth_stage_share *share, uint64_t *left)
{
    struct fth_interval next;
    if (share->lengthens && !share->is_over)
        ask_to_lengthen(staging, share);
    if (share->goes_back && !share->asked)
        go_back(share);
    while (*left && !share->is_over && !waits(share)) {
        if (!find_next(staging, share, &next, left))
            share->is_over = share->piece >= staging->chosen_count;
        else if (fth_staging_is_here(staging, &next))
            write_here(staging, share, &next, left);
        else
            ask_piece(staging, share, &next, left);
    }
}

bool fth_stage_shares_wait(const struct fth_staging *staging)
{
    bool any = false;
    for (size_t i = 0; i < staging->share_count; i++) {
        const struct fth_stage_share *share = &staging->shares[i];
        if (!waits(share) && (!share->is_over || share->goes_back))
            return false;
        any |= share->asked != 0;
    }
    return any;
}

bool fth_stage_shares_write(struct fth_staging *staging, uint64_t *left)
{
    bool is_over = true;
    for (size_t i = 0; i < staging->share_count; i++) {
        struct fth_stage_share *share = &staging->shares[i];
        write_share(staging, share, left);
        is_over &= share->is_over && !share->asked && !share->goes_back;
    }
    return is_over;
}

/* ---- answers ---- */

/* The file is gone from where that server could find it: what is in its buffers is given up. */
static void give_up(struct fth_staging *staging, struct fth_stage_share *share)
{
    struct fth_error *error = NULL;
    size_t length;
    const char *path = fth_published_path(staging->published, staging->file, &length);
    share->is_over = true;
    if (share->has_reason)
        return;
    share->has_reason = true;
    fprintf(
        stderr,
        "fathom fs: what was attached to '%s' on node number %u is given up: the file is gone\n",
        staging->name, share->server);
    for (size_t i = 0; i < staging->chosen_count && !error; i++) {
        const struct fth_interval *interval = &staging->chosen[i];
        if (fth_server_of(interval->owner) == share->server)
            fth_published_detach(staging->published, path, length, interval->owner, interval->begin,
                                 interval->end, &error);
    }
    if (error)
        fth_staging_fail(staging, error);
}

/* Are they still those of their clients at the same places? */
static bool are_as_they_were(const struct fth_stage_asked *asked)
{
    const struct fth_published_file *file = fth_staging_file(asked->staging);
    struct fth_interval now;
    for (size_t i = 0; i < asked->count; i++) {
        const struct fth_interval *then = &asked->intervals[i];
        for (uint64_t at = then->begin; at < then->end; at = now.end)
            if (!fth_intervals_within(&file->intervals, at, then->end, &now) || now.begin != at ||
                now.owner != then->owner || now.place != then->place + (at - then->begin))
                return false;
    }
    return true;
}

static void lose(struct fth_staging *staging, struct fth_stage_share *share,
                 const struct fth_stage_asked *asked)
{
    uint64_t begin = asked->intervals[0].begin;
    if (are_as_they_were(asked)) {
        fail_share(staging, share, begin, "its buffers have other bytes there");
        return;
    }
    if (share->has_reason || share->backs++ == BACKS_MOST) {
        fail_share(staging, share, begin, "it is written over before it can be read");
        return;
    }
    if (!share->goes_back || begin < share->back_at) {
        share->back_piece = asked->piece;
        share->back_at = begin;
    }
    share->goes_back = true;
}

static void take_failure(struct fth_staging *staging, struct fth_stage_share *share,
                         const struct fth_stage_asked *asked, int error, const char *why)
{
    uint64_t begin = asked->count ? asked->intervals[0].begin : staging->end;
    if (error == EHOSTDOWN)
        fth_stage_note_unanswered(staging, asked->server);
    if (error == ENOENT)
        give_up(staging, share);
    else if (error == ENODATA && asked->count)
        lose(staging, share, asked);
    else
        fail_share(staging, share, begin, *why ? why : strerror(error));
}

void fth_stage_answered(struct fth_stage_asked *asked, uint64_t bytes, int error, const char *why)
{
    struct fth_staging *staging = asked->staging;
    if (asked->share == FTH_STAGE_NO_SHARE) {
        fth_stage_take_end_of_old(staging, asked->server, error, why);
    } else {
        struct fth_stage_share *share = &staging->shares[asked->share];
        share->asked--;
        staging->done.bytes += bytes;
        if (error)
            take_failure(staging, share, asked, error, why);
    }
    free(asked->intervals);
    free(asked);
}
