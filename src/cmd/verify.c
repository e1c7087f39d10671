/* `fathom verify`: which consistency a run needs of its file system. */
#include "cmd/command.h"

#include "verify/verify.h"
#include "views/verify.h"

#include <string.h>

enum { OPTION_JSON = 0x300, OPTION_TOP, OPTION_COLLECTIVES, EXIT_RACY = 2 };

static const struct argp_option options[] = {
    {"model", 'm', "MODEL", 0,
     "posix, commit, session, mpi-io, eventual, all (default), or a file with models of your own",
     0},
    {"collectives-synchronize", OPTION_COLLECTIVES, NULL, 0,
     "Take every collective call for a barrier, also where MPI does not say so (MPI_File_open, "
     "MPI_File_close, MPI_Comm_dup ...)",
     0},
    {"top", OPTION_TOP, "N", 0, "Show N kinds of violations of each model (10); 0: all", 0},
    {"json", OPTION_JSON, NULL, 0, "Print JSON", 0},
    {"output", 'o', "FILE", 0, "Write to FILE", 0},
    {0},
};

static const char text[] =
    "Tell which consistency a program needs of its file system, from one run of it: which accesses "
    "of different processes conflict, what orders them, and whether that is enough under each "
    "consistency model."
    "\v"
    "Exit status: 0 safe, 2 racy under the model asked for (all: racy under POSIX), 1 an error.\n"
    "\n"
    "Examples:\n"
    "  fathom verify app.fathom\n"
    "  fathom verify --model session app.fathom && echo runs on NFS\n"
    "  fathom verify --json app.fathom | jq .weakest";

struct request {
    const char *trace_path, *output_path, *model;
    struct fth_verify_options options;
    size_t top;
    bool json;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct request *request = state->input;
    switch (key) {
    case 'm':
        request->model = argument;
        return 0;
    case OPTION_COLLECTIVES:
        request->options.order.collectives_synchronize = true;
        return 0;
    case OPTION_TOP:
        request->top = (size_t)fth_cmd_integer(state, "--top", argument);
        return 0;
    case OPTION_JSON:
        request->json = true;
        return 0;
    case 'o':
        request->output_path = argument;
        return 0;
    }
    return fth_cmd_trace_argument(key, argument, state, &request->trace_path);
}

/* The models to judge by. *asked: the one by which the run is judged; NULL: all. */
static int choose_models(const struct request *request, struct fth_consistencies *models,
                         const char **asked, struct fth_error **error)
{
    *asked = NULL;
    fth_consistency_built_in(models);
    if (!request->model || strcmp(request->model, "all") == 0)
        return 0;
    if (fth_consistency_find(models, request->model)) {
        *asked = request->model;
        fth_consistency_keep(models, request->model);
        return 0;
    }
    if (!strchr(request->model, '/') && !strchr(request->model, '.'))
        return fth_fail(error,
                        "there is no model '%s': choose posix, commit, session, mpi-io, eventual "
                        "or all, or name a file (./%s)",
                        request->model, request->model);
    fth_consistencies_free(models);
    if (fth_consistency_read(models, request->model, error))
        return -1;
    if (models->count == 1)
        *asked = models->models[0].name;
    return 0;
}

static int show(const struct request *request, struct fth_trace *trace,
                const struct fth_verdict *verdict, const char *asked, struct fth_error **error)
{
    static struct fth_output output;
    const char *inputs[] = {request->trace_path, NULL};
    struct fth_json json;
    if (fth_views_open(&output, request->output_path, inputs, error))
        return -1;
    fth_json_open(&json, &output.sink, 5);
    if (request->json)
        fth_views_verify_json(&json, request->trace_path, trace, verdict);
    else
        fth_views_verify(&output, trace, verdict, asked, request->top);
    return fth_views_close(&output, error);
}

static bool is_racy(const struct fth_verdict *verdict, const char *asked)
{
    if (!asked)
        return verdict->racy;
    return verdict->models[0].violations > 0;
}

int fth_cmd_verify(int argc, char **argv)
{
    static const struct argp argp = {options, parse, "TRACE", text, NULL, NULL, NULL};
    struct request request = {.top = 10};
    struct fth_consistencies models = {0};
    struct fth_error *error = NULL;
    const char *asked = NULL;
    int status = 1;
    if (argp_parse(&argp, argc, argv, 0, NULL, &request))
        return 1;
    struct fth_trace *trace = NULL;
    struct fth_verdict *verdict = NULL;
    if (choose_models(&request, &models, &asked, &error) == 0 &&
        (trace = fth_cmd_open_trace(request.trace_path, &error)) &&
        (verdict = fth_verify(trace, &models, &request.options, &error)) &&
        show(&request, trace, verdict, asked, &error) == 0)
        status = is_racy(verdict, asked) ? EXIT_RACY : 0;
    fth_verdict_free(verdict);
    fth_trace_close(trace);
    fth_consistencies_free(&models);
    return status == 1 ? fth_cmd_failed("verify", error) : status;
}
