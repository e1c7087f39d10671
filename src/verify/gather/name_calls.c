/* Calls that change names of files, and calls whose result depends on names. */
#include "verify/gather/gather.h"

#include "base/memory.h"
#include "base/path_text.h"

#include <errno.h>
#include <string.h>

static void note_event(const struct fth_gathering *gather, struct fth_name_event event)
{
    struct fth_run_accesses *accesses = gather->accesses;
    event.proc = (uint32_t)gather->proc;
    FTH_GROW(accesses->name_events, accesses->name_event_count);
    accesses->name_events[accesses->name_event_count++] = event;
}

/* ---- touches ---- */

static size_t paths_of(const struct fth_call *call, const char **paths)
{
    const struct fth_function *function = call->function;
    size_t count = 0;
    for (size_t i = 0; i < function->parameter_count && count < 2; i++)
        if (strncmp(function->parameters[i].role, "path", 4) == 0 &&
            call->arguments[i].type == FTH_VALUE_TEXT)
            paths[count++] = call->arguments[i].text;
    return count;
}

static void put_touch(struct fth_gathering *gather, struct fth_access_thread *thread,
                      const struct fth_call *call, struct fth_touch touch)
{
    if (!fth_gather_is_left_out(gather, thread, call->depth, touch.name))
        fth_gather_touch(gather, thread, call, touch);
}

/* A call that finds a file by its name. */
static void touch(struct fth_gathering *gather, struct fth_access_thread *thread,
                  const struct fth_call *call, enum fth_touch_kind kind, uint32_t name,
                  bool is_there)
{
    put_touch(
        gather, thread, call,
        (struct fth_touch){.kind = kind, .name = name, .by_name = true, .is_there = is_there});
}

/* The name is missing, or a folder on the way to it. Of two names it may be either; of a program,
 * what is to interpret it. */
static bool is_missing(const struct fth_call *call)
{
    const char *paths[2];
    return call->error_number == ENOENT && paths_of(call, paths) == 1 &&
           strcmp(call->function->kind, "process") != 0;
}

/* What opens a FIFO may say that it is to be made, and cut off: it is there, and has no length. A
 * folder that is opened is not listed yet. */
static void touch_opened(struct fth_gathering *gather, struct fth_access_thread *thread,
                         const struct fth_call *call, uint32_t name)
{
    struct fth_touch touch = {.kind = FTH_TOUCH_OPEN, .name = name, .by_name = true};
    uint32_t flags = call->handle ? call->handle->creation_flags : 0;
    if (fth_gather_is_left_out(gather, thread, call->depth, name))
        return;
    touch.is_there = call->error_number <= 0;
    touch.is_missing = is_missing(call);
    touch.is_empty = touch.is_there && flags & FTH_CREATE;
    if (touch.is_there && !fth_order_is_fifo(gather->builder, call->file)) {
        if (flags & FTH_CREATE)
            touch.kind = flags & FTH_EXCLUSIVE ? FTH_TOUCH_MAKE_NEW : FTH_TOUCH_MAKE;
        touch.cuts = flags & FTH_TRUNCATE;
    }
    fth_gather_touch(gather, thread, call, touch);
}

/* What a symbolic link stands for, absolute: it is relative to the folder of the link. NULL: it is
 * not known. To be freed. */
static char *target_of(const struct fth_call *call)
{
    const char *target = NULL, *slash = strrchr(call->file, '/');
    for (size_t i = 0; i < call->function->parameter_count && !target; i++)
        if (strcmp(call->function->parameters[i].role, "string") == 0 &&
            call->arguments[i].type == FTH_VALUE_TEXT)
            target = call->arguments[i].text;
    if (!target || !slash)
        return NULL;
    return fth_path_beside(call->file, slash + 1, target);
}

/* What linkat gives a name to, if that is a descriptor: itself, without a path, or one of /proc. */
static uint32_t linked_descriptor(struct fth_gathering *gather, const struct fth_call *call,
                                  const char *path)
{
    if (*path)
        return fth_gather_opening_at(gather, path);
    return call->use_count ? fth_gather_opening(gather, call->uses[0].handle) : FTH_NO_OPENING;
}

bool fth_gather_has_path(const struct fth_call *call)
{
    const char *paths[2];
    return paths_of(call, paths) > 0;
}

/* renameat2: the two names exchange what they stand for; or the second one must not be there. */
static bool exchanges(const struct fth_gathering *gather, const struct fth_call *call)
{
    static const char *const words[] = {"EXCHANGE", NULL};
    return fth_gather_has_flag(gather, call, "flags", "rename", words);
}

static bool makes_new_name(const struct fth_gathering *gather, const struct fth_call *call)
{
    static const char *const words[] = {"NOREPLACE", NULL};
    return fth_gather_has_flag(gather, call, "flags", "rename", words);
}

static void take_rename(struct fth_gathering *gather, struct fth_access_thread *thread,
                        const struct fth_call *call, uint32_t from, const char *path)
{
    uint32_t to = fth_gather_file(gather, path);
    bool both = exchanges(gather, call);
    note_event(gather, (struct fth_name_event){both ? FTH_NAME_EXCHANGED : FTH_NAME_MOVED, false,
                                               from, to, FTH_NO_OPENING, call->start, 0});
    touch(gather, thread, call, FTH_TOUCH_REMOVE, from, both);
    touch(gather, thread, call,
          makes_new_name(gather, call) ? FTH_TOUCH_MAKE_NEW : FTH_TOUCH_REMOVE, to, true);
}

static void take_names(struct fth_gathering *gather, struct fth_access_thread *thread,
                       const struct fth_call *call, uint32_t name)
{
    const char *paths[2];
    size_t count = paths_of(call, paths);
    const char *other = call->other_file;
    if (count == 1 && call->function->links_name) {
        char *target = target_of(call);
        if (target)
            note_event(gather, (struct fth_name_event){FTH_NAME_LINKED, true,
                                                       fth_gather_file(gather, target), name,
                                                       FTH_NO_OPENING, call->start, 0});
        touch(gather, thread, call, FTH_TOUCH_MAKE_NEW, name, true);
        free(target);
    } else if (count < 2) { /* mkdir and the like make names that nothing had */
        put_touch(gather, thread, call,
                  (struct fth_touch){.kind = FTH_TOUCH_MAKE_NEW,
                                     .name = name,
                                     .by_name = true,
                                     .is_there = true,
                                     .is_empty = true});
    } else if (other && call->function->links_name) {
        uint32_t to = fth_gather_file(gather, other);
        note_event(gather, (struct fth_name_event){FTH_NAME_LINKED, false, name, to,
                                                   linked_descriptor(gather, call, paths[0]),
                                                   call->start, 0});
        touch(gather, thread, call, FTH_TOUCH_MAKE_NEW, to, true);
    } else if (other) {
        take_rename(gather, thread, call, name, other);
    }
}

/* linkat without a path: the descriptor itself gets a name. */
static void take_link_of_descriptor(struct fth_gathering *gather, struct fth_access_thread *thread,
                                    const struct fth_call *call)
{
    const char *paths[2];
    if (!call->function->links_name || paths_of(call, paths) != 2 || *paths[0])
        return;
    const char *path = call->other_file;
    uint32_t opening = linked_descriptor(gather, call, paths[0]);
    if (path && opening != FTH_NO_OPENING) {
        uint32_t to = fth_gather_file(gather, path);
        uint32_t from = gather->accesses->openings[opening].name;
        note_event(gather, (struct fth_name_event){FTH_NAME_LINKED, false, from, to, opening,
                                                   call->start, 0});
        touch(gather, thread, call, FTH_TOUCH_MAKE_NEW, to, true);
    }
}

/* statfs and its kin ask for the file system, whatever the name. */
bool fth_gather_asks_for_file_system(const struct fth_function *function)
{
    for (size_t i = 0; i < function->parameter_count; i++)
        if (strncmp(function->parameters[i].type, "struct statfs", 13) == 0 ||
            strncmp(function->parameters[i].type, "struct statvfs", 14) == 0)
            return true;
    return false;
}

/* access and its kin ask for the name alone. */
static bool asks_for_size(const struct fth_function *function)
{
    for (size_t i = 0; i < function->parameter_count; i++)
        if (strncmp(function->parameters[i].type, "struct stat", 11) == 0)
            return true; /* struct statx, too; those of file systems are no matter here */
    return false;
}

/* What opens a file may look at it before, as Open MPI's MPI_File_open does: what it finds is no
 * matter of the program, which learns from the open itself whether the file is there. */
bool fth_gather_is_probe(const struct fth_access_thread *thread, uint32_t depth, uint32_t name)
{
    for (uint32_t i = depth; i-- > 0;)
        if (thread->stack[i].file == name + 1)
            return strcmp(thread->stack[i].function->kind, "open") == 0;
    return false;
}

static void touch_looked(struct fth_gathering *gather, struct fth_access_thread *thread,
                         const struct fth_call *call, uint32_t name)
{
    if (!fth_gather_is_left_out(gather, thread, call->depth, name) &&
        !fth_gather_is_probe(thread, call->depth, name))
        fth_gather_touch(gather, thread, call,
                         (struct fth_touch){.kind = FTH_TOUCH_LOOK,
                                            .name = name,
                                            .by_name = true,
                                            .is_there = call->error_number <= 0,
                                            .is_missing = is_missing(call),
                                            .asks_size = asks_for_size(call->function)});
}

/* ---- names as flags ---- */

static void use_name(struct fth_gathering *gather, const struct fth_access_thread *thread,
                     const struct fth_call *call, const char *path, enum fth_order_naming what)
{
    uint32_t name = fth_gather_file(gather, path);
    if (!fth_gather_is_left_out(gather, thread, call->depth, name) &&
        !fth_gather_is_probe(thread, call->depth, name))
        fth_order_named(gather->builder, path, what);
}

static void use_names_changed(struct fth_gathering *gather, const struct fth_access_thread *thread,
                              const struct fth_call *call)
{
    const char *paths[2];
    size_t count = paths_of(call, paths);
    const char *other = call->other_file;
    if (count < 2) {
        use_name(gather, thread, call, call->file, FTH_NAME_MADE);
    } else if (other && call->function->links_name) {
        use_name(gather, thread, call, other, FTH_NAME_MADE);
    } else if (other) {
        use_name(gather, thread, call, call->file,
                 exchanges(gather, call) ? FTH_NAME_REPLACED : FTH_NAME_REMOVED);
        use_name(gather, thread, call, other,
                 makes_new_name(gather, call) ? FTH_NAME_MADE : FTH_NAME_REPLACED);
    }
}

static enum fth_order_naming use_by_opening(const struct fth_gathering *gather,
                                            const struct fth_call *call)
{
    uint32_t flags = call->handle ? call->handle->creation_flags : 0;
    if (!(flags & FTH_CREATE) || fth_order_is_fifo(gather->builder, call->file))
        return FTH_NAME_OPENED;
    return flags & FTH_EXCLUSIVE ? FTH_NAME_MADE : FTH_NAME_MAYBE_MADE;
}

/* A failure is about the first path of the call, but of a link, about the second one. */
static void use_failed(struct fth_gathering *gather, const struct fth_access_thread *thread,
                       const struct fth_call *call)
{
    const char *paths[2];
    size_t count = paths_of(call, paths);
    if (count && call->error_number == ENOENT)
        use_name(gather, thread, call, call->file, FTH_NAME_MISSING);
    if (call->error_number != EEXIST || !count)
        return;
    const char *other = call->other_file;
    if (count == 1 || other)
        use_name(gather, thread, call, other ? other : call->file, FTH_NAME_FOUND);
}

void fth_gather_name_uses(struct fth_gathering *gather, struct fth_access_thread *thread,
                          const struct fth_call *call)
{
    const char *kind = call->function->kind, *paths[2];
    if (!call->file)
        return;
    if (call->error_number > 0)
        use_failed(gather, thread, call);
    else if (strcmp(kind, "name") == 0)
        use_names_changed(gather, thread, call);
    else if (strcmp(kind, "delete") == 0)
        use_name(gather, thread, call, call->file, FTH_NAME_REMOVED);
    else if (!paths_of(call, paths))
        return;
    else if (strcmp(kind, "open") == 0)
        use_name(gather, thread, call, call->file, use_by_opening(gather, call));
    else if (strcmp(kind, "stat") == 0 || strcmp(kind, "list") == 0)
        use_name(gather, thread, call, call->file, FTH_NAME_FOUND);
}

/* ---- the door ---- */

void fth_gather_names(struct fth_gathering *gather, struct fth_access_thread *thread,
                      const struct fth_access *access)
{
    const struct fth_call *call = &access->call;
    const char *kind = call->function->kind, *paths[2];
    bool failed = call->error_number > 0;
    if (!call->file && !failed)
        take_link_of_descriptor(gather, thread, call);
    if (!call->file)
        return;
    if (call->writes || call->reads || strcmp(kind, "truncate") == 0) {
        fth_gather_size(gather, thread, access);
    } else if (strcmp(kind, "delete") == 0 && !failed) {
        uint32_t name = fth_gather_file(gather, call->file);
        note_event(gather, (struct fth_name_event){FTH_NAME_DELETED, false, name, 0, FTH_NO_OPENING,
                                                   call->start, 0});
        touch(gather, thread, call, FTH_TOUCH_REMOVE, name, false);
    } else if (strcmp(kind, "name") == 0 && !failed) {
        take_names(gather, thread, call, fth_gather_file(gather, call->file));
    } else if (strcmp(kind, "open") == 0 && paths_of(call, paths)) {
        touch_opened(gather, thread, call, fth_gather_file(gather, call->file));
    } else if (strcmp(kind, "list") == 0 && !failed) {
        touch(gather, thread, call, FTH_TOUCH_LIST, fth_gather_file(gather, call->file), false);
    } else if ((strcmp(kind, "stat") == 0 || failed) && paths_of(call, paths) &&
               !fth_gather_asks_for_file_system(call->function)) {
        touch_looked(gather, thread, call, fth_gather_file(gather, call->file));
    } else {
        fth_gather_size(gather, thread, access);
    }
}
