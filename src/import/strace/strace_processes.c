/* Processes and threads of a log of strace: who made whom, which programs they become, how they
 * end. The flags of a clone say whether it made a thread or a process. The lines of a child may
 * come before its clone returns: while several threads are in one, they are kept until then. */
#include "import/strace/strace_log.h"

#include "base/memory.h"

#include <sched.h>

/* ---- the working directory ---- */

static struct fth_strace_folder *new_folder(const char *path, size_t length, bool is_known)
{
    struct fth_strace_folder *folder = fth_new(1, sizeof *folder);
    *folder = (struct fth_strace_folder){
        .users = 1, .is_known = is_known, .path = fth_text_part(path, length)};
    return folder;
}

static void release_folder(struct fth_strace_folder *folder)
{
    if (--folder->users)
        return;
    free(folder->path);
    free(folder);
}

void fth_strace_change_folder(struct fth_strace_process *process, const char *path, size_t length)
{
    struct fth_strace_folder *folder = process->folder;
    char *copy = fth_text_part(path, length);
    free(folder->path);
    folder->path = copy;
    folder->is_known = *copy == '/';
    folder->generation++;
}

void fth_strace_know_folder(struct fth_strace_log *log, struct fth_strace_process *process,
                            struct fth_strace_text path)
{
    struct fth_strace_folder *folder = process->folder;
    if (folder->is_known || folder->generation)
        return;
    log->scratch.length = 0;
    fth_strace_plain_path(path, &log->scratch);
    fth_bytes_put(&log->scratch, "", 1);
    free(folder->path);
    folder->path = fth_text_copy((const char *)log->scratch.data);
    folder->is_known = true;
    if (!process->facts.directory)
        process->facts.directory = fth_text_copy(folder->path);
    if (!log->imported->directory)
        log->imported->directory = fth_text_copy(folder->path);
}

/* ---- processes ---- */

static void begin_image(struct fth_strace_log *log, struct fth_strace_process *process, int64_t pid,
                        int64_t parent_pid, uint64_t previous, int64_t time)
{
    process->facts = (struct fth_imported_process){.image = fth_imported_image(log->run, pid),
                                                   .previous = previous,
                                                   .pid = pid,
                                                   .parent_pid = parent_pid,
                                                   .start = time,
                                                   .last = time,
                                                   .rank = -1,
                                                   .size = -1};
    process->facts.host = fth_text_copy(log->imported->host ? log->imported->host : "unknown");
    if (process->folder->is_known)
        process->facts.directory = fth_text_copy(process->folder->path);
}

static void copy_program(struct fth_imported_process *to, const struct fth_imported_process *from)
{
    to->exe = from->exe ? fth_text_copy(from->exe) : NULL;
    fth_bytes_put(&to->arguments, from->arguments.data, from->arguments.length);
}

static void end_image(struct fth_strace_log *log, struct fth_strace_process *process,
                      enum fth_spill_end how, int status, int64_t time)
{
    process->facts.ended = how;
    process->facts.status = status;
    if (time > process->facts.last)
        process->facts.last = time;
    fth_imported_process_close(log->run, &process->facts);
}

struct fth_strace_thread *fth_strace_thread(struct fth_strace_log *log, int64_t pid)
{
    if (log->last && log->last->pid == pid)
        return log->last;
    uint32_t known = log->pids.count, number = fth_intern(&log->pids, &pid, sizeof pid);
    if (number == known) {
        FTH_GROW(log->threads, known);
        log->threads[number] = fth_new(1, sizeof **log->threads);
        log->threads[number]->pid = pid;
        log->threads[number]->kept_end = &log->threads[number]->kept;
    }
    return log->last = log->threads[number];
}

void fth_strace_rename(struct fth_strace_log *log, struct fth_strace_thread *thread, int64_t pid)
{
    int64_t before = thread->pid;
    struct fth_strace_thread *other = fth_strace_thread(log, pid);
    uint32_t from = fth_intern(&log->pids, &before, sizeof before),
             to = fth_intern(&log->pids, &pid, sizeof pid);
    log->threads[to] = thread;
    log->threads[from] = other;
    other->pid = before;
    thread->pid = pid;
    if (thread->process->facts.pid == before)
        thread->process->facts.pid = pid;
    if (thread->stream)
        fth_imported_stream_is_of(thread->stream, pid);
    log->last = NULL;
}

void fth_strace_adopt(struct fth_strace_log *log, struct fth_strace_thread *thread, int64_t time)
{
    struct fth_strace_process *process = fth_new(1, sizeof *process);
    process->table = fth_imported_table_new();
    process->folder = new_folder("", 0, false);
    process->threads = 1;
    begin_image(log, process, thread->pid, 0, 0, time);
    thread->process = process;
}

void fth_strace_born(struct fth_strace_log *log, struct fth_strace_thread *parent,
                     struct fth_strace_thread *child, int64_t flags, int64_t time)
{
    struct fth_strace_process *of = parent->process;
    if (child->process || child == parent)
        return;
    log->children_made++;
    if (flags & CLONE_THREAD) {
        child->process = of;
        of->threads++;
        return;
    }
    struct fth_strace_process *process = fth_new(1, sizeof *process);
    process->threads = 1;
    if (flags & CLONE_FILES) {
        process->table = of->table;
        process->table->users++;
    } else {
        process->table = fth_imported_table_copy(of->table);
    }
    if (flags & CLONE_FS) {
        process->folder = of->folder;
        process->folder->users++;
    } else {
        process->folder =
            new_folder(of->folder->path, strlen(of->folder->path), of->folder->is_known);
    }
    begin_image(log, process, child->pid, of->facts.pid, of->facts.image, time);
    copy_program(&process->facts, &of->facts);
    child->process = process;
}

struct fth_imported_stream *fth_strace_stream(struct fth_strace_log *log,
                                              struct fth_strace_thread *thread, int64_t time)
{
    if (!thread->stream)
        thread->stream = fth_imported_thread(log->run, &thread->process->facts, thread->pid, time);
    return thread->stream;
}

static void end_stream(struct fth_strace_thread *thread)
{
    if (thread->stream)
        fth_imported_stream_close(thread->stream);
    thread->stream = NULL;
    free(thread->bound);
    thread->bound = NULL;
    thread->bound_count = thread->folder = 0;
}

void fth_strace_thread_ends(struct fth_strace_log *log, struct fth_strace_thread *thread,
                            enum fth_spill_end how, int status, int64_t time)
{
    struct fth_strace_process *process = thread->process;
    end_stream(thread);
    fth_bytes_free(&thread->interrupted);
    thread->interrupted = (struct fth_bytes){0};
    log->creating -= thread->creates;
    log->without_return += thread->is_interrupted;
    thread->is_interrupted = thread->creates = false;
    thread->process = NULL;
    if (!process || --process->threads)
        return;
    end_image(log, process, how, status, process->dies ? process->dies : time);
    fth_imported_table_release(process->table);
    release_folder(process->folder);
    free(process);
}

/* ---- programs ---- */

static void other_threads_end(struct fth_strace_log *log, const struct fth_strace_thread *thread,
                              int64_t time)
{
    for (uint32_t i = 0; i < log->pids.count && thread->process->threads > 1; i++)
        if (log->threads[i] != thread && log->threads[i]->process == thread->process)
            fth_strace_thread_ends(log, log->threads[i], FTH_END_UNKNOWN, 0, time);
}

static void own_table(struct fth_strace_process *process)
{
    if (process->table->users > 1) {
        struct fth_imported_table *copy = fth_imported_table_copy(process->table);
        fth_imported_table_release(process->table);
        process->table = copy;
    }
    fth_imported_table_exec(process->table);
}

/* The path of the program, and its arguments. */
static void take_program(struct fth_strace_log *log, struct fth_imported_process *facts,
                         const struct fth_strace_call *call, unsigned path)
{
    uint64_t cut = 0;
    log->scratch.length = 0;
    if (path < call->count && fth_strace_string(call->arguments[path], &log->scratch, &cut))
        facts->exe = fth_text_part((const char *)log->scratch.data, log->scratch.length);
    if (path + 1 < call->count)
        fth_strace_strings(call->arguments[path + 1], &facts->arguments, &cut);
    log->cut_strings += cut;
}

static void forget_image(struct fth_strace_process *process)
{
    free(process->facts.host);
    free(process->facts.exe);
    free(process->facts.directory);
    fth_bytes_free(&process->facts.arguments);
}

/* The first exec of a log that strace started: what was before it was strace itself. */
bool fth_strace_is_start(const struct fth_strace_log *log, const struct fth_strace_thread *thread)
{
    return !log->has_exec && !thread->stream && !thread->process->facts.previous;
}

void fth_strace_exec(struct fth_strace_log *log, struct fth_strace_thread *thread,
                     const struct fth_strace_call *call, int64_t time)
{
    struct fth_strace_process *process = thread->process;
    int64_t parent_pid = process->facts.parent_pid;
    bool is_first = fth_strace_is_start(log, thread);
    uint64_t previous = is_first ? 0 : process->facts.image;
    other_threads_end(log, thread, time);
    end_stream(thread);
    own_table(process);
    if (is_first)
        forget_image(process);
    else
        end_image(log, process, FTH_END_EXEC, 0, time);
    begin_image(log, process, thread->pid, parent_pid, previous, time);
    /* execveat has a folder in front */
    take_program(log, &process->facts, call, call->count > 3 ? 1 : 0);
    if (!log->has_exec)
        fth_bytes_put(&log->imported->command, process->facts.arguments.data,
                      process->facts.arguments.length);
    log->has_exec = true;
}

void fth_strace_processes_close(struct fth_strace_log *log)
{
    for (uint32_t i = 0; i < log->pids.count; i++) {
        struct fth_strace_thread *thread = log->threads[i];
        if (thread->process)
            fth_strace_thread_ends(log, thread, FTH_END_UNKNOWN, 0, log->run->end);
        for (struct fth_strace_kept_line *kept = thread->kept, *next; kept; kept = next) {
            next = kept->next;
            free(kept->text);
            free(kept);
        }
        fth_bytes_free(&thread->interrupted);
        free(thread);
    }
    free(log->threads);
    fth_intern_free(&log->pids);
}
