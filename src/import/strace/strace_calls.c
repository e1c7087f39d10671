/* System calls of a log of strace as calls of functions. Rows that say `system` have the parameters
 * of the call; a few calls have another name there, or parameters of their own. */
#include "import/strace/strace_special.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>

/* ---- values ---- */

struct making {
    struct fth_strace_log *log;
    struct fth_strace_thread *thread;
    const struct fth_strace_call *call;
    const struct fth_row *row;
    const struct fth_strace_result *result;
    char queue[FTH_STRACE_QUEUE]; /* the number of one */
};

static int64_t put_text(const struct making *making, bool is_there)
{
    struct fth_bytes *text = &making->log->scratch;
    return is_there ? fth_imported_stream_text(making->thread->stream, text->data, text->length)
                    : 0;
}

static int64_t text_of(const struct making *making, struct fth_strace_text argument, bool several)
{
    uint64_t cut = 0;
    making->log->scratch.length = 0;
    bool is_there = several ? fth_strace_strings(argument, &making->log->scratch, &cut)
                            : fth_strace_string(argument, &making->log->scratch, &cut);
    making->log->cut_strings += cut;
    return put_text(making, is_there);
}

static int64_t put_list(const struct making *making, const int64_t *numbers, size_t count)
{
    making->log->scratch.length = 0;
    for (size_t i = 0; i < count; i++)
        fth_bytes_signed(&making->log->scratch, numbers[i]);
    return put_text(making, count > 0);
}

/* l_type=F_RDLCK, l_whence=SEEK_SET, l_start=0, l_len=0 */
static int64_t lock_of(const struct making *making, struct fth_strace_text argument)
{
    static const char *const types[] = {"F_RDLCK", "F_WRLCK", "F_UNLCK"};
    struct fth_strace_text type, whence, start, length;
    int64_t list[4] = {0};
    if (!fth_strace_find(argument, "l_type=", &type) ||
        !fth_strace_find(argument, "l_whence=", &whence) ||
        !fth_strace_find(argument, "l_start=", &start) ||
        !fth_strace_find(argument, "l_len=", &length) || !fth_strace_number(&start, &list[2]) ||
        !fth_strace_number(&length, &list[3]))
        return 0;
    while (list[0] < 2 && !fth_strace_skip(&type, types[list[0]]))
        list[0]++;
    whence.end = whence.end - whence.at > 8 ? whence.at + 8 : whence.end;
    list[1] = fth_strace_whence(whence);
    return put_list(making, list, 4);
}

static int64_t argument_of(const struct making *making, struct fth_strace_text argument)
{
    static int open_flags = -1;
    struct fth_strace_text command = making->call->arguments[1];
    int64_t number;
    if (argument.at < argument.end && *argument.at == '{')
        return lock_of(making, argument);
    if (open_flags < 0)
        open_flags = fth_strace_flags_named(making->log->catalog, "open");
    if (fth_strace_is(argument, "FD_CLOEXEC"))
        number = FD_CLOEXEC;
    else if (fth_strace_is(command, "F_SETFL"))
        number = fth_strace_flags(making->log->catalog, open_flags, argument);
    else
        number = fth_strace_integer(argument);
    return put_list(making, &number, 1);
}

/* Descriptors that the call has made: slot, and how far the number is from it. */
static int64_t made_of(const struct making *making, struct fth_strace_text argument)
{
    struct fth_strace_text list, item, path;
    int64_t numbers[16];
    size_t count = 0;
    if (!fth_strace_inside(argument, &list))
        return 0;
    while (count < 16 && fth_strace_item(&list, &item)) {
        int64_t number = fth_strace_descriptor(item, &path);
        numbers[count++] = number < FTH_IMPORTED_DESCRIPTORS ? number : FTH_SLOT_UNKNOWN;
        numbers[count++] = 0;
    }
    return put_list(making, numbers, count);
}

static int64_t bytes_of_vector(const struct making *making, struct fth_strace_text argument)
{
    int64_t bytes = fth_strace_iovec(argument);
    if (bytes >= 0)
        return bytes;
    making->log->cut_strings++;
    return making->result->how == FTH_STRACE_RETURNED ? making->result->value : 0;
}

/* Descriptors that are not there are no files; one that is being closed may be another file's by
 * now, of which the stream knows already (fth_strace_begin_call). */
static int64_t slot_of(const struct making *making, const struct fth_field *field,
                       struct fth_strace_text argument)
{
    const struct fth_strace_result *result = making->result;
    struct fth_strace_text path;
    int64_t number = fth_strace_descriptor(argument, &path), slot;
    const struct fth_imported_descriptor *known =
        fth_imported_descriptor(making->thread->process->table, number);
    bool is_closing = field->role == FTH_ROLE_CLOSE && making->thread->closing;
    if (is_closing && (!known || known->generation != making->thread->closing))
        return number;
    if (!known && number >= 0 &&
        ((result->how == FTH_STRACE_FAILED && result->value == EBADF) ||
         (field->role == FTH_ROLE_CLOSE && strcmp(making->row->kind, "close") != 0)))
        return FTH_SLOT_UNKNOWN;
    fth_strace_use(making->log, making->thread, argument, &slot);
    return slot;
}

/* The trace has a position behind a pointer as the call leaves it; strace writes it as it was
 * before, unless it writes both. */
static int64_t pointed_of(const struct making *making, struct fth_strace_text argument)
{
    struct fth_strace_text behind;
    int64_t value;
    if (!fth_strace_pointed(argument, &value))
        return 0;
    bool moves = fth_kind_reads(making->row->kind) || fth_kind_writes(making->row->kind);
    if (moves && making->result->how == FTH_STRACE_RETURNED &&
        !fth_strace_find(argument, "=> ", &behind) &&
        __builtin_add_overflow(value, making->result->value, &value))
        return 0;
    return put_list(making, &value, 1);
}

static int64_t value_of(const struct making *making, const struct fth_value_plan *plan)
{
    static const struct fth_strace_text nothing = {"", ""};
    const struct fth_field *field = &making->row->fields[plan->field];
    struct fth_strace_text argument = (unsigned)plan->field < making->call->count
                                          ? making->call->arguments[plan->field]
                                          : nothing;
    int64_t value;
    switch (field->role) {
    case FTH_ROLE_USE:
    case FTH_ROLE_CLOSE:
        if ((unsigned)plan->field >= making->call->count)
            return FTH_SLOT_UNKNOWN; /* system calls have no such parameter */
        return plan->part == FTH_PART_SLOT ? slot_of(making, field, argument) : 0;
    case FTH_ROLE_NEW:
        return plan->part == FTH_PART_LIST ? made_of(making, argument) : FTH_SLOT_UNKNOWN;
    case FTH_ROLE_PATH:
    case FTH_ROLE_STRING:
        return text_of(making, argument, false);
    case FTH_ROLE_STRINGS:
        return text_of(making, argument, true);
    case FTH_ROLE_FLAGS:
        return fth_strace_flags(making->log->catalog, field->flags_index, argument);
    case FTH_ROLE_WHENCE:
        return fth_strace_whence(argument);
    case FTH_ROLE_IOV:
        return bytes_of_vector(making, argument);
    case FTH_ROLE_IN:
        return pointed_of(making, argument);
    case FTH_ROLE_OUT:
        return fth_strace_wait_status(making->log->catalog, argument, &value) ||
                       fth_strace_pointed(argument, &value)
                   ? value
                   : FTH_ABSENT;
    case FTH_ROLE_ARGUMENT:
        return (unsigned)plan->field < making->call->count ? argument_of(making, argument) : 0;
    default:
        return fth_strace_integer(argument);
    }
}

static int64_t result_of(const struct making *making, const struct fth_value_plan *plan)
{
    const struct fth_strace_result *result = making->result;
    if (plan->part == FTH_PART_NUMBER)
        return 0;
    if (result->how == FTH_STRACE_FAILED)
        return FTH_FAILED_WITH(result->value);
    if (making->row->result.role == FTH_ROLE_POINTER)
        return 1;
    if (plan->part == FTH_PART_SLOT && result->value >= FTH_IMPORTED_DESCRIPTORS)
        return FTH_SLOT_UNKNOWN;
    return result->value;
}

static void note_folder(struct fth_strace_thread *thread)
{
    static uint32_t function;
    const struct fth_strace_folder *folder = thread->process->folder;
    if (thread->folder == folder->generation)
        return;
    thread->folder = folder->generation;
    if (!function)
        function = fth_imported_function("fathom_cwd", strlen("fathom_cwd"));
    int64_t values[FTH_MOST_VALUES] = {
        fth_imported_stream_text(thread->stream, folder->path, strlen(folder->path))};
    fth_imported_stream_note(thread->stream, function, values);
}

static bool has_path(const struct fth_row *row)
{
    return fth_field_with_role(row, FTH_ROLE_PATH) >= 0;
}

struct when {
    int64_t entered, left;
};

static void put_call(const struct making *making, uint32_t function, const int64_t *more,
                     size_t more_count, struct when when)
{
    struct fth_value_plan plan[FTH_MOST_VALUES];
    int64_t values[FTH_MOST_VALUES + 1];
    struct fth_strace_log *log = making->log;
    struct fth_imported_stream *stream = fth_strace_stream(log, making->thread, when.entered);
    int count = fth_plan_values(log->catalog, making->row, plan), given = 0;
    fth_imported_stream_begin(stream);
    if (has_path(making->row))
        note_folder(making->thread);
    for (int i = 0; i < count; i++) {
        bool is_result = plan[i].field == FTH_RESULT;
        if (!is_result && more && given < (int)more_count)
            values[i] = more[given++];
        else
            values[i] = is_result ? result_of(making, &plan[i]) : value_of(making, &plan[i]);
    }
    fth_strace_note_position(log, making->thread, making->call, making->row, making->result);
    const struct fth_imported_call call = {.function = function,
                                           .entry = fth_imported_ticks(log->run, when.entered),
                                           .exit = fth_imported_ticks(log->run, when.left)};
    fth_imported_stream_call(stream, &call, values);
    log->imported->calls++;
    if (when.left > making->thread->process->facts.last)
        making->thread->process->facts.last = when.left;
}

/* How many descriptors were found ready, as the tracer notes it. */
static void put_ready(const struct making *making, struct when when)
{
    static uint32_t function;
    if (!function)
        function = fth_imported_function("descriptors_ready", strlen("descriptors_ready"));
    struct making ready = *making;
    ready.row = &making->log->catalog->rows[function];
    put_call(&ready, function, NULL, 0, when);
}

/* ---- calls with parameters of their own ---- */

/* The child has another number in its own world (--pidns-translation): "3 / * 4711 in ... * /". */
static int64_t child_of(const struct fth_strace_call *call, const struct fth_strace_result *result)
{
    struct fth_strace_text behind;
    int64_t number;
    return fth_strace_find(call->result, "/* ", &behind) && fth_strace_number(&behind, &number)
               ? number
               : result->value;
}

static void take_creation(struct making *making, uint32_t function, struct when when)
{
    struct fth_strace_log *log = making->log;
    struct fth_strace_result result = *making->result;
    int64_t flags = fth_strace_clone_flags(log, making->call);
    if (result.how == FTH_STRACE_RETURNED) {
        result.value = child_of(making->call, &result);
        struct fth_strace_thread *last = log->last;
        fth_strace_born(log, making->thread, fth_strace_thread(log, result.value), flags,
                        when.entered);
        log->last = last;
    }
    making->result = &result;
    if (!(flags & CLONE_THREAD))
        put_call(making, function, &flags, 1, when);
}

static void dies(const struct fth_strace_thread *thread, int64_t time)
{
    if (thread->process)
        thread->process->dies = time;
}

/* SIGKILL has no line of its own: its end comes between the call and the line that says so. */
static void take_kill(struct fth_strace_log *log, const struct fth_strace_call *call, int64_t time)
{
    bool has_number = !fth_strace_is(call->name, "pidfd_send_signal");
    unsigned signal = fth_strace_is(call->name, "tgkill") ? 2 : 1;
    if (call->count <= signal || !fth_strace_is(call->arguments[signal], "SIGKILL"))
        return;
    int64_t pid = has_number ? fth_strace_integer(call->arguments[0]) : -1;
    uint32_t number;
    if (pid > 0 && fth_intern_find(&log->pids, &pid, sizeof pid, &number))
        dies(log->threads[number], time);
    else
        log->killed_others = time;
}

/* What a process holds is free before strace writes that it has ended. */
static void note_death(struct fth_strace_log *log, const struct fth_strace_thread *thread,
                       const struct fth_strace_named *named, const struct fth_strace_call *call,
                       int64_t time)
{
    if (named->special == FTH_STRACE_ENDS)
        dies(thread, time);
    else if (named->special == FTH_STRACE_KILLS)
        take_kill(log, call, time);
}

/* The same, where the end of the call comes in a later line. */
static void begin_death(struct fth_strace_log *log, const struct fth_strace_thread *thread,
                        const struct fth_strace_named *named, struct fth_strace_text text,
                        int64_t time)
{
    struct fth_bytes whole = {0};
    struct fth_strace_call call;
    if (named->special != FTH_STRACE_ENDS && named->special != FTH_STRACE_KILLS)
        return;
    fth_bytes_put(&whole, text.at, (size_t)(text.end - text.at));
    fth_bytes_put(&whole, ") = 0", 5);
    if (fth_strace_call_read((struct fth_strace_text){(const char *)whole.data,
                                                      (const char *)whole.data + whole.length},
                             &call))
        note_death(log, thread, named, &call, time);
    fth_bytes_free(&whole);
}

int fth_strace_take_call(struct fth_strace_log *log, struct fth_strace_thread *thread,
                         struct fth_strace_text text, int64_t entered)
{
    struct fth_strace_call call;
    struct fth_strace_result result;
    if (!fth_strace_call_read(text, &call) || !fth_strace_result_read(call.result, &result) ||
        call.duration > FTH_STRACE_LONGEST)
        return -1;
    struct fth_strace_named *named = fth_strace_name(log, call.name);
    struct when when = {entered, entered + (call.duration < 0 ? 0 : call.duration)};
    log->run->end = when.left > log->run->end ? when.left : log->run->end;
    if (result.how == FTH_STRACE_NO_RETURN && named->special != FTH_STRACE_ENDS) {
        log->without_return += named->function != UINT32_MAX;
        return 0;
    }
    log->without_duration += call.duration < 0 && named->special != FTH_STRACE_ENDS;
    note_death(log, thread, named, &call, entered);
    uint32_t function;
    bool starts = named->special == FTH_STRACE_EXECUTES && result.how == FTH_STRACE_RETURNED &&
                  fth_strace_is_start(log, thread);
    struct making making = {log, thread, &call, NULL, &result, ""};
    if (!fth_strace_prepare(log, thread, &call, making.queue, &function) ||
        function == UINT32_MAX) {
        named->left_out++;
        return 0;
    }
    making.row = &log->catalog->rows[function];
    if (named->special == FTH_STRACE_CREATES)
        take_creation(&making, function, when);
    else if (!starts)
        put_call(&making, function, NULL, 0, when);
    if (named->special == FTH_STRACE_ASKS_READY && result.how == FTH_STRACE_RETURNED &&
        result.value > 0)
        put_ready(&making, when);
    fth_strace_effects(log, thread, &call, making.row, &result);
    if (named->special == FTH_STRACE_EXECUTES && result.how == FTH_STRACE_RETURNED)
        fth_strace_exec(log, thread, &call, starts ? when.entered : when.left);
    return 0;
}

/* Of a close that has begun, the number may be another file's before its end is written. */
static void begin_close(struct fth_strace_log *log, struct fth_strace_thread *thread,
                        struct fth_strace_text argument, int64_t entered)
{
    struct fth_strace_text path;
    int64_t slot, number = fth_strace_descriptor(argument, &path);
    const struct fth_imported_descriptor *known =
        fth_imported_descriptor(thread->process->table, number);
    if (!known)
        return;
    fth_imported_stream_begin(fth_strace_stream(log, thread, entered));
    fth_strace_use(log, thread, argument, &slot);
    thread->closing = known->generation;
}

void fth_strace_begin_call(struct fth_strace_log *log, struct fth_strace_thread *thread,
                           struct fth_strace_text text, int64_t entered)
{
    struct fth_strace_text name = {text.at, text.at};
    while (name.end < text.end && *name.end != '(')
        name.end++;
    const struct fth_strace_named *named = fth_strace_name(log, name);
    const struct fth_row *row =
        named->function == UINT32_MAX ? NULL : &log->catalog->rows[named->function];
    thread->closing = 0;
    thread->creates = named->special == FTH_STRACE_CREATES;
    begin_death(log, thread, named, text, entered);
    log->creating += thread->creates;
    if (row && row->field_count && row->fields[0].role == FTH_ROLE_CLOSE && name.end < text.end)
        begin_close(log, thread, (struct fth_strace_text){name.end + 1, text.end}, entered);
}
