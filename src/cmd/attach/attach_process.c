/* Has a running process load the tracer, and asks the tracer to begin or to end
 * (capture/attach_running.c), in a thread that is borrowed for it. */
#include "cmd/attach/attach_process.h"

#include "cmd/attach/borrow.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define TRACER "libfathom.so"

enum { TRIES = 100 }; /* while a thread is in the middle of recording a call */

static const char *say(int error)
{
    switch (error) {
    case EBUSY:
        return "it is already being recorded (`fathom detach` ends that)";
    case EPERM:
        return "it was started by `fathom record`, which ends with the program";
    case ESRCH:
        return "it is not being recorded";
    case EIO:
        return "the tracer could not start there; check that the process may write into the spill "
               "folder";
    }
    return strerror(error);
}

/* ---- loading ---- */

/* Another root, or another view of the file systems (a container), may hide the tracer, or show
 * another one. */
static int check_view(pid_t pid, const char *path, struct fth_error **error)
{
    char theirs[PATH_MAX + 64];
    struct stat ours, seen;
    snprintf(theirs, sizeof theirs, "/proc/%d/root%s", (int)pid, path);
    if (stat(path, &ours) != 0)
        return fth_fail_errno(error, "cannot find '%s'", path);
    if (stat(theirs, &seen) != 0 || seen.st_ino != ours.st_ino || seen.st_dev != ours.st_dev)
        return fth_fail(error,
                        "process %d has another root or runs in a container, and cannot see '%s': "
                        "use a Fathom that is installed there",
                        (int)pid, path);
    return 0;
}

/* In libc since 2.34; before in libdl, if the program has that, or under a name of libc's own. */
static uint64_t find_dlopen(const struct fth_borrowed *borrowed)
{
    static const char *const places[][2] = {{"libc.so.6", "dlopen"},
                                            {"libdl.so.2", "dlopen"},
                                            {"libdl-2.", "dlopen"},
                                            {"libc-2.", "__libc_dlopen_mode"},
                                            {"libc.so.6", "__libc_dlopen_mode"}};
    uint64_t found = 0;
    for (size_t i = 0; i < sizeof places / sizeof *places && !found; i++)
        found = fth_borrow_find(borrowed, places[i][0], places[i][1]);
    return found;
}

/* As many files open as it may have? */
static bool has_no_descriptor_left(pid_t pid)
{
    char name[64];
    struct rlimit limit;
    uint64_t open_files = 0;
    snprintf(name, sizeof name, "/proc/%d/fd", (int)pid);
    DIR *folder = opendir(name);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        open_files += *entry->d_name != '.';
    if (folder)
        closedir(folder);
    return prlimit(pid, RLIMIT_NOFILE, NULL, &limit) == 0 && open_files >= limit.rlim_cur;
}

static int load(struct fth_borrowed *borrowed, const char *library, struct fth_error **error)
{
    uint64_t load_it = find_dlopen(borrowed), handle = 0;
    if (!load_it)
        return fth_fail(error, "the C library of process %d has no dlopen", (int)borrowed->pid);
    if (fth_borrow(borrowed, error))
        return -1;
    int result = fth_borrow_call(borrowed, load_it, library, strlen(library) + 1,
                                 RTLD_NOW | RTLD_LOCAL, &handle, error);
    fth_borrow_end(borrowed);
    if (result)
        return -1;
    if (!handle && has_no_descriptor_left(borrowed->pid))
        return fth_fail(error,
                        "process %d has reached its limit of open files, and needs one more for a "
                        "moment: raise the limit (prlimit --nofile=NUMBER --pid %d)",
                        (int)borrowed->pid, (int)borrowed->pid);
    return handle ? 0
                  : fth_fail(error,
                             "process %d cannot load '%s'; check that it may read the file, and "
                             "that its C library is not older than the tracer's",
                             (int)borrowed->pid, library);
}

/* ---- calling the tracer ---- */

static int call_once(struct fth_borrowed *borrowed, const char *function, const void *text,
                     size_t length, uint64_t *result, struct fth_error **error)
{
    uint64_t address = fth_borrow_find(borrowed, TRACER, function);
    if (!address)
        return fth_fail(error,
                        "the tracer in process %d belongs to another version of Fathom: detach "
                        "with that version",
                        (int)borrowed->pid);
    if (fth_borrow(borrowed, error))
        return -1;
    int done = fth_borrow_call(borrowed, address, text, length, length, result, error);
    fth_borrow_end(borrowed);
    return done;
}

static int call_tracer(struct fth_borrowed *borrowed, const char *function, const void *text,
                       size_t length, struct fth_error **error)
{
    uint64_t result = EAGAIN;
    for (int i = 0; i < TRIES && (int)result == EAGAIN; i++) {
        const struct timespec pause = {.tv_nsec = i ? 1000000 : 0};
        nanosleep(&pause, NULL);
        if (call_once(borrowed, function, text, length, &result, error))
            return -1;
    }
    return (int)result ? fth_fail(error, "process %d: %s", (int)borrowed->pid, say((int)result))
                       : 0;
}

/* ---- in a process of its own ---- */

struct job {
    pid_t pid;
    const char *library, *settings;
    size_t length;
};
typedef int task(const struct job *job, struct fth_error **error);

static void work_and_end(task *does, const struct job *job, int to)
{
    struct fth_error *error = NULL;
    setsid();
    bool failed = does(job, &error) != 0;
    const char *text = failed ? fth_error_text(error) : "";
    bool is_written = write(to, text, strlen(text)) == (ssize_t)strlen(text);
    _exit(failed || !is_written);
}

/* Who borrows must not be interrupted, and must end soon: a thread that could not be stopped, since
 * it is in the kernel for long, is free again when its tracer has ended. So a child does it, which
 * no signal from a terminal reaches, and which goes on if we are killed. */
static int in_child(task *does, const struct job *job, struct fth_error **error)
{
    int ends[2], status;
    char text[4096];
    size_t length = 0;
    ssize_t got;
    sigset_t all, before;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return fth_fail_errno(error, "cannot make a pipe");
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    pid_t child = fork();
    if (child == 0)
        work_and_end(does, job, ends[1]);
    close(ends[1]);
    while (child > 0 && length < sizeof text - 1 &&
           (got = read(ends[0], text + length, sizeof text - 1 - length)) > 0)
        length += (size_t)got;
    text[length] = 0;
    close(ends[0]);
    bool ended = child > 0 && waitpid(child, &status, 0) == child;
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (!ended)
        return fth_fail_errno(error, "cannot start a process");
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return 0;
    return fth_fail(error, "%s", length ? text : "the process that attaches to it was killed");
}

/* ---- the whole ---- */

static int attach(struct fth_borrowed *borrowed, const char *library, const char *settings,
                  size_t length, struct fth_error **error)
{
    pid_t pid = borrowed->pid;
    if (!fth_borrow_object(borrowed, TRACER)) {
        if (check_view(pid, library, error) || load(borrowed, library, error))
            return -1;
        fth_borrow_forget(borrowed);
        if (fth_borrow_look(borrowed, pid, error))
            return -1;
    }
    return call_tracer(borrowed, "fth_program_attach", settings, length, error);
}

static int attach_job(const struct job *job, struct fth_error **error)
{
    struct fth_borrowed borrowed;
    if (fth_borrow_look(&borrowed, job->pid, error))
        return -1;
    int result = attach(&borrowed, job->library, job->settings, job->length, error);
    fth_borrow_forget(&borrowed);
    return result;
}

static int detach_job(const struct job *job, struct fth_error **error)
{
    struct fth_borrowed borrowed;
    if (fth_borrow_look(&borrowed, job->pid, error))
        return -1;
    int result = fth_borrow_object(&borrowed, TRACER)
                     ? call_tracer(&borrowed, "fth_program_detach", NULL, 0, error)
                     : fth_fail(error, "process %d: %s", (int)job->pid, say(ESRCH));
    fth_borrow_forget(&borrowed);
    return result;
}

int fth_attach_process(pid_t pid, const char *library, const char *settings, size_t length,
                       struct fth_error **error)
{
    const struct job job = {pid, library, settings, length};
    return in_child(attach_job, &job, error);
}

int fth_attach_process_end(pid_t pid, struct fth_error **error)
{
    const struct job job = {.pid = pid};
    return in_child(detach_job, &job, error);
}
