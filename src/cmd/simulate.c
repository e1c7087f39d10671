/* `fathom simulate`: what a program would cost on another machine. */
#include "base/phrase.h"
#include "base/visible.h"
#include "cmd/run/run.h"
#include "cmd/run/launched_together.h"
#include "cmd/shared/command.h"
#include "cmd/shared/installed.h"
#include "cmd/shared/output_file.h"
#include "cmd/simulate/simulate.h"
#include "sim/program/program_text.h"
#include "sim/record/record.h"
#include "sim/results/compared.h"
#include "sim/results/result.h"
#include "sim/run/limits.h"
#include "sim/text/units.h"
#include "sim/world/warnings.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPTION_ON = 0x300,
    OPTION_METHOD,
    OPTION_METHODS,
    OPTION_PROCESSES,
    OPTION_LEVEL,
    OPTION_MODE,
    OPTION_RECORDED_AT,
    OPTION_TOP,
    OPTION_TRACE,
    OPTION_SWEEP,
    OPTION_MAX_EVENTS,
    OPTION_AGAINST,
    OPTION_FILES_ON
};

static const struct argp_option options[] = {
    {"on", OPTION_ON, "CLUSTER", 0,
     "The cluster: a YAML file, or one that comes with Fathom (pvs, slingshot)", 0},
    {"processes", 'n', "N", 0, "Simulate N processes, overriding the program", 0},
    {"method", OPTION_METHOD, "COMMAND=METHOD", 0,
     "Set the method of a command, bcast=Pipelined, or a family of methods for all, Tuned; "
     "repeatable",
     0},
    {"methods", OPTION_METHODS, NULL, 0, "List the methods of all commands", 0},
    {"level", OPTION_LEVEL, "LEVEL", 0,
     "For a trace: replay calls of mpiio if there are any (default), or only those of posix", 0},
    {"mode", OPTION_MODE, "MODE", 0,
     "For a trace: all (default), compute (computation only), no-io, synchronised (without I/O and "
     "without data in collective calls), flush-on-close",
     0},
    {"recorded-at", OPTION_RECORDED_AT, "FREQUENCY", 0,
     "For a trace: instructions per second of the processors of the run, 2.6 GHz (default: as in "
     "the cluster)",
     0},
    {"top", OPTION_TOP, "N", 0,
     "Number of processes, 0 for all (default: 10; with --json or --csv all)", 0},
    {"sweep", OPTION_SWEEP, "KEY=VALUES", 0,
     "Simulate each of these values in parallel, servers=1..64 or stripe=64K,1M; repeatable, for "
     "all combinations",
     0},
    {"trace", OPTION_TRACE, "FILE", 0, "Write a trace of the simulated run, for all other commands",
     0},
    {"against", OPTION_AGAINST, "CLUSTER|KEY=VALUE", 0,
     "Also simulate on this cluster, or with this value (KEY=VALUE; repeatable, all at once), and "
     "show the difference",
     0},
    {"files-on", OPTION_FILES_ON, "PROGRAM=SERVERS", 0,
     "With several programs: the files of one of them, by its number, are on these servers, 2=1-7; "
     "repeatable",
     0},
    {"max-events", OPTION_MAX_EVENTS, "N", 0,
     "Refuse runs with more events (default: 20000000000, some minutes; 0: no limit)", 0},
    {0},
};

static const char text[] =
    "Simulate a parallel program on a cluster: how long it takes, what is busy, who waits for "
    "whom.\v"
    "The program is a text file (fathom-simulate(1) lists the commands), or a trace, which is "
    "replayed. Several programs run at the same time: the command shows what each takes alone and "
    "with the others, at which server they meet, and servers for their files that keep them "
    "apart.\n"
    "\n"
    "Examples:\n"
    "  fathom simulate examples/sim/halo.sim --on clusters/pvs.yaml\n"
    "  fathom simulate -n 1024 --method bcast=Pipelined bcast.sim --on clusters/pvs.yaml\n"
    "  fathom simulate app.fathom --on clusters/pvs.yaml\n"
    "  fathom simulate app.fathom --on clusters/pvs.yaml --sweep servers=1..64 --sweep "
    "stripe=64K,1M\n"
    "  fathom simulate one.fathom other.fathom --on clusters/pvs.yaml\n"
    "  fathom simulate --json examples/sim/halo.sim --on clusters/pvs.yaml";

static void add_axis(struct argp_state *state, struct fth_sim_sweep *sweep, const char *axis)
{
    struct fth_error *error = NULL;
    if (!fth_sim_sweep_add(sweep, axis, &error))
        return;
    fth_cmd_wrong(state, "%s", fth_error_text(error));
    fth_error_free(error);
}

static void set_mode(struct argp_state *state, struct fth_cmd_simulation *request, const char *mode)
{
    request->replay.without_files =
        !strcmp(mode, "compute") || !strcmp(mode, "no-io") || !strcmp(mode, "synchronised");
    request->replay.without_messages = !strcmp(mode, "compute");
    if (!strcmp(mode, "synchronised")) {
        static const char *const messages[] = {"send=VirtualSync", "recv=VirtualSync",
                                               "put=VirtualSync", "get=VirtualSync",
                                               "notify=VirtualSync"};
        request->replay.files_meet = true;
        fth_cmd_add_methods_of(state, request, "VirtualSync");
        for (size_t i = 0; i < sizeof messages / sizeof *messages; i++)
            fth_cmd_add_method(state, request, messages[i]);
    } else if (!strcmp(mode, "flush-on-close")) {
        fth_cmd_add_method(state, request, "close=Flush");
        fth_cmd_add_method(state, request, "close_all=Flush");
    } else if (strcmp(mode, "all") && !request->replay.without_files) {
        fth_cmd_wrong(state,
                      "there is no mode '%s'; the modes are all, compute, no-io, synchronised and "
                      "flush-on-close",
                      mode);
    }
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct fth_cmd_simulation *request = state->input;
    switch (key) {
    case OPTION_ON:
        request->cluster_path = fth_cmd_cluster(state, argument, request->cluster_file);
        return 0;
    case OPTION_METHOD:
        fth_cmd_add_method(state, request, argument);
        return 0;
    case OPTION_METHODS:
        request->lists_methods = true;
        return 0;
    case OPTION_LEVEL:
        if (strcmp(argument, "mpiio") && strcmp(argument, "posix"))
            fth_cmd_wrong(state, "there is no level '%s'; the levels are mpiio and posix",
                          argument);
        request->replay.level =
            strcmp(argument, "posix") ? FTH_SIM_REPLAY_MPIIO : FTH_SIM_REPLAY_POSIX;
        return 0;
    case OPTION_MODE:
        set_mode(state, request, argument);
        return 0;
    case OPTION_RECORDED_AT: {
        struct fth_error *cause = NULL;
        if (fth_sim_parse(argument, FTH_SIM_FREQUENCY, &request->replay.instructions, &cause))
            fth_cmd_wrong(state, "--recorded-at: %s", fth_error_text(cause));
        else if (!request->replay.instructions)
            fth_cmd_wrong(
                state, "--recorded-at: a processor executes at least one instruction per second");
        fth_error_free(cause);
        return 0;
    }
    case OPTION_SWEEP:
        add_axis(state, &request->sweep, argument);
        return 0;
    case OPTION_TRACE:
        request->trace_path = argument;
        return 0;
    case OPTION_AGAINST:
        request->is_compared = true;
        if (strchr(argument, '=')) {
            add_axis(state, &request->against, argument);
            if (request->against.axes[request->against.axis_count - 1].count != 1)
                fth_cmd_wrong(state, "--against '%s' takes one value", argument);
        } else if (request->against_path) {
            fth_cmd_wrong(state, "--against takes one cluster; '%s' is the second", argument);
        } else {
            request->against_path = fth_cmd_cluster(state, argument, request->against_file);
        }
        return 0;
    case OPTION_FILES_ON:
        fth_cmd_place_files(state, request, argument);
        return 0;
    case OPTION_MAX_EVENTS:
        request->most_events = (uint64_t)fth_cmd_integer(state, "max-events", argument);
        return 0;
    case OPTION_TOP:
        request->top = (size_t)fth_cmd_integer(state, "top", argument);
        request->top_chosen = true;
        return 0;
    case 'n': {
        int64_t count = fth_cmd_integer(state, "processes", argument);
        if (count < 1 || count > 1 << 24)
            fth_cmd_wrong(state, "--processes takes 1 to 16777216, not '%s'", argument);
        request->processes = (uint32_t)count;
        return 0;
    }
    case ARGP_KEY_INIT:
        return fth_cmd_page_option(key, state, &request->page);
    case ARGP_KEY_ARG:
        fth_cmd_add_program(state, request, argument);
        return 0;
    case ARGP_KEY_END:
        if (request->lists_methods)
            return 0;
        if (!request->program_path)
            fth_cmd_wrong(state, "give a program");
        if (!request->cluster_path)
            fth_cmd_wrong(state, "give a cluster: --on CLUSTER takes its file");
        if (request->page.table && !strcmp(request->page.table, "compared") &&
            !fth_sim_is_trace(request->program_path))
            fth_cmd_wrong(state, "the table 'compared' is there for traces only: what is recorded "
                                 "and what is simulated");
        if (request->is_compared && request->sweep.axis_count)
            fth_cmd_wrong(state, "--against and --sweep exclude each other");
        fth_cmd_check_programs(state, request);
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

enum { SUMMARY, COMPARED, PROCESSORS, COMPONENTS, SERVERS, BUFFERS, ENDS, TABLES };

static void make_tables(struct fth_table *tables[TABLES], const struct fth_cmd_simulation *request,
                        const struct fth_sim_world *world, const struct fth_sim_program *program)
{
    bool is_trace = fth_sim_is_trace(request->program_path);
    tables[SUMMARY] = fth_sim_summary(world, program->ranks);
    tables[COMPARED] = fth_sim_compared(world, is_trace ? program : NULL);
    tables[PROCESSORS] = fth_sim_processors(world);
    tables[COMPONENTS] = fth_sim_components(world);
    tables[SERVERS] = fth_sim_servers_table(world);
    tables[BUFFERS] = fth_sim_buffers_table(world);
    tables[ENDS] = fth_sim_ends(world, program->ranks);
}

static bool has_failed(struct fth_table *const tables[TABLES])
{
    for (size_t i = 0; i < TABLES; i++)
        if (!tables[i] || fth_table_failed(tables[i]))
            return true;
    return false;
}

/* All tables for programs; what is empty is none for people. */
static void show_tables(struct fth_writer *writer, const struct fth_cmd_simulation *request,
                        struct fth_table *const tables[TABLES])
{
    const struct fth_table_layout all = {0},
                                  some = {.top = request->top,
                                          .more = "--top 0 shows all",
                                          .top_of_all = request->top_chosen ? request->top : 0};
    for (size_t i = COMPARED; i < TABLES; i++)
        if (fth_table_rows(tables[i]) || !fth_views_for_people(writer))
            fth_views_write_table(writer, tables[i], i <= COMPONENTS ? &all : &some);
}

static int show(const struct fth_cmd_simulation *request, const struct fth_sim_cluster *cluster,
                struct fth_table *const tables[TABLES], struct fth_error **error)
{
    struct fth_writer writer;
    if (fth_cmd_open_simulation(&writer, request, error))
        return -1;
    fth_json_key_text(&writer.facts, "cluster", cluster->name);
    fth_views_write_table(&writer, tables[SUMMARY], &(struct fth_table_layout){.is_one = true});
    show_tables(&writer, request, tables);
    return fth_cmd_close_page(&writer, 0, error);
}

/* What makes figures of something that nobody means. */
static void print_warnings(const struct fth_sim_world *world)
{
    char warning[512];
    for (uint32_t i = 0; fth_sim_world_warning(world, i, warning, sizeof warning); i++)
        fprintf(stderr, "fathom: %s\n", warning);
}

/* A program that waits forever is an error, reported after what is known; what is sent to nobody is
 * only reported. */
static int check_ends(const struct fth_sim_world *world, uint32_t ranks, struct fth_error **error)
{
    char waits[1024], first[256];
    uint32_t waiting = 0;
    uint64_t unreceived = fth_sim_world_unreceived(world, first, sizeof first);
    if (unreceived)
        fth_say(stderr, "fathom: %llu message%s never received: %s%s\n",
                (unsigned long long)unreceived, unreceived == 1 ? " is" : "s are",
                unreceived == 1 ? "" : "for example, ", first);
    for (uint32_t rank = 0; rank < ranks; rank++)
        waiting += fth_sim_world_end(world, rank, NULL, 0) < 0;
    if (!waiting)
        return 0;
    fth_sim_world_describe_waits(world, waits, sizeof waits);
    return fth_fail(error, "%u of %u processes wait forever: %s", waiting, ranks, waits);
}

static int write_trace(const struct fth_cmd_simulation *request, struct fth_sim_recorder *recorder,
                       struct fth_error **error)
{
    char *file = fth_cmd_output_file(request->trace_path);
    int result = file ? fth_sim_recorder_write(recorder, file, request->program_path, error)
                      : fth_fail_errno(error, "cannot write '%s'", request->trace_path);
    free(file);
    return result;
}

/* Before anything is simulated: the trace must not replace what is read, nor what is no trace. */
static int check_trace_path(const struct fth_cmd_simulation *request, struct fth_error **error)
{
    const char *inputs[] = {request->program_path, request->cluster_path, NULL};
    if (!request->trace_path)
        return 0;
    if (request->page.path && !strcmp(request->page.path, request->trace_path))
        return fth_fail(error, "--trace and --output are the same file '%s'", request->trace_path);
    return fth_views_check_output(request->trace_path, inputs, error) ||
                   fth_run_check_output(request->trace_path, error)
               ? -1
               : 0;
}

static volatile sig_atomic_t is_interrupted;

static void interrupt(int number)
{
    is_interrupted = number;
}

/* A first Ctrl-C ends the simulation, and it is shown how far that came; a second one ends the
 * program. */
static int run_world(const struct fth_cmd_simulation *request, struct fth_sim_world *world,
                     double expected, struct fth_error **error)
{
    const struct fth_sim_limits limits = {request->most_events, expected, true, &is_interrupted};
    struct sigaction action = {.sa_handler = interrupt, .sa_flags = (int)SA_RESETHAND}, before;
    sigaction(SIGINT, &action, &before);
    if (before.sa_handler == SIG_IGN)
        sigaction(SIGINT, &before, NULL);
    int result = fth_sim_run_within(world, &limits, error);
    sigaction(SIGINT, &before, NULL);
    return result;
}

static int simulate(const struct fth_cmd_simulation *request, const struct fth_sim_cluster *cluster,
                    const struct fth_sim_program *program, double expected,
                    struct fth_error **error)
{
    struct fth_sim_world *world = fth_sim_world_new(cluster, program, error);
    if (!world)
        return -1;
    for (size_t i = 0; i < request->method_count; i++)
        fth_sim_world_use(world, request->methods[i]);
    struct fth_sim_recorder *recorder =
        request->trace_path ? fth_sim_recorder_new(world, program) : NULL;
    if (run_world(request, world, expected, error)) {
        fth_sim_recorder_free(recorder);
        fth_sim_world_free(world);
        return -1;
    }
    struct fth_table *tables[TABLES];
    make_tables(tables, request, world, program);
    int result = has_failed(tables) ? fth_fail(error, "out of memory for the tables")
                                    : show(request, cluster, tables, error);
    for (size_t i = 0; i < TABLES; i++)
        fth_table_free(tables[i]);
    print_warnings(world);
    if (!result && recorder)
        result = write_trace(request, recorder, error);
    if (!result && check_ends(world, program->ranks, error))
        result = fth_fail_in(error, "program '%s'", request->program_path);
    fth_sim_recorder_free(recorder);
    fth_sim_world_free(world);
    return result;
}

/* Says what the simulated run lacks of the recorded one. */
static void report_losses(const struct fth_sim_program *program)
{
    static const char *const why[FTH_SIM_LOSSES] = {
        [FTH_SIM_LOST_GROUP] = "the members of their communicators are unknown",
        [FTH_SIM_LOST_NEIGHBOURS] = "their neighbours are unknown",
        [FTH_SIM_LOST_PLACE] = "their byte ranges are unknown, or they used a pipe or the like",
        [FTH_SIM_LOST_BYTES] = "their byte ranges are unknown",
    };
    struct fth_sim_loss loss;
    for (size_t i = 0; fth_sim_replay_loss(program, i, &loss); i++)
        fth_say(stderr, "fathom: %s of %s %s simulated %s: %s\n",
                fth_phrase_several(loss.calls, "call", "calls").text, loss.function,
                loss.calls == 1 ? "was" : "were",
                loss.why == FTH_SIM_LOST_BYTES ? "as waiting for each other, without their bytes"
                                               : "as computation",
                why[loss.why]);
}

/* Before the simulation: it may wait forever for what was cut off. */
static void report_cut_off(const struct fth_sim_program *program)
{
    const char *how;
    size_t count = fth_sim_replay_cut_off(program, &how);
    if (count)
        fth_say(stderr,
                "fathom: the recorded run was cut off (%zu process%s, for example by %s): the "
                "simulation ends there\n",
                count, count == 1 ? "" : "es", how);
    count = fth_sim_replay_watched(program);
    if (count)
        fth_say(stderr,
                "fathom: %s only watched in some phases (--select): what %s did there between "
                "recorded calls, I/O included, is simulated as computation\n",
                fth_phrase_several(count, "rank was", "ranks were").text,
                count == 1 ? "it" : "they");
}

static void report_opened(const struct fth_sim_program *program)
{
    fth_cmd_report_incomplete("simulate", fth_sim_replay_trace(program), NULL, NULL);
    report_cut_off(program);
}

static int report_ended(struct fth_sim_program *program, struct fth_error **error)
{
    if (fth_sim_replay_check(program, error))
        return -1;
    report_losses(program);
    return 0;
}

static int replay(const struct fth_cmd_simulation *request, const struct fth_sim_cluster *cluster,
                  struct fth_error **error)
{
    if (request->processes)
        return fth_fail(error, "a trace has a fixed number of processes: leave -n out");
    struct fth_sim_program *program =
        fth_sim_replay_open(request->program_path, &request->replay, error);
    if (!program)
        return -1;
    report_opened(program);
    int result = simulate(request, cluster, program, 0, error);
    if (!result)
        result = report_ended(program, error);
    fth_sim_replay_free(program);
    return result;
}

static int run_text(const struct fth_cmd_simulation *request, const struct fth_sim_cluster *cluster,
                    struct fth_error **error)
{
    struct fth_sim_program *program =
        fth_sim_program_read(request->program_path, request->processes, error);
    if (!program)
        return -1;
    struct fth_sim_estimate estimate = fth_sim_estimate(program, cluster);
    const struct fth_sim_limits limits = {.most_events = request->most_events};
    int result = fth_sim_limits_check(&limits, &estimate, error)
                     ? fth_fail_in(error, "program '%s'", request->program_path)
                     : simulate(request, cluster, program, estimate.events, error);
    fth_sim_program_free(program);
    return result;
}

static int run_together(struct fth_cmd_simulation *request, struct fth_error **error)
{
    const struct fth_sim_limits limits = {.most_events = request->most_events,
                                          .shows_progress = true};
    request->contention.opened = report_opened;
    request->contention.ended = report_ended;
    return fth_cmd_together(request, &limits, error);
}

static int run(struct fth_cmd_simulation *request, struct fth_error **error)
{
    struct fth_sim_cluster cluster;
    signal(SIGPIPE, SIG_IGN);
    if (request->lists_methods)
        return fth_cmd_list_methods(request, error);
    if (request->sweep.axis_count)
        return fth_cmd_sweep(request, error);
    if (fth_together_is_spare())
        return 0; /* rank 0 does it for all */
    if (request->contention.count > 1)
        return run_together(request, error);
    if (request->is_compared)
        return fth_cmd_against(request, error);
    if (check_trace_path(request, error))
        return -1;
    if (fth_sim_cluster_read(&cluster, request->cluster_path, error))
        return -1;
    int result = fth_sim_is_trace(request->program_path) ? replay(request, &cluster, error)
                                                         : run_text(request, &cluster, error);
    fth_sim_cluster_free(&cluster);
    return result;
}

int fth_cmd_simulate(int argc, char **argv)
{
    const struct argp argp = {
        options, parse, "PROGRAM...", text, fth_cmd_page_options(FTH_CMD_HAS_TABLES, 0),
        NULL,    NULL};
    struct fth_cmd_simulation request = {.top = 10, .most_events = FTH_SIM_USUAL_EVENTS};
    struct fth_error *error = NULL;
    if (fth_cmd_parse(&argp, argc, argv, 0, &request))
        return 1;
    int status = run(&request, &error) ? fth_cmd_failed("simulate", error) : 0;
    if (is_interrupted) {
        signal(is_interrupted, SIG_DFL);
        raise(is_interrupted);
    }
    return status;
}
