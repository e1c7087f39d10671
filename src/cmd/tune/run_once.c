/* One run of the program that is tuned: recorded, unchanged, or with a choice. It is a group of
 * processes of its own, so that a run that takes too long, or that nobody wants any more, ends with
 * all that it started. What it prints goes to a file; the end of that is shown when it fails. */
#include "cmd/tune/tune_command.h"

#include "base/memory.h"
#include "base/phrase.h"
#include "base/visible.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LAST_BYTES = 2000, EXEC_FAILED = 127 };

static volatile sig_atomic_t interrupted;

static void interrupt(int number)
{
    interrupted = number;
}

void fth_cmd_tune_watch_signals(void)
{
    static const int numbers[] = {SIGINT, SIGTERM};
    struct sigaction action = {.sa_handler = interrupt, .sa_flags = (int)SA_RESETHAND}, before;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!sigaction(numbers[i], &action, &before) && before.sa_handler == SIG_IGN)
            sigaction(numbers[i], &before, NULL);
}

int fth_cmd_tune_interrupted(void)
{
    return interrupted;
}

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

/* ---- in the child ---- */

static _Noreturn void become(const struct fth_cmd_tuning *tuning, char *const *words,
                             const struct fth_tune_hints *variables)
{
    sigset_t none;
    int input = open("/dev/null", O_RDONLY | O_CLOEXEC),
        log = open(tuning->log_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    setpgid(0, 0);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    if (input < 0 || log < 0 || dup2(input, 0) < 0 || dup2(log, 1) < 0 || dup2(log, 2) < 0)
        _exit(EXEC_FAILED);
    for (size_t i = 0; variables && i < variables->count; i++)
        setenv(variables->list[i].key, variables->list[i].value, 1);
    execvp(words[0], words);
    dprintf(2, "cannot run '%s': %s\n", words[0], strerror(errno));
    _exit(EXEC_FAILED);
}

/* ---- waiting for it ---- */

enum end { ENDED, TOO_LONG, STOPPED };

/* SIGCHLD is blocked: it, or another signal, ends the pause. */
static enum end wait_for(pid_t child, int64_t start, int64_t most, int *status)
{
    const struct timespec pause = {0, 200000000};
    sigset_t ended;
    sigemptyset(&ended);
    sigaddset(&ended, SIGCHLD);
    for (;;) {
        pid_t waited = waitpid(child, status, WNOHANG);
        if (waited == child)
            return ENDED;
        if (interrupted)
            return STOPPED;
        if (most && now() - start > most)
            return TOO_LONG;
        sigtimedwait(&ended, NULL, &pause);
    }
}

static void end_group(pid_t child, int *status)
{
    const struct timespec moment = {0, 100000000};
    kill(-child, SIGTERM);
    for (int i = 0; i < 30; i++) {
        if (waitpid(child, status, WNOHANG) == child) {
            kill(-child, SIGKILL); /* what it left behind */
            return;
        }
        nanosleep(&moment, NULL);
    }
    kill(-child, SIGKILL);
    while (waitpid(child, status, 0) < 0 && errno == EINTR)
        continue;
}

static enum end run(const struct fth_cmd_tuning *tuning, char *const *words,
                    const struct fth_tune_hints *variables, int64_t most, int64_t *time,
                    int *status)
{
    sigset_t child_ends, before;
    sigemptyset(&child_ends);
    sigaddset(&child_ends, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child_ends, &before);
    int64_t start = now();
    pid_t child = fork();
    if (!child)
        become(tuning, words, variables);
    enum end end = STOPPED;
    *status = 0;
    if (child > 0) {
        setpgid(child, child);
        end = wait_for(child, start, most, status);
        *time = now() - start;
        if (end != ENDED)
            end_group(child, status);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    return end;
}

/* ---- what is wrong ---- */

static void show_log(const struct fth_cmd_tuning *tuning)
{
    char text[LAST_BYTES + 1];
    FILE *file = fopen(tuning->log_path, "re");
    if (!file)
        return;
    if (fseek(file, -LAST_BYTES, SEEK_END))
        rewind(file);
    size_t length = fread(text, 1, LAST_BYTES, file);
    fclose(file);
    text[length] = 0;
    char *rest = NULL;
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        fth_say(stderr, "| %s\n", line);
}

static int fail(const struct fth_cmd_tuning *tuning, const char *what, enum end end, int status,
                struct fth_error **error)
{
    if (end == STOPPED)
        return fth_fail(error, interrupted ? "interrupted in %s" : "no process for %s", what);
    show_log(tuning);
    if (WIFSIGNALED(status))
        return fth_fail(error, "%s was ended by signal %d (%s); its last output is above", what,
                        WTERMSIG(status), strsignal(WTERMSIG(status)));
    return fth_fail(error,
                    "%s ended with exit status %d, so its time says nothing; its last output is "
                    "above",
                    what, WEXITSTATUS(status));
}

static int run_before(const struct fth_cmd_tuning *tuning, struct fth_error **error)
{
    char *words[] = {"/bin/sh", "-c", (char *)(uintptr_t)tuning->before_run, NULL};
    int64_t time;
    int status;
    if (!tuning->before_run)
        return 0;
    enum end end = run(tuning, words, NULL, 0, &time, &status);
    return end == ENDED && !status ? 0
                                   : fail(tuning, "the command of --before", end, status, error);
}

/* ---- runs ---- */

int fth_cmd_tune_record(struct fth_cmd_tuning *tuning, struct fth_error **error)
{
    size_t count = 0;
    while (tuning->command[count])
        count++;
    char *begin[] = {"/proc/self/exe", "record", "--quiet", "-o", tuning->trace_path, "--"};
    enum { BEGIN = sizeof begin / sizeof *begin };
    char **words = fth_new(BEGIN + count + 1, sizeof *words);
    memcpy(words, begin, sizeof begin);
    memcpy(words + BEGIN, tuning->command, count * sizeof *words);
    int64_t time = 0;
    int status = 0;
    if (run_before(tuning, error)) {
        free(words);
        return -1;
    }
    if (!tuning->quiet)
        fth_say(stderr, "fathom tune: run 1: recorded ...\n");
    enum end end = run(tuning, words, NULL, 0, &time, &status);
    free(words);
    if (end != ENDED || status)
        return fail(tuning, "the recorded run", end, status, error);
    return 0;
}

static int write_hints(const struct fth_cmd_tuning *tuning, const struct fth_cmd_tuned *tuned,
                       struct fth_error **error)
{
    char *lines = fth_cmd_tuned_lines(tuned);
    FILE *file = fopen(tuning->hints_path, "we");
    int result = 0;
    if (!file || fputs(lines, file) < 0)
        result = fth_fail_errno(error, "cannot write '%s'", tuning->hints_path);
    if (file && fclose(file) && !result)
        result = fth_fail_errno(error, "cannot write '%s'", tuning->hints_path);
    free(lines);
    return result;
}

static void say_run(const struct fth_cmd_tuning *tuning, const struct fth_tune_choice *choice,
                    enum end end, int64_t time)
{
    char *text = choice ? fth_tune_choice_text(choice) : fth_text_copy("unchanged");
    if (!tuning->quiet)
        fth_say(stderr, "fathom tune: run %zu: %s%s: %s\n", tuning->search.made,
                end == ENDED ? "" : "ended after ", fth_phrase_duration(time).text, text);
    free(text);
}

enum fth_tune_outcome fth_cmd_tune_measure(void *context, const struct fth_tune_choice *choice,
                                           int64_t most, int64_t *time, struct fth_error **error)
{
    struct fth_cmd_tuning *tuning = context;
    struct fth_cmd_tuned tuned = {0};
    int status = 0;
    if (choice)
        fth_cmd_tuned_make(&tuned, choice, &tuning->before, tuning->hints_path);
    int result = run_before(tuning, error);
    if (!result && tuned.hints.count)
        result = write_hints(tuning, &tuned, error);
    enum end end = STOPPED;
    if (!result) {
        end = run(tuning, tuning->command, &tuned.variables, most, time, &status);
        if (end != STOPPED)
            say_run(tuning, choice, end, *time);
    }
    fth_cmd_tuned_free(&tuned);
    if (result)
        return FTH_TUNE_FAILED;
    if (end == TOO_LONG)
        return FTH_TUNE_TOO_SLOW;
    if (end == ENDED && !status)
        return FTH_TUNE_RAN;
    char *text = choice ? fth_tune_choice_text(choice) : NULL;
    char *what =
        text ? fth_text_format("the run with %s", text) : fth_text_copy("the unchanged run");
    fail(tuning, what, end, status, error);
    free(what);
    free(text);
    return FTH_TUNE_FAILED;
}
