/* Attributes of files, names in folders and positions of descriptors as flags: whether these order
 * anything depends on the file system, so they are means that cannot be followed. Programs ask for
 * attributes all the time without a purpose. So who asks counts only if it polls: it asks before
 * another process changes the flag, and again behind that, with the same call, and accesses no data
 * of the file in between. Once is enough for a file that only those open who change it, and for a
 * call that fails unless the flag is set. */
#include "base/memory.h"
#include "order/match/match.h"

#include <stdio.h>
#include <string.h>

static const char text_of_watches[] =
    "what the system tells of files (inotify, fanotify, F_NOTIFY)";

struct flag {
    uint32_t file; /* of several names of one file the first one; itself: it is that */
    bool read;     /* somebody opens it who does not change it */
    size_t changes, change_count; /* of flags->changes */
    bool shared;                  /* of a position: several may have the descriptor */
    bool watched;                 /* its path, or a folder above it */
    bool asked;                   /* somebody asks for what another one changes */
};

struct change {
    uint32_t flag, proc;
    int64_t start, end;
};

struct flags {
    struct fth_matching *matching;
    struct fth_intern texts;
    struct flag *all;
    uint32_t room;
    struct change *changes; /* by flag */
    size_t change_count;
};

/* Of a thing of a process: UINT32_MAX: nobody changes it. */
static uint32_t flag_of(const struct flags *flags, const struct fth_order_operations *process,
                        uint32_t thing)
{
    size_t length;
    const void *text = fth_interned(&process->flags.all, thing, &length);
    uint32_t flag;
    if (!fth_intern_find(&flags->texts, text, length, &flag))
        return UINT32_MAX;
    while (flags->all[flag].file != flag)
        flag = flags->all[flag].file;
    return flag;
}

static void add_text(struct flags *flags, const void *text, size_t length)
{
    uint32_t known = flags->texts.count, flag = fth_intern(&flags->texts, text, length);
    flags->all = fth_reach(flags->all, &flags->room, flag, sizeof *flags->all);
    if (flag == known)
        flags->all[flag] = (struct flag){.file = flag};
}

static void add_changed(struct flags *flags, const struct fth_order_operations *process)
{
    for (uint32_t thing = 0; thing < process->flags.all.count; thing++) {
        size_t length;
        const void *text = fth_interned(&process->flags.all, thing, &length);
        if (process->flags.things[thing].changed || process->flags.things[thing].closed)
            add_text(flags, text, length);
    }
}

static void add_links(struct flags *flags, const struct fth_order_operations *process)
{
    for (size_t i = 0; i < process->flags.link_count; i++) {
        uint32_t one = flag_of(flags, process, process->flags.links[i][0]),
                 other = flag_of(flags, process, process->flags.links[i][1]);
        if (one != UINT32_MAX && other != UINT32_MAX && one != other)
            flags->all[one > other ? one : other].file = one < other ? one : other;
    }
}

static void note(struct flags *flags, uint32_t proc)
{
    const struct fth_order_operations *process = &flags->matching->processes[proc];
    for (uint32_t thing = 0; thing < process->flags.all.count; thing++) {
        uint32_t number = flag_of(flags, process, thing);
        if (number == UINT32_MAX)
            continue;
        const struct fth_order_flag_thing *of_process = &process->flags.things[thing];
        flags->all[number].read |= of_process->opened && !of_process->changed;
        flags->all[number].shared |= of_process->shared;
    }
}

static int by_flag(const void *one, const void *other)
{
    const struct change *a = one, *b = other;
    return (a->flag > b->flag) - (a->flag < b->flag);
}

static void gather_changes(struct flags *flags)
{
    for (uint32_t proc = 0; proc < flags->matching->process_count; proc++) {
        const struct fth_order_operations *process = &flags->matching->processes[proc];
        for (size_t i = 0; i < process->flags.use_count; i++) {
            const struct fth_order_flag_use_of *use = &process->flags.uses[i];
            if (use->what != FTH_FLAG_CHANGED)
                continue;
            FTH_GROW(flags->changes, flags->change_count);
            flags->changes[flags->change_count++] =
                (struct change){flag_of(flags, process, use->thing), proc, use->start, use->end};
        }
    }
    if (flags->change_count)
        qsort(flags->changes, flags->change_count, sizeof *flags->changes, by_flag);
    for (size_t i = 0; i < flags->change_count; i++) {
        struct flag *flag = &flags->all[flags->changes[i].flag];
        if (!flag->change_count++)
            flag->changes = i;
    }
}

/* Does another process change it between these times? */
static bool is_changed(const struct flags *flags, const struct flag *flag, uint32_t proc,
                       int64_t from, int64_t to)
{
    for (size_t i = 0; i < flag->change_count; i++) {
        const struct change *change = &flags->changes[flag->changes + i];
        if (change->proc != proc && change->end >= from && change->start <= to)
            return true;
    }
    return false;
}

static bool observes_change(const struct flags *flags, const struct flag *flag,
                            const struct fth_order_operations *process,
                            const struct fth_order_flag_use_of *use, uint32_t proc)
{
    size_t length;
    const char *text = (const char *)fth_interned(&process->flags.all, use->thing, &length);
    bool once = use->what == FTH_FLAG_TRIED ||
                (*text == 'a' && !flag->read && !process->flags.things[use->thing].opened);
    if ((*text == 'p' && !flag->shared) || (!once && !use->again))
        return false;
    return use->what != FTH_FLAG_CHANGED && use->what != FTH_FLAG_CLOSED &&
           use->what != FTH_FLAG_ACCESSED &&
           is_changed(flags, flag, proc, once ? INT64_MIN : use->since, use->end);
}

static void note_asked(struct flags *flags, uint32_t proc)
{
    const struct fth_order_operations *process = &flags->matching->processes[proc];
    for (size_t i = 0; i < process->flags.use_count; i++) {
        const struct fth_order_flag_use_of *use = &process->flags.uses[i];
        uint32_t number = flag_of(flags, process, use->thing);
        if (number != UINT32_MAX && observes_change(flags, &flags->all[number], process, use, proc))
            flags->all[number].asked = true;
    }
}

static void add_means(struct flags *flags, uint32_t proc, const char *means,
                      const struct fth_order_flag_use_of *use)
{
    const struct fth_order_operations *process = &flags->matching->processes[proc];
    bool releases = use->what == FTH_FLAG_CHANGED || use->what == FTH_FLAG_CLOSED;
    struct fth_event event = use->event;
    if (event.timeline == FTH_NO_TIMELINE)
        event = (struct fth_event){process->first_timeline + use->thread,
                                   process->steps[use->thread] - 1};
    fth_match_unfollowed(flags->matching, means,
                         (struct fth_unfollowed){.proc = proc,
                                                 .operation = FTH_NO_OPERATION,
                                                 .is_named = true,
                                                 .release = event,
                                                 .acquire = event,
                                                 .start = use->start,
                                                 .end = use->end,
                                                 .releases = releases,
                                                 .acquires = !releases});
}

/* Is the flag that of the path, or of something below it? */
static bool is_watched(const char *flag, const char *path)
{
    size_t length = strlen(path);
    while (length && path[length - 1] == '/')
        length--;
    return strncmp(flag + 1, path, length) == 0 && (!flag[1 + length] || flag[1 + length] == '/');
}

static void note_watched(struct flags *flags, uint32_t proc)
{
    const struct fth_order_operations *process = &flags->matching->processes[proc];
    for (size_t i = 0; i < process->flags.watch_count; i++)
        for (uint32_t number = 0; number < flags->texts.count; number++) {
            size_t length;
            if (is_watched((const char *)fth_interned(&flags->texts, number, &length),
                           process->flags.watches[i].path))
                flags->all[number].watched = true;
        }
}

/* Who watches may acquire whenever it does something: at each access. */
static void add_watcher(struct flags *flags, uint32_t proc)
{
    const struct fth_order_operations *process = &flags->matching->processes[proc];
    int64_t from = INT64_MAX;
    for (size_t i = 0; i < process->flags.watch_count; i++)
        if (process->flags.watches[i].from < from)
            from = process->flags.watches[i].from;
    for (size_t i = 0; from < INT64_MAX && i < process->possible.touch_count; i++) {
        const struct fth_order_touch *touch = &process->possible.touches[i];
        if (!touch->releases && touch->time >= from)
            fth_match_unfollowed(flags->matching, text_of_watches,
                                 (struct fth_unfollowed){.proc = proc,
                                                         .operation = FTH_NO_OPERATION,
                                                         .is_named = true,
                                                         .acquire = touch->event,
                                                         .start = touch->time,
                                                         .end = touch->time,
                                                         .acquires = true});
    }
}

static void add_uses(struct flags *flags, uint32_t proc)
{
    const struct fth_order_operations *process = &flags->matching->processes[proc];
    for (size_t i = 0; i < process->flags.use_count; i++) {
        const struct fth_order_flag_use_of *use = &process->flags.uses[i];
        uint32_t number = flag_of(flags, process, use->thing);
        if (number == UINT32_MAX)
            continue;
        const struct flag *flag = &flags->all[number];
        if (flag->watched && (use->what == FTH_FLAG_CHANGED || use->what == FTH_FLAG_CLOSED))
            add_means(flags, proc, text_of_watches, use);
        size_t length;
        const char *text = (const char *)fth_interned(&flags->texts, number, &length);
        char means[5200];
        snprintf(means, sizeof means, "%s that are used as flags (%s)",
                 *text == 'a'   ? "attributes of files"
                 : *text == 'e' ? "names in folders"
                                : "positions of descriptors",
                 text + 1);
        if (flag->asked &&
            (use->what == FTH_FLAG_CHANGED || observes_change(flags, flag, process, use, proc)))
            add_means(flags, proc, means, use);
    }
}

void fth_match_flags(struct fth_matching *matching)
{
    struct flags flags = {.matching = matching};
    for (size_t i = 0; i < matching->process_count; i++)
        add_changed(&flags, &matching->processes[i]);
    for (size_t i = 0; i < matching->process_count; i++)
        add_links(&flags, &matching->processes[i]);
    for (uint32_t i = 0; i < matching->process_count; i++)
        note(&flags, i);
    gather_changes(&flags);
    for (uint32_t i = 0; i < matching->process_count; i++)
        note_asked(&flags, i);
    for (uint32_t i = 0; i < matching->process_count; i++)
        note_watched(&flags, i);
    for (uint32_t i = 0; i < matching->process_count; i++)
        add_uses(&flags, i);
    for (uint32_t i = 0; i < matching->process_count; i++)
        add_watcher(&flags, i);
    free(flags.changes);
    free(flags.all);
    fth_intern_free(&flags.texts);
}
