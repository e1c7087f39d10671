/* Logs of strace: `strace -f -ttt -T -o LOG`, one file for each thread (-ff), paths of descriptors
 * (-y, -yy). Line by line: a call goes to the stream of its thread when it is over. What a log does
 * not tell becomes sentences. */

#include "base/memory.h"
#include "base/phrase.h"
#include "base/sink.h"
#include "import/strace/strace_log.h"
#include "trace/record/builtin.h"

#include <inttypes.h>
#include <stdio.h>

enum { MOST_NAMES = 4096, MOST_KEPT = 256 << 20, LOOKS = 32, NAMED = 6, FIRST = 1 /* pid */ };

/* ---- one line ---- */

static void replay(struct fth_strace_log *log, struct fth_strace_thread *thread);

/* A call is whole: its child may have lines that were kept. */
static int take_call(struct fth_strace_log *log, struct fth_strace_thread *thread,
                     struct fth_strace_text text, int64_t entered)
{
    uint64_t made = log->children_made;
    int result = fth_strace_take_call(log, thread, text, entered);
    for (uint32_t i = 0; log->kept_bytes && made != log->children_made && i < log->pids.count; i++)
        if (log->threads[i]->kept && log->threads[i]->process)
            replay(log, log->threads[i]);
    return result;
}

static int resume(struct fth_strace_log *log, struct fth_strace_thread *thread,
                  struct fth_strace_text rest)
{
    if (!thread->is_interrupted) {
        log->without_beginning++; /* it had begun before the log */
        return 0;
    }
    struct fth_bytes whole = thread->interrupted;
    thread->interrupted = (struct fth_bytes){0};
    thread->is_interrupted = false;
    log->creating -= thread->creates;
    thread->creates = false;
    fth_bytes_put(&whole, rest.at, (size_t)(rest.end - rest.at));
    int result = take_call(
        log, thread,
        (struct fth_strace_text){(const char *)whole.data, (const char *)whole.data + whole.length},
        thread->entered);
    thread->closing = 0;
    if (!thread->is_interrupted && !thread->interrupted.data) {
        whole.length = 0;
        thread->interrupted = whole; /* its memory */
    } else {
        fth_bytes_free(&whole);
    }
    return result;
}

static void interrupt(struct fth_strace_log *log, struct fth_strace_thread *thread,
                      const struct fth_strace_line *line)
{
    log->creating -= thread->creates;
    thread->interrupted.length = 0;
    fth_bytes_put(&thread->interrupted, line->text.at, (size_t)(line->text.end - line->text.at));
    thread->is_interrupted = true;
    thread->entered = line->time;
    fth_strace_begin_call(log, thread, line->text, line->time);
}

/* Another thread of its process has executed a program, and has its number from here on. */
static void supersede(struct fth_strace_log *log, struct fth_strace_thread *thread, int64_t pid,
                      int64_t time)
{
    struct fth_strace_thread *by = fth_strace_thread(log, pid);
    if (by == thread || by->process != thread->process || !by->is_interrupted)
        return;
    struct fth_bytes before = thread->interrupted;
    log->without_return += thread->is_interrupted;
    thread->interrupted = by->interrupted;
    thread->is_interrupted = true;
    thread->entered = by->entered;
    by->interrupted = before;
    by->is_interrupted = false;
    fth_strace_thread_ends(log, by, FTH_END_UNKNOWN, 0, time);
}

static int signal_number(const struct fth_strace_log *log, struct fth_strace_text name)
{
    return (int)fth_strace_flags(log->catalog, fth_strace_flags_named(log->catalog, "signal"),
                                 name) &
           0x7f;
}

/* -1: it is none. */
static int take(struct fth_strace_log *log, struct fth_strace_thread *thread,
                const struct fth_strace_line *line)
{
    if (line->time > log->run->end)
        log->run->end = line->time;
    if (line->kind == FTH_STRACE_SIGNALLED)
        thread->signalled = line->time;
    else if (line->kind != FTH_STRACE_EXITED && line->kind != FTH_STRACE_KILLED)
        thread->signalled = 0;
    switch (line->kind) {
    case FTH_STRACE_CALL:
        return take_call(log, thread, line->text, line->time);
    case FTH_STRACE_UNFINISHED:
        interrupt(log, thread, line);
        return 0;
    case FTH_STRACE_RESUMED:
        return resume(log, thread, line->text);
    case FTH_STRACE_EXITED:
        fth_strace_thread_ends(log, thread, FTH_END_EXIT, (int)line->number, line->time);
        return 0;
    case FTH_STRACE_KILLED:
        if (thread->process && !thread->process->dies)
            thread->process->dies = thread->signalled ? thread->signalled : log->killed_others;
        fth_strace_thread_ends(log, thread, FTH_END_SIGNAL, signal_number(log, line->text),
                               line->time);
        return 0;
    case FTH_STRACE_SUPERSEDED:
        supersede(log, thread, line->number, line->time);
        return 0;
    default:
        return 0;
    }
}

/* ---- whose line is it? ---- */

static void keep(struct fth_strace_log *log, struct fth_strace_thread *thread,
                 const struct fth_strace_line *line)
{
    size_t length = (size_t)(line->text.end - line->text.at);
    struct fth_strace_kept_line *kept = fth_new(1, sizeof *kept);
    kept->line = *line;
    kept->text = fth_new(length + 1, 1);
    if (length) /* zeros may be among them */
        memcpy(kept->text, line->text.at, length);
    kept->line.text = (struct fth_strace_text){kept->text, kept->text + length};
    *thread->kept_end = kept;
    thread->kept_end = &kept->next;
    log->kept_bytes += sizeof *kept + length;
}

static void replay(struct fth_strace_log *log, struct fth_strace_thread *thread)
{
    struct fth_strace_kept_line *next;
    struct fth_strace_kept_line *first = thread->kept;
    thread->kept = NULL;
    thread->kept_end = &thread->kept;
    for (struct fth_strace_kept_line *kept = first; kept; kept = next) {
        next = kept->next;
        log->kept_bytes -= sizeof *kept + (size_t)(kept->line.text.end - kept->line.text.at);
        if (thread->process && take(log, thread, &kept->line))
            log->cut_lines++;
        free(kept->text);
        free(kept);
    }
}

static struct fth_strace_thread *only_creator(const struct fth_strace_log *log)
{
    for (uint32_t i = 0; i < log->pids.count; i++)
        if (log->threads[i]->creates && log->threads[i]->process)
            return log->threads[i];
    return NULL;
}

/* A new thread is the child of one that is in a clone, or was there before the log. False: it is
 * not known yet of which. */
static bool find_parent(struct fth_strace_log *log, struct fth_strace_thread *thread, int64_t time)
{
    struct fth_strace_thread *parent = log->creating == 1 ? only_creator(log) : NULL;
    if (log->creating > 1 && log->kept_bytes < MOST_KEPT)
        return false;
    if (!parent) {
        fth_strace_adopt(log, thread, time);
        return true;
    }
    struct fth_bytes whole = {0};
    struct fth_strace_call call;
    int64_t flags = 0;
    fth_bytes_put(&whole, parent->interrupted.data, parent->interrupted.length);
    fth_bytes_put(&whole, ") = 0", 5);
    struct fth_strace_text text = {(const char *)whole.data,
                                   (const char *)whole.data + whole.length};
    if (fth_strace_call_read(text, &call))
        flags = fth_strace_clone_flags(log, &call);
    fth_strace_born(log, parent, thread, flags, parent->entered);
    fth_bytes_free(&whole);
    return true;
}

/* Strace writes no number while there is one thread only. When a number comes that nobody can have
 * made, it is that of this thread. */
static void name_first(struct fth_strace_log *log, int64_t pid)
{
    uint32_t number;
    if (log->creating || fth_intern_find(&log->pids, &pid, sizeof pid, &number))
        return;
    fth_strace_rename(log, log->unnamed, pid);
    log->unnamed = NULL;
}

/* Lines without a number are of the one thread that there is. */
static int64_t pid_of(struct fth_strace_log *log, const struct fth_strace_line *line, int64_t file)
{
    const struct fth_strace_thread *only = NULL;
    if (line->pid >= 0 || file >= 0) {
        log->has_pids = true;
        if (log->unnamed && log->unnamed->process)
            name_first(log, line->pid);
        return line->pid >= 0 ? line->pid : file;
    }
    for (uint32_t i = 0; i < log->pids.count; i++)
        only = log->threads[i]->process ? log->threads[i] : only;
    if (only)
        return only->pid;
    log->unnamed = fth_strace_thread(log, FIRST);
    return FIRST;
}

static int take_line(struct fth_strace_log *log, const struct fth_strace_line *line, int64_t file)
{
    struct fth_strace_thread *thread = fth_strace_thread(log, pid_of(log, line, file));
    bool is_end = line->kind == FTH_STRACE_EXITED || line->kind == FTH_STRACE_KILLED ||
                  line->kind == FTH_STRACE_SIGNALLED || line->kind == FTH_STRACE_NOTHING;
    if (thread->kept) {
        keep(log, thread, line);
        return 0;
    }
    if (!thread->process && is_end && !log->creating)
        return 0;
    if (!thread->process && !find_parent(log, thread, line->time)) {
        keep(log, thread, line);
        return 0;
    }
    return take(log, thread, line);
}

/* ---- the whole ---- */

static int fail_at(const struct fth_strace_lines *lines, struct fth_error **error,
                   const char *trouble)
{
    uint64_t number;
    bool is_cut;
    const char *file = fth_strace_lines_file(lines, &number, &is_cut);
    return fth_fail(error, "%s:%" PRIu64 ": %s", file, number, trouble);
}

/* 0: it is one, or the last one and cut off. */
static int check_kind(struct fth_strace_log *log, const struct fth_strace_lines *lines,
                      const struct fth_strace_line *line, struct fth_error **error)
{
    uint64_t number;
    bool is_cut;
    switch (line->kind) {
    case FTH_STRACE_UNTIMED:
        return fail_at(lines, error, "the line has no time; use strace -ttt -T");
    case FTH_STRACE_RELATIVE:
        return fail_at(lines, error,
                       "the line has a relative time (-r), which does not order threads; use "
                       "strace -ttt -T");
    case FTH_STRACE_COARSE:
        return fail_at(lines, error,
                       "the line has a time in whole seconds (-t); use strace -ttt -T");
    case FTH_STRACE_FOREIGN:
        fth_strace_lines_file(lines, &number, &is_cut);
        if (!is_cut || number == 1)
            return fail_at(lines, error, "this is no line of strace -f -ttt -T");
        log->cut_lines++;
        return 0;
    default:
        return 0;
    }
}

/* Where strace writes to a terminal or pipe, "strace: Process 17 attached" and the end of its line
 * stand in the middle of a call: what was before waits for the next line. */
static bool is_torn(struct fth_strace_log *log, struct fth_strace_text *text)
{
    static const char word[] = "strace: Process ";
    if (log->torn.length) {
        fth_bytes_put(&log->torn, text->at, (size_t)(text->end - text->at));
        *text = (struct fth_strace_text){(const char *)log->torn.data,
                                         (const char *)log->torn.data + log->torn.length};
        log->torn.length = 0;
        return false;
    }
    if (text->end - text->at < 9 || memcmp(text->end - 9, " attached", 9) != 0)
        return false;
    const char *at = memmem(text->at, (size_t)(text->end - text->at), word, sizeof word - 1);
    if (!at || at == text->at || memchr(at, '"', (size_t)(text->end - at)))
        return false;
    fth_bytes_put(&log->torn, text->at, (size_t)(at - text->at));
    return true;
}

static int take_text(struct fth_strace_log *log, struct fth_strace_lines *lines,
                     struct fth_strace_text text, int64_t file, struct fth_error **error)
{
    struct fth_strace_line line;
    uint64_t number;
    bool is_cut;
    if (log->has_summary || is_torn(log, &text))
        return 0;
    fth_strace_line_read(text, &line);
    log->has_summary = line.kind == FTH_STRACE_SUMMARY;
    if (log->has_summary)
        return 0;
    if (check_kind(log, lines, &line, error))
        return -1;
    if (line.kind == FTH_STRACE_FOREIGN || (line.kind == FTH_STRACE_NOTHING && !line.time))
        return 0;
    if (line.is_of_day) {
        line.time = fth_strace_lines_of_day(lines, line.time);
        log->is_of_day = true;
    }
    if (!log->run->start)
        log->run->start = line.time ? line.time : 1;
    if (line.time - log->run->start > FTH_STRACE_LONGEST)
        return fail_at(lines, error,
                       "the time is more than ten years after that of the first line");
    if (take_line(log, &line, file) == 0)
        return log->names.count <= MOST_NAMES
                   ? 0
                   : fail_at(lines, error, "there are not so many system calls as this log has");
    fth_strace_lines_file(lines, &number, &is_cut);
    if (is_cut) { /* strace was killed while it wrote */
        log->cut_lines++;
        return 0;
    }
    return fail_at(lines, error, "this call of strace is damaged");
}

static int take_all(struct fth_strace_log *log, struct fth_strace_lines *lines,
                    struct fth_progress *progress, struct fth_error **error)
{
    struct fth_strace_text text;
    int64_t file;
    uint64_t before = 0, now;
    int got;
    progress->total = fth_strace_lines_bytes(lines, &before);
    while ((got = fth_strace_lines_next(lines, &text, &file, error)) > 0) {
        if (take_text(log, lines, text, file, error) || log->run->folder.failed)
            return -1;
        fth_strace_lines_bytes(lines, &now);
        if (now != before)
            fth_progress_add(progress, now - before);
        before = now;
    }
    if (got < 0)
        return -1;
    for (uint32_t i = 0; i < log->pids.count; i++)
        if (log->threads[i]->kept) {
            fth_strace_adopt(log, log->threads[i], log->threads[i]->kept->line.time);
            replay(log, log->threads[i]);
        }
    return log->imported->calls ? 0 : fth_fail(error, "the log has no call that Fathom knows");
}

/* ---- what it does not tell ---- */

static const struct fth_strace_log *sorted_log;
static int most_first(const void *one, const void *other)
{
    uint64_t a = sorted_log->named[*(const uint32_t *)one].left_out,
             b = sorted_log->named[*(const uint32_t *)other].left_out;
    return a > b ? -1 : a < b;
}

static void say_left_out(const struct fth_strace_log *log)
{
    uint64_t all = 0;
    uint32_t *order = fth_new(log->names.count + 1, sizeof *order), count = 0;
    for (uint32_t i = 0; i < log->names.count; i++) {
        all += log->named[i].left_out;
        if (log->named[i].left_out)
            order[count++] = i;
    }
    sorted_log = log;
    qsort(order, count, sizeof *order, most_first);
    struct fth_sink names;
    fth_sink_open_memory(&names);
    for (uint32_t i = 0; i < count && i < NAMED; i++) {
        size_t length;
        const uint8_t *name = fth_interned(&log->names, order[i], &length);
        fth_sink_text(&names, i ? ", " : "");
        fth_sink_bytes(&names, (const char *)name, length);
    }
    fth_sink_text(&names, count > NAMED ? ", ..." : "");
    fth_sink_char(&names, 0);
    if (count)
        fth_imported_unseen(
            log->imported,
            fth_text_format("%s without a function in the catalogue: %s",
                            fth_phrase_several(all, "system call", "system calls").text,
                            names.bytes));
    fth_sink_close_memory(&names);
    free(order);
}

/* What it reads and writes does not pass through calls. */
static void say_io_uring(const struct fth_strace_log *log)
{
    static const char name[] = "io_uring_enter";
    uint32_t number;
    if (!fth_intern_find(&log->names, name, sizeof name - 1, &number) ||
        !log->named[number].left_out)
        return;
    fth_imported_unseen(
        log->imported,
        fth_text_format("what was read and written by io_uring (%s of io_uring_enter): strace does "
                        "not see it",
                        fth_phrase_several(log->named[number].left_out, "call", "calls").text));
}

static void say_times(struct fth_strace_log *log)
{
    if (log->without_duration)
        fth_imported_unseen(
            log->imported,
            fth_text_format("how long %s took: strace -T writes it",
                            fth_phrase_several(log->without_duration, "call", "calls").text));
    if (log->is_of_day)
        fth_imported_unseen(log->imported,
                            fth_text_copy("the date of the run: strace -ttt writes it"));
}

static void say_unseen(struct fth_strace_log *log)
{
    struct fth_imported *imported = log->imported;
    uint64_t lost = log->without_return + log->without_beginning + log->cut_lines;
    fth_imported_unseen(
        imported,
        fth_text_copy(
            "a log of strace: system calls only. Calls of libraries, accesses to mapped memory and "
            "locks of threads are not in it, nor are calls that strace has left out (-e, -z): "
            "the log does not say which. strace stops a program at each call, so times are longer "
            "than without it"));
    if (log->reopened)
        fth_imported_unseen(
            imported,
            fth_text_format("%s opened again without a close in the log, so strace has left out "
                            "calls (-e): files and file positions may be wrong",
                            fth_phrase_several(log->reopened, "descriptor", "descriptors").text));
    if (log->named_files)
        fth_imported_unseen(
            imported,
            fth_text_format("which file the names of %s lead to: two names (links) may be of one, "
                            "and count as two files; strace -y writes it",
                            fth_phrase_several(log->named_files, "open", "opens").text));
    if (!log->has_exec)
        fth_imported_unseen(imported, fth_text_copy("no program begins in the log: what was open "
                                                    "before is not known"));
    if (!log->has_pids && log->children_made)
        fth_imported_unseen(
            imported,
            fth_text_format("%s without lines in the log: strace -f follows them",
                            fth_phrase_several(log->children_made, "child", "children").text));
    if (log->cut_strings)
        fth_imported_unseen(
            imported,
            fth_text_format(
                "%s cut off by strace (-s sets their length)",
                fth_phrase_several(log->cut_strings, "argument is", "arguments are").text));
    if (lost)
        fth_imported_unseen(imported,
                            fth_text_format("%s of which the log has only the beginning or the end",
                                            fth_phrase_several(lost, "call", "calls").text));
    say_io_uring(log);
    say_left_out(log);
    say_times(log);
}

/* ---- the importer ---- */

static int import(const char *path, struct fth_imported_run *run, struct fth_imported *imported,
                  struct fth_progress *progress, struct fth_error **error)
{
    struct fth_strace_log log = {
        .run = run, .imported = imported, .catalog = fth_builtin_catalog(), .error = error};
    struct fth_strace_lines *lines = fth_strace_lines_open(path, error);
    if (!lines)
        return -1;
    fth_bytes_room(&log.scratch, 1); /* an empty text has an address, too */
    int result = take_all(&log, lines, progress, error);
    fth_strace_lines_close(lines);
    fth_strace_processes_close(&log);
    say_unseen(&log);
    fth_intern_free(&log.names);
    free(log.named);
    fth_bytes_free(&log.scratch);
    fth_bytes_free(&log.torn);
    return result || run->folder.failed ? -1 : 0;
}

/* One of the first lines is one of strace; all are text. */
static bool knows(const char *path)
{
    struct fth_strace_text text;
    struct fth_strace_line line;
    int64_t file;
    bool found = false;
    bool is_text = true;
    struct fth_strace_lines *lines = fth_strace_lines_open(path, NULL);
    for (int i = 0; lines && is_text && i < LOOKS; i++) {
        if (fth_strace_lines_next(lines, &text, &file, NULL) <= 0)
            break;
        is_text = !memchr(text.at, 0, (size_t)(text.end - text.at));
        fth_strace_line_read(text, &line);
        found = found || (line.kind != FTH_STRACE_FOREIGN && line.kind != FTH_STRACE_NOTHING &&
                          line.kind != FTH_STRACE_SUMMARY);
    }
    if (lines)
        fth_strace_lines_close(lines);
    return found && is_text;
}

const struct fth_importer fth_importer_strace = {
    .name = "strace",
    .help = "A log of strace -f -ttt -T, of -ff, with or without -y",
    .knows = knows,
    .import = import,
};
