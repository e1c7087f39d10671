/* The command line of `fathom record`. */
#include "base/memory.h"
#include "base/settings.h"
#include "cmd/record/find_plugins.h"
#include "cmd/record/option_lists.h"
#include "cmd/record/record.h"
#include "cmd/run/run.h"
#include "cmd/shared/command.h"
#include "machine/sampler.h"
#include "trace/file/container.h"
#include "trace/program/program.h"

#include <fnmatch.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPTION_LAYERS = 0x300,
    OPTION_TREE,
    OPTION_FUNCTIONS,
    OPTION_WITH,
    OPTION_PYTHON,
    OPTION_REGIONS,
    OPTION_INCLUDE,
    OPTION_EXCLUDE,
    OPTION_NO_DEFAULT_EXCLUDES,
    OPTION_PROGRAM_FILES,
    OPTION_LINES,
    OPTION_CONTENTS,
    OPTION_CUDA,
    OPTION_MIN_BYTES,
    OPTION_MIN_DURATION,
    OPTION_TIME,
    OPTION_RANK_FROM,
    OPTION_MASK,
    OPTION_SAMPLE,
    OPTION_SPILL,
    OPTION_KEEP_SPILL,
    OPTION_BUDGET,
    OPTION_SELECT,
    OPTION_TUNABLE,
    OPTION_JSON,
    OPTION_FORCE,
};
enum { LONGEST_RANK_FROM = 100 }; /* the tracer keeps it in a fixed place */

static const struct argp_option argp_options[] = {
    {"output", 'o', "FILE", 0,
     "Write the trace to FILE (default: NAME.fathom, named after the program or script and its "
     "job). %j is the job, %t its task, %p the process, %h the host",
     0},
    {"force", OPTION_FORCE, NULL, 0, "Replace an existing trace, instead of adding a number", 0},
    {"quiet", 'q', NULL, 0, "Print errors only", 0},
    {"json", OPTION_JSON, NULL, 0, "Describe the trace as one line of JSON on standard error", 0},
    {NULL, 0, NULL, 0, "What is recorded:", 1},
    {"layers", OPTION_LAYERS, "LIST", 0,
     "Record only these layers: posix, stdio, process, ipc, mpi, mpiio, hdf5, netcdf, pnetcdf, "
     "cufile, cuda, uring, libaio, application, pthread (default: all but pthread). 'help' lists "
     "them",
     1},
    {"functions", OPTION_FUNCTIONS, "LIST", 0,
     "Record only functions that match these patterns: 'pwrite*,open'. 'help' lists the functions "
     "of the layers",
     1},
    {"with", OPTION_WITH, "PLUGIN", 0,
     "Also record calls of your own library: a plug-in made by `fathom wrap`, by name or path; "
     "repeatable",
     1},
    {"python", OPTION_PYTHON, "PATTERNS", OPTION_ARG_OPTIONAL,
     "Make regions of functions in Python files below the current directory: all, or those that "
     "match 'solve*,io.py:*'",
     1},
    {"regions", OPTION_REGIONS, "FILTER", OPTION_ARG_OPTIONAL,
     "Make regions of functions compiled with -finstrument-functions: all, or those that the rules "
     "in FILTER include",
     1},
    {"include", OPTION_INCLUDE, "PREFIX", 0,
     "Record only calls on files whose path starts with PREFIX; repeatable", 1},
    {"exclude", OPTION_EXCLUDE, "PREFIX", 0,
     "Do not record calls on files whose path starts with PREFIX; repeatable", 1},
    {"no-default-excludes", OPTION_NO_DEFAULT_EXCLUDES, NULL, 0,
     "Also record calls on system files: /proc, /sys, /dev, /run, libraries", 1},
    {"program-files", OPTION_PROGRAM_FILES, NULL, 0,
     "Also record calls on program files: shared libraries, Python modules", 1},
    {"lines", OPTION_LINES, NULL, 0,
     "Also record the source line of each call: `fathom stats --by line`", 1},
    {"contents", OPTION_CONTENTS, NULL, 0,
     "Also record a hash of the bytes of each write: `fathom verify --equal-contents`", 1},
    {"cuda", OPTION_CUDA, NULL, 0,
     "Also record GPU kernels and copies, and CUDA calls, through CUPTI", 1},
    {"min-bytes", OPTION_MIN_BYTES, "BYTES", 0,
     "Record only data calls of at least BYTES: '4096', '4K'", 1},
    {"min-duration", OPTION_MIN_DURATION, "TIME", 0,
     "Record only calls that take at least TIME: '1ms'", 1},
    {"time", OPTION_TIME, "HOW", 0,
     "How times are kept. A resolution: 1ns, 10ns ... to 1ms (default: " FTH_DEFAULT_RESOLUTION
     "). A percentage: 10%. "
     "Means of calls that are alike: mean. Or both: 1us,mean",
     1},
    {"rank-from", OPTION_RANK_FROM, "RANK,SIZE", 0,
     "Environment variables with rank and size outside MPI, in addition to those of the known "
     "launchers",
     1},
    {"mask-arguments", OPTION_MASK, "NAMES", OPTION_ARG_OPTIONAL,
     "Store *** instead of secrets in command lines: users in URLs, and values of options named "
     "like password, token, secret or key, or matching these patterns: 'user,p'",
     1},
    {"sample", OPTION_SAMPLE, "TIME", 0,
     "Every TIME ('100ms'), sample the machine and each process: CPUs, memory, disks, network, "
     "energy",
     1},
    {NULL, 0, NULL, 0, "While it runs:", 2},
    {"budget", OPTION_BUDGET, "BYTES", 0,
     "The most that temporary files take on a node: '200M', 'none' (default: " FTH_DEFAULT_BUDGET
     "). When three quarters are used, further calls go to sums by function and file",
     2},
    {"select", OPTION_SELECT, "RULE", 0,
     "Record only the processes that matter in full, and watch the others: 'slowest 2 of mpiio per "
     "phase'. Who is slowest in a phase is recorded in the next one",
     2},
    {"tunable", OPTION_TUNABLE, NULL, 0,
     "Let `fathom tune --live` set hints of MPI-IO while the program runs, for files that its "
     "ranks "
     "open together from then on",
     2},
    {"spill", OPTION_SPILL, "FOLDER", 0,
     "Folder for the temporary files of the recording ($TMPDIR or /tmp)", 2},
    {"keep-spill", OPTION_KEEP_SPILL, NULL, 0, "Keep these files, for `fathom merge`", 2},
    {0},
};

static const char text[] =
    "Run COMMAND, record what all its processes do with files and MPI, and write a trace.\v"
    "The command runs as always, with the same input, output and exit status. Options end where "
    "the command begins.\n"
    "\n"
    "Examples:\n"
    "  fathom record mpirun -n 4 ./app input\n"
    "  fathom record -o build.fathom -- make -j8\n"
    "  fathom record --include /scratch --layers mpiio,posix ./app";

/* ---- values ---- */

/* One of another build is left out: the run is worth more than its calls. */
static void add_plugin(struct argp_state *state, struct fth_record_options *options,
                       const char *name)
{
    struct fth_error *error = NULL;
    bool is_foreign = false;
    char *path = fth_record_find_plugin(name, &error);
    if (!options->plugins)
        options->plugins = json_array();
    if (!path || fth_record_add_plugin(options->plugins, path, &is_foreign, &error)) {
        if (!is_foreign)
            fth_cmd_wrong(state, "%s", fth_error_text(error));
        free(options->refused_plugins);
        options->refused_plugins = fth_text_copy(fth_error_text(error));
        fth_error_free(error);
    }
    free(path);
}

static void read_regions(struct argp_state *state, struct fth_record_options *options,
                         const char *filter)
{
    struct fth_error *error = NULL;
    free(options->regions);
    options->regions = filter ? fth_record_regions(filter, &error) : fth_text_copy("1");
    if (!options->regions)
        fth_cmd_wrong(state, "%s", error ? fth_error_text(error) : "out of memory");
}

static int64_t default_resolution(void)
{
    struct fth_time_mode mode;
    fth_time_mode_parse("", &mode);
    return (int64_t)mode.resolution_ns;
}

static void read_times(struct argp_state *state, struct fth_record_options *options,
                       const char *words)
{
    struct fth_time_mode mode;
    fth_cmd_times(state, words, &mode);
    options->time = words;
    options->resolution = (int64_t)mode.resolution_ns;
}

static void read_output(struct argp_state *state, struct fth_record_options *options,
                        const char *asked)
{
    struct fth_error *error = NULL;
    free(options->output);
    options->output = fth_record_expand_output(asked, &error);
    if (!options->output)
        fth_cmd_wrong(state, "%s", fth_error_text(error));
}

/* Less would not hold what a few processes leave behind that make no call. */
static int64_t read_budget(struct argp_state *state, const char *words)
{
    const int64_t least = 1 << 20;
    if (strcmp(words, "none") == 0)
        return 0;
    int64_t bytes = (int64_t)fth_cmd_bytes(state, "budget", words);
    if (bytes < least)
        fth_cmd_wrong(state, "--budget takes at least 1M, or 'none', not '%s'", words);
    return bytes;
}

static void read_rule(struct argp_state *state, struct fth_record_options *options,
                      const char *words)
{
    struct fth_error *error = NULL;
    if (fth_watch_rule_parse(words, &options->rule, &error))
        fth_cmd_wrong(state, "--select '%s': %s; for example 'slowest 2 of mpiio per phase'", words,
                      fth_error_text(error));
    options->select = words;
}

static bool lists_layer(const char *layers, const char *layer)
{
    char pattern[FTH_WATCH_LAYER + 8];
    for (size_t length; *layers; layers += length + (layers[length] != 0)) {
        length = strcspn(layers, ",");
        snprintf(pattern, sizeof pattern, "%.*s", (int)length, layers);
        if (fnmatch(pattern, layer, 0) == 0)
            return true;
    }
    return false;
}

/* Who is slow makes others wait in calls of these: their time says nothing of who is slow. */
static bool waits_for_others(const char *layer)
{
    static const char *const layers[] = {"mpi", "process", "pthread", "ipc", "cuda", "application"};
    for (size_t i = 0; i < sizeof layers / sizeof *layers; i++)
        if (strcmp(layers[i], layer) == 0)
            return true;
    return false;
}

/* A rule follows whole calls of layers that are recorded. */
static void check_rule(struct argp_state *state, const struct fth_record_options *options)
{
    const char *layer = options->rule.layer;
    if (!options->select)
        return;
    if (options->contents || options->min_duration || options->min_bytes)
        fth_cmd_wrong(state, "--select excludes --contents, --min-bytes and --min-duration: calls "
                             "that are only watched are neither hashed nor left out one by one");
    if (*layer)
        fth_record_check_layers(state, layer);
    if (waits_for_others(layer) || strpbrk(layer, "*?[,"))
        fth_cmd_wrong(state, "--select compares one layer with calls of I/O, not '%s'", layer);
    if (*layer && options->layers && !lists_layer(options->layers, layer))
        fth_cmd_wrong(state, "--select compares the layer %s, which --layers leaves out", layer);
}

/* ---- argp ---- */

struct request {
    struct fth_record_options *options;
    bool no_default_excludes;
    const char *what_is_missing; /* when nothing is named to be recorded */
};

static bool is_help(const char *list)
{
    return list && strcmp(list, "help") == 0;
}

/* What there is, in place of recording. */
static void list(const struct fth_record_options *options)
{
    bool layers = is_help(options->layers);
    if (layers)
        fth_record_list_layers();
    else
        fth_record_list_functions(options->layers);
    exit(fflush(stdout) != 0);
}

static void finish(struct argp_state *state, struct request *request)
{
    if (request->options->budget < 0)
        request->options->budget = read_budget(state, FTH_DEFAULT_BUDGET);
    if (request->options->layers && !is_help(request->options->layers))
        fth_record_check_layers(state, request->options->layers);
    if (is_help(request->options->layers) || is_help(request->options->functions))
        list(request->options);
    check_rule(state, request->options);
    if (!request->options->command)
        fth_cmd_wrong(state, "%s", request->what_is_missing);
    if (request->options->contents && request->options->min_duration)
        fth_cmd_wrong(state, "--contents and --min-duration exclude each other: a hash is recorded "
                             "before its call, when the duration is not known yet");
    request->options->own_excluded = request->options->excluded.count;
    if (!request->no_default_excludes)
        fth_record_add_default_excludes(state, &request->options->excluded);
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct request *request = state->input;
    struct fth_record_options *options = request->options;
    switch (key) {
    case 'o':
        read_output(state, options, argument);
        return 0;
    case 'q':
        options->quiet = true;
        return 0;
    case OPTION_JSON:
        options->json = true;
        return 0;
    case OPTION_FORCE:
        options->force = true;
        return 0;
    case OPTION_LAYERS:
        options->layers = argument; /* plug-ins may have more of them */
        return 0;
    case OPTION_FUNCTIONS:
        options->functions = fth_record_check_functions(state, argument);
        return 0;
    case OPTION_WITH:
        add_plugin(state, options, argument);
        return 0;
    case OPTION_PYTHON:
        options->python = argument && *argument ? argument : "1";
        return 0;
    case OPTION_REGIONS:
        read_regions(state, options, argument);
        return 0;
    case OPTION_INCLUDE:
        fth_record_add_prefix(state, &options->included, argument);
        return 0;
    case OPTION_EXCLUDE:
        fth_record_add_prefix(state, &options->excluded, argument);
        return 0;
    case OPTION_NO_DEFAULT_EXCLUDES:
        request->no_default_excludes = true;
        return 0;
    case OPTION_PROGRAM_FILES:
        options->program_files = true;
        return 0;
    case OPTION_LINES:
        options->lines = true;
        return 0;
    case OPTION_CONTENTS:
        options->contents = true;
        return 0;
    case OPTION_CUDA:
        options->cuda = true;
        return 0;
    case OPTION_MIN_BYTES:
        options->min_bytes = (int64_t)fth_cmd_bytes(state, "min-bytes", argument);
        return 0;
    case OPTION_MIN_DURATION:
        options->min_duration = fth_cmd_duration(state, "min-duration", argument);
        return 0;
    case OPTION_TIME:
        read_times(state, options, argument);
        return 0;
    case OPTION_RANK_FROM:
        if (!strchr(argument, ',') || strlen(argument) >= LONGEST_RANK_FROM)
            fth_cmd_wrong(state,
                          "--rank-from takes the names of two variables, 'RANK,SIZE', not '%s'",
                          argument);
        options->rank_from = argument;
        return 0;
    case OPTION_MASK:
        options->masked = fth_record_check_masked(state, argument);
        return 0;
    case OPTION_SAMPLE:
        options->sample = fth_cmd_duration(state, "sample", argument);
        if (options->sample < FTH_SHORTEST_INTERVAL || options->sample > FTH_LONGEST_INTERVAL)
            fth_cmd_wrong(state, "--sample takes 10 ms to 1 hour, not '%s'", argument);
        return 0;
    case OPTION_BUDGET:
        options->budget = read_budget(state, argument);
        options->asked_budget = argument;
        return 0;
    case OPTION_SELECT:
        read_rule(state, options, argument);
        return 0;
    case OPTION_TUNABLE:
        options->tunable = true;
        return 0;
    case OPTION_SPILL:
        options->spill = argument;
        return 0;
    case OPTION_KEEP_SPILL:
        options->keep_spill = true;
        return 0;
    case ARGP_KEY_ARG: /* from here on everything is the command's */
        options->command = state->argv + state->next - 1;
        state->next = state->argc;
        return 0;
    case ARGP_KEY_END:
        finish(state, request);
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

/* Plug-ins that are there, behind the text. */
static char *add_found(int key, const char *given, void *input)
{
    (void)input;
    char *found = key == ARGP_KEY_HELP_POST_DOC ? fth_record_found_plugins() : NULL, *all;
    if (!found)
        return (char *)given;
    all = fth_text_format("%s\n\nPlug-ins that --with finds: %s", given, found);
    free(found);
    return all;
}

void fth_record_parse(struct fth_record_options *options, int argc, char **argv)
{
    static const struct argp argp = {argp_options, parse, "COMMAND [ARGUMENT...]", text, NULL,
                                     add_found,    NULL};
    struct request request = {options, false,
                              "give a command, for example: fathom record -- ./app"};
    *options = (struct fth_record_options){.resolution = default_resolution(), .budget = -1};
    fth_cmd_parse(&argp, argc, argv, ARGP_IN_ORDER, &request);
}

/* ---- the command line of `fathom attach`: the same options, but processes ---- */

static const char attach_text[] =
    "Record programs that are already running, until they end, or until Ctrl-C or `fathom detach`. "
    "Then write a trace. The programs continue unchanged.\v"
    "The layer pthread, --with, --python, --regions and --tunable need the start of a program: "
    "use `fathom record` for these.\n"
    "\n"
    "Examples:\n"
    "  fathom attach -o app.fathom 1234\n"
    "  fathom attach --tree $(pidof mpirun)";

static const struct argp_option attach_options[] = {
    {"tree", OPTION_TREE, NULL, 0, "Include all descendants of these processes", 0},
    {0},
};

struct attach_request {
    struct request record;
    struct fth_attach_options *options;
};

static void add_process(struct argp_state *state, struct fth_attach_options *options,
                        const char *word)
{
    char *end;
    long pid = strtol(word, &end, 10);
    if (*end || end == word || pid <= 0 || pid > INT_MAX)
        fth_cmd_wrong(state, "'%s' is not a process ID", word);
    if (options->count == FTH_MOST_PIDS)
        fth_cmd_wrong(state, "at most %d processes; --tree takes all descendants of one",
                      FTH_MOST_PIDS);
    options->pids[options->count++] = (pid_t)pid;
}

static error_t parse_attach(int key, char *argument, struct argp_state *state)
{
    struct attach_request *request = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &request->record;
        return 0;
    case OPTION_TREE:
        request->options->tree = true;
        return 0;
    case ARGP_KEY_ARG:
        request->options->record.command = state->argv; /* there is something */
        add_process(state, request->options, argument);
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

/* What has to be there from the start of a program is refused, and not listed. */
static void list_for_attach(struct argp_option *listed)
{
    memcpy(listed, argp_options, sizeof argp_options);
    for (struct argp_option *option = listed; option->name || option->doc; option++)
        if (option->key == OPTION_WITH || option->key == OPTION_PYTHON ||
            option->key == OPTION_REGIONS || option->key == OPTION_TUNABLE)
            option->flags |= OPTION_HIDDEN;
}

void fth_attach_parse(struct fth_attach_options *options, int argc, char **argv)
{
    static struct argp_option listed[sizeof argp_options / sizeof *argp_options];
    static const struct argp shared = {listed, parse, NULL, NULL, NULL, NULL, NULL};
    static const struct argp_child children[] = {{&shared, 0, NULL, 0}, {0}};
    static const struct argp argp = {attach_options, parse_attach, "PID...", attach_text,
                                     children,       NULL,         NULL};
    struct attach_request request = {
        {&options->record, false, "give a process, for example: fathom attach 1234"}, options};
    *options =
        (struct fth_attach_options){.record = {.resolution = default_resolution(), .budget = -1}};
    list_for_attach(listed);
    fth_cmd_parse(&argp, argc, argv, 0, &request);
}

void fth_record_free(struct fth_record_options *options)
{
    for (size_t i = 0; i < options->included.count; i++)
        free(options->included.items[i]);
    for (size_t i = 0; i < options->excluded.count; i++)
        free(options->excluded.items[i]);
    for (char **word = options->kept; word && *word; word++)
        free(*word);
    free(options->kept);
    json_decref(options->plugins);
    free(options->output);
    free(options->regions);
    free(options->refused_plugins);
}
