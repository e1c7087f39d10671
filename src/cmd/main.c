/* `fathom`: finds the subcommand and hands over to it. */
#include "base/nearest.h"
#include "base/visible.h"
#include "cmd/fs/fs_mount.h"
#include "cmd/record/find_plugins.h"
#include "cmd/run/other_nodes.h"
#include "cmd/run/start_sampler.h"
#include "cmd/run/source_lines.h"
#include "cmd/run/launched_together.h"
#include "cmd/shared/command.h"
#include "instrument/instrument.h"
#include "cmd/view/http_server.h"
#include "export/otf2/otf2.h"
#include "fs/protocol/secret.h"
#include "fs/server/ucx_ways.h"
#include "import/hdtrace/project.h"
#include "sim/plan/cluster.h"

#include <errno.h>
#include <jansson.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

#ifdef __x86_64__
#define MACHINE "x86-64"
#elif defined __aarch64__
#define MACHINE "aarch64"
#else
#define MACHINE "an unknown machine"
#endif

enum { LARGE = 1 << 20 /* bytes */ };

struct command {
    const char *name, *summary;
    int (*run)(int argc, char **argv);
    bool once; /* reads traces: of several ranks of a launcher the first one does it for all */
    bool takes_command; /* words behind its options are those of another command */
};

/* In the order of use. */
static const struct command commands[] = {
    {"record", "run a program and record its I/O calls", fth_cmd_record, false, true},
    {"wrap", "make a plug-in that records calls of your own library", fth_cmd_wrap, false, false},
    {"info", "show what a trace contains: processes, machine, what is missing", fth_cmd_info, true,
     false},
    {"report", "summarize a run: where the time went, problems, advice", fth_cmd_report, true,
     false},
    {"view", "show a run in a browser, exact at every zoom", fth_cmd_view, true, false},
    {"path", "show who waited for whom, and the critical path", fth_cmd_path, true, false},
    {"stats", "sum up calls, bytes and time by layer, function, file and rank", fth_cmd_stats, true,
     false},
    {"diff", "compare runs: what differs, and whether that is more than noise", fth_cmd_diff, true,
     false},
    {"dump", "list the calls, as text, JSON or CSV", fth_cmd_dump, true, false},
    {"export", "write the calls in the format of another tool: Perfetto, CSV ...", fth_cmd_export,
     false, false},
    {"handles", "show open handles as a tree: HDF5 file > MPI file > descriptor", fth_cmd_handles,
     true, false},
    {"query", "ask what calls of a library cost in each layer below", fth_cmd_query, true, false},
    {"verify", "check which consistency the program needs of its file system", fth_cmd_verify, true,
     false},
    {"proxy", "write a program that does the same I/O as a run", fth_cmd_proxy, true, false},
    {"generate", "write the I/O of a program, from hints in its source", fth_cmd_generate, false,
     false},
    {"instrument", "put probes into the sources of an I/O stack", fth_cmd_instrument, false, false},
    {"simulate", "predict how long a program takes on another machine", fth_cmd_simulate, false,
     false},
    {"replay", "do the I/O of a run again, without its program", fth_cmd_replay, false, false},
    {"measure", "measure this machine, as a cluster for simulate", fth_cmd_measure, false, false},
    {"tune", "find settings of libraries that make a program faster", fth_cmd_tune, false, true},
    {"samples", "show the counters of the machine during the run", fth_cmd_samples, true, false},
    {"merge", "make a trace from what a killed recording left behind", fth_cmd_merge, false, false},
    {"import", "make a trace from the log or trace of another tool", fth_cmd_import, false, false},
    {"attach", "record programs that are already running", fth_cmd_attach, false, false},
    {"detach", "end such a recording; the programs continue", fth_cmd_detach, false, false},
    {"workflow", "show how the programs of a workflow depend on each other", fth_cmd_workflow, true,
     false},
    {"fs", "a file system for one job, in the memory of its nodes", fth_cmd_fs, false, true},
};
#define COMMAND_COUNT (sizeof commands / sizeof *commands)

static int print_help(FILE *file)
{
    fputs("Usage: fathom COMMAND [OPTION...] [ARGUMENT...]\n"
          "See what a program does with its files, through every layer.\n"
          "\n"
          "Commands:\n",
          file);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        fprintf(file, "  %-11s %s\n", commands[i].name, commands[i].summary);
    fputs("\n"
          "A first look at a program, without recompiling it:\n"
          "  fathom record -o app.fathom -- mpirun -n 4 ./app\n"
          "  fathom report app.fathom\n"
          "  fathom stats app.fathom\n"
          "  fathom dump --rank 0 --head 50 app.fathom\n"
          "\n"
          "`fathom COMMAND --help` shows the options of a command.\n"
          "`fathom --version` shows what was built in.\n",
          file);
    return 0;
}

/* With what was found when Fathom was built: it matters in a report of an error. */
static int print_version(void)
{
    printf("fathom %s\n", FATHOM_VERSION);
    printf("built for %s, with zstd %s, xxHash %d.%d.%d, Jansson %s\n", MACHINE,
           ZSTD_VERSION_STRING, XXH_VERSION_MAJOR, XXH_VERSION_MINOR, XXH_VERSION_RELEASE,
           JANSSON_VERSION);
    puts("CUDA: through libcupti of CUDA 11.8 to 13, if the recorded program has it");
    printf("source lines of calls: %s\n",
           fth_source_lines_are_built_in ? "by libdw" : "no, it was built without libdw");
    printf("clusters of simulate: %s\n",
           fth_sim_reads_clusters ? "by libyaml" : "no, it was built without libyaml");
    printf("server of view: %s\n",
           fth_server_is_built_in ? "by libmicrohttpd" : "no, it was built without libmicrohttpd");
    printf("OTF2 of export and import: %s\n", fth_otf2_is_built_in
                                                  ? "by the OTF2 library"
                                                  : "no, it was built without the OTF2 library");
    printf("HDTrace of import: %s\n", fth_project_is_built_in
                                          ? "by the Expat library"
                                          : "no, it was built without the Expat library");
    printf("file system: %s\n",
           fth_secret_is_built_in ? "with libsodium" : "no, it was built without libsodium");
    printf("servers of the file system by RDMA: %s\n",
           fth_ucx_is_built_in ? "with UCX" : "no, it was built without UCX");
    printf("mounts of the file system: %s\n",
           fth_cmd_fs_mount_is_built_in ? "by libfuse" : "no, it was built without libfuse");
    printf("sources of instrument: %s\n",
           fth_syntax_is_built_in ? "by libclang" : "no, it was built without libclang");
    char *plugins = fth_record_found_plugins();
    if (plugins)
        printf("plug-ins: %s\n", plugins);
    free(plugins);
    return 0;
}

static int complain(const char *name)
{
    const struct command *nearest = NULL;
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (fth_is_nearer(name, commands[i].name, &least))
            nearest = &commands[i];
    if (nearest)
        fth_say(stderr, "fathom: there is no command '%s'; did you mean '%s'?\n", name,
                nearest->name);
    else
        fth_say(stderr, "fathom: there is no command '%s'; `fathom --help` lists them\n", name);
    return 1;
}

/* Traces and spill files are mapped: where one is cut off by somebody else, what was behind is not
 * there any more. */
static void truncated(int number, siginfo_t *info, void *context)
{
    static const char text[] = "fathom: a file was truncated while it was read\n";
    (void)context;
    if (info->si_code != BUS_ADRERR) {
        signal(number, SIG_DFL);
        raise(number);
        return;
    }
    _exit(write(STDERR_FILENO, text, sizeof text - 1) < 0 ? 2 : 1);
}

static void expect_truncation(const struct command *command)
{
    struct sigaction action = {.sa_sigaction = truncated, .sa_flags = SA_SIGINFO};
    if (command->once || command->run == fth_cmd_simulate || command->run == fth_cmd_merge ||
        command->run == fth_cmd_export)
        sigaction(SIGBUS, &action, NULL);
}

/* "-h" is "--help", but not among the words of a command that is recorded. */
static void accept_short_help(const struct command *command, int argc, char **argv)
{
    static char help[] = "--help";
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (command->takes_command && argv[i][0] != '-')
            return;
        if (strcmp(argv[i], "-h") == 0)
            argv[i] = help;
    }
}

static int run(const struct command *command, int argc, char **argv)
{
    /* argp puts it in front of what it prints. */
    char name[64];
    snprintf(name, sizeof name, "fathom %s", command->name);
    argv[0] = name;
    argp_err_exit_status = 1;
    expect_truncation(command);
    accept_short_help(command, argc, argv);
    return command->run(argc, argv);
}

static const struct command *find(const char *name)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (!strcmp(name, commands[i].name))
            return &commands[i];
    return NULL;
}

/* Arrays that grow large are moved, not copied, and given back when they are freed. The library
 * would find out about them as it goes, and keep what it got. */
static void keep_memory_small(void)
{
    mallopt(M_MMAP_THRESHOLD, LARGE);
}

static int choose(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return 1;
    }
    const char *name = argv[1];
    if (!strcmp(name, "--version") || !strcmp(name, "-V") || !strcmp(name, "version"))
        return print_version();
    if (!strcmp(name, "--help") || !strcmp(name, "-h") || (!strcmp(name, "help") && argc == 2))
        return print_help(stdout);
    if (!strcmp(name, "help")) {
        char help[] = "--help";
        const struct command *command = find(argv[2]);
        return command ? run(command, 2, (char *[]){argv[0], help, NULL}) : complain(argv[2]);
    }
    if (!strcmp(name, "on-node")) /* for launchers, not for people */
        return fth_cmd_on_node(argc - 1, argv + 1);
    if (!strcmp(name, "sample-node")) /* for processes that are recorded */
        return fth_cmd_sample_node(argc - 1, argv + 1);
    const struct command *command = find(name);
    if (command && command->once && fth_together_is_spare())
        return 0;
    return command ? run(command, argc - 1, argv + 1) : complain(name);
}

/* What could not be written is no success; a reader that has seen enough is none of our business.
 * At the exit, as --help ends the program by itself. */
static void check_output(int status, void *nothing)
{
    (void)nothing;
    errno = 0;
    if (status != 0 || (fflush(stdout) == 0 && !ferror(stdout)) || errno == EPIPE)
        return;
    fprintf(stderr, "fathom: cannot write to the standard output%s%s\n", errno ? ": " : "",
            errno ? strerror(errno) : "");
    _exit(1);
}

int main(int argc, char **argv)
{
    keep_memory_small();
    on_exit(check_output, NULL);
    return choose(argc, argv);
}
