/* File names that processes may use as flags. A process that creates or removes a name
 * releases what it did before; a process that finds that a name exists, or is gone, may acquire
 * this. The events of a thread are the calls that changed a name, or changed what the thread
 * knew of it: a thread that looks up a name repeatedly has one event when it finds it. */
#include "base/memory.h"
#include "model/reading/trace_links.h"
#include "order/build/builder.h"

#include <string.h>

/* Where files are renamed, a name that was there before may be of another file now: so often a
 * thread acquires when it opens a name that it knew. */
enum { MOST_OPENED_AGAIN = 100, MOST_NAMES = 1 << 24 };

enum { NOT_KNOWN, IS_MISSING, IS_THERE /* and more: how often it was opened then */ };

/* What the thread of the call knows of the name; NULL: there are too many names. */
static uint8_t *known_of(struct fth_order_builder *builder, uint32_t name)
{
    uint32_t key[] = {builder->thread, name};
    if (builder->names.seen.count >= MOST_NAMES)
        return NULL;
    uint32_t number = fth_intern(&builder->names.seen, key, sizeof key);
    builder->names.states = fth_reach(builder->names.states, &builder->names.state_room, number,
                                      sizeof *builder->names.states);
    return &builder->names.states[number];
}

static bool changes(enum fth_order_naming what, uint8_t known)
{
    return what == FTH_NAME_MADE || what == FTH_NAME_REPLACED || what == FTH_NAME_REMOVED ||
           (what == FTH_NAME_MAYBE_MADE && known < IS_THERE);
}

static bool observes(const struct fth_order_builder *builder, enum fth_order_naming what,
                     uint8_t known)
{
    switch (what) {
    case FTH_NAME_OPENED:
        return known < IS_THERE || (builder->names.renames && known < IS_THERE + MOST_OPENED_AGAIN);
    case FTH_NAME_FOUND:
    case FTH_NAME_REMOVED:
        return known < IS_THERE;
    case FTH_NAME_MISSING:
        return known != IS_MISSING;
    case FTH_NAME_MADE:
        return true;
    default:
        return false;
    }
}

static uint8_t known_after(enum fth_order_naming what, uint8_t known)
{
    if (what == FTH_NAME_MISSING || what == FTH_NAME_REMOVED)
        return IS_MISSING;
    if (known < IS_THERE || what != FTH_NAME_OPENED)
        return known < IS_THERE ? IS_THERE : known;
    return known < IS_THERE + MOST_OPENED_AGAIN ? (uint8_t)(known + 1) : known;
}

void fth_order_named(struct fth_order_builder *builder, const char *path,
                     enum fth_order_naming what)
{
    struct fth_order_operations *operations = builder->operations;
    if (!builder->possible.watches || fth_trace_process_count(builder->trace) < 2)
        return;
    struct fth_path_room room;
    path = fth_trace_behind_links(builder->trace, builder->proc, path, false, NULL, &room);
    uint32_t name = fth_intern(&operations->names.all, path, strlen(path) + 1);
    uint8_t *known = known_of(builder, name);
    if (!known)
        return;
    struct fth_event none = {FTH_NO_TIMELINE, 0};
    struct fth_order_name_use use = {none, none,         builder->call->start, builder->call->end,
                                     name, (uint8_t)what};
    bool releases = changes(what, *known), acquires = observes(builder, what, *known);
    *known = known_after(what, *known);
    if (!releases && !acquires)
        return;
    if (releases)
        use.release = fth_builder_next_event(builder, builder->thread);
    if (acquires)
        use.acquire = fth_builder_next_event(builder, builder->thread);
    FTH_GROW(operations->names.uses, operations->names.use_count);
    operations->names.uses[operations->names.use_count++] = use;
}
