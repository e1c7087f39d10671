/* `fathom replay`: does the recorded I/O again, on files of its own. */
#include "base/memory.h"
#include "cmd/replay/check_hdf5.h"
#include "cmd/replay/compared_page.h"
#include "cmd/replay/originals.h"
#include "cmd/replay/target.h"
#include "cmd/shared/command.h"
#include "cmd/shared/interrupted.h"
#include "cmd/shared/page_options.h"
#include "repeat/what/played.h"

#include <ctype.h>
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    OPTION_INTO = 0x300,
    OPTION_AT,
    OPTION_LAYER,
    OPTION_MPI,
    OPTION_HDF5,
    OPTION_PLAN,
    OPTION_INCOMPLETE,
    OPTION_ORIGINALS,
    OPTION_OVERWRITE,
};

static const struct argp_option options[] = {
    {"into", OPTION_INTO, "FOLDER", 0,
     "Make the files below FOLDER, which is new or empty, and leave them there (default: "
     "TRACE.replay in this folder, which is removed at the end)",
     1},
    {"at", OPTION_AT, "WHEN", 0,
     "When calls begin: recorded (default), full-speed (without the gaps between them), or a "
     "factor of the recorded times: 0.5 is twice as fast",
     0},
    {"layer", OPTION_LAYER, "LAYER", 0,
     "mpiio (default): repeat calls of MPI-IO as they were made; posix: repeat what the MPI "
     "library did with the system instead; hdf5: repeat calls of HDF5, too",
     0},
    {"originals", OPTION_ORIGINALS, NULL, 0,
     "Use the files of the run themselves, and not files of the replay", 0},
    {"overwrite", OPTION_OVERWRITE, NULL, 0,
     "With --originals: also write to files that are there, or delete them", 0},
    {"mpi", OPTION_MPI, "LIBRARY", 0,
     "The MPI library of the launcher, if none or the wrong one is found", 0},
    {"hdf5", OPTION_HDF5, "LIBRARY", 0,
     "The HDF5 library for --layer hdf5, if none or the wrong one is found", 0},
    {"plan", OPTION_PLAN, NULL, 0, "Only show what would be repeated, and on which files", 0},
    {"incomplete", OPTION_INCOMPLETE, NULL, 0,
     "Repeat what there is, although the trace lacks calls", 0},
    {0},
};

static const char text[] =
    "Do the I/O of a recorded run again, without its program.\v"
    "The same processes, ranks and threads make the same calls with the same sizes and offsets, on "
    "files that the replay makes itself. Original files are neither read nor written, unless "
    "--originals says so. The contents are the replay's own: a trace has none.\n"
    "A run with MPI needs its launcher, with as many ranks. Without one after --, the replay uses "
    "the mpirun of the same MPI on this node.\n"
    "\n"
    "Examples:\n"
    "  fathom replay app.fathom\n"
    "  fathom replay --plan app.fathom                        # touches nothing\n"
    "  fathom replay --into /scratch/again --at full-speed app.fathom\n"
    "  fathom replay app.fathom -- mpirun -n 64 --hostfile nodes\n"
    "  fathom replay --layer hdf5 --hdf5 /opt/hdf5/lib/libhdf5.so app.fathom\n"
    "  fathom replay --plan --originals app.fathom            # what would be overwritten?\n"
    "  fathom record -o again.fathom -- fathom replay app.fathom";

struct request {
    const char *trace_path, *into;
    char *const *launcher;
    const char *mpi, *hdf5;
    double scale;
    enum fth_repeat_layers layers;
    bool plans, incomplete, originals, overwrite;
    struct fth_cmd_page page;
};

static double scale_of(struct argp_state *state, const char *word)
{
    if (!strcmp(word, "recorded"))
        return 1;
    if (!strcmp(word, "full-speed"))
        return 0;
    char *end;
    double scale = strtod(word, &end);
    if (!isdigit((unsigned char)*word) || *end || !(scale > 0) || scale > 1e6)
        fth_cmd_wrong(state, "--at %s: recorded, full-speed, or a factor such as 0.5", word);
    return scale;
}

static enum fth_repeat_layers layers_of(struct argp_state *state, const char *word)
{
    static const struct {
        const char *word;
        enum fth_repeat_layers layers;
    } known[] = {
        {"mpiio", FTH_REPEAT_MPIIO}, {"posix", FTH_REPEAT_POSIX}, {"hdf5", FTH_REPEAT_HDF5}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(word, known[i].word))
            return known[i].layers;
    fth_cmd_wrong(state, "--layer %s: mpiio, posix or hdf5", word);
    return FTH_REPEAT_MPIIO;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct request *request = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        return fth_cmd_page_option(key, state, &request->page);
    case OPTION_INTO:
        request->into = argument;
        return 0;
    case OPTION_AT:
        request->scale = scale_of(state, argument);
        return 0;
    case OPTION_LAYER:
        request->layers = layers_of(state, argument);
        return 0;
    case OPTION_MPI:
        request->mpi = argument;
        return 0;
    case OPTION_HDF5:
        request->hdf5 = argument;
        return 0;
    case OPTION_ORIGINALS:
        request->originals = true;
        return 0;
    case OPTION_OVERWRITE:
        request->overwrite = true;
        return 0;
    case ARGP_KEY_END:
        if (request->originals && request->into)
            fth_cmd_wrong(state, "--originals uses the files of the run: leave out --into");
        if (request->overwrite && !request->originals)
            fth_cmd_wrong(state, "--overwrite is for --originals: other replays write over "
                                 "nothing");
        break;
    case OPTION_PLAN:
        request->plans = true;
        return 0;
    case OPTION_INCOMPLETE:
        request->incomplete = true;
        return 0;
    }
    return fth_cmd_trace_argument(key, argument, state, &request->trace_path);
}

/* ---- before anything is touched ---- */

/* A replay of a part of the calls would do something else. */
static int check_whole(const struct fth_trace *trace, struct fth_error **error)
{
    const struct fth_missing *unrecorded = &fth_trace_info(trace)->unrecorded;
    uint64_t lost = 0, summed = 0;
    bool is_watched = false;
    for (size_t i = 0; i < fth_trace_process_count(trace); i++)
        if (fth_repeat_plays(trace, i)) {
            lost += fth_trace_process(trace, i)->lost;
            summed += fth_trace_process(trace, i)->summed;
            is_watched |= fth_trace_process(trace, i)->only_watched ||
                          fth_trace_process(trace, i)->only_counted;
        }
    if (unrecorded->processes || unrecorded->calls)
        return fth_fail(error, "the trace lacks processes of the run (see fathom info), so a "
                               "replay would do something else; --incomplete repeats what there "
                               "is");
    if (is_watched && (lost || summed))
        return fth_fail(error,
                        "the trace has %llu calls in sums or counts only, because processes were "
                        "only watched from time to time; record without --select, or repeat what "
                        "there is with --incomplete",
                        (unsigned long long)(lost + summed));
    if (lost)
        return fth_fail(error,
                        "the trace lacks %llu calls that the run made (see fathom info), so a "
                        "replay would do something else; --incomplete repeats what there is",
                        (unsigned long long)lost);
    if (summed)
        return fth_fail(error,
                        "of %llu calls the trace has only sums, because the budget of the "
                        "recording was used up; record with a larger --budget, or repeat what "
                        "there is with --incomplete",
                        (unsigned long long)summed);
    return 0;
}

static int check_worlds(const struct fth_trace *trace, struct fth_error **error)
{
    int64_t world = FTH_NO_WORLD;
    for (size_t i = 0; i < fth_trace_process_count(trace); i++) {
        const struct fth_process *process = fth_trace_process(trace, i);
        if (process->world == FTH_NO_WORLD)
            continue;
        if (world != FTH_NO_WORLD && process->world != world)
            return fth_fail(error, "the run had several MPI_COMM_WORLDs, which a replay cannot "
                                   "have");
        world = process->world;
    }
    return 0;
}

/* "TRACE.replay" in this folder; to be freed. */
static char *default_folder(const struct request *request)
{
    char *copy = fth_text_copy(request->trace_path);
    const char *name = basename(copy);
    size_t length = strlen(name);
    static const char suffix[] = ".fathom";
    if (length > sizeof suffix - 1 && !strcmp(name + length - (sizeof suffix - 1), suffix))
        length -= sizeof suffix - 1;
    char *folder = fth_text_format("%.*s.replay", (int)length, name);
    free(copy);
    return folder;
}

/* With links resolved in what is there; to be freed. */
static char *absolute(const char *folder, struct fth_error **error)
{
    char *copy = fth_text_copy(folder), *copy_too = fth_text_copy(folder);
    char around[PATH_MAX], *result = NULL;
    if (!realpath(dirname(copy), around))
        fth_fail_errno(error, "cannot make '%s'", folder);
    else
        result = fth_text_format("%s/%s", strcmp(around, "/") ? around : "", basename(copy_too));
    free(copy);
    free(copy_too);
    return result;
}

/* ---- the replay ---- */

struct replay {
    const struct request *request;
    struct fth_trace *trace;
    struct fth_repeat_ways *ways;
    struct fth_repeat_places *places;
    struct fth_repeat_summary summary;
    struct fth_replayed replayed;
    char *into, *scripts;
    bool is_begun; /* files may be in `into` */
    bool is_new;   /* `into` was not there */
    bool is_failed;
};

static int show(const struct replay *replay, struct fth_error **error)
{
    struct fth_writer writer;
    const struct request *request = replay->request;
    const char *inputs[] = {request->trace_path, NULL};
    const struct fth_replay_page page = {.trace_path = request->trace_path,
                                         .into = request->into ? replay->into : NULL,
                                         .folder = replay->into,
                                         .on_originals = request->originals,
                                         .trace = replay->trace,
                                         .summary = &replay->summary,
                                         .replayed = request->plans ? NULL : &replay->replayed,
                                         .places = replay->places,
                                         .scale = request->scale};
    if (fth_cmd_open_page(&writer, &request->page, "fathom replay", 2, inputs, error))
        return -1;
    int result = fth_replay_show(&writer, &page, error);
    return fth_cmd_close_page(&writer, result, error);
}

/* The scripts are written to a private folder: that of temporary files, or the replay's own, which
 * ranks on other nodes see, too. */
static int write_scripts(struct replay *replay, const char *around, struct fth_error **error)
{
    char *folder = fth_text_format("%s/.fathom-replay-XXXXXX", around);
    if (!mkdtemp(folder)) {
        fth_fail_errno(error, "cannot make a folder in '%s'", around);
        free(folder);
        return -1;
    }
    replay->scripts = folder;
    if (fth_cmd_interrupted())
        return fth_fail(error, "interrupted");
    /* calls of HDF5 name files that no place is known of by their names alone */
    bool has_names = replay->request->layers == FTH_REPEAT_HDF5 && replay->into;
    char *directory = has_names ? fth_text_format("%s/run", replay->into) : NULL;
    const struct fth_repeat_request wanted = {.folder = folder,
                                              .into = replay->into,
                                              .directory = directory,
                                              .scale = replay->request->scale,
                                              .is_over = fth_cmd_interrupted};
    int result = fth_repeat_write_script(replay->trace, replay->ways, replay->places, &wanted,
                                         &replay->summary, error);
    free(directory);
    if (result)
        return -1;
    if (!replay->summary.calls)
        return fth_fail(error, "the trace has no call that can be repeated");
    return 0;
}

static int play(struct replay *replay, struct fth_error **error)
{
    const struct request *request = replay->request;
    const struct fth_replay_run run = {replay->scripts, request->launcher, request->mpi,
                                       request->hdf5};
    if (replay->into && fth_replay_make_files(replay->into, replay->places, error))
        return -1;
    return fth_replay_run_players(replay->trace, &run, &replay->summary, &replay->replayed, error);
}

static int prepare(struct replay *replay, struct fth_error **error)
{
    const struct request *request = replay->request;
    const struct fth_replay_run run = {NULL, request->launcher, request->mpi, request->hdf5};
    if ((!request->incomplete && check_whole(replay->trace, error)) ||
        check_worlds(replay->trace, error))
        return -1;
    if (!request->plans &&
        fth_replay_check_players(replay->trace, &run, fth_repeat_ranks(replay->trace), error))
        return -1;
    replay->ways = fth_repeat_ways_open(replay->trace, request->layers);
    if (request->layers == FTH_REPEAT_HDF5 &&
        fth_replay_check_hdf5(replay->trace, replay->ways, request->hdf5, !request->plans, error))
        return -1;
    replay->places = fth_repeat_places_find(replay->trace, replay->ways, NULL, error);
    if (!replay->places)
        return -1;
    if (request->originals) /* a plan shows what would be overwritten */
        return fth_replay_check_originals(replay->places, request->overwrite || request->plans,
                                          error);
    if (!request->incomplete && fth_replay_check_contents(replay->places, error))
        return -1;
    return fth_replay_check_target(replay->into, replay->places, error);
}

static int replay_all(struct replay *replay, struct fth_error **error)
{
    const char *temporary = getenv("TMPDIR");
    if (prepare(replay, error))
        return -1;
    fth_cmd_watch_signals(); /* what is made from now on is removed */
    if (replay->request->plans)
        return write_scripts(replay, temporary ? temporary : "/tmp", error);
    if (!replay->into)
        return write_scripts(replay, ".", error) ? -1 : play(replay, error);
    replay->is_new = mkdir(replay->into, 0700) == 0;
    if (!replay->is_new && errno != EEXIST)
        return fth_fail_errno(error, "cannot make the folder '%s'", replay->into);
    replay->is_begun = true;
    if (write_scripts(replay, replay->into, error))
        return -1;
    return play(replay, error);
}

static void clean(struct replay *replay)
{
    if (replay->scripts)
        fth_replay_remove(replay->scripts);
    bool is_own = replay->into && !replay->request->into;
    if (replay->scripts && is_own && !replay->request->plans)
        fth_replay_remove(replay->into);
    else if (replay->is_begun && replay->is_failed && !fth_cmd_interrupted())
        fth_replay_remove_files(replay->into, replay->is_new, replay->places);
    fth_repeat_summary_free(&replay->summary);
    free(replay->replayed.outcomes);
    fth_repeat_places_free(replay->places);
    fth_repeat_ways_close(replay->ways);
    free(replay->into);
    free(replay->scripts);
}

static int run(const struct request *request, struct fth_error **error)
{
    struct replay replay = {.request = request};
    replay.trace = fth_cmd_open_trace(request->trace_path, error);
    if (!replay.trace)
        return -1;
    char *folder = request->into ? fth_text_copy(request->into) : default_folder(request);
    replay.into = request->originals ? NULL : absolute(folder, error);
    int result = replay.into || request->originals ? replay_all(&replay, error) : -1;
    replay.is_failed = result != 0;
    if (!result)
        result = show(&replay, error);
    clean(&replay);
    free(folder);
    fth_trace_close(replay.trace);
    return result;
}

/* What is behind "--" is the launcher. */
static int split(int argc, char **argv, struct request *request)
{
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--")) {
            request->launcher = argv[i + 1] ? &argv[i + 1] : NULL;
            argv[i] = NULL;
            return i;
        }
    return argc;
}

int fth_cmd_replay(int argc, char **argv)
{
    const struct argp argp = {
        options, parse, "TRACE [-- LAUNCHER...]", text, fth_cmd_page_options(FTH_CMD_HAS_TABLES, 0),
        NULL,    NULL};
    struct request request = {.scale = 1, .layers = FTH_REPEAT_MPIIO};
    struct fth_error *error = NULL;
    argc = split(argc, argv, &request);
    if (fth_cmd_parse(&argp, argc, argv, 0, &request))
        return 1;
    int status = run(&request, &error) ? fth_cmd_failed("replay", error) : 0;
    fth_cmd_end_interrupted();
    return status;
}
