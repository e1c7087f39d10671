/* Calls that look for a file, make it, rename or remove it say whether it was there; what they say
 * first, of the run, is also what was there before it. */
#include "analysis/passes/file_presence.h"

#include <errno.h>
#include <string.h>

/* ns + 1, when it first came into each state; 0: never */
struct since {
    int64_t state[FTH_WORTH_KEEPING + 1];
};

void fth_presences_open(struct fth_presences *presences)
{
    *presences = (struct fth_presences){.times = {.size = sizeof(struct since)}};
}

void fth_presences_close(struct fth_presences *presences)
{
    free(presences->states);
    fth_indexed_free(&presences->times);
    fth_number_set_free(&presences->new_folders);
    fth_intern_free(&presences->folders);
}

static struct since *since_of(struct fth_presences *presences, uint32_t file)
{
    return fth_indexed_get(&presences->times, file, 0);
}

static void set(struct fth_presences *presences, uint32_t file, enum fth_presence state,
                int64_t time)
{
    struct since *since = since_of(presences, file);
    presences->states =
        fth_reach(presences->states, &presences->limit, file, sizeof *presences->states);
    presences->states[file] = (uint8_t)state;
    if (!since->state[state])
        since->state[state] = time + 1;
}

enum fth_presence fth_presence_of(const struct fth_presences *presences, uint32_t file)
{
    return file < presences->limit ? presences->states[file] : FTH_NOT_SEEN;
}

void fth_presence_keep(struct fth_presences *presences, uint32_t file, int64_t time)
{
    set(presences, file, FTH_WORTH_KEEPING, time);
}

/* ---- one call ---- */

static bool looks(const struct fth_frame *frame)
{
    static const unsigned looking = FTH_CALLS_BIT(FTH_CALLS_OPEN) | FTH_CALLS_BIT(FTH_CALLS_STAT) |
                                    FTH_CALLS_BIT(FTH_CALLS_PERMISSION);
    return looking >> frame->class->kind & 1;
}

static void see_failure(struct fth_presences *presences, const struct fth_frame *frame)
{
    uint32_t file = frame->file.number;
    if (!looks(frame) && frame->class->kind != FTH_CALLS_DELETE)
        return;
    if (frame->error_number == ENOENT)
        set(presences, file, FTH_MISSING, frame->times.began);
    if (frame->error_number == EEXIST && fth_presence_of(presences, file) <= FTH_MISSING)
        set(presences, file, FTH_FOUND, frame->times.began);
}

/* What a call shows that found the name, or made it. Who had missed it before finds a new file,
 * whoever made it. */
static enum fth_presence shown_by(const struct fth_frame *frame, enum fth_presence before)
{
    unsigned creation = frame->class->kind == FTH_CALLS_OPEN ? frame->file.creation : 0;
    if (before == FTH_MISSING || creation & (FTH_EXCLUSIVE | FTH_TRUNCATE))
        return FTH_MADE_HERE; /* what was cut off is gone */
    return creation & FTH_CREATE ? FTH_PERHAPS_MADE : FTH_FOUND;
}

void fth_presence_see(struct fth_presences *presences, const struct fth_frame *frame, bool is_safe)
{
    uint32_t file = frame->file.number, other = frame->file.other;
    bool names = frame->class->kind == FTH_CALLS_NAME, links = frame->function->links_name;
    bool renames = names && other != FTH_NO_FILE, removes = frame->class->kind == FTH_CALLS_DELETE;
    int64_t time = frame->times.began;
    if (frame->failed) {
        see_failure(presences, frame);
        return;
    }
    enum fth_presence before = fth_presence_of(presences, file);
    if (looks(frame) && before <= FTH_MISSING)
        set(presences, file, shown_by(frame, before), time);
    if (names && !renames && !links)
        fth_number_set_add(&presences->new_folders, file);
    if (removes || (renames && !links))
        set(presences, file, FTH_MISSING, time);
    if (renames)
        set(presences, other, is_safe ? FTH_WORTH_KEEPING : FTH_MADE_HERE, time);
}

/* ---- all processes ---- */

void fth_presences_join(struct fth_presences *all, struct fth_presences *more,
                        const struct fth_survey *survey, const uint32_t *files)
{
    for (uint32_t i = 0; i < more->times.count; i++) {
        uint32_t file = files[fth_indexed_at(&more->times, i)->number];
        const struct since *from = fth_indexed_item(&more->times, i);
        struct since *to = since_of(all, file);
        for (int state = FTH_MISSING; state <= FTH_WORTH_KEEPING; state++)
            if (from->state[state] && (!to->state[state] || from->state[state] < to->state[state]))
                to->state[state] = from->state[state];
    }
    for (uint32_t i = 0; i < more->new_folders.limit; i++) {
        const char *path =
            fth_number_set_has(&more->new_folders, i) ? survey->files[files[i]].path : NULL;
        if (path)
            fth_intern(&all->folders, path, strlen(path));
    }
}

static bool is_in_new_folder(const struct fth_presences *all, const char *path)
{
    uint32_t folder;
    for (size_t length = strlen(path); length > 1; length--)
        if (path[length - 1] == '/' && fth_intern_find(&all->folders, path, length - 1, &folder))
            return true;
    return false;
}

enum fth_presence fth_presence_before(struct fth_presences *all, const struct fth_survey *survey,
                                      uint32_t file, int64_t time)
{
    static const enum fth_presence states[] = {FTH_WORTH_KEEPING, FTH_FOUND, FTH_MISSING,
                                               FTH_PERHAPS_MADE, FTH_MADE_HERE};
    const struct since *times = since_of(all, file);
    enum fth_presence first = FTH_NOT_SEEN;
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        int64_t since = times->state[states[i]];
        if (since && since <= time && (!first || since < times->state[first]))
            first = states[i];
    }
    return !first && is_in_new_folder(all, survey->files[file].path) ? FTH_MISSING : first;
}
