/* The spill folder of a run: its name, the files in it, and the processes that these describe. */
#include "base/memory.h"
#include "base/text.h"
#include "base/path_text.h"
#include "base/phrase.h"
#include "base/sink.h"
#include "cmd/run/run.h"
#include "base/own_folder.h"
#include "trace/record/tunable_page.h"
#include "trace/record/watched_file.h"
#include "trace/record/spill.h"
#include "trace/spill/late_processes.h"
#include "trace/spill/sample_files.h"
#include "trace/spill/spill_files.h"
#include "trace/spill/spill_memory.h"
#include "views/output/display_text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    LONGEST_SPILL = 200, /* the tracer keeps it in a fixed place */
    PATIENCE = 100,      /* ms for processes that are about to end */
    BETWEEN_LOOKS = 5,   /* ms */
    MOST_LATE = 100,     /* times that a spill folder is emptied again */
};

/* ---- the spill folder ---- */

void fth_run_forget_spill(struct fth_cmd_run *run)
{
    free(run->spill);
    free(run->parts);
    run->spill = run->parts = NULL;
}

static void name_parts(struct fth_cmd_run *run)
{
    const char *name = strrchr(run->spill, '-') + 1;
    run->parts = fth_text_format("%s.%s.part", run->output, name);
}

const char *fth_run_default_parent(void)
{
    const char *parent = getenv("TMPDIR");
    return parent && *parent ? parent : "/tmp";
}

int fth_run_name_spill(struct fth_cmd_run *run, const char *parent, const char *name,
                       struct fth_error **error)
{
    if (!parent)
        parent = fth_run_default_parent();
    char *path = fth_text_format("%s/fathom-%s", parent, name);
    run->spill = fth_path_absolute(path);
    free(path);
    if (run->spill && strlen(run->spill) <= LONGEST_SPILL) {
        name_parts(run);
        return 0;
    }
    fth_fail(error, "cannot make a spill folder in '%s'%s", parent,
             run->spill ? ": its name is too long" : "");
    fth_run_forget_spill(run);
    return -1;
}

int fth_run_make_spill(struct fth_cmd_run *run, const char *parent, struct fth_error **error)
{
    if (fth_run_name_spill(run, parent, "XXXXXX", error))
        return -1;
    free(run->parts);
    run->parts = NULL;
    if (!mkdtemp(run->spill)) {
        fth_fail_errno(error, "cannot make a spill folder in '%.*s'",
                       (int)(strrchr(run->spill, '/') - run->spill), run->spill);
        fth_run_forget_spill(run);
        return -1;
    }
    name_parts(run);
    return 0;
}

void fth_run_make_unkept(const struct fth_cmd_run *run)
{
    char *path = fth_run_path_in_spill(run->spill, FTH_SPILL_UNKEPT);
    int file = path ? open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600) : -1;
    if (file >= 0) {
        if (posix_fallocate(file, 0, FTH_SPILL_PAGE) != 0)
            unlink(path); /* a program that maps it must find its room */
        close(file);
    }
    free(path);
}

char *fth_run_path_in_spill(const char *spill, const char *name)
{
    return fth_text_format("%s/%s", spill, name);
}

bool fth_run_is_recorded(const char *name)
{
    return fth_text_ends(name, ".process") || fth_text_ends(name, ".stream") ||
           fth_text_ends(name, ".sealed") || fth_text_ends(name, ".sums") ||
           fth_text_ends(name, ".watched") || fth_text_ends(name, FTH_SAMPLES_ENDING) ||
           fth_text_ends(name, ".mounts");
}

bool fth_run_is_spill_file(const char *name)
{
    return fth_run_is_recorded(name) ||
           fth_text_ends(name, ".world") || /* where ranks of a node counted themselves */
           fth_text_ends(name, FTH_SAMPLES_ENDING ".tmp") || fth_text_ends(name, ".sampling") ||
           fth_text_ends(name, ".stop") || strcmp(name, FTH_RUN_TRACER) == 0 ||
           strcmp(name, FTH_RUN_JSON) == 0 || strcmp(name, FTH_SPILL_UNKEPT) == 0 ||
           strcmp(name, FTH_SPILL_SHARED) == 0 || strcmp(name, FTH_WATCH_PAGE) == 0 ||
           strcmp(name, FTH_TUNABLE_PAGE) == 0;
}

static void visit_place(const char *path,
                        void (*visit)(int folder, const char *name, void *context), void *context)
{
    int opened = fth_own_folder(AT_FDCWD, path, NULL);
    DIR *folder = opened < 0 ? NULL : fdopendir(opened);
    if (!folder && opened >= 0)
        close(opened);
    if (!folder)
        return;
    for (struct dirent *entry; (entry = readdir(folder));)
        if (fth_run_is_spill_file(entry->d_name))
            visit(dirfd(folder), entry->d_name, context);
    closedir(folder);
}

/* Calls `visit` for each file that recording has made, on disk and in memory. */
static void visit_spill(const struct fth_cmd_run *run,
                        void (*visit)(int folder, const char *name, void *context), void *context)
{
    char *memory = fth_spill_memory_of(run->spill);
    if (memory)
        visit_place(memory, visit, context);
    free(memory);
    visit_place(run->spill, visit, context);
}

static void remove_file(int folder, const char *name, void *context)
{
    (void)context;
    unlinkat(folder, name, 0);
}

void fth_run_remove_spill(const struct fth_cmd_run *run)
{
    int folder = fth_own_folder(AT_FDCWD, run->spill, NULL);
    /* First what makes it a recording: whoever is killed here leaves nothing that merges to a trace
     * in which calls are missing. */
    if (folder >= 0)
        unlinkat(folder, FTH_RUN_JSON, 0);
    visit_spill(run, remove_file, NULL);
    if (folder >= 0) {
        unlinkat(folder, "records", 0); /* of ranks: last, as others come by it */
        close(folder);
    }
    fth_spill_memory_remove(run->spill);
    /* Who was started by what ended, and comes only now, may put its files there meanwhile. */
    for (int again = 0; rmdir(run->spill) != 0 && errno == ENOTEMPTY && again < MOST_LATE;
         again++) {
        visit_spill(run, remove_file, NULL);
        fth_spill_memory_remove(run->spill);
    }
}

/* ---- small files ---- */

void fth_run_use_memory(struct fth_cmd_run *run)
{
    run->least_memory = fth_spill_memory_make(run->spill);
}

static bool copy_bytes(int from, int to)
{
    char bytes[16384];
    ssize_t length;
    while ((length = read(from, bytes, sizeof bytes)) > 0)
        if (write(to, bytes, (size_t)length) != length)
            return false;
    return length == 0;
}

/* What cannot be copied stays where it is, and the link leads there. */
static void move_to_disk(int memory, const char *name, void *disk)
{
    int folder = *(int *)disk;
    int from = openat(memory, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    int to = from < 0
                 ? -1
                 : openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    bool copied = to >= 0 && copy_bytes(from, to);
    if (from >= 0)
        close(from);
    if (to >= 0)
        close(to);
    if (to >= 0)
        unlinkat(copied ? memory : folder, name, 0);
}

void fth_run_leave_memory(const struct fth_cmd_run *run)
{
    char *memory = fth_spill_memory_of(run->spill);
    int disk = memory ? fth_own_folder(AT_FDCWD, run->spill, NULL) : -1;
    if (disk >= 0) {
        visit_place(memory, move_to_disk, &disk);
        close(disk);
        fth_spill_memory_remove(run->spill);
    }
    free(memory);
}

static void add_blocks(int folder, const char *name, void *context)
{
    struct stat status;
    if (fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0)
        *(uint64_t *)context += (uint64_t)status.st_blocks * 512;
}

uint64_t fth_run_spill_bytes(const struct fth_cmd_run *run)
{
    uint64_t bytes = 0;
    visit_spill(run, add_blocks, &bytes);
    return bytes;
}

/* ---- processes ---- */

static bool read_process(int folder, const char *name, struct fth_spill_process *process)
{
    int file = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    ssize_t length = file < 0 ? -1 : read(file, process, sizeof *process);
    if (file >= 0)
        close(file);
    return length == (ssize_t)sizeof *process && process->magic == FTH_SPILL_PROCESS_MAGIC;
}

/* The pid of the process that this file describes, if it runs and has not become another image;
 * else 0. */
static pid_t living(int folder, const char *name)
{
    struct fth_spill_process process;
    bool alive = fth_text_ends(name, ".process") && read_process(folder, name, &process) &&
                 process.ended != FTH_END_EXEC && process.ended != FTH_END_DETACHED &&
                 fth_process_is_alive(process.pid);
    return alive ? (pid_t)process.pid : 0;
}

static void look_for_living(int folder, const char *name, void *context)
{
    bool *found = context;
    *found = *found || living(folder, name);
}

struct visit {
    void (*visit)(pid_t pid, void *context);
    void *context;
};

static void visit_if_living(int folder, const char *name, void *context)
{
    const struct visit *visit = context;
    pid_t pid = living(folder, name);
    if (pid)
        visit->visit(pid, visit->context);
}

void fth_run_visit_living(const struct fth_cmd_run *run, void (*visit)(pid_t pid, void *context),
                          void *context)
{
    struct visit living_ones = {visit, context};
    visit_spill(run, visit_if_living, &living_ones);
}

bool fth_run_goes_on(const struct fth_cmd_run *run)
{
    bool found = false;
    visit_spill(run, look_for_living, &found);
    return found;
}

/* ---- between two images ---- */

struct successor {
    uint64_t image;
    int64_t pid;
    bool found;
};

static void look_for_successor(int folder, const char *name, void *context)
{
    struct successor *successor = context;
    struct fth_spill_process process;
    successor->found = successor->found ||
                       (fth_text_ends(name, ".process") && read_process(folder, name, &process) &&
                        process.previous == successor->image && process.pid == successor->pid);
}

struct becoming {
    const struct fth_cmd_run *run;
    bool found;
};

static void look_for_becoming(int folder, const char *name, void *context)
{
    struct becoming *becoming = context;
    struct fth_spill_process process;
    if (becoming->found || !fth_text_ends(name, ".process") ||
        !read_process(folder, name, &process) || process.ended != FTH_END_EXEC ||
        !fth_process_is_alive(process.pid))
        return;
    struct successor successor = {.image = process.image, .pid = process.pid};
    visit_spill(becoming->run, look_for_successor, &successor);
    becoming->found = !successor.found;
}

bool fth_run_becomes_another(const struct fth_cmd_run *run)
{
    struct becoming becoming = {.run = run};
    visit_spill(run, look_for_becoming, &becoming);
    return becoming.found;
}

/* ---- before the first call ---- */

struct known {
    int64_t pid;
    bool found;
};

static void look_for_known(int folder, const char *name, void *context)
{
    struct known *known = context;
    struct fth_spill_process process;
    known->found =
        known->found || (fth_text_ends(name, ".process") && read_process(folder, name, &process) &&
                         process.pid == known->pid && process.ended != FTH_END_EXEC);
}

static bool is_known(int64_t pid, const void *run)
{
    struct known known = {.pid = pid};
    visit_spill(run, look_for_known, &known);
    return known.found;
}

/* Is there a process that has not come to its first call? */
static bool has_late(const struct fth_cmd_run *run)
{
    struct fth_late_processes late;
    fth_late_processes_find(&late, run->spill, is_known, run);
    free(late.pids);
    return late.count > 0;
}

void fth_run_wait_for_stragglers(struct fth_cmd_run *run)
{
    const struct timespec pause = {.tv_nsec = BETWEEN_LOOKS * 1000000};
    for (int waited = 0; waited < PATIENCE; waited += BETWEEN_LOOKS) {
        /* Who is late in one look may have its file, and have ended, by the next one. */
        run->is_over = !fth_run_goes_on(run) && !fth_run_becomes_another(run) && !has_late(run) &&
                       !fth_run_goes_on(run);
        if (run->is_over)
            return;
        nanosleep(&pause, NULL);
    }
}

struct killed {
    int64_t pid;
    int signal_number;
};

static void note_killed(int folder, const char *name, void *context)
{
    const struct killed *killed = context;
    struct fth_spill_process process;
    if (!fth_text_ends(name, ".process") || !read_process(folder, name, &process) ||
        process.pid != killed->pid || process.ended == FTH_END_EXEC)
        return;
    process.ended = FTH_END_SIGNAL;
    process.status = killed->signal_number;
    int file = openat(folder, name, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0)
        return;
    /* What was mapped stays as it is, but for these two. */
    if (pwrite(file, &process.ended, sizeof process.ended,
               offsetof(struct fth_spill_process, ended)) < 0 ||
        pwrite(file, &process.status, sizeof process.status,
               offsetof(struct fth_spill_process, status)) < 0)
        errno = 0; /* the trace will not say what ended the process */
    close(file);
}

void fth_run_note_killed(const struct fth_cmd_run *run, int64_t pid, int signal_number)
{
    struct killed killed = {pid, signal_number};
    visit_spill(run, note_killed, &killed);
}

/* ---- when it was last at work ---- */

static void take_latest(int folder, const char *name, void *context)
{
    struct stat status;
    int64_t *latest = context;
    if (fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0)
        return;
    int64_t changed = status.st_mtim.tv_sec * INT64_C(1000000000) + status.st_mtim.tv_nsec;
    if (changed > *latest)
        *latest = changed;
}

static void take_end_of_process(int folder, const char *name, void *context)
{
    struct fth_spill_process process;
    int64_t *latest = context;
    take_latest(folder, name, context);
    if (fth_text_ends(name, ".process") && read_process(folder, name, &process) &&
        process.last.realtime > *latest)
        *latest = process.last.realtime;
}

int64_t fth_run_last_sign(const struct fth_cmd_run *run)
{
    int64_t latest = 0;
    visit_spill(run, take_end_of_process, &latest);
    return latest;
}

/* ---- those that are left ---- */

static void count_file(int folder, const char *name, void *context)
{
    (void)folder;
    (void)name;
    ++*(size_t *)context;
}

/* " FOLDER", where small files are in memory. */
static void put_memory(struct fth_sink *sink, const struct fth_cmd_run *run)
{
    char *memory = fth_spill_memory_of(run->spill);
    if (!memory)
        return;
    fth_sink_char(sink, ' ');
    fth_views_put_argument(sink, memory);
    free(memory);
}

char *fth_run_remains(const struct fth_cmd_run *run)
{
    size_t files = 0;
    struct fth_sink sink;
    visit_spill(run, count_file, &files);
    if (!files)
        return NULL;
    fth_sink_open_memory(&sink);
    fth_sink_text(&sink, FTH_RUN_JSON ", which describes the recording, is missing, so no trace "
                                      "can be made; left of the recording: ");
    fth_sink_text(&sink, fth_phrase_several(files, "file", "files").text);
    fth_sink_text(&sink, ", ");
    fth_sink_text(&sink, fth_phrase_bytes(fth_run_spill_bytes(run)).text);
    if (fth_run_goes_on(run)) {
        fth_sink_text(&sink, "; processes still write into them");
    } else {
        fth_sink_text(&sink, "; to remove them, if no `fathom record` uses them: rm -r ");
        fth_views_put_argument(&sink, run->spill);
        put_memory(&sink, run);
    }
    fth_sink_char(&sink, 0);
    char *sentence = sink.failed ? NULL : fth_text_copy(sink.bytes);
    fth_sink_close_memory(&sink);
    return sentence;
}

bool fth_run_is_of_recording(const struct fth_cmd_run *run)
{
    size_t files = 0;
    if (run->spill)
        visit_spill(run, count_file, &files);
    return files > 0;
}
