/* What calls do to descriptors, positions and working directories, in a log of strace; and what
 * the trace has to say of them before a call. */
#include "import/strace/strace_log.h"

#include "base/memory.h"
#include "trace/record/spill.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

/* ---- descriptors that are used ---- */

static void note_flags(struct fth_imported_stream *stream, int64_t slot, int flags)
{
    fth_imported_stream_bind(stream, FTH_FLAGS_CLASS, slot, flags, "", 0);
}

static void note_binding(struct fth_strace_thread *thread, int64_t slot,
                         const struct fth_imported_descriptor *descriptor)
{
    thread->bound =
        fth_reach(thread->bound, &thread->bound_count, (uint32_t)slot, sizeof *thread->bound);
    if (thread->bound[slot] == descriptor->generation)
        return;
    thread->bound[slot] = descriptor->generation;
    fth_imported_stream_bind(thread->stream, "fd", slot, 0, descriptor->path,
                             strlen(descriptor->path));
    if (descriptor->is_inherited && descriptor->flags >= 0)
        note_flags(thread->stream, slot, descriptor->flags);
    if (descriptor->real)
        fth_imported_stream_bind(thread->stream, FTH_PATH_OF "fd", slot, 0, descriptor->real,
                                 strlen(descriptor->real));
}

/* One that was there before. */
static struct fth_imported_descriptor *found(struct fth_strace_log *log,
                                             struct fth_imported_table *table, int64_t number,
                                             struct fth_strace_text path)
{
    log->scratch.length = 0;
    fth_strace_plain_path(path, &log->scratch);
    struct fth_imported_descriptor *made =
        fth_imported_open(table, number, (const char *)log->scratch.data, log->scratch.length, -1);
    if (!made)
        return NULL;
    made->is_shared = made->is_inherited = true;
    made->description->position = -1;
    return made;
}

struct fth_imported_descriptor *fth_strace_use(struct fth_strace_log *log,
                                               struct fth_strace_thread *thread,
                                               struct fth_strace_text text, int64_t *slot)
{
    struct fth_strace_process *process = thread->process;
    struct fth_strace_text path;
    int64_t number = fth_strace_descriptor(text, &path);
    *slot = number == AT_FDCWD ? FTH_SLOT_NONE
            : number == -1     ? FTH_SLOT_NO_DESCRIPTOR
                               : FTH_SLOT_UNKNOWN;
    if (number == AT_FDCWD && path.at < path.end)
        fth_strace_know_folder(log, process, path);
    if (number < 0)
        return NULL;
    struct fth_imported_descriptor *descriptor = fth_imported_descriptor(process->table, number);
    if (!descriptor)
        descriptor = found(log, process->table, number, path);
    if (!descriptor)
        return NULL;
    *slot = number;
    note_binding(thread, number, descriptor);
    return descriptor;
}

/* ---- paths ---- */

bool fth_strace_path(struct fth_strace_log *log, struct fth_strace_thread *thread,
                     const struct fth_strace_call *call, const struct fth_row *row, int field)
{
    struct fth_bytes given = {0};
    uint64_t cut = 0;
    log->scratch.length = 0;
    if ((unsigned)field >= call->count ||
        !fth_strace_string(call->arguments[field], &given, &cut) || !given.length) {
        fth_bytes_free(&given);
        return false;
    }
    const char *base = thread->process->folder->path;
    int at = row->fields[field].at_field;
    struct fth_strace_text path;
    int64_t number = at >= 0 && (unsigned)at < call->count
                         ? fth_strace_descriptor(call->arguments[at], &path)
                         : AT_FDCWD;
    const struct fth_imported_descriptor *folder =
        fth_imported_descriptor(thread->process->table, number);
    if (folder)
        base = folder->path;
    size_t from = 0;
    if (given.length && given.data[0] != '/' && *base) {
        fth_bytes_put(&log->scratch, base, strlen(base));
        if (base[strlen(base) - 1] != '/')
            fth_bytes_put(&log->scratch, "/", 1);
        while (given.length - from > 2 && given.data[from] == '.' && given.data[from + 1] == '/')
            from += 2;
    }
    fth_bytes_put(&log->scratch, given.data + from, given.length - from);
    fth_bytes_free(&given);
    return true;
}

/* Takes `.` and `..` out of the path in log->scratch, which has a zero behind it then. What `..`
 * leads to behind a link is not in the log. */
static void make_plain(struct fth_strace_log *log)
{
    struct fth_bytes *scratch = &log->scratch;
    fth_bytes_put(scratch, "", 1);
    char *path = (char *)scratch->data, *to = path, *from = path;
    bool is_absolute = *path == '/';
    char *floor = to += is_absolute; /* `..` leads no further */
    while (*from) {
        size_t length = strcspn(from, "/");
        bool is_up = length == 2 && memcmp(from, "..", 2) == 0;
        if (is_up && to > floor) {
            while (to > floor && *--to != '/')
                continue;
        } else if (length && !(length == 1 && *from == '.') && !(is_up && is_absolute)) {
            if (to > path + is_absolute)
                *to++ = '/';
            memmove(to, from, length);
            to += length;
            floor = is_up ? to : floor;
        }
        from += length + (from[length] == '/');
    }
    if (to == path)
        *to++ = '.';
    *to = 0;
    scratch->length = (size_t)(to - path) + 1;
}

/* ---- positions ---- */

static int field_with(const struct fth_row *row, enum fth_role role, int from)
{
    for (int i = from; i < (int)row->field_count; i++)
        if (row->fields[i].role == role)
            return i;
    return -1;
}

static bool is_kind(const struct fth_row *row, const char *kind)
{
    return strcmp(row->kind, kind) == 0;
}

/* The position behind a pointer that follows the descriptor is its own where the pointer is null;
 * without such a parameter, where the row has no offset. */
static bool goes_by_position(const struct fth_strace_call *call, const struct fth_row *row,
                             int field)
{
    int next = field + 1;
    int64_t number;
    if (next < (int)row->field_count && row->fields[next].role == FTH_ROLE_IN)
        return (unsigned)next < call->count && !fth_strace_pointed(call->arguments[next], &number);
    int offset = field_with(row, FTH_ROLE_OFFSET, 0);
    return offset < 0 ||
           ((unsigned)offset < call->count && fth_strace_integer(call->arguments[offset]) == -1);
}

static bool is_data_call(const struct fth_row *row)
{
    return (is_kind(row, "read") || is_kind(row, "write")) && row->result.role == FTH_ROLE_MOVED;
}

static bool has_no_position(const struct fth_imported_descriptor *descriptor)
{
    return strncmp(descriptor->path, "pipe:", 5) == 0 ||
           strncmp(descriptor->path, "socket:", 7) == 0 ||
           strncmp(descriptor->path, "anon_inode:", 11) == 0;
}

static struct fth_imported_descriptor *descriptor_of(const struct fth_strace_thread *thread,
                                                     const struct fth_strace_call *call, int field)
{
    struct fth_strace_text path;
    if (field < 0 || (unsigned)field >= call->count)
        return NULL;
    return fth_imported_descriptor(thread->process->table,
                                   fth_strace_descriptor(call->arguments[field], &path));
}

void fth_strace_note_position(struct fth_strace_log *log, struct fth_strace_thread *thread,
                              const struct fth_strace_call *call, const struct fth_row *row,
                              const struct fth_strace_result *result)
{
    static uint32_t function;
    int field = field_with(row, FTH_ROLE_USE, 0);
    struct fth_imported_descriptor *descriptor =
        is_data_call(row) ? descriptor_of(thread, call, field) : NULL;
    if (!descriptor || result->how != FTH_STRACE_RETURNED || has_no_position(descriptor) ||
        !goes_by_position(call, row, field))
        return;
    bool appends = descriptor->description->appends && is_kind(row, "write");
    if (!descriptor->is_shared && !appends)
        return;
    int64_t at = appends ? -1 : descriptor->description->position;
    if (!descriptor->is_reported || descriptor->expected != at) {
        int64_t values[FTH_MOST_VALUES] = {at};
        if (!function)
            function = fth_imported_function("fathom_stood", strlen("fathom_stood"));
        fth_imported_stream_note(thread->stream, function, values);
    }
    (void)log;
    descriptor->is_reported = true;
    descriptor->expected = at < 0 ? -1 : at + result->value;
}

static void advance(struct fth_imported_descriptor *descriptor, int64_t moved, bool writes)
{
    struct fth_imported_description *of = descriptor ? descriptor->description : NULL;
    if (!of)
        return;
    if (of->appends && writes)
        of->position = -1;
    else if (of->position >= 0 && __builtin_add_overflow(of->position, moved, &of->position))
        of->position = -1;
}

static void move_positions(struct fth_strace_thread *thread, const struct fth_strace_call *call,
                           const struct fth_row *row, int64_t moved)
{
    int first = field_with(row, FTH_ROLE_USE, 0), second = field_with(row, FTH_ROLE_USE, first + 1);
    bool writes = is_kind(row, "write");
    if (first >= 0 && goes_by_position(call, row, first))
        advance(descriptor_of(thread, call, first), moved, writes);
    if (second >= 0 && goes_by_position(call, row, second))
        advance(descriptor_of(thread, call, second), moved, !writes);
}

static void move_to(struct fth_strace_thread *thread, const struct fth_strace_call *call,
                    const struct fth_row *row, int64_t position)
{
    struct fth_imported_descriptor *descriptor =
        descriptor_of(thread, call, field_with(row, FTH_ROLE_USE, 0));
    if (!descriptor)
        return;
    descriptor->description->position = position;
    descriptor->expected = position;
}

/* ---- new descriptors ---- */

static bool has_word(const struct fth_strace_call *call, const char *word)
{
    struct fth_strace_text behind;
    for (unsigned i = 0; i < call->count; i++)
        if (call->arguments[i].at < call->arguments[i].end && *call->arguments[i].at != '"' &&
            fth_strace_find(call->arguments[i], word, &behind))
            return true;
    return false;
}

static int flags_of_open(struct fth_strace_log *log, const struct fth_strace_call *call,
                         const struct fth_row *row)
{
    int field = field_with(row, FTH_ROLE_FLAGS, 0);
    if (field < 0 || (unsigned)field >= call->count)
        return -1;
    return (int)fth_strace_flags(log->catalog, row->fields[field].flags_index,
                                 call->arguments[field]);
}

/* Where the file is, if -y says so and the path is another one. */
static void take_real_path(struct fth_strace_log *log, struct fth_imported_descriptor *made,
                           struct fth_strace_text path)
{
    log->scratch.length = 0;
    fth_strace_plain_path(path, &log->scratch);
    fth_bytes_put(&log->scratch, "", 1);
    const char *real = (const char *)log->scratch.data;
    if (*real == '/' && *made->path != '/') {
        free(made->path);
        made->path = fth_text_copy(real);
    } else if (*real == '/' && strcmp(real, made->path) != 0) {
        made->real = fth_text_copy(real);
    }
}

/* Without -y, two names may be of one file all the same. */
static void take_plain_path(struct fth_strace_log *log, struct fth_imported_descriptor *made)
{
    make_plain(log);
    log->named_files++;
    if (strcmp((const char *)log->scratch.data, made->path) != 0)
        made->real = fth_text_copy((const char *)log->scratch.data);
}

/* The name of what is no file of a name, as the system calls it. */
static void name_other(struct fth_strace_log *log, const struct fth_row *row,
                       const struct fth_strace_call *call, struct fth_strace_text path)
{
    int name = field_with(row, FTH_ROLE_STRING, 0);
    uint64_t cut = 0;
    char text[64];
    log->scratch.length = 0;
    if (path.at < path.end) {
        fth_strace_plain_path(path, &log->scratch);
    } else if (strcmp(row->name, "eventfd") == 0) {
        fth_bytes_put(&log->scratch, "anon_inode:[eventfd]", 20);
    } else if (strcmp(row->name, "posix_openpt") == 0) {
        fth_bytes_put(&log->scratch, "/dev/ptmx", 9);
    } else if (strcmp(row->name, "mq_open") == 0) {
        fth_strace_string(call->arguments[0], &log->scratch, &cut);
    } else if (name >= 0 && (unsigned)name < call->count) {
        fth_bytes_put(&log->scratch, "/memfd:", 7);
        fth_strace_string(call->arguments[name], &log->scratch, &cut);
        fth_bytes_put(&log->scratch, " (deleted)", 10);
    } else if (is_kind(row, "pipe") && row->field_count <= 2) {
        fth_bytes_put(&log->scratch, text,
                      (size_t)snprintf(text, sizeof text, "pipe:[%u]", log->created));
    } else if (is_kind(row, "pipe") || field_with(row, FTH_ROLE_USE, 0) >= 0 ||
               row->field_count == 3) {
        fth_bytes_put(&log->scratch, text,
                      (size_t)snprintf(text, sizeof text, "socket:[%u]", log->created++));
    } else {
        fth_bytes_put(&log->scratch, "anon_inode:", 11);
    }
}

/* A socket whose messages may come from anybody. */
static bool is_datagrams(const struct fth_strace_call *call)
{
    return fth_strace_is(call->name, "socket") &&
           (has_word(call, "SOCK_DGRAM") || has_word(call, "SOCK_RAW"));
}

static void open_result(struct fth_strace_log *log, struct fth_strace_thread *thread,
                        const struct fth_strace_call *call, const struct fth_row *row,
                        const struct fth_strace_result *result)
{
    struct fth_imported_table *table = thread->process->table;
    struct fth_imported_descriptor *made;
    int path = field_with(row, FTH_ROLE_PATH, 0), of = field_with(row, FTH_ROLE_USE, 0);
    struct fth_strace_text ignored;
    bool replaces = is_kind(row, "dup") && fth_field_with_role(row, FTH_ROLE_CLOSE) >= 0;
    log->reopened += !replaces && fth_imported_descriptor(table, result->value) != NULL;
    if (is_kind(row, "dup")) {
        int64_t from = of >= 0 && (unsigned)of < call->count
                           ? fth_strace_descriptor(call->arguments[of], &ignored)
                           : -1;
        made = fth_imported_dup(table, result->value, from);
    } else {
        if (path < 0)
            name_other(log, row, call, result->path);
        else if (!fth_strace_path(log, thread, call, row, path))
            log->scratch.length = 0;
        int flags = path < 0 ? -1 : flags_of_open(log, call, row);
        made = fth_imported_open(table, result->value, (const char *)log->scratch.data,
                                 log->scratch.length, flags);
        if (made && path >= 0 && result->path.at < result->path.end)
            take_real_path(log, made, result->path);
        else if (made && path >= 0 && *made->path)
            take_plain_path(log, made);
        if (made && is_datagrams(call))
            made->real = fth_text_copy("datagrams"); /* as the tracer says it */
        if (made)
            made->description->appends = flags >= 0 && flags & O_APPEND;
    }
    if (made)
        made->close_on_exec = has_word(call, "CLOEXEC");
}

/* "[3<pipe:[1]>, 4<pipe:[1]>]" */
static void open_pair(struct fth_strace_log *log, struct fth_strace_thread *thread,
                      const struct fth_strace_call *call, const struct fth_row *row, int field)
{
    struct fth_strace_text list, item, path;
    if (!fth_strace_inside(call->arguments[field], &list))
        return;
    while (fth_strace_item(&list, &item)) {
        int64_t number = fth_strace_descriptor(item, &path);
        name_other(log, row, call, path);
        struct fth_imported_descriptor *made =
            fth_imported_open(thread->process->table, number, (const char *)log->scratch.data,
                              log->scratch.length, -1);
        if (made)
            made->close_on_exec = has_word(call, "CLOEXEC");
    }
    log->created++;
}

/* ---- other effects ---- */

static void control(struct fth_strace_log *log, struct fth_strace_thread *thread,
                    const struct fth_strace_call *call, int64_t result)
{
    struct fth_imported_descriptor *descriptor = descriptor_of(thread, call, 0);
    struct fth_strace_text path, behind;
    struct fth_strace_text command = call->arguments[1];
    struct fth_strace_text with = call->count > 2 ? call->arguments[2] : command;
    static int open_flags = -1;
    if (fth_strace_is(command, "F_DUPFD") || fth_strace_is(command, "F_DUPFD_CLOEXEC")) {
        struct fth_imported_descriptor *made = fth_imported_dup(
            thread->process->table, result, fth_strace_descriptor(call->arguments[0], &path));
        if (made)
            made->close_on_exec = fth_strace_is(command, "F_DUPFD_CLOEXEC");
    } else if (descriptor && fth_strace_is(command, "F_SETFD")) {
        descriptor->close_on_exec =
            fth_strace_find(with, "FD_CLOEXEC", &behind) || fth_strace_is(with, "1");
    } else if (descriptor && fth_strace_is(command, "F_SETFL")) {
        if (open_flags < 0)
            open_flags = fth_strace_flags_named(log->catalog, "open");
        descriptor->description->appends =
            fth_strace_flags(log->catalog, open_flags, with) & O_APPEND;
    } else if (descriptor && fth_strace_is(command, "FIOCLEX")) {
        descriptor->close_on_exec = true;
    } else if (descriptor && fth_strace_is(command, "FIONCLEX")) {
        descriptor->close_on_exec = false;
    }
}

static void close_several(const struct fth_strace_thread *thread,
                          const struct fth_strace_call *call)
{
    struct fth_imported_table *table = thread->process->table;
    struct fth_strace_text flags;
    if (call->count < 2)
        return;
    int64_t first = fth_strace_integer(call->arguments[0]),
            last = fth_strace_integer(call->arguments[1]);
    bool later = call->count > 2 && fth_strace_find(call->arguments[2], "CLOEXEC", &flags);
    if (last < 0 || last >= table->count)
        last = (int64_t)table->count - 1;
    for (int64_t i = first < 0 ? 0 : first; i <= last; i++) {
        struct fth_imported_descriptor *descriptor = fth_imported_descriptor(table, i);
        if (descriptor && later)
            descriptor->close_on_exec = true;
        else
            fth_imported_close(table, i);
    }
}

static void change_folder(struct fth_strace_log *log, struct fth_strace_thread *thread,
                          const struct fth_strace_call *call, const struct fth_row *row)
{
    const struct fth_imported_descriptor *folder = descriptor_of(thread, call, 0);
    int path = field_with(row, FTH_ROLE_PATH, 0);
    if (path < 0 && folder)
        fth_strace_change_folder(thread->process, folder->path, strlen(folder->path));
    else if (path >= 0 && fth_strace_path(log, thread, call, row, path))
        fth_strace_change_folder(thread->process, (const char *)log->scratch.data,
                                 log->scratch.length);
}

void fth_strace_effects(struct fth_strace_log *log, struct fth_strace_thread *thread,
                        const struct fth_strace_call *call, const struct fth_row *row,
                        const struct fth_strace_result *result)
{
    struct fth_strace_text path;
    bool worked = result->how == FTH_STRACE_RETURNED;
    if (is_kind(row, "close") && (worked || result->value != EBADF) && call->count) {
        const struct fth_imported_descriptor *known = descriptor_of(thread, call, 0);
        if (row->fields[0].role != FTH_ROLE_CLOSE)
            close_several(thread, call);
        else if (known && (!thread->closing || thread->closing == known->generation))
            fth_imported_close(thread->process->table,
                               fth_strace_descriptor(call->arguments[0], &path));
    }
    if (!worked)
        return;
    int made = field_with(row, FTH_ROLE_NEW, 0);
    if (row->result.role == FTH_ROLE_NEW)
        open_result(log, thread, call, row, result);
    else if (made >= 0 && (unsigned)made < call->count)
        open_pair(log, thread, call, row, made);
    else if (row->result.role == FTH_ROLE_POSITION)
        move_to(thread, call, row, result->value);
    else if (is_data_call(row))
        move_positions(thread, call, row, result->value);
    else if (is_kind(row, "control") && call->count > 1)
        control(log, thread, call, result->value);
    else if (strcmp(row->name, "chdir") == 0 || strcmp(row->name, "fchdir") == 0)
        change_folder(log, thread, call, row);
}
