/* `fathom fs`: instances of the file system. */
#include "base/memory.h"
#include "cmd/fs/fs_request.h"
#include "cmd/fs/fs_status.h"
#include "cmd/shared/actions.h"
#include "cmd/shared/command.h"
#include "cmd/shared/page_options.h"

#include <stdlib.h>
#include <string.h>

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
    OPTION_COPIES,
    OPTION_WAIT,
    OPTION_STAY,
    OPTION_MOUNT,
};

static const struct argp_option options[] = {
    {"instance", OPTION_INSTANCE, "NAME", 0,
     "The instance (default: `default`; of run: one of its own that ends with the program)", 0},
    {"under", OPTION_UNDER, "DIR", 0,
     "The folder below: where files are at the start, and at the end (default: the current one)",
     0},
    {"at", OPTION_AT, "PREFIX", 0, "Absolute paths below PREFIX are files of the instance", 0},
    {"mount", OPTION_MOUNT, "WHEN", 0,
     "run, start: with --model and --at, PREFIX is a mount (FUSE) for programs that nothing can be "
     "preloaded into, static ones for example: yes, no, or auto, which is where it can be and hides "
     "no files (default; `status` says which)",
     0},
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
    {"copies", OPTION_COPIES, "N", 0,
     "start: 2: what is published is on a second node as well before anybody sees it, so that the "
     "loss of one node loses nothing of it; for two nodes and more (default: 1)",
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

struct action {
    const char *name;
    int (*run)(struct fth_cmd_fs_request *request, struct fth_error **error);
};

/* What is parsed. */
struct request {
    const struct action *action;
    struct fth_cmd_fs_request of;
};

static int print_status(struct fth_cmd_fs_request *request, struct fth_error **error)
{
    return fth_cmd_fs_open(request, error)
               ? -1
               : fth_cmd_fs_status(&request->instance, &request->page, error);
}

static int cost(struct fth_cmd_fs_request *request, struct fth_error **error)
{
    return fth_cmd_fs_cost(&request->cost, &request->page, error);
}

static const struct action actions[] = {{"run", fth_cmd_fs_run},   {"start", fth_cmd_fs_start},
                                        {"status", print_status},  {"flush", fth_cmd_fs_flush},
                                        {"stop", fth_cmd_fs_stop}, {"cost", cost}};
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

static void check_nodes(struct argp_state *state, const struct action *action,
                        struct fth_cmd_fs_request *request)
{
    bool is_start = action->run == fth_cmd_fs_start, is_cost = action->run == cost;
    if (request->nodes && is_cost)
        request->cost.nodes = number(state, "nodes", request->nodes, 1 << 14);
    else if ((request->nodes || *request->instance.address || *request->instance.rdma ||
              request->instance.copies > 1) &&
             !is_start)
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

static void set_prefix(struct argp_state *state, struct fth_cmd_fs_request *request,
                       const char *argument)
{
    size_t length = strlen(argument);
    while (length > 1 && argument[length - 1] == '/')
        length--;
    if (*argument != '/' || length < 2 || length >= sizeof request->instance.prefix)
        fth_cmd_wrong(state, "--at is an absolute path, not '%s'", argument);
    memcpy(request->instance.prefix, argument, length);
}

static void set_mount(struct argp_state *state, struct fth_cmd_fs_request *request,
                      const char *argument)
{
    if (strcmp(argument, "yes") == 0)
        request->mount = FTH_CMD_FS_MOUNT_YES;
    else if (strcmp(argument, "no") == 0)
        request->mount = FTH_CMD_FS_MOUNT_NO;
    else if (strcmp(argument, "auto") != 0)
        fth_cmd_wrong(state, "--mount is yes, no or auto, not '%s'", argument);
}

static void set_address(struct argp_state *state, struct fth_cmd_fs_request *request,
                        const char *argument)
{
    size_t length = strlen(argument);
    if (!length || length >= sizeof request->instance.address || strpbrk(argument, " \n"))
        fth_cmd_wrong(state, "--address is an address or a network device, not '%s'", argument);
    memcpy(request->instance.address, argument, length);
}

static void set_rdma(struct argp_state *state, struct fth_cmd_fs_request *request,
                     const char *argument)
{
    size_t length = strlen(argument);
    if (!length || length >= sizeof request->instance.rdma || strpbrk(argument, " \n,"))
        fth_cmd_wrong(state, "--rdma is one device of UCX (`ucx_info -d` lists them), not '%s'",
                      argument);
    memcpy(request->instance.rdma, argument, length);
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct request *parsed = state->input;
    struct fth_cmd_fs_request *request = &parsed->of;
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
    case OPTION_MOUNT:
        set_mount(state, request, argument);
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
    case OPTION_COPIES:
        request->instance.copies = number(state, "copies", argument, 2);
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
        if (parsed->action)
            return ARGP_ERR_UNKNOWN;
        parsed->action = action_of(state, argument);
        return 0;
    case ARGP_KEY_ARGS:
        if (parsed->action->run != fth_cmd_fs_run)
            fth_cmd_wrong(state, "fathom fs %s takes no argument '%s'", parsed->action->name,
                          state->argv[state->next]);
        request->command = state->argv + state->next;
        return 0;
    case ARGP_KEY_END:
        if (!parsed->action)
            fth_cmd_wrong(state, "give an action: run, start, status, flush, stop or cost");
        check_nodes(state, parsed->action, request);
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

int fth_cmd_fs(int argc, char **argv)
{
    const struct argp argp = {
        options, parse, "ACTION [-- COMMAND...]", text, fth_cmd_page_options(FTH_CMD_HAS_TABLES, 0),
        NULL,    NULL};
    static struct request request = {.of = {.instance.buffer_bytes = UINT64_C(1) << 30,
                                            .instance.folder = -1,
                                            .instance.under = -1,
                                            .instance.server_count = 1,
                                            .instance.copies = 1,
                                            .self = -1,
                                            .wait = UINT64_C(60000000000),
                                            .cost = {8, 8, 10, 20000, 1000, 60000}}};
    struct fth_error *error = NULL;
    if (fth_cmd_parse(&argp, argc, argv, ARGP_IN_ORDER, &request))
        return 1;
    int status = request.action->run(&request.of, &error);
    fth_instance_close(&request.of.instance);
    free(request.of.models.given);
    if (!error)
        return status;
    fth_cmd_failed("fs", error);
    return request.of.not_started ? request.of.not_started : 1;
}
