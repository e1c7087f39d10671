/* Calls that change what other processes may use as a flag, or ask for it: attributes of files,
 * names in folders, positions of descriptors. The order room decides which of them count. */
#include "verify/gather/gather.h"

#include "base/memory.h"
#include "model/reading/trace_functions.h"

#include <errno.h>
#include <string.h>

static bool has_word(const char *text, const char *word)
{
    return text && strstr(text, word);
}

static bool is(const char *text, const char *word)
{
    return strcmp(text, word) == 0;
}

static void use(struct fth_gathering *gather, const struct fth_access_thread *thread,
                const struct fth_call *call, enum fth_order_flag flag, const char *path,
                enum fth_order_flag_use what)
{
    uint32_t name = fth_gather_file(gather, path);
    bool asks = what == FTH_FLAG_ASKED || what == FTH_FLAG_SOUGHT;
    if (!fth_gather_is_left_out(gather, thread, call->depth, name) &&
        !(asks && fth_gather_is_probe(thread, call->depth, name)))
        fth_order_flag(gather->builder, flag, path, what);
}

/* A name is made in its folder, or removed from it. */
static void change_folder(struct fth_gathering *gather, const struct fth_access_thread *thread,
                          const struct fth_call *call, const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash || slash == path)
        return;
    char *folder = fth_text_copy(path);
    folder[slash - path] = 0;
    use(gather, thread, call, FTH_FLAG_ENTRIES, folder, FTH_FLAG_CHANGED);
    free(folder);
}

static void change_name(struct fth_gathering *gather, const struct fth_access_thread *thread,
                        const struct fth_call *call, const char *path)
{
    use(gather, thread, call, FTH_FLAG_ATTRIBUTES, path, FTH_FLAG_CHANGED);
    change_folder(gather, thread, call, path);
}

/* What has descriptors of another kind (pipes, devices) has no attributes that say anything. */
static bool is_of_file(const struct fth_call *call)
{
    const struct fth_handle *handle = call->handle;
    return !handle || (handle->path && handle->type &&
                       (is(handle->type, "file") || is(handle->type, "directory")));
}

static bool has_offset(const struct fth_function *function)
{
    for (size_t i = 0; i < function->parameter_count; i++)
        if (is(function->parameters[i].role, "offset"))
            return true;
    return false;
}

static void take_seek(struct fth_gathering *gather, const struct fth_access_thread *thread,
                      const struct fth_call *call)
{
    const char *whence = NULL;
    int64_t distance = 1;
    for (size_t i = 0; i < call->function->parameter_count; i++) {
        const char *role = call->function->parameters[i].role;
        if (is(role, "whence"))
            whence = call->arguments[i].text;
        else if (is(role, "distance") && call->arguments[i].type == FTH_VALUE_INTEGER)
            distance = call->arguments[i].integer;
    }
    if (has_word(whence, "_END"))
        use(gather, thread, call, FTH_FLAG_ATTRIBUTES, call->file,
            distance ? FTH_FLAG_ASKED : FTH_FLAG_SOUGHT);
    if (has_word(whence, "_DATA") || has_word(whence, "_HOLE"))
        use(gather, thread, call, FTH_FLAG_ATTRIBUTES, call->file, FTH_FLAG_ASKED);
    if (call->error_number > 0)
        return; /* there is no data, nor a hole */
    bool asks = has_word(whence, "_CUR") && !distance;
    use(gather, thread, call, FTH_FLAG_POSITION, call->file,
        asks ? FTH_FLAG_ASKED : FTH_FLAG_CHANGED);
}

static void take_opening(struct fth_gathering *gather, const struct fth_access_thread *thread,
                         const struct fth_call *call)
{
    const struct fth_handle *handle = call->handle;
    uint32_t flags = handle ? handle->creation_flags : 0;
    if (handle && is(handle->handle_class, "dir")) {
        use(gather, thread, call, FTH_FLAG_ENTRIES, call->file, FTH_FLAG_ASKED);
        return;
    }
    if (flags & FTH_CREATE)
        change_folder(gather, thread, call, call->file);
    if (flags & (FTH_TRUNCATE | FTH_EXCLUSIVE))
        use(gather, thread, call, FTH_FLAG_ATTRIBUTES, call->file, FTH_FLAG_CHANGED);
    if (!(flags & FTH_PATH_ONLY))
        use(gather, thread, call, FTH_FLAG_ATTRIBUTES, call->file, FTH_FLAG_OPENED);
}

/* access with F_OK asks whether the name is there, and for nothing else. */
static bool asks_for_name_alone(const struct fth_call *call)
{
    for (size_t i = 0; i < call->function->parameter_count; i++)
        if (is(call->function->parameters[i].role, "flags access"))
            return call->arguments[i].type == FTH_VALUE_INTEGER && !call->arguments[i].integer;
    return false;
}

static void take_question(struct fth_gathering *gather, const struct fth_access_thread *thread,
                          const struct fth_call *call)
{
    use(gather, thread, call, FTH_FLAG_ATTRIBUTES, call->file, FTH_FLAG_ASKED);
}

static void take_names(struct fth_gathering *gather, const struct fth_access_thread *thread,
                       const struct fth_call *call)
{
    const char *other = call->other_file;
    change_name(gather, thread, call, call->file);
    if (other) {
        change_name(gather, thread, call, other);
        if (call->function->links_name)
            fth_order_flag_linked(gather->builder, call->file, other);
    }
}

/* Does the call ask to be notified of changes, with inotify or the like? */
static bool watches(const struct fth_gathering *gather, const struct fth_call *call)
{
    const char *orders = call->function->orders, *command;
    if (!orders || !is(orders, "notice"))
        return orders && is(orders, "watch");
    command = fth_command_of(gather->trace, call);
    return command && is(command, "F_NOTIFY");
}

void fth_gather_flags(struct fth_gathering *gather, const struct fth_access_thread *thread,
                      const struct fth_access *access)
{
    const struct fth_call *call = &access->call;
    const char *kind = call->function->kind;
    bool failed = call->error_number > 0;
    if (!call->file || call->function->buffered || (!is_of_file(call) && !watches(gather, call)))
        return;
    if (call->reads || call->writes) {
        if (!failed && call->handle)
            fth_order_flag_accessed(gather->builder, call->handle, call->writes,
                                    !has_offset(call->function),
                                    call->writes && fth_gather_sought(gather, access));
    } else if (is(kind, "stat")) {
        if (!fth_gather_asks_for_file_system(call->function) && !asks_for_name_alone(call))
            take_question(gather, thread, call);
    } else if (is(kind, "delete") &&
               (!failed || call->error_number == ENOTEMPTY || call->error_number == EEXIST)) {
        use(gather, thread, call, FTH_FLAG_ENTRIES, call->file, FTH_FLAG_TRIED);
        if (!failed)
            change_name(gather, thread, call, call->file);
    } else if (failed && !(is(kind, "seek") && call->error_number == ENXIO)) {
        return;
    } else if (watches(gather, call)) {
        fth_order_flag_watched(gather->builder, call->file);
    } else if (is(kind, "close")) {
        use(gather, thread, call, FTH_FLAG_ATTRIBUTES, call->file, FTH_FLAG_CLOSED);
    } else if (is(kind, "open")) {
        take_opening(gather, thread, call);
    } else if (is(kind, "seek")) {
        take_seek(gather, thread, call);
    } else if (is(kind, "truncate") || is(kind, "permission")) {
        use(gather, thread, call, FTH_FLAG_ATTRIBUTES, call->file, FTH_FLAG_CHANGED);
    } else if (is(kind, "name")) {
        take_names(gather, thread, call);
    } else if (is(kind, "list") && fth_gather_has_path(call)) {
        use(gather, thread, call, FTH_FLAG_ENTRIES, call->file, FTH_FLAG_ASKED);
    }
}
