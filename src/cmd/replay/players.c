/* Runs the player: see the header. */
#include "cmd/replay/players.h"

#include "base/memory.h"
#include "cmd/shared/installed.h"
#include "cmd/shared/interrupted.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* The first of these programs that is in PATH; NULL: none is. */
static const char *first_program(const char *const *programs)
{
    const char *path = getenv("PATH");
    for (; *programs; programs++)
        for (const char *at = path ? path : ""; *at;) {
            size_t length = strcspn(at, ":");
            char *candidate = fth_text_format("%.*s/%s", (int)length, at, *programs);
            bool is_there = length && access(candidate, X_OK) == 0;
            free(candidate);
            if (is_there)
                return *programs;
            at += length + (at[length] == ':');
        }
    return NULL;
}

/* The ABI of the MPI of the recorded run; NULL: it had none. */
static const char *abi_of(const struct fth_trace *trace)
{
    for (size_t i = 0; i < fth_trace_process_count(trace); i++)
        if (fth_trace_process(trace, i)->mpi_abi)
            return fth_trace_process(trace, i)->mpi_abi;
    return NULL;
}

static const char *default_launcher(const struct fth_trace *trace)
{
    static const char *const open_mpi[] = {"mpirun.openmpi", "mpirun", "mpiexec", NULL};
    static const char *const mpich[] = {"mpirun.mpich", "mpiexec.mpich", "mpiexec.hydra",
                                        "mpiexec",      "mpirun",        NULL};
    const char *abi = abi_of(trace);
    return first_program(abi && !strcmp(abi, "mpich") ? mpich : open_mpi);
}

static bool is_open_mpi(const struct fth_trace *trace)
{
    const char *abi = abi_of(trace);
    return abi && !strcmp(abi, "openmpi");
}

/* Was its option to start more ranks than there are slots given? */
static bool was_oversubscribed(const struct fth_trace *trace)
{
    for (size_t i = 0; is_open_mpi(trace) && i < fth_trace_process_count(trace); i++) {
        const struct fth_process *process = fth_trace_process(trace, i);
        for (size_t k = 1; process->launcher && k < process->argument_count; k++)
            if (!strcmp(process->arguments[k], "--oversubscribe") ||
                !strcmp(process->arguments[k], "-oversubscribe"))
                return true;
    }
    return false;
}

static bool find_player(char path[PATH_MAX])
{
    return fth_cmd_installed(NULL, "fathom-player", path);
}

int fth_replay_check_players(const struct fth_trace *trace, const struct fth_replay_run *run,
                             uint32_t ranks, struct fth_error **error)
{
    char path[PATH_MAX];
    if (!find_player(path))
        return fth_fail(error, "fathom-player, which is installed with fathom, is not there");
    if (!ranks && run->launcher)
        return fth_fail(error, "the run had no MPI, so its replay needs no launcher; leave out "
                               "what is behind --");
    if (ranks && !run->launcher && !default_launcher(trace))
        return fth_fail(error, "there is no mpirun in PATH; name a launcher: -- mpirun -n %u",
                        ranks);
    if (run->launcher && !first_program((const char *const[]){run->launcher[0], NULL}) &&
        access(run->launcher[0], X_OK) != 0)
        return fth_fail(error, "there is no program '%s'", run->launcher[0]);
    return 0;
}

/* ---- running it ---- */

/* What to do if the launcher fails; to be freed. */
static char *way_out(const struct fth_trace *trace, const struct fth_replay_run *run,
                     uint32_t ranks)
{
    if (!ranks || run->launcher)
        return fth_text_copy("");
    if (is_open_mpi(trace) && !was_oversubscribed(trace))
        return fth_text_format("; if it has too few slots, append: -- %s --oversubscribe -n %u",
                               default_launcher(trace), ranks);
    return fth_text_format("; if it needs other options, append: -- %s OPTION... -n %u",
                           default_launcher(trace), ranks);
}

static int wait_for(pid_t player, const char *program, const char *advice, struct fth_error **error)
{
    int status;
    while (waitpid(player, &status, 0) < 0)
        if (errno != EINTR)
            return fth_fail_errno(error, "cannot wait for '%s'", program);
    if (fth_cmd_interrupted())
        return fth_fail(error, "interrupted");
    if (WIFSIGNALED(status))
        return fth_fail(error, "'%s' was ended by signal %d", program, WTERMSIG(status));
    return WEXITSTATUS(status) ? fth_fail(error, "'%s' ended with status %d%s", program,
                                          WEXITSTATUS(status), advice)
                               : 0;
}

/* Without a launcher, which ends its ranks itself, a signal is for all processes of the replay:
 * they are a group of their own. */
static int spawn(char *const *words, bool is_group, pid_t *player)
{
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    if (is_group)
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    int code = posix_spawnp(player, words[0], NULL, &attributes, words, environ);
    posix_spawnattr_destroy(&attributes);
    return code;
}

static int start(char *const *words, bool is_group, const char *advice, struct fth_error **error)
{
    pid_t player;
    if (fth_cmd_interrupted())
        return fth_fail(error, "interrupted");
    int code = spawn(words, is_group, &player);
    if (code)
        return fth_fail(error, "cannot start '%s': %s", words[0], strerror(code));
    fth_cmd_pass_signals(is_group ? -player : player);
    int result = wait_for(player, words[0], advice, error);
    fth_cmd_pass_signals(0);
    return result;
}

static int run_command(const struct fth_trace *trace, const struct fth_replay_run *run,
                       uint32_t ranks, struct fth_error **error)
{
    char path[PATH_MAX], number[16];
    if (!find_player(path))
        return fth_fail(error, "fathom-player is not there");
    snprintf(number, sizeof number, "%u", ranks);
    size_t count = 0;
    while (run->launcher && run->launcher[count])
        count++;
    const char **words = fth_new(count + 10, sizeof *words);
    if (count)
        memcpy(words, run->launcher, count * sizeof *words);
    if (ranks && !run->launcher) {
        words[count++] = default_launcher(trace);
        if (was_oversubscribed(trace))
            words[count++] = "--oversubscribe";
        words[count++] = "-n";
        words[count++] = number;
    }
    words[count++] = path;
    words[count++] = run->folder;
    words[count++] = run->mpi ? run->mpi : "";
    words[count++] = run->hdf5 ? run->hdf5 : "";
    char *advice = way_out(trace, run, ranks);
    int result = start((char *const *)words, !ranks, advice, error);
    free(advice);
    free(words);
    return result;
}

/* ---- what came of it ---- */

static void add(struct fth_script_outcome *sum, const struct fth_script_outcome *one)
{
    if (one->differences && !sum->differences) {
        sum->expected = one->expected;
        sum->result = one->result;
        sum->error = one->error;
        sum->expected_failure = one->expected_failure;
    }
    sum->calls += one->calls;
    sum->differences += one->differences;
    sum->bytes_read += one->bytes_read;
    sum->bytes_written += one->bytes_written;
    sum->time += one->time;
}

struct span {
    int64_t start, end;
};

static int add_file(const char *folder, size_t proc, size_t functions,
                    struct fth_replayed *replayed, struct span *span, struct fth_error **error)
{
    char *path = fth_text_format("%s/result.%zu", folder, proc);
    size_t length =
        sizeof(struct fth_script_results) + (functions + 1) * sizeof(struct fth_script_outcome);
    struct fth_script_results *results = fth_new(1, length);
    int file = open(path, O_RDONLY | O_CLOEXEC), result = 0;
    if (file < 0 && errno == ENOENT)
        ; /* it made no calls that are replayed, or is not played */
    else if (file < 0 || read(file, results, length) != (ssize_t)length ||
             results->magic != FTH_SCRIPT_MAGIC || results->function_count != functions + 1)
        result = fth_fail(error, "a process of the replay left no results in '%s'", path);
    for (size_t i = 0; !result && file >= 0 && i < functions; i++)
        add(&replayed->outcomes[i], &results->outcomes[i]);
    if (!result && file >= 0)
        replayed->processor += results->processor;
    if (!result && file >= 0 && results->start && results->end) {
        span->start = !span->start || results->start < span->start ? results->start : span->start;
        span->end = results->end > span->end ? results->end : span->end;
        if (results->late > replayed->late)
            replayed->late = results->late;
    }
    if (file >= 0)
        close(file);
    free(results);
    free(path);
    return result;
}

int fth_replay_run_players(const struct fth_trace *trace, const struct fth_replay_run *run,
                           const struct fth_repeat_summary *summary, struct fth_replayed *replayed,
                           struct fth_error **error)
{
    struct span span = {0};
    *replayed = (struct fth_replayed){
        .outcomes = fth_new(summary->function_count + 1, sizeof *replayed->outcomes)};
    if (run_command(trace, run, summary->ranks, error))
        return -1;
    for (size_t i = 0; i < fth_trace_process_count(trace); i++)
        if (add_file(run->folder, i, summary->function_count, replayed, &span, error))
            return -1;
    replayed->elapsed = span.end - span.start;
    return 0;
}
