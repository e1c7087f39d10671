/* One run of the program that is tuned: recorded, unchanged, or with a choice. It is a group of
 * processes of its own, so that a run that takes too long, or that nobody wants any more, ends with
 * all that it started. What it prints goes to a file; the end of that is shown when it fails. */
#include "cmd/tune/tune_command.h"

#include "base/memory.h"
#include "base/phrase.h"
#include "base/visible.h"
#include "cmd/shared/interrupted.h"

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
        if (fth_cmd_interrupted())
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

/* An instance of the file system whose `fathom fs run` did not end it: what was published is
 * written, as if the run had been ended without it. */
static void end_instance(pid_t owner)
{
    char name[32];
    int status;
    snprintf(name, sizeof name, "run-%ld", (long)owner);
    pid_t child = fork();
    if (!child) {
        int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
        setpgid(0, 0);
        if (nothing >= 0 && dup2(nothing, 1) >= 0 && dup2(nothing, 2) >= 0)
            execl("/proc/self/exe", "fathom", "fs", "stop", "--instance", name, (char *)NULL);
        _exit(EXEC_FAILED);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
}

static enum end run(const struct fth_cmd_tuning *tuning, char *const *words,
                    const struct fth_tune_hints *variables, bool on_instance, int64_t most,
                    int64_t *time, int *status)
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
        if (on_instance && (end != ENDED || *status))
            end_instance(child);
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
        return fth_fail(error, fth_cmd_interrupted() ? "interrupted in %s" : "no process for %s", what);
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
    enum end end = run(tuning, words, NULL, false, 0, &time, &status);
    return end == ENDED && !status ? 0
                                   : fail(tuning, "the command of --before", end, status, error);
}

/* ---- runs ---- */

/* Both end with NULL; `front` NULL: nothing is in front. To be freed. */
static char **in_front(char *const *front, char *const *command)
{
    size_t first = 0, count = 0;
    while (front && front[first])
        first++;
    while (command[count])
        count++;
    char **words = fth_new(first + count + 1, sizeof *words);
    if (first)
        memcpy(words, front, first * sizeof *words);
    memcpy(words + first, command, count * sizeof *words);
    return words;
}

int fth_cmd_tune_record(struct fth_cmd_tuning *tuning, struct fth_error **error)
{
    char *front[] = {"/proc/self/exe", "record", "--quiet", "-o", tuning->trace_path, "--", NULL};
    int64_t time = 0;
    int status = 0;
    if (run_before(tuning, error))
        return -1;
    char **words = in_front(front, tuning->command);
    if (!tuning->quiet)
        fth_say(stderr, "fathom tune: run 1: recorded ...\n");
    tuning->run_began = fth_cmd_outputs_now();
    enum end end = run(tuning, words, NULL, false, 0, &time, &status);
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

/* ---- what runs leave ---- */

static void cannot_compare(struct fth_cmd_tuning *tuning, struct fth_error *error)
{
    free(tuning->outputs_error);
    tuning->outputs_error = fth_text_copy(fth_error_text(error));
    fth_error_free(error);
}

void fth_cmd_tune_keep_outputs(struct fth_cmd_tuning *tuning)
{
    struct fth_error *error = NULL;
    if (fth_cmd_outputs_read(&tuning->outputs, tuning->run.folder, tuning->run_began,
                             tuning->folder, &error))
        cannot_compare(tuning, error);
}

/* -1: a run on our file system left something else; *error says what. */
static int compare_outputs(struct fth_cmd_tuning *tuning, bool is_unchanged,
                           struct fth_error **error)
{
    struct fth_cmd_outputs outputs = {0};
    struct fth_error *why = NULL;
    int result = 0;
    if (!tuning->outputs_error &&
        fth_cmd_outputs_read(&outputs, tuning->run.folder, tuning->run_began, tuning->folder, &why))
        cannot_compare(tuning, why);
    if (!tuning->outputs_error && is_unchanged)
        fth_cmd_outputs_meet(&tuning->outputs, &outputs);
    else if (!tuning->outputs_error)
        result = fth_cmd_outputs_check(&tuning->outputs, &outputs, error);
    else if (!is_unchanged)
        result = fth_fail(error, "files cannot be compared: %s", tuning->outputs_error);
    fth_cmd_outputs_free(&outputs);
    return result;
}

/* ---- runs of the search ---- */

static char *name_run(const struct fth_tune_choice *choice)
{
    char *text = choice ? fth_tune_choice_text(choice) : NULL;
    char *name =
        text ? fth_text_format("the run with %s", text) : fth_text_copy("the unchanged run");
    free(text);
    return name;
}

/* On our file system, a program may fail that does not fail otherwise. */
static enum fth_tune_outcome judge_end(struct fth_cmd_tuning *tuning,
                                       const struct fth_tune_choice *choice, enum end end,
                                       int status, struct fth_error **error)
{
    bool on_instance = choice && fth_tune_choice_get(choice, FTH_TUNE_MODEL);
    if (end == TOO_LONG)
        return FTH_TUNE_TOO_SLOW;
    if (end == ENDED && !status) {
        bool compared = tuning->models && (!choice || on_instance);
        return compared && compare_outputs(tuning, !choice, error) ? FTH_TUNE_REFUSED
                                                                   : FTH_TUNE_RAN;
    }
    if (end == ENDED && on_instance) {
        fth_fail(error, WIFSIGNALED(status) ? "ended by signal %d" : "exit status %d",
                 WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
        return FTH_TUNE_REFUSED;
    }
    char *name = name_run(choice);
    fail(tuning, name, end, status, error);
    free(name);
    return FTH_TUNE_FAILED;
}

static int prepare_run(const struct fth_cmd_tuning *tuning, const struct fth_cmd_tuned *tuned,
                       struct fth_error **error)
{
    if (run_before(tuning, error))
        return -1;
    return tuned->hints.count ? write_hints(tuning, tuned, error) : 0;
}

enum fth_tune_outcome fth_cmd_tune_measure(void *context, const struct fth_tune_choice *choice,
                                           int64_t most, int64_t *time, struct fth_error **error)
{
    struct fth_cmd_tuning *tuning = context;
    struct fth_cmd_tuned tuned = {0};
    int status = 0;
    if (choice)
        fth_cmd_tuned_make(&tuned, choice, &tuning->before, tuning->hints_path);
    int result = prepare_run(tuning, &tuned, error);
    enum end end = STOPPED;
    if (!result) {
        char **front = choice ? fth_cmd_tuned_words(choice, &tuning->run, "/proc/self/exe") : NULL;
        char **words = in_front(front, tuning->command);
        tuning->run_began = fth_cmd_outputs_now();
        end = run(tuning, words, &tuned.variables, front, most, time, &status);
        if (end != STOPPED)
            say_run(tuning, choice, end, *time);
        free(words);
        free(front);
    }
    fth_cmd_tuned_free(&tuned);
    return result ? FTH_TUNE_FAILED : judge_end(tuning, choice, end, status, error);
}
