/* `fathom fs`: instances of the file system. */
#include "base/memory.h"
#include "base/phrase.h"
#include "base/settings.h"
#include "cmd/fs/fs_cost.h"
#include "cmd/fs/fs_from_trace.h"
#include "cmd/fs/fs_in_use.h"
#include "cmd/fs/fs_model.h"
#include "cmd/fs/fs_nodes.h"
#include "cmd/fs/fs_server.h"
#include "cmd/fs/fs_status.h"
#include "cmd/run/launch.h"
#include "cmd/shared/actions.h"
#include "cmd/shared/command.h"
#include "cmd/shared/page_options.h"
#include "fs/protocol/fs_messages.h"
#include "fs/protocol/unsaved.h"
#include "fs/server/node_meeting.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    OPTION_INSTANCE = 0x300,
    OPTION_UNDER,
    OPTION_AT,
    OPTION_BUFFER,
    OPTION_BUFFER_SIZE,
    OPTION_DISCARD,
    OPTION_MODEL,
    OPTION_WITHIN,
    OPTION_FROM_TRACE,
    OPTION_CHAOS,
    OPTION_NODES,
    OPTION_PROCESSES,
    OPTION_OPERATIONS,
    OPTION_TIMES,
    OPTION_ADDRESS,
    OPTION_RDMA,
    OPTION_WAIT,
    OPTION_STAY,
};

static const struct argp_option options[] = {
    {"instance", OPTION_INSTANCE, "NAME", 0,
     "The instance (default: `default`; of run: one of its own that ends with the program)", 0},
    {"under", OPTION_UNDER, "DIR", 0,
     "The folder below: where files are at the start, and at the end (default: the current one)",
     0},
    {"at", OPTION_AT, "PREFIX", 0, "Absolute paths below PREFIX are files of the instance", 0},
    {"buffer", OPTION_BUFFER, "DIR", 0,
     "The buffers of clients are in DIR, memory or a local disk (default: /dev/shm)", 0},
    {"buffer-size", OPTION_BUFFER_SIZE, "BYTES", 0,
     "Room of the buffer of one client (default: 1G); when it is full, what is attached moves to "
     "DIR",
     0},
    {"chaos", OPTION_CHAOS, "SEED", 0,
     "run, start: processes wait at random, up to 3 ms, before and behind what they publish and "
     "fetch: a test of programs and models",
     0},
    {"discard", OPTION_DISCARD, NULL, 0,
     "stop: end the instance without writing; what is attached and not flushed is lost", 0},
    {"model", OPTION_MODEL, "[NAMES=]MODEL", 0,
     "run, start: programs that know nothing of the file system work on it, with their files below "
     "PREFIX (default: DIR), and see what others write when MODEL says: posix, commit, session, "
     "mpi-io, eventual, or a file (./my.models). With NAMES, a path or a shell pattern of paths "
     "below DIR ('out/*.h5=session'), only these files; the others have posix consistency, or that "
     "of another --model",
     0},
    {"from-trace", OPTION_FROM_TRACE, "TRACE", 0,
     "run, start: as --model, and each file of a recorded run has the weakest model that `fathom "
     "verify` says is enough for it, posix where that is not known; the reasons are shown",
     0},
    {"publish-within", OPTION_WITHIN, "TIME", 0,
     "run, start: under a model that says no moment, such as eventual, what is older is published "
     "at "
     "the next access (default: 0, at each access)",
     0},
    {"nodes", OPTION_NODES, "N", 0,
     "start: the instance has servers on N nodes, or on those of a list of their names "
     "(first,second); each is started on its node, and they meet in DIR, which all of them see "
     "(default: as many as the launcher of this process has ranks). cost: number of nodes "
     "(default: 8)",
     1},
    {"address", OPTION_ADDRESS, "ADDRESS", 0,
     "start: the address or the network device (such as eth0) by which servers of other nodes "
     "reach this one (default: the loopback, which no other node reaches)",
     1},
    {"rdma", OPTION_RDMA, "DEVICE", 0,
     "start: servers speak to one another by UCX and this device (as `ucx_info -d` calls it: "
     "mlx5_0:1), which moves bytes by RDMA where it can: in the clear, so for networks that are "
     "trusted (default: by TCP, encrypted)",
     1},
    {"processes", OPTION_PROCESSES, "N", 0, "cost: processes of each node (default: 8)", 1},
    {"operations", OPTION_OPERATIONS, "N", 0, "cost: writes of each process (default: 10)", 1},
    {"times", OPTION_TIMES, "TS,TL,TC", 0,
     "cost: time of a lock that the global manager grants, that the node has, of a conflict "
     "(default: 20us,1us,60us)",
     1},
    {"wait", OPTION_WAIT, "TIME", 0,
     "start: wait at most so long for the servers of other nodes (default: 60s)", 1},
    {"stay", OPTION_STAY, NULL, 0,
     "start: end when the instance is stopped, where the launcher ends what its processes leave "
     "behind (srun)",
     1},
    {0},
};

static const char text[] =
    "A file system for one job, in the memory of its node, for programs that use <fathom/fs.h>, "
    "and with --model for programs that know nothing of it: what a process writes is in its own "
    "buffer until it attaches it, or until the model wants that others see it.\v"
    "Actions:\n"
    "  run     start an instance, run a program on it, flush, and stop it\n"
    "  start   start an instance, or the server of one that was killed\n"
    "  status  show files, what is not flushed yet, and requests\n"
    "  flush   write what is attached to the folder below\n"
    "  stop    flush, and end the instance\n"
    "  cost    what locks would cost a program on many nodes\n"
    "\n"
    "On several nodes, the launcher of the job starts one server on each, with `start`.\n"
    "\n"
    "Examples:\n"
    "  fathom fs run --under /scratch/out -- ./exchange\n"
    "  fathom fs run --model session --under out -- tar xf data.tar -C out\n"
    "  fathom fs run --model posix --model '*.h5=session' --under out -- mpirun -n 4 ./app\n"
    "  fathom fs run --from-trace app.fathom --under out -- mpirun -n 4 ./app\n"
    "  fathom fs start --instance mine --under out\n"
    "  fathom fs run --instance mine -- ./app\n"
    "  fathom fs status --instance mine\n"
    "  fathom fs stop --instance mine\n"
    "  mpirun -n 4 --map-by ppr:1:node fathom fs start --model session --address ib0 --under out\n"
    "  fathom fs cost --nodes 16 --processes 8 --operations 40";

struct request {
    const struct action *action;
    const char *name;
    struct fth_fs_instance instance;
    const char *under, *buffers, *nodes;
    uint64_t wait; /* ns */
    int64_t self;  /* which server of several this is; -1: not known yet */
    struct fth_cmd_fs_models models;
    bool discard, stays;
    char **command;
    int not_started; /* the exit status if the command could not be started; else 0 */
    struct fth_cmd_fs_cost cost;
    struct fth_cmd_page page;
};

struct action {
    const char *name;
    int (*run)(struct request *request, struct fth_error **error); /* -1, or the exit status */
};

static const char *name_of(const struct request *request)
{
    return request->name ? request->name : "default";
}

static int open_instance(struct request *request, struct fth_error **error)
{
    char path[PATH_MAX];
    if (!fth_instance_place(name_of(request), path))
        return fth_fail(error,
                        "'%s' cannot be the name of an instance: it has no slash, does not "
                        "begin with a dot, and has at most 64 characters",
                        name_of(request));
    if (access(path, F_OK) && errno == ENOENT)
        return fth_fail(error,
                        "there is no instance '%s'; `fathom fs start --instance %s` makes "
                        "one",
                        name_of(request), name_of(request));
    return fth_instance_open(&request->instance, path, error);
}

static bool has_bound(const struct fth_model_rules *rules)
{
    for (size_t i = 0; i < rules->model_count; i++)
        if (rules->models[i].moments.publishes & FTH_AT_BOUND)
            return true;
    return false;
}

static int check_use(const struct request *request, const char *path, struct fth_error **error)
{
    char parent[PATH_MAX];
    snprintf(parent, sizeof parent, "%s", path);
    *strrchr(parent, '/') = 0;
    return fth_cmd_fs_check_use(&request->instance, parent, strrchr(path, '/') + 1, error);
}

static int make_instance(struct request *request, const char *name, struct fth_error **error)
{
    char path[PATH_MAX];
    if (!fth_instance_place(name, path))
        return fth_fail(error,
                        "'%s' cannot be the name of an instance: it has no slash, does not "
                        "begin with a dot, and has at most 64 characters",
                        name);
    if (!realpath(request->under ? request->under : ".", request->instance.under_path))
        return fth_fail_errno(error, "the folder below, '%s', cannot be used", request->under);
    if (fth_cmd_fs_choose_models(&request->models, &request->instance, error) ||
        (request->models.trace &&
         fth_cmd_fs_from_trace(request->models.trace, &request->instance, error)))
        return -1;
    if (request->instance.within && !has_bound(&request->instance.rules))
        return fth_fail(error, "--publish-within is for models that do not say when others see "
                               "what was written, such as --model eventual");
    if (check_use(request, path, error) ||
        fth_cmd_fs_meet(&request->instance, path, request->self, error))
        return -1;
    if (fth_instance_make(&request->instance, path, request->buffers, error)) {
        fth_cmd_fs_miss(&request->instance);
        return -1;
    }
    if (!fth_cmd_fs_start_server(&request->instance, error))
        return 0;
    fth_instance_remove(&request->instance);
    fth_cmd_fs_miss(&request->instance);
    return -1;
}

/* None of them works before all are there. */
static int wait_for_others(struct request *request, struct fth_error **error)
{
    struct fth_bytes answer;
    struct fth_view view;
    if (request->instance.server_count == 1 ||
        !fth_node_meeting_wait(&request->instance, request->wait, error))
        return 0;
    if (!fth_cmd_fs_ask(&request->instance, FTH_MESSAGE_DISCARD, &answer, &view, NULL))
        fth_instance_remove(&request->instance);
    fth_bytes_free(&answer);
    fth_cmd_fs_miss(&request->instance);
    return -1;
}

/* What an instance has from its start is not given again. */
static int open_as_it_is(struct request *request, struct fth_error **error)
{
    const char *given = fth_cmd_fs_has_models(&request->models) ? "--model and --from-trace"
                        : request->under                        ? "--under"
                        : request->buffers                      ? "--buffer"
                        : request->nodes                        ? "--nodes"
                        : *request->instance.address            ? "--address"
                        : *request->instance.rdma               ? "--rdma"
                        : *request->instance.prefix             ? "--at"
                                                                : NULL;
    if (given)
        return fth_fail(error,
                        "%s cannot be given: the instance '%s' is there already (`fathom fs start "
                        "--instance %s` alone starts its server again where it was killed, "
                        "`fathom fs stop --instance %s` ends it)",
                        given, name_of(request), name_of(request), name_of(request));
    return open_instance(request, error);
}

/* The folder of the instance is gone when it has ended. */
static void stay(const struct request *request)
{
    static const struct timespec pause = {.tv_nsec = 100000000};
    fflush(stdout);
    while (access(request->instance.path, F_OK) == 0)
        nanosleep(&pause, NULL);
}

static int start(struct request *request, struct fth_error **error)
{
    char path[PATH_MAX];
    if (fth_instance_place(name_of(request), path) && access(path, F_OK) == 0) {
        if (open_as_it_is(request, error) || fth_cmd_fs_start_server(&request->instance, error))
            return -1;
        fprintf(stderr, "fathom fs: the server of the instance '%s' was started again\n",
                name_of(request));
    } else if (fth_cmd_fs_count_nodes(&request->instance, request->nodes, &request->self, error) ||
               make_instance(request, name_of(request), error)) {
        return -1;
    }
    if (*request->instance.rdma && request->instance.server_count == 1)
        fprintf(stderr, "fathom fs: --rdma changes nothing: the instance has one server\n");
    if (wait_for_others(request, error))
        return -1;
    printf("export %s=%s\n", FTH_SETTING_NAME(FS), request->instance.path);
    char *preload = NULL;
    if (request->instance.rules.model_count && fth_cmd_fs_preload(&preload, error))
        return -1;
    if (preload)
        printf("export LD_PRELOAD=%s\n", preload);
    free(preload);
    if (request->stays)
        stay(request);
    return 0;
}

static int print_status(struct request *request, struct fth_error **error)
{
    return open_instance(request, error)
               ? -1
               : fth_cmd_fs_status(&request->instance, &request->page, error);
}

static int ask_to_write(struct request *request, uint8_t kind, FILE *to, struct fth_error **error)
{
    struct fth_bytes answer;
    struct fth_view view;
    int failed = fth_cmd_fs_ask(&request->instance, kind, &answer, &view, error);
    uint64_t files = failed ? 0 : fth_view_varint(&view);
    uint64_t bytes = failed ? 0 : fth_view_varint(&view);
    fth_bytes_free(&answer);
    if (!failed && to)
        fprintf(to, "%s, %s written to %s\n", fth_phrase_several(files, "file", "files").text,
                fth_phrase_bytes(bytes).text, request->instance.under_path);
    return failed;
}

/* The model of a file, by its path. */
static const char *model_of(const struct fth_fs_instance *instance, const char *path)
{
    const struct fth_model_rule *one, *other;
    const char *name = fth_cmd_fs_name_below(instance, path);
    const struct fth_fs_model *model =
        fth_model_rules_of(&instance->rules, name ? name : path, &one, &other);
    return model ? model->name : instance->rules.models[0].name;
}

/* What processes wrote and did not publish before they ended. */
static void tell_of_loss(const struct fth_unsaved *process, const struct fth_unsaved_file *file,
                         void *data)
{
    const struct fth_fs_instance *instance = data;
    fprintf(stderr,
            "fathom fs: %s (process %lld) ended before it had published, under %s consistency, "
            "what it had written: '%s', bytes %llu to %llu%s, is lost\n",
            process->program, (long long)process->process, model_of(instance, file->name),
            file->name, (unsigned long long)file->begin, (unsigned long long)file->end,
            file->has_gaps ? " in parts" : "");
}

/* Of this node, or of all. */
static void tell_of_losses(struct fth_fs_instance *instance, bool of_all)
{
    if (instance->rules.model_count && instance->server_count > 1 && of_all)
        fth_cmd_fs_each_loss(instance, tell_of_loss, instance);
    else if (instance->rules.model_count)
        fth_unsaved_each(instance->folder, tell_of_loss, instance);
}

static int flush(struct request *request, struct fth_error **error)
{
    return open_instance(request, error) ? -1
                                         : ask_to_write(request, FTH_MESSAGE_FLUSH, stdout, error);
}

/* Nobody is asked where the server of this node is gone. Of several nodes, what is on others is
 * ended there. */
static bool discard_without_server(const struct request *request, unsigned milliseconds)
{
    int lock = request->discard ? fth_instance_lock(&request->instance, milliseconds) : -1;
    if (lock < 0)
        return false;
    fth_instance_remove(&request->instance);
    close(lock);
    return true;
}

static int stop(struct request *request, struct fth_error **error)
{
    if (open_instance(request, error))
        return -1;
    if (discard_without_server(request, 0))
        return 0;
    tell_of_losses(&request->instance, true);
    int failed = ask_to_write(request, request->discard ? FTH_MESSAGE_DISCARD : FTH_MESSAGE_STOP,
                              request->discard ? NULL : stdout, error);
    if (failed && !request->discard)
        return fth_fail_in(error, "the instance '%s' stays (--discard ends it all the same)",
                           name_of(request));
    if (failed && discard_without_server(request, 1000)) {
        fth_error_free(*error);
        *error = NULL;
        return 0;
    }
    if (failed)
        return -1;
    if (request->instance.server_count > 1)
        fth_node_meeting_remove(&request->instance);
    fth_instance_remove(&request->instance);
    return 0;
}

static void nothing(void)
{
}

/* *status: as from waitpid. -1: *error is set, it was not started. */
static int run_program(struct request *request, int *status, struct fth_error **error)
{
    struct fth_outcome outcome;
    char *preload = NULL;
    if (request->instance.rules.model_count && fth_cmd_fs_preload(&preload, error))
        return -1;
    const struct fth_setting settings[] = {{FTH_SETTING_NAME(FS), request->instance.path},
                                           {preload ? "LD_PRELOAD" : NULL, preload},
                                           {NULL, NULL}};
    bool launched = fth_launch(request->command, settings, false, nothing, &outcome) == 0;
    if (launched && !outcome.exec_error) {
        *status = outcome.status;
        return 0;
    }
    errno = launched ? outcome.exec_error : errno;
    request->not_started = fth_launch_status_of_error(errno);
    return fth_fail_errno(error, "'%s' cannot be started", *request->command);
}

/* Ends as the program did, after all that it attached is in the folder below. */
static int run(struct request *request, struct fth_error **error)
{
    char own[64];
    int status = 0;
    if (!request->command)
        return fth_fail(error, "give a program, for example: fathom fs run -- ./app");
    snprintf(own, sizeof own, "run-%ld", (long)getpid());
    bool is_own = !request->name;
    if (is_own ? make_instance(request, own, error) : open_as_it_is(request, error))
        return -1;
    int failed = run_program(request, &status, error);
    if (!failed)
        tell_of_losses(&request->instance, false);
    if (is_own && !ask_to_write(request, FTH_MESSAGE_STOP, NULL, failed ? NULL : error))
        fth_instance_remove(&request->instance);
    else if (is_own && !failed)
        return fth_fail_in(error, "what was not written is still in the instance '%s'", own);
    return failed ? -1 : fth_launch_end_alike(status);
}

static int cost(struct request *request, struct fth_error **error)
{
    return fth_cmd_fs_cost(&request->cost, &request->page, error);
}

static const struct action actions[] = {
    {"run", run},     {"start", start}, {"status", print_status},
    {"flush", flush}, {"stop", stop},   {"cost", cost}};
enum { ACTIONS = sizeof actions / sizeof *actions };

static const struct action *action_of(struct argp_state *state, const char *word)
{
    const char *names[ACTIONS + 1] = {NULL};
    for (size_t i = 0; i < ACTIONS; i++)
        names[i] = actions[i].name;
    return &actions[fth_cmd_action(state, word, names, "run, start, status, flush, stop or cost")];
}

static uint32_t number(struct argp_state *state, const char *option, const char *argument,
                       uint32_t most)
{
    int64_t value = fth_cmd_integer(state, option, argument);
    if (value < 1 || value > most)
        fth_cmd_wrong(state, "--%s is a number from 1 to %u, not '%s'", option, most, argument);
    return (uint32_t)value;
}

static void check_nodes(struct argp_state *state, struct request *request)
{
    bool is_start = request->action->run == start, is_cost = request->action->run == cost;
    if (request->nodes && is_cost)
        request->cost.nodes = number(state, "nodes", request->nodes, 1 << 14);
    else if ((request->nodes || *request->instance.address || *request->instance.rdma) && !is_start)
        fth_cmd_wrong(state,
                      "servers on several nodes are started by `fathom fs start` on each of them; "
                      "programs run there with `fathom fs run --instance NAME`");
}

static void set_times(struct argp_state *state, struct fth_cmd_fs_cost *cost, char *argument)
{
    char *first = strchr(argument, ','), *second = first ? strchr(first + 1, ',') : NULL;
    if (!second)
        fth_cmd_wrong(state, "--times has three times, such as 20us,1us,60us, not '%s'", argument);
    *first = *second = 0;
    cost->global = fth_cmd_duration(state, "times", argument);
    cost->local = fth_cmd_duration(state, "times", first + 1);
    cost->conflict = fth_cmd_duration(state, "times", second + 1);
}

static void set_prefix(struct argp_state *state, struct request *request, const char *argument)
{
    size_t length = strlen(argument);
    while (length > 1 && argument[length - 1] == '/')
        length--;
    if (*argument != '/' || length < 2 || length >= sizeof request->instance.prefix)
        fth_cmd_wrong(state, "--at is an absolute path, not '%s'", argument);
    memcpy(request->instance.prefix, argument, length);
}

static void set_address(struct argp_state *state, struct request *request, const char *argument)
{
    size_t length = strlen(argument);
    if (!length || length >= sizeof request->instance.address || strpbrk(argument, " \n"))
        fth_cmd_wrong(state, "--address is an address or a network device, not '%s'", argument);
    memcpy(request->instance.address, argument, length);
}

static void set_rdma(struct argp_state *state, struct request *request, const char *argument)
{
    size_t length = strlen(argument);
    if (!length || length >= sizeof request->instance.rdma || strpbrk(argument, " \n,"))
        fth_cmd_wrong(state, "--rdma is one device of UCX (`ucx_info -d` lists them), not '%s'",
                      argument);
    memcpy(request->instance.rdma, argument, length);
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct request *request = state->input;
    switch (key) {
    case OPTION_INSTANCE:
        request->name = argument;
        return 0;
    case OPTION_UNDER:
        request->under = argument;
        return 0;
    case OPTION_AT:
        set_prefix(state, request, argument);
        return 0;
    case OPTION_BUFFER:
        request->buffers = argument;
        return 0;
    case OPTION_BUFFER_SIZE:
        request->instance.buffer_bytes = fth_cmd_bytes(state, "buffer-size", argument);
        return 0;
    case OPTION_MODEL:
        FTH_GROW(request->models.given, request->models.given_count);
        request->models.given[request->models.given_count++] = argument;
        return 0;
    case OPTION_FROM_TRACE:
        request->models.trace = argument;
        return 0;
    case OPTION_WITHIN:
        request->instance.within = (uint64_t)fth_cmd_duration(state, "publish-within", argument);
        return 0;
    case OPTION_CHAOS:
        request->instance.chaos = number(state, "chaos", argument, UINT32_MAX);
        return 0;
    case OPTION_DISCARD:
        request->discard = true;
        return 0;
    case OPTION_NODES:
        request->nodes = argument;
        return 0;
    case OPTION_WAIT:
        request->wait = (uint64_t)fth_cmd_duration(state, "wait", argument);
        return 0;
    case OPTION_STAY:
        request->stays = true;
        return 0;
    case OPTION_ADDRESS:
        set_address(state, request, argument);
        return 0;
    case OPTION_RDMA:
        set_rdma(state, request, argument);
        return 0;
    case OPTION_PROCESSES:
        request->cost.processes = number(state, "processes", argument, 1 << 10);
        return 0;
    case OPTION_OPERATIONS:
        request->cost.operations = number(state, "operations", argument, 1 << 20);
        return 0;
    case OPTION_TIMES:
        set_times(state, &request->cost, argument);
        return 0;
    case ARGP_KEY_INIT:
        return fth_cmd_page_option(key, state, &request->page);
    case ARGP_KEY_ARG:
        if (request->action)
            return ARGP_ERR_UNKNOWN;
        request->action = action_of(state, argument);
        return 0;
    case ARGP_KEY_ARGS:
        if (request->action->run != run)
            fth_cmd_wrong(state, "fathom fs %s takes no argument '%s'", request->action->name,
                          state->argv[state->next]);
        request->command = state->argv + state->next;
        return 0;
    case ARGP_KEY_END:
        if (!request->action)
            fth_cmd_wrong(state, "give an action: run, start, status, flush, stop or cost");
        check_nodes(state, request);
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

int fth_cmd_fs(int argc, char **argv)
{
    const struct argp argp = {
        options, parse, "ACTION [-- COMMAND...]", text, fth_cmd_page_options(FTH_CMD_HAS_TABLES, 0),
        NULL,    NULL};
    static struct request request = {.instance.buffer_bytes = UINT64_C(1) << 30,
                                     .instance.folder = -1,
                                     .instance.under = -1,
                                     .instance.server_count = 1,
                                     .self = -1,
                                     .wait = UINT64_C(60000000000),
                                     .cost = {8, 8, 10, 20000, 1000, 60000}};
    struct fth_error *error = NULL;
    if (fth_cmd_parse(&argp, argc, argv, ARGP_IN_ORDER, &request))
        return 1;
    int status = request.action->run(&request, &error);
    fth_instance_close(&request.instance);
    free(request.models.given);
    if (!error)
        return status;
    fth_cmd_failed("fs", error);
    return request.not_started ? request.not_started : 1;
}
