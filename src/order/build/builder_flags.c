/* What processes may use as flags, besides names of files: attributes of files, what is in a
 * folder, where a descriptor stands. A process that changes one releases what it did before,
 * and the change itself; one that asks may acquire this. Which of them count is known when all
 * processes have been fed (match_flags.c). Between two accesses of its thread what is asked for
 * again and again is one event. */
#include "base/memory.h"
#include "model/reading/trace_links.h"
#include "order/build/builder.h"

#include <stdio.h>
#include <string.h>

/* Changes of a flag that have events of their own; for all others the thread has one, its end. */
enum { MOST_CHANGES = 64, MOST_FLAGS = 1 << 24 };

static bool is_asked_for(const struct fth_order_builder *builder)
{
    return builder->possible.watches && fth_trace_process_count(builder->trace) > 1;
}

/* UINT32_MAX: there are too many. */
static uint32_t thing_of(struct fth_order_builder *builder, enum fth_order_flag flag,
                         const char *path)
{
    static const char kinds[] = {
        [FTH_FLAG_ATTRIBUTES] = 'a', [FTH_FLAG_ENTRIES] = 'e', [FTH_FLAG_POSITION] = 'p'};
    struct fth_order_operations *operations = builder->operations;
    char text[5000];
    struct fth_path_room room;
    path = fth_trace_behind_links(builder->trace, builder->proc, path, flag == FTH_FLAG_ENTRIES,
                                  NULL, &room);
    int length = snprintf(text, sizeof text, "%c%s", kinds[flag], path);
    if (operations->flags.all.count >= MOST_FLAGS || length >= (int)sizeof text)
        return UINT32_MAX;
    uint32_t thing = fth_intern(&operations->flags.all, text, (size_t)length + 1);
    operations->flags.things = fth_reach(operations->flags.things, &operations->flags.thing_room,
                                         thing, sizeof *operations->flags.things);
    builder->flags.flags = fth_reach(builder->flags.flags, &builder->flags.flag_room, thing,
                                     sizeof *builder->flags.flags);
    return thing;
}

static size_t add_use(struct fth_order_builder *builder, uint32_t thing,
                      enum fth_order_flag_use what)
{
    struct fth_order_operations *operations = builder->operations;
    FTH_GROW(operations->flags.uses, operations->flags.use_count);
    operations->flags.uses[operations->flags.use_count] =
        (struct fth_order_flag_use_of){.event = {FTH_NO_TIMELINE, 0},
                                       .start = builder->call->start,
                                       .end = builder->call->end,
                                       .thing = thing,
                                       .thread = builder->thread,
                                       .what = (uint8_t)what};
    return operations->flags.use_count++;
}

/* Where a descriptor stands others know only of one that several processes have: inherited, sent,
 * or of a file that a group has opened together. */
static void note_holder(struct fth_order_builder *builder, uint32_t thing,
                        const struct fth_handle *handle)
{
    while (handle && handle->parent && (handle->duplicate || handle->origin == FTH_HANDLE_INSIDE))
        handle = handle->parent;
    builder->operations->flags.things[thing].shared |=
        !handle || handle->origin != FTH_HANDLE_MADE || handle->collective || !handle->access;
}

/* Others may see what is done while the call goes on, and the call is part of what they know
 * then. */
static void release(struct fth_order_builder *builder, uint32_t thing, enum fth_order_flag_use what)
{
    struct fth_builder_thread *thread = &builder->threads[builder->thread];
    if (builder->flags.flags[thing].changes > MOST_CHANGES)
        return;
    size_t use = add_use(builder, thing, what);
    if (builder->flags.flags[thing].changes++ == MOST_CHANGES) {
        builder->operations->flags.uses[use].end = INT64_MAX;
        return;
    }
    fth_builder_frame_of_call(builder);
    FTH_GROW(thread->changes, thread->change_count);
    thread->changes[thread->change_count++] = use;
}

static void change(struct fth_order_builder *builder, uint32_t thing)
{
    builder->operations->flags.things[thing].changed = true;
    release(builder, thing, FTH_FLAG_CHANGED);
}

static void close_watched(struct fth_order_builder *builder, uint32_t thing)
{
    builder->operations->flags.things[thing].closed = true;
    release(builder, thing, FTH_FLAG_CLOSED);
}

void fth_builder_changed(struct fth_order_builder *builder, uint32_t number, size_t first)
{
    struct fth_builder_thread *thread = &builder->threads[number];
    struct fth_event event = fth_builder_next_event(builder, number);
    for (size_t i = first; i < thread->change_count; i++)
        builder->operations->flags.uses[thread->changes[i]].event = event;
    thread->change_count = first;
}

static struct fth_builder_asked *asked_of(struct fth_order_builder *builder, uint32_t thing)
{
    uint32_t key[] = {builder->thread, thing};
    uint32_t number = fth_intern(&builder->flags.seen, key, sizeof key);
    builder->flags.asked = fth_reach(builder->flags.asked, &builder->flags.asked_room, number,
                                     sizeof *builder->flags.asked);
    return &builder->flags.asked[number];
}

/* Who has just opened the file, asks for its attributes, and then where the descriptor stands,
 * makes a stream of it: it asks again when it reads (Python), and waits for nothing. */
static bool was_for_stream(const struct fth_builder_asked *asked,
                           const struct fth_builder_flag *flag)
{
    return asked->opened && flag->places != asked->places &&
           flag->place_function != asked->function;
}

static void ask(struct fth_order_builder *builder, uint32_t thing, enum fth_order_flag_use what)
{
    struct fth_builder_thread *thread = &builder->threads[builder->thread];
    struct fth_builder_asked *asked = asked_of(builder, thing);
    struct fth_builder_flag *flag = &builder->flags.flags[thing];
    bool is_first = !asked->use || asked->accesses != flag->accesses ||
                    asked->function != builder->call->function || was_for_stream(asked, flag);
    if (is_first)
        asked->since = builder->call->start;
    flag->sought = 0;
    asked->accesses = flag->accesses;
    asked->places = flag->places;
    asked->function = builder->call->function;
    asked->opened = flag->opened;
    flag->opened = false;
    if (thread->asked_step != thread->steps || thread->marked)
        fth_builder_next_event(builder, builder->thread);
    thread->asked_step = thread->steps;
    struct fth_event event = {builder->operations->first_timeline + builder->thread,
                              thread->steps - 1};
    struct fth_order_flag_use_of *uses = builder->operations->flags.uses,
                                 *last = asked->use ? &uses[asked->use - 1] : NULL;
    if (last && last->event.step == event.step && last->since == asked->since) {
        last->end = builder->call->end;
        last->again = true;
        return;
    }
    asked->use = add_use(builder, thing, what) + 1;
    uses = builder->operations->flags.uses;
    uses[asked->use - 1].event = event;
    uses[asked->use - 1].since = asked->since;
    uses[asked->use - 1].again = !is_first;
    if (is_first && what == FTH_FLAG_SOUGHT)
        builder->flags.flags[thing].sought = asked->use;
}

/* Who seeks to the end once, and goes on there, has asked where to go, and waited for nothing. */
static void take_sought(struct fth_order_builder *builder, struct fth_builder_flag *flag,
                        bool sought)
{
    struct fth_order_flag_use_of *use =
        flag->sought ? &builder->operations->flags.uses[flag->sought - 1] : NULL;
    if (use && sought && use->thread == builder->thread)
        use->what = FTH_FLAG_ACCESSED;
    flag->sought = 0;
}

static void note_place(struct fth_order_builder *builder, uint32_t thing, const char *path,
                       enum fth_order_flag_use what)
{
    note_holder(builder, thing, builder->call->handle);
    if (what != FTH_FLAG_ASKED)
        return;
    uint32_t attributes = thing_of(builder, FTH_FLAG_ATTRIBUTES, path);
    if (attributes == UINT32_MAX)
        return;
    builder->flags.flags[attributes].places++;
    builder->flags.flags[attributes].place_function = builder->call->function;
}

void fth_order_flag(struct fth_order_builder *builder, enum fth_order_flag flag, const char *path,
                    enum fth_order_flag_use what)
{
    bool counts = is_asked_for(builder) && (what != FTH_FLAG_CLOSED || builder->flags.watches);
    uint32_t thing = counts ? thing_of(builder, flag, path) : UINT32_MAX;
    if (thing == UINT32_MAX)
        return;
    if (flag == FTH_FLAG_POSITION)
        note_place(builder, thing, path, what);
    if (what == FTH_FLAG_OPENED)
        builder->operations->flags.things[thing].opened = builder->flags.flags[thing].opened = true;
    else if (what == FTH_FLAG_ACCESSED)
        builder->flags.flags[thing].accesses++;
    else if (what == FTH_FLAG_CHANGED)
        change(builder, thing);
    else if (what == FTH_FLAG_CLOSED)
        close_watched(builder, thing);
    else
        ask(builder, thing, what);
}

void fth_order_flag_accessed(struct fth_order_builder *builder, const struct fth_handle *handle,
                             bool writes, bool moves, bool sought)
{
    static const enum fth_order_flag kinds[] = {FTH_FLAG_ATTRIBUTES, FTH_FLAG_POSITION};
    if (!is_asked_for(builder) || handle->number >= FTH_BUILDER_MOST_HANDLES)
        return;
    builder->flags.of_handles =
        fth_reach(builder->flags.of_handles, &builder->flags.handle_room, (uint32_t)handle->number,
                  sizeof *builder->flags.of_handles);
    for (int i = 0; i < 2; i++) {
        uint32_t *thing = &builder->flags.of_handles[handle->number][i];
        if (!*thing)
            *thing = thing_of(builder, kinds[i], handle->path) + 1;
        if (!*thing)
            continue;
        if (i)
            note_holder(builder, *thing - 1, handle);
        take_sought(builder, &builder->flags.flags[*thing - 1], sought);
        builder->flags.flags[*thing - 1].accesses++;
        if (i ? moves : writes)
            change(builder, *thing - 1);
    }
}

void fth_order_flag_linked(struct fth_order_builder *builder, const char *path, const char *other)
{
    struct fth_order_operations *operations = builder->operations;
    if (!is_asked_for(builder))
        return;
    uint32_t one = thing_of(builder, FTH_FLAG_ATTRIBUTES, path),
             second = thing_of(builder, FTH_FLAG_ATTRIBUTES, other);
    if (one == UINT32_MAX || second == UINT32_MAX)
        return;
    FTH_GROW(operations->flags.links, operations->flags.link_count);
    operations->flags.links[operations->flags.link_count][0] = one;
    operations->flags.links[operations->flags.link_count++][1] = second;
}

void fth_order_flag_watched(struct fth_order_builder *builder, const char *path)
{
    struct fth_order_operations *operations = builder->operations;
    if (!is_asked_for(builder))
        return;
    builder->possible.shares = true;
    struct fth_path_room room;
    path = fth_trace_behind_links(builder->trace, builder->proc, path, true, NULL, &room);
    FTH_GROW(operations->flags.watches, operations->flags.watch_count);
    operations->flags.watches[operations->flags.watch_count++] =
        (struct fth_order_watch){fth_text_copy(path), builder->call->start};
}
