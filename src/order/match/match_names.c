/* Names of files as flags: whether the name that one process makes orders anything with another one
 * that finds it depends on the file system, so it is a means that cannot be followed. Only names
 * count that one process changes while another one looks for them, or for what is below them. */
#include "base/memory.h"
#include "order/match/match.h"

#include <stdio.h>
#include <string.h>

/* A name that is changed. */
struct changed {
    uint32_t proc;       /* one that has to do with it */
    bool several;        /* others do, too */
    bool removed;        /* by somebody */
    bool made;           /* by a call that fails where it is there */
    uint32_t maker;      /* one that makes it if it is not there + 1; 0: none */
    bool several_makers; /* others do, too */
    int64_t first_there; /* when somebody had seen it for the first time */
};

struct names {
    struct fth_matching *matching;
    struct fth_intern texts; /* of those that are changed */
    struct changed *all;
};

static const char *text_of(const struct fth_order_operations *process,
                           const struct fth_order_name_use *use, size_t *length)
{
    const char *text = (const char *)fth_interned(&process->names.all, use->name, length);
    return *length -= 1, text;
}

/* Calls `take` for the name of each use, and for the folders above it, that are changed. */
static void for_all(struct names *names,
                    void (*take)(struct names *names, uint32_t name, bool is_above, uint32_t proc,
                                 const struct fth_order_name_use *use))
{
    for (uint32_t i = 0; i < names->matching->process_count; i++) {
        const struct fth_order_operations *process = &names->matching->processes[i];
        for (size_t k = 0; k < process->names.use_count; k++) {
            const struct fth_order_name_use *use = &process->names.uses[k];
            size_t length, whole;
            const char *text = text_of(process, use, &whole);
            uint32_t name;
            for (length = whole; length > 0; length--)
                if ((length == whole || text[length] == '/') &&
                    fth_intern_find(&names->texts, text, length, &name))
                    take(names, name, length < whole, i, use);
        }
    }
}

static bool shows_there(const struct fth_order_name_use *use, bool is_above)
{
    return use->kind != FTH_NAME_MISSING && (is_above || use->kind != FTH_NAME_REMOVED);
}

static void note(struct names *names, uint32_t name, bool is_above, uint32_t proc,
                 const struct fth_order_name_use *use)
{
    struct changed *changed = &names->all[name];
    if (changed->proc == UINT32_MAX)
        changed->proc = proc;
    changed->several |= changed->proc != proc;
    if (!is_above && use->kind == FTH_NAME_MAYBE_MADE) {
        changed->several_makers |= changed->maker && changed->maker != proc + 1;
        changed->maker = proc + 1;
    }
    changed->made |= !is_above && use->kind == FTH_NAME_MADE;
    changed->removed |= !is_above && use->kind == FTH_NAME_REMOVED;
    if (shows_there(use, is_above) && use->end < changed->first_there)
        changed->first_there = use->end;
}

/* Nobody makes what is there. */
static bool is_made(const struct changed *changed, const struct fth_order_name_use *use)
{
    return use->kind != FTH_NAME_MAYBE_MADE || changed->removed ||
           use->start < changed->first_there;
}

/* What is made and removed again by several is meant as a lock: is it one? */
static const char *lock_of(const struct changed *changed)
{
    if (!changed->removed)
        return "";
    if (changed->made)
        return ": only one process can create it, until it is removed";
    return changed->several_makers ? ": this is no lock, as open without O_EXCL lets two processes "
                                     "create it at the same "
                                     "time; O_EXCL, mkdir, link or rename would not"
                                   : "";
}

static void add_means(struct names *names, uint32_t name, bool is_above, uint32_t proc,
                      const struct fth_order_name_use *use)
{
    const struct changed *changed = &names->all[name];
    bool releases = !is_above && use->release.timeline != FTH_NO_TIMELINE && is_made(changed, use);
    bool acquires = use->acquire.timeline != FTH_NO_TIMELINE;
    char means[5200];
    size_t length;
    if (!changed->several || (!releases && !acquires))
        return;
    const char *text = (const char *)fth_interned(&names->texts, name, &length);
    snprintf(means, sizeof means, "names of files that are used as flags (%.*s%s)", (int)length,
             text, lock_of(changed));
    fth_match_unfollowed(names->matching, means,
                         (struct fth_unfollowed){.proc = proc,
                                                 .operation = FTH_NO_OPERATION,
                                                 .is_named = true,
                                                 .release = use->release,
                                                 .acquire = use->acquire,
                                                 .start = use->start,
                                                 .end = use->end,
                                                 .releases = releases,
                                                 .acquires = acquires});
}

void fth_match_names(struct fth_matching *matching)
{
    struct names names = {.matching = matching};
    for (size_t i = 0; i < matching->process_count; i++) {
        const struct fth_order_operations *process = &matching->processes[i];
        for (size_t k = 0; k < process->names.use_count; k++) {
            size_t length;
            const char *text = text_of(process, &process->names.uses[k], &length);
            if (process->names.uses[k].release.timeline != FTH_NO_TIMELINE)
                fth_intern(&names.texts, text, length);
        }
    }
    names.all = fth_new(names.texts.count + 1, sizeof *names.all);
    for (uint32_t i = 0; i < names.texts.count; i++)
        names.all[i] = (struct changed){.proc = UINT32_MAX, .first_there = INT64_MAX};
    if (names.texts.count) {
        for_all(&names, note);
        for_all(&names, add_means);
    }
    free(names.all);
    fth_intern_free(&names.texts);
}
