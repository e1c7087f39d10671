/* The end of a process, by return, exit or a signal, closes what it has open; so does exec what is
 * marked so (FD_CLOEXEC). What exec leaves open belongs to the next image of the process, and is
 * closed when the last one ends. Each such close is a mark, "process_end" in the sets of models. */
#include "verify/gather/process_ends.h"

#include "base/memory.h"
#include "verify/gather/gather.h"

#include <string.h>

/* ---- of one image ---- */

void fth_gather_left_open(struct fth_gathering *gather, struct fth_calls *calls)
{
    struct fth_run_accesses *accesses = gather->accesses;
    const struct fth_handle *handle;
    while ((handle = fth_calls_ended_handle(calls))) {
        uint32_t opening = handle->closed_by == FTH_NO_CALL
                               ? fth_gather_known_opening(gather, handle)
                               : FTH_NO_OPENING;
        if (opening == FTH_NO_OPENING)
            continue;
        FTH_GROW(accesses->left_open, accesses->left_open_count);
        accesses->left_open[accesses->left_open_count++] = (struct fth_left_open){
            (uint32_t)gather->proc, opening, (handle->status_flags & FTH_CLOSE_ON_EXEC) != 0};
    }
    if (!gather->has_calls)
        return;
    FTH_GROW(accesses->last_calls, accesses->last_call_count);
    accesses->last_calls[accesses->last_call_count++] = (struct fth_last_call){
        .first_thread = gather->first_thread,
        .first = gather->first,
        .proc = (uint32_t)gather->proc,
        .thread = gather->last_thread,
        .behind = {fth_order_behind(gather->builder).number, FTH_BY_TICKET},
        .call = gather->last_call,
        .time = gather->now,
    };
}

/* ---- of all ---- */

struct images {
    const struct fth_runs *runs;
    const struct fth_last_call **last_calls; /* by image */
    uint32_t *next;                          /* what exec made of it + 1 */
};

static bool ended_so(const struct images *images, uint32_t proc, const char *how)
{
    return strcmp(fth_runs_process(images->runs, proc)->how_ended, how) == 0;
}

/* Where the file was closed; NULL: it was not, as far as is known. */
static const struct fth_last_call *closing_of(const struct images *images,
                                              const struct fth_left_open *left)
{
    uint32_t proc = left->proc;
    if (left->close_on_exec && ended_so(images, proc, "exec"))
        return images->last_calls[proc];
    while (ended_so(images, proc, "exec") && images->next[proc])
        proc = images->next[proc] - 1;
    if (ended_so(images, proc, "exec") || ended_so(images, proc, "still running") ||
        ended_so(images, proc, "detached") || ended_so(images, proc, "not known"))
        return NULL;
    return images->last_calls[proc];
}

static struct images images_of(const struct fth_run_accesses *accesses, const struct fth_runs *runs)
{
    struct images images = {
        .runs = runs,
        .last_calls = fth_new(runs->process_count + 1, sizeof(struct fth_last_call *)),
        .next = fth_new(runs->process_count + 1, sizeof *images.next),
    };
    for (uint32_t proc = 0; proc < runs->process_count; proc++)
        if (fth_runs_is_exec(runs, proc))
            images.next[fth_runs_predecessor(runs, proc)] = proc + 1;
    for (size_t i = 0; i < accesses->last_call_count; i++)
        images.last_calls[accesses->last_calls[i].proc] = &accesses->last_calls[i];
    return images;
}

void fth_process_ends_mark(struct fth_run_accesses *accesses, const struct fth_runs *runs)
{
    struct images images = images_of(accesses, runs);
    accesses->marks =
        fth_resize(accesses->marks, accesses->mark_count + accesses->left_open_count + 1,
                   sizeof *accesses->marks);
    for (size_t i = 0; i < accesses->left_open_count; i++) {
        const struct fth_left_open *left = &accesses->left_open[i];
        const struct fth_last_call *at = closing_of(&images, left);
        const struct fth_sync_mark *last =
            accesses->mark_count ? &accesses->marks[accesses->mark_count - 1] : NULL;
        if (!at || accesses->openings[left->opening].reads_only ||
            (last && last->kind == FTH_MARK_PROCESS_END && last->proc == at->proc &&
             last->opening == left->opening))
            continue;
        accesses->marks[accesses->mark_count++] = (struct fth_sync_mark){
            .proc = at->proc,
            .thread = at->thread,
            .opening = left->opening,
            .began = at->tick,
            .ended = at->tick,
            .in = at->behind,
            .out = at->behind,
            .call = at->call,
            .time = at->time,
            .chain = FTH_NO_CHAIN,
            .kind = FTH_MARK_PROCESS_END,
        };
    }
    free(images.last_calls);
    free(images.next);
}
