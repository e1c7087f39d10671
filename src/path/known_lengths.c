/* Lengths of runs without something, which are asked for again and again, and partly before anybody
 * asks.
 *
 * How long the run would be without something takes a look at each event. What the findings of most
 * runs with messages ask for is known as soon as the path is followed: then one more thread finds
 * it out, while waits and imbalance are being looked for. The answer is the same. */
#include "base/memory.h"
#include "path/run_flow.h"

#include <pthread.h>
#include <string.h>

struct fth_path_ahead {
    pthread_t thread;
    struct fth_path view; /* the path, with other places where its timelines are looked at */
    struct fth_path_change change;
    const bool *gone;
    bool stop;
    int64_t length;
};

static void *look(void *context)
{
    struct fth_path_ahead *ahead = context;
    ahead->length = fth_path_replay(&ahead->view, &ahead->change, ahead->gone, &ahead->stop);
    return NULL;
}

static void free_ahead(struct fth_path_ahead *ahead)
{
    for (uint32_t i = 0; i < ahead->view.timeline_count; i++)
        fth_flow_free_places(&ahead->view.timelines[i]);
    free(ahead->view.timelines);
    free(ahead);
}

void fth_path_ask_ahead(struct fth_path *path, struct fth_path_change change)
{
    struct fth_path_ahead *ahead = fth_new(1, sizeof *ahead);
    bool *gone = fth_path_gone_by(path, &change);
    ahead->view = *path;
    ahead->view.known = NULL;
    ahead->view.timelines = fth_new((size_t)path->timeline_count + 1, sizeof *path->timelines);
    for (uint32_t i = 0; i < path->timeline_count; i++) {
        ahead->view.timelines[i] = path->timelines[i];
        ahead->view.timelines[i].places = fth_new(1, sizeof *path->timelines[i].places);
    }
    ahead->change = change;
    ahead->gone = gone;
    if (pthread_create(&ahead->thread, NULL, look, ahead)) {
        free(gone);
        free_ahead(ahead);
        return;
    }
    FTH_GROW(path->known->all, path->known->count);
    path->known->all[path->known->count++] = (struct fth_known_length){change, gone, 0, ahead};
}

static int64_t bounded(const struct fth_path *path, int64_t length)
{
    int64_t least = path->results.least;
    return length >= least ? length : least < path->sums.length ? least : path->sums.length;
}

/* Waits until it is known. */
static void await(const struct fth_path *path, struct fth_known_length *known)
{
    if (!known->ahead)
        return;
    pthread_join(known->ahead->thread, NULL);
    known->length = bounded(path, known->ahead->length);
    free_ahead(known->ahead);
    known->ahead = NULL;
}

void fth_path_give_up(struct fth_known_length *known)
{
    if (!known->ahead)
        return;
    __atomic_store_n(&known->ahead->stop, true, __ATOMIC_RELAXED);
    pthread_join(known->ahead->thread, NULL);
    free_ahead(known->ahead);
    known->ahead = NULL;
}

/* Findings and tables ask the same. NULL: nobody has asked before. */
static struct fth_known_length *known_length(const struct fth_path *path,
                                             const struct fth_path_change *change, const bool *gone)
{
    for (size_t i = 0; path->known && i < path->known->count; i++) {
        struct fth_known_length *known = &path->known->all[i];
        const struct fth_path_change *other = &known->change;
        if (other->waits == change->waits && other->waits_unseen == change->waits_unseen &&
            other->balanced == change->balanced && other->balanced_io == change->balanced_io &&
            !known->gone == !gone &&
            (!gone || (!(other->kept < change->kept) && !(other->kept > change->kept) &&
                       memcmp(known->gone, gone, path->work.count * sizeof *gone) == 0)))
            return known;
    }
    return NULL;
}

int64_t fth_path_without(const struct fth_path *path, const struct fth_path_change *change)
{
    bool *gone = fth_path_gone_by(path, change);
    struct fth_known_length *known = known_length(path, change, gone);
    if (known) {
        free(gone);
        await(path, known);
        return known->length;
    }
    int64_t length = bounded(path, fth_path_replay(path, change, gone, NULL));
    if (!path->known) {
        free(gone);
        return length;
    }
    FTH_GROW(path->known->all, path->known->count);
    path->known->all[path->known->count++] = (struct fth_known_length){*change, gone, length, NULL};
    return length;
}
