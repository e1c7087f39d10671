/* `fathom simulate`: what a program would cost on another machine. */
#include "cmd/command.h"

#include "sim/program_text.h"
#include "sim/result.h"
#include "views/tables.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPTION_JSON = 0x300,
    OPTION_ON,
    OPTION_METHOD,
    OPTION_METHODS,
    OPTION_PROCESSES,
    OPTION_TOP
};

static const struct argp_option options[] = {
    {"on", OPTION_ON, "CLUSTER", 0, "The cluster, a YAML file", 0},
    {"processes", 'n', "N", 0, "So many processes, whatever the program says", 0},
    {"method", OPTION_METHOD, "COMMAND=METHOD", 0,
     "How a command is carried out, bcast=Pipelined; repeatable", 0},
    {"methods", OPTION_METHODS, NULL, 0, "List the methods of all commands", 0},
    {"top", OPTION_TOP, "N", 0, "So many processes, 0 for all (default: 10; in JSON all)", 0},
    {"json", OPTION_JSON, NULL, 0, "Print JSON", 0},
    {"output", 'o', "FILE", 0, "Write to FILE", 0},
    {0},
};

static const char text[] =
    "Simulate a parallel program on a cluster: how long it takes, what its network does, who waits "
    "for whom."
    "\v"
    "Programs are text (fathom-simulate(1) has the commands); traces cannot be simulated yet.\n"
    "\n"
    "Examples:\n"
    "  fathom simulate ring.sim --on clusters/pvs.yaml\n"
    "  fathom simulate -n 1024 --method bcast=Pipelined bcast.sim --on clusters/pvs.yaml\n"
    "  fathom simulate --json ring.sim --on clusters/pvs.yaml";

enum { MOST_METHODS = 32 };
struct request {
    const char *program_path, *cluster_path, *output_path;
    uint32_t processes;
    size_t top;
    const struct fth_sim_method *methods[MOST_METHODS];
    size_t method_count;
    bool json;
};

static int list_methods(void)
{
    const struct fth_sim_method *method;
    for (size_t i = 0; (method = fth_sim_method_number(i)); i++)
        printf("%s=%s%s\n", fth_sim_verb_names[method->verb], method->name,
               method == fth_sim_method(method->verb, NULL) ? " (default)" : "");
    return 0;
}

static void add_method(struct argp_state *state, struct request *request, const char *word)
{
    const char *equals = strchr(word, '=');
    const struct fth_sim_method *method = NULL;
    for (enum fth_sim_verb verb = 0; equals && verb < FTH_SIM_VERBS; verb++)
        if (strlen(fth_sim_verb_names[verb]) == (size_t)(equals - word) &&
            !strncmp(fth_sim_verb_names[verb], word, (size_t)(equals - word)))
            method = fth_sim_method(verb, equals + 1);
    if (!method)
        argp_error(state, "there is no method '%s'; `fathom simulate --methods` lists them", word);
    else if (request->method_count == MOST_METHODS)
        argp_error(state, "too many methods");
    else
        request->methods[request->method_count++] = method;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct request *request = state->input;
    switch (key) {
    case OPTION_JSON:
        request->json = true;
        return 0;
    case OPTION_ON:
        request->cluster_path = argument;
        return 0;
    case OPTION_METHOD:
        add_method(state, request, argument);
        return 0;
    case OPTION_METHODS:
        exit(list_methods());
    case OPTION_TOP:
        request->top = (size_t)fth_cmd_integer(state, "top", argument);
        return 0;
    case 'n': {
        int64_t count = fth_cmd_integer(state, "processes", argument);
        if (count < 1 || count > 1 << 24)
            argp_error(state, "--processes wants 1 to 16777216, not '%s'", argument);
        request->processes = (uint32_t)count;
        return 0;
    }
    case 'o':
        request->output_path = argument;
        return 0;
    case ARGP_KEY_ARG:
        if (request->program_path)
            argp_error(state, "one program is wanted, '%s' is the second", argument);
        request->program_path = argument;
        return 0;
    case ARGP_KEY_END:
        if (!request->program_path)
            argp_error(state, "which program?");
        if (!request->cluster_path)
            argp_error(state, "on which cluster? --on CLUSTER names its file");
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

struct results {
    struct fth_table *summary, *components, *ends;
};

static void show_json(struct fth_output *output, const struct request *request,
                      const struct fth_sim_cluster *cluster, const struct results *results)
{
    struct fth_json json;
    fth_json_open(&json, &output->sink, 2);
    fth_json_begin_object(&json);
    fth_json_key(&json, "program");
    fth_json_text(&json, request->program_path);
    fth_json_key(&json, "cluster");
    fth_json_text(&json, cluster->name);
    fth_json_key(&json, "summary");
    fth_views_row_json(&json, results->summary, 0);
    fth_json_key(&json, "components");
    fth_views_table_json(&json, results->components, 0);
    fth_json_key(&json, "processes");
    fth_views_table_json(&json, results->ends, request->top);
    fth_json_end_object(&json);
    fth_json_end_document(&json);
}

static int show(const struct request *request, const struct fth_sim_cluster *cluster,
                const struct results *results, struct fth_error **error)
{
    static struct fth_output output;
    const char *inputs[] = {request->program_path, request->cluster_path, NULL};
    if (fth_views_open(&output, request->output_path, inputs, error))
        return -1;
    if (request->json) {
        show_json(&output, request, cluster, results);
    } else {
        fth_views_table(&output, results->summary, &(struct fth_layout){0});
        fth_views_table(&output, results->components, &(struct fth_layout){0});
        fth_views_table(&output, results->ends,
                        &(struct fth_layout){.top = request->top, .more = "--top 0 shows all"});
    }
    return fth_views_close(&output, error);
}

/* A program that waits forever is an error, told after what is known. */
static int check_ends(const struct fth_sim_world *world, uint32_t ranks, struct fth_error **error)
{
    char waits[256], first[256] = "";
    uint32_t waiting = 0, first_rank = 0;
    for (uint32_t rank = 0; rank < ranks; rank++)
        if (fth_sim_world_end(world, rank, waits, sizeof waits) < 0 && !waiting++) {
            first_rank = rank;
            memcpy(first, waits, sizeof first);
        }
    if (!waiting)
        return 0;
    return fth_fail(error, "%u of %u processes wait forever: rank %u %s", waiting, ranks,
                    first_rank, first);
}

static int simulate(const struct request *request, const struct fth_sim_cluster *cluster,
                    const struct fth_sim_program *program, struct fth_error **error)
{
    struct fth_sim_world *world = fth_sim_world_new(cluster, program, error);
    if (!world)
        return -1;
    for (size_t i = 0; i < request->method_count; i++)
        fth_sim_world_use(world, request->methods[i]);
    fth_sim_world_run(world);
    struct results results = {fth_sim_summary(world, program->ranks), fth_sim_components(world),
                              fth_sim_ends(world, program->ranks)};
    int result = results.summary && results.components && results.ends &&
                         !fth_table_failed(results.components) && !fth_table_failed(results.ends)
                     ? show(request, cluster, &results, error)
                     : fth_fail(error, "no memory for the tables");
    fth_table_free(results.summary);
    fth_table_free(results.components);
    fth_table_free(results.ends);
    if (!result)
        result = check_ends(world, program->ranks, error);
    fth_sim_world_free(world);
    return result;
}

static int run(const struct request *request, struct fth_error **error)
{
    struct fth_sim_cluster cluster;
    signal(SIGPIPE, SIG_IGN);
    if (fth_sim_cluster_read(&cluster, request->cluster_path, error))
        return -1;
    struct fth_sim_program *program =
        fth_sim_program_read(request->program_path, request->processes, error);
    if (!program)
        return -1;
    int result = simulate(request, &cluster, program, error);
    fth_sim_program_free(program);
    return result;
}

int fth_cmd_simulate(int argc, char **argv)
{
    static const struct argp argp = {options, parse, "PROGRAM", text, NULL, NULL, NULL};
    struct request request = {.top = SIZE_MAX};
    struct fth_error *error = NULL;
    if (argp_parse(&argp, argc, argv, 0, NULL, &request))
        return 1;
    if (request.top == SIZE_MAX)
        request.top = request.json ? 0 : 10;
    return run(&request, &error) ? fth_cmd_failed("simulate", error) : 0;
}
