/* `fathom instrument`: probes in the sources of an I/O stack, and runs on it. */
#include "base/memory.h"
#include "base/path_text.h"
#include "cmd/instrument/instrument_command.h"
#include "cmd/shared/command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { OPTION_RUN = 0x300, OPTION_ORIGINAL, OPTION_CHECK, OPTION_FORCE, OPTION_JSON };

static const struct argp_option options[] = {
    {"output", 'o', "FOLDER", 0, "Make the instrumented stack in FOLDER", 0},
    {"run", OPTION_RUN, "NAME", OPTION_ARG_OPTIONAL,
     "Make the runs of the setup, or only NAME, on the stack in FOLDER", 0},
    {"original", OPTION_ORIGINAL, NULL, 0, "With --run: on the original sources, to compare", 0},
    {"check", OPTION_CHECK, NULL, 0, "Only read the setup and its probe files", 0},
    {"force", OPTION_FORCE, NULL, 0, "Replace a stack that is there", 0},
    {"quiet", 'q', NULL, 0, "Print errors only", 0},
    {"json", OPTION_JSON, NULL, 0, "Describe what was made as JSON", 0},
    {0},
};

static const char text[] =
    "Put probes into the sources of an I/O stack, beside the original.\v"
    "SETUP says which sources make up the stack, how they are built, and which probes go where:\n"
    "\n"
    "  name: store\n"
    "  probes: store.probes\n"
    "  stack:\n"
    "    Server: {sources: server, build: make}\n"
    "  runs:\n"
    "    put: {programs: \"{Server}/server --test\", processes: [1, 2]}\n"
    "\n"
    "An entry of store.probes is a probe, its place, and what it keeps:\n"
    "\n"
    "  [2; Server; write; Lib/Fathom/scope; -f serve_put; server.c; bytes=request->length]\n"
    "  [3; Server; latency; Lib/Fathom/scope; -c fsync in serve_put; server.c]\n"
    "\n"
    "Each probe is a call in the trace, of a layer of its own; fathom-instrument(1) describes all "
    "of this.\n"
    "\n"
    "Examples:\n"
    "  fathom instrument store.yaml -o store\n"
    "  fathom instrument store.yaml -o store --run\n"
    "  fathom query --layer server_probes store/runs/put-p2.fathom 'latency operation max'";

struct request {
    const char *path, *output, *name;
    bool runs, original, check, force, quiet, json;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct request *request = state->input;
    switch (key) {
    case 'o':
        request->output = argument;
        return 0;
    case 'q':
        request->quiet = true;
        return 0;
    case OPTION_RUN:
        request->runs = true;
        request->name = argument;
        return 0;
    case OPTION_ORIGINAL:
        request->original = true;
        return 0;
    case OPTION_CHECK:
        request->check = true;
        return 0;
    case OPTION_FORCE:
        request->force = true;
        return 0;
    case OPTION_JSON:
        request->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (request->path)
            fth_cmd_wrong(state, "one SETUP is expected, '%s' is a second one", argument);
        request->path = argument;
        return 0;
    case ARGP_KEY_END:
        if (!request->path)
            fth_cmd_wrong(state, "a SETUP is expected, such as store.yaml");
        if (!request->output && !request->check)
            fth_cmd_wrong(state, "-o FOLDER is expected: where the instrumented stack goes");
        if (request->original && !request->runs)
            fth_cmd_wrong(state, "--original needs --run");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Without links on the way: so compilers say where they are, too. To be freed. */
static char *find_folder(const char *output, struct fth_error **error)
{
    char *path = fth_path_absolute(output), *folder = NULL;
    if (!path) {
        fth_fail(error, "there is no working directory");
        return NULL;
    }
    size_t length = strlen(path);
    if (length > 1 && path[length - 1] == '/')
        path[length - 1] = 0;
    char *name = strrchr(path, '/');
    *name++ = 0;
    char *parent = realpath(*path ? path : "/", NULL);
    if (parent && *name)
        folder = fth_text_format("%s/%s", strcmp(parent, "/") ? parent : "", name);
    else
        fth_fail_errno(error, "cannot write to '%s'", output);
    free(parent);
    free(path);
    return folder;
}

static int run(const struct request *request, const struct fth_instrument_setup *setup,
               struct fth_error **error)
{
    struct fth_cmd_instrumenting instrumenting = {
        .setup = setup, .force = request->force, .quiet = request->quiet};
    if (request->check)
        return fth_instrument_check_probes(setup, error);
    if (!(instrumenting.folder = find_folder(request->output, error)))
        return -1;
    fth_instrument_trees_plan(&instrumenting.trees, setup, instrumenting.folder);
    int result = request->runs ? fth_cmd_instrument_runs(&instrumenting, request->name,
                                                         request->original, request->json, error)
                               : fth_cmd_instrument_make(&instrumenting, request->json, error);
    fth_instrument_trees_free(&instrumenting.trees);
    free(instrumenting.folder);
    return result;
}

int fth_cmd_instrument(int argc, char **argv)
{
    const struct argp argp = {options, parse, "SETUP", text, NULL, NULL, NULL};
    struct request request = {0};
    struct fth_error *error = NULL;
    if (fth_cmd_parse(&argp, argc, argv, 0, &request))
        return 1;
    struct fth_instrument_setup *setup = fth_new(1, sizeof *setup);
    int result = fth_instrument_setup_read(setup, request.path, &error);
    if (!result)
        result = run(&request, setup, &error);
    fth_instrument_setup_free(setup);
    return result ? fth_cmd_failed("instrument", error) : 0;
}
