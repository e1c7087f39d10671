/* HDF5 before a replay: see the header. */
#include "cmd/replay/check_hdf5.h"

#include "base/memory.h"
#include "player/find_hdf5.h"
#include "trace/record/builtin.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LONGEST_MESSAGE = 512 };

struct wanted {
    const char *path, *abi;
    const char **functions;
    size_t count;
};

static struct wanted wanted_of(const struct fth_trace *trace, const struct fth_repeat_ways *ways,
                               const char *path)
{
    size_t limit = fth_trace_function_count(trace);
    struct wanted wanted = {.path = path, .abi = ""};
    wanted.functions = fth_new(limit + 1, sizeof *wanted.functions);
    for (size_t i = 0; i < limit; i++) {
        const struct fth_function *function = fth_trace_function(trace, i);
        if (fth_layer_is(function->layer, FTH_LAYER_HDF5) &&
            fth_repeat_way_of(ways, function)->how == FTH_REPEAT_CALL)
            wanted.functions[wanted.count++] = function->name;
    }
    for (size_t i = 0; i < fth_trace_process_count(trace); i++)
        if (fth_trace_process(trace, i)->mpi_abi)
            wanted.abi = fth_trace_process(trace, i)->mpi_abi;
    return wanted;
}

/* Says to `out` what is wrong; nothing: it is there. */
static void look(const struct wanted *wanted, int out)
{
    const char *lacks, *cause = NULL;
    char message[LONGEST_MESSAGE];
    void *library =
        fth_player_open_hdf5(wanted->path, wanted->abi, wanted->functions, wanted->count, &lacks);
    if (!library && !lacks)
        cause = dlerror();
    if (!library) {
        int length = lacks
                         ? snprintf(message, sizeof message, "the library of HDF5 has no %s", lacks)
                         : snprintf(message, sizeof message, "there is no library of HDF5 (%s)",
                                    cause ? cause : "no reason given");
        size_t kept = length < LONGEST_MESSAGE ? (size_t)length : LONGEST_MESSAGE - 1;
        if (write(out, message, kept) < 0)
            _exit(1);
    }
    _exit(0);
}

/* In a process of its own: a library stays, and may bring that of MPI. */
static int ask(const struct wanted *wanted, char message[static LONGEST_MESSAGE],
               struct fth_error **error)
{
    int ends[2], status;
    if (pipe(ends) != 0)
        return fth_fail_errno(error, "cannot make a pipe");
    pid_t child = fork();
    if (!child)
        look(wanted, ends[1]);
    close(ends[1]);
    ssize_t length = child < 0 ? -1 : read(ends[0], message, LONGEST_MESSAGE - 1);
    close(ends[0]);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (child < 0 || length < 0 || !WIFEXITED(status) || WEXITSTATUS(status))
        return fth_fail(error, "the library of HDF5 cannot be loaded; name another one with "
                               "--hdf5");
    message[length] = 0;
    return 0;
}

int fth_replay_check_hdf5(const struct fth_trace *trace, const struct fth_repeat_ways *ways,
                          const char *path, bool is_library_wanted, struct fth_error **error)
{
    struct wanted wanted = wanted_of(trace, ways, path ? path : "");
    char message[LONGEST_MESSAGE] = "";
    int result = 0;
    if (!wanted.count)
        result = fth_fail(error, "the trace has no calls of HDF5 that can be repeated; leave out "
                                 "--layer hdf5");
    else if (is_library_wanted)
        result = ask(&wanted, message, error);
    if (!result && *message)
        result = fth_fail(error, "%s; name the one of the run with --hdf5", message);
    free(wanted.functions);
    return result;
}

int fth_replay_check_contents(const struct fth_repeat_places *places, struct fth_error **error)
{
    for (size_t i = 0; i < fth_repeat_place_count(places); i++) {
        const struct fth_repeat_place *place = fth_repeat_place_at(places, i);
        if (place->below && fth_repeat_needs_contents(place))
            return fth_fail(error,
                            "the run opened '%s' with HDF5, which it had not made, and a trace has "
                            "no contents of files; --layer mpiio repeats what HDF5 did with it, "
                            "--originals uses the file itself, and --incomplete leaves it out",
                            place->path);
    }
    return 0;
}
