/* `fathom measure`: how fast this machine is, as a cluster for the simulator. */
#include "base/memory.h"
#include "base/nearest.h"
#include "cmd/run/launched_together.h"
#include "cmd/shared/command.h"
#include "cmd/shared/output_file.h"
#include "cmd/shared/page_options.h"
#include "measure/measure.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OPTION_FOLDER = 0x300, OPTION_SIZE, OPTION_SECONDS, OPTION_FORCE, OPTION_MPI, OPTION_FIT };

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0, "Write the cluster to FILE, for simulate --on FILE", 0},
    {"force", OPTION_FORCE, NULL, 0, "Replace FILE if it exists", 0},
    {"folder", OPTION_FOLDER, "FOLDER", 0,
     "Measure the disk below FOLDER (default: the current directory)", 0},
    {"size", OPTION_SIZE, "BYTES", 0,
     "Size of the test file, a multiple of 16 MiB: 512M, 4G (default: 1G, less if there is little "
     "space or time)",
     0},
    {"seconds", OPTION_SECONDS, "TIME", 0, "Time limit (default: 30)", 0},
    {"fit", OPTION_FIT, "WHAT", 0,
     "Fit parameters to the first quartile (default), median, third quartile or mean of the "
     "timings",
     0},
    {"mpi", OPTION_MPI, "LIBRARY", 0,
     "The MPI library of the launcher, if none or the wrong one is found", 0},
    {0},
};

static const char text[] =
    "Measure this machine, and fit the parameters of the simulator's models to it.\v"
    "It can measure memory, network, disk, or all. The disk is measured with an unnamed temporary "
    "file, and with empty files in a temporary directory; existing files are neither read nor "
    "written.\n"
    "Under mpirun, messages go through MPI, and files are also opened with MPI-IO.\n"
    "\n"
    "Examples:\n"
    "  fathom measure all -o cluster.yaml\n"
    "  mpirun -n 2 fathom measure network -o cluster.yaml\n"
    "  fathom measure disk --folder /scratch --seconds 60 -o cluster.yaml\n"
    "  fathom simulate examples/sim/halo.sim --on cluster.yaml";

struct request {
    struct fth_measure_request measure;
    const char *output_path;
    struct fth_cmd_page page;
    bool force;
};

static void add_kind(struct argp_state *state, struct fth_measure_request *request,
                     const char *word)
{
    static const char *const kinds[] = {"memory", "network", "disk", "all"};
    enum { KINDS = sizeof kinds / sizeof *kinds };
    const char *nearest = NULL;
    size_t least = SIZE_MAX, kind = 0;
    while (kind < KINDS && strcmp(word, kinds[kind]))
        kind++;
    for (size_t i = 0; i < KINDS; i++)
        if (fth_is_nearer(word, kinds[i], &least))
            nearest = kinds[i];
    if (kind == KINDS && nearest)
        fth_cmd_wrong(state, "'%s' cannot be measured; did you mean '%s'?", word, nearest);
    else if (kind == KINDS)
        fth_cmd_wrong(state, "'%s' cannot be measured: choose memory, network, disk or all", word);
    request->memory |= kind == 0 || kind == 3;
    request->network |= kind == 1 || kind == 3;
    request->disk |= kind == 2 || kind == 3;
}

static void set_fit(struct argp_state *state, struct fth_measure_request *request, const char *word)
{
    static const char *const words[] = {[FTH_FIT_FIRST] = "first",
                                        [FTH_FIT_MEDIAN] = "median",
                                        [FTH_FIT_THIRD] = "third",
                                        [FTH_FIT_MEAN] = "mean"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(word, words[i])) {
            request->fit = (enum fth_measure_fit)i;
            return;
        }
    fth_cmd_wrong(state, "--fit is first, median, third or mean, not '%s'", word);
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct request *request = state->input;
    struct fth_measure_request *measure = &request->measure;
    switch (key) {
    case OPTION_FORCE:
        request->force = true;
        return 0;
    case OPTION_FOLDER:
        measure->folder = argument;
        return 0;
    case OPTION_SIZE:
        measure->size = fth_cmd_bytes(state, "size", argument);
        if (!measure->size || measure->size % FTH_MEASURE_LEAST_SIZE)
            fth_cmd_wrong(state, "--size is a multiple of %d MiB, not '%s'",
                          FTH_MEASURE_LEAST_SIZE >> 20, argument);
        return 0;
    case OPTION_SECONDS:
        measure->budget = fth_cmd_duration(state, "seconds", argument);
        return 0;
    case OPTION_FIT:
        set_fit(state, measure, argument);
        return 0;
    case OPTION_MPI:
        measure->mpi_library = argument;
        return 0;
    case 'o':
        request->output_path = argument;
        return 0;
    case ARGP_KEY_INIT:
        return fth_cmd_page_option(key, state, &request->page);
    case ARGP_KEY_ARG:
        add_kind(state, measure, argument);
        return 0;
    case ARGP_KEY_END:
        if (!measure->memory && !measure->network && !measure->disk)
            fth_cmd_wrong(state, "choose what to measure: memory, network, disk or all");
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

static int save(const char *path, bool force, const struct fth_measured *measured,
                struct fth_error **error)
{
    struct fth_sink sink;
    fth_sink_open_memory(&sink);
    fth_measured_write(measured, &sink);
    int result = fth_cmd_save(path, &sink, force, error);
    fth_sink_close_memory(&sink);
    return result;
}

/* The notes are a list of facts, and remarks for people. */
static void show_notes(struct fth_writer *writer, const struct fth_measured *measured)
{
    const char *note;
    fth_json_key(&writer->facts, "notes");
    fth_json_begin_array(&writer->facts);
    for (size_t i = 0; (note = fth_measured_note(measured, i)); i++) {
        fth_json_text(&writer->facts, note);
        fth_views_write_remark(writer, FTH_PAINT_PLAIN, "%s", note);
    }
    fth_json_end_array(&writer->facts);
}

static int show_tables(const struct request *request, const struct fth_measured *measured,
                       const struct fth_table *timings, const struct fth_table *parameters,
                       struct fth_error **error)
{
    struct fth_writer writer;
    const struct fth_table_layout layout = {0};
    if (fth_cmd_open_page(&writer, &request->page, "fathom measure", 2, NULL, error))
        return -1;
    fth_views_write_table(&writer, timings, &layout);
    fth_views_write_table(&writer, parameters, &layout);
    show_notes(&writer, measured);
    return fth_cmd_close_page(&writer, 0, error);
}

static int show(const struct request *request, const struct fth_measured *measured,
                struct fth_error **error)
{
    struct fth_table *timings = fth_measured_timings(measured);
    struct fth_table *parameters = fth_measured_parameters(measured);
    bool failed =
        !timings || !parameters || fth_table_failed(timings) || fth_table_failed(parameters);
    int result = failed ? fth_fail(error, "out of memory for the tables")
                        : show_tables(request, measured, timings, parameters, error);
    fth_table_free(timings);
    fth_table_free(parameters);
    return result;
}

static int run(const struct request *request, struct fth_error **error)
{
    struct fth_together together;
    struct fth_measure_request here = request->measure;
    here.size_of_run = 1;
    if (fth_together_find(&together)) {
        here.rank = (int)together.rank;
        here.size_of_run = (int)together.size;
    }
    if (here.rank > 0)
        return fth_measure_follow(&here, error);
    signal(SIGPIPE, SIG_IGN);
    char *path = request->output_path ? fth_cmd_output_file(request->output_path) : NULL;
    if (request->output_path && !path)
        return fth_fail_errno(error, "cannot write '%s'", request->output_path);
    struct fth_measured *measured = path && fth_cmd_check_new_file(path, request->force, error)
                                        ? NULL
                                        : fth_measure(&here, error);
    int result = measured ? 0 : -1;
    if (!result && path)
        result = save(path, request->force, measured, error);
    if (!result)
        result = show(request, measured, error);
    fth_measured_free(measured);
    free(path);
    return result;
}

int fth_cmd_measure(int argc, char **argv)
{
    const struct argp argp = {options,
                              parse,
                              "WHAT...",
                              text,
                              fth_cmd_page_options(FTH_CMD_HAS_TABLES | FTH_CMD_HAS_NO_FILE, 0),
                              NULL,
                              NULL};
    struct request request = {.measure = {.folder = ".", .budget = INT64_C(30000000000)}};
    struct fth_error *error = NULL;
    if (fth_cmd_parse(&argp, argc, argv, 0, &request))
        return 1;
    return run(&request, &error) ? fth_cmd_failed("measure", error) : 0;
}
