/* `fathom workflow`: many programs that hand files to each other, as one picture. */
#include "base/memory.h"
#include "base/path_text.h"
#include "base/text.h"
#include "cmd/shared/actions.h"
#include "cmd/shared/command.h"
#include "cmd/shared/installed.h"
#include "cmd/shared/json_line.h"
#include "cmd/shared/output_file.h"
#include "cmd/shared/page_options.h"
#include "cmd/workflow/step_pages.h"
#include "workflow/gather/job_facts.h"
#include "workflow/gather/step_profile.h"
#include "workflow/gather/trace_steps.h"
#include "workflow/graph/doubts.h"
#include "workflow/tell/engines.h"
#include "workflow/tell/graph_dot.h"
#include "workflow/tell/graph_prov.h"
#include "workflow/tell/graph_svg.h"
#include "workflow/tell/simulated_tables.h"
#include "workflow/tell/workflow_html.h"
#include "workflow/tell/workflow_page.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    OPTION_TOP = 0x300,
    OPTION_ALL,
    OPTION_GRAPH,
    OPTION_FORCE,
    OPTION_JOBS,
    OPTION_SHARED,
    OPTION_JOBS_FROM,
    OPTION_HTML,
    OPTION_STEP_PAGES,
    OPTION_ON,
    OPTION_MAX_EVENTS
};
enum { MOST_CLUSTERS = 8, USUAL_EVENTS = 2000000000 };

static const struct argp_option options[] = {
    {"graph", OPTION_GRAPH, "FORM", 0,
     "show: write the graph to the file of -o, or to the standard output: svg (boxes in columns), "
     "svg-scaled (as wide as steps lasted), svg-time (where they were in time), dot, "
     "graphml, prov (W3C PROV-JSON)",
     0},
    {"html", OPTION_HTML, "FILE", 0,
     "show: also write FILE, an HTML page: three layouts of the graph, and all tables", 0},
    {"step-pages", OPTION_STEP_PAGES, NULL, 0,
     "show --html: also write a page of each trace, as fathom report --html does, to a folder "
     "beside FILE: a step opens its own",
     0},
    {"top", OPTION_TOP, "N", 0,
     "show: rows per table, 0 for all (default: 20; with --json or --csv all)", 0},
    {"all", OPTION_ALL, NULL, 0, "show: also each step, what went from step to step, and the files",
     0},
    {"jobs-from", OPTION_JOBS_FROM, "FILE", 0,
     "show: what the batch system says of jobs: the text of sacct -P, scontrol show job, qstat -f, "
     "bjobs -o",
     0},
    {"shared", OPTION_SHARED, "FOLDER", 0,
     "show: files below FOLDER are the same on all hosts (of containers, for example)", 0},
    {"on", OPTION_ON, "CLUSTER", 0,
     "show: also simulate the steps, by their traces, on this cluster: a YAML file, or one that "
     "comes with Fathom (node, pvs, slingshot); repeatable",
     0},
    {"max-events", OPTION_MAX_EVENTS, "N", 0,
     "show --on: end simulations with more events (default: 2000000000, a minute or a few; 0: no "
     "limit)",
     0},
    {"force", OPTION_FORCE, NULL, 0, "profile, --graph: replace a file that is there", 0},
    {"jobs", OPTION_JOBS, "N", 0, "Number of threads (default: one per processor)", 0},
    {0},
};

static const char text[] =
    "Show how the programs of a workflow depend on each other: which step read what which other "
    "step wrote, what the end depended on, and what is lost between the steps.\v"
    "Actions:\n"
    "  show     traces, profiles, or folders of these: one workflow\n"
    "  profile  write what a workflow needs to know of a trace to a small JSON file\n"
    "  wrap     print a shell that records each step, for make, shell, slurm, snakemake, dask, "
    "nextflow or cromwell, and how to use it\n"
    "\n"
    "A step is a command that a shell, make or an engine of workflows started. Data is followed "
    "through renamed files, copies and pipes. Record a whole script at once, or each of its "
    "commands for itself, on any node.\n"
    "\n"
    "Examples:\n"
    "  fathom record -o all.fathom -- bash pipeline.sh\n"
    "  fathom workflow show all.fathom\n"
    "  fathom workflow show --graph svg-time -o time.svg all.fathom\n"
    "  fathom workflow profile -o step1.json step1.fathom\n"
    "  fathom workflow show profiles/\n"
    "  fathom workflow wrap make >fathom-sh && chmod +x fathom-sh\n"
    "  fathom workflow show --json all.fathom | jq '.edges[]'";

struct request;
struct action {
    const char *name;
    int (*run)(struct request *request, struct fth_error **error);
};

struct request {
    const struct action *action;
    struct fth_workflow workflow;
    struct fth_workflow_view view;
    struct fth_cmd_page page;
    const char *html_path; /* NULL: no page for a browser */
    const char *graph;     /* NULL: the page */
    bool force, step_pages;
    unsigned jobs;
    size_t path_count;
    const char **paths; /* as they were given */
    size_t job_file_count;
    const char **job_files;
    size_t cluster_count; /* --on: how they were named, and their files */
    const char *clusters[MOST_CLUSTERS], *cluster_paths[MOST_CLUSTERS];
    char cluster_files[MOST_CLUSTERS][PATH_MAX];
    uint64_t most_events;
};

/* ---- reading ---- */

/* Its first bytes; how many there are. */
static size_t peek(const char *path, char *bytes, size_t room)
{
    FILE *file = fopen(path, "rb");
    size_t count = file ? fread(bytes, 1, room, file) : 0;
    if (file)
        fclose(file);
    return count;
}

static int add_file(struct request *request, const char *path, struct fth_error **error)
{
    char first[64];
    if (fth_text_ends(path, ".jobs"))
        return fth_workflow_add_jobs(&request->workflow, path, error);
    if (fth_workflow_is_profile(first, peek(path, first, sizeof first)))
        return fth_workflow_add_profile(&request->workflow, path, error);
    struct fth_trace *trace = fth_cmd_open_trace(path, error);
    int result =
        trace ? fth_workflow_add_trace(&request->workflow, trace, path, request->jobs, error) : -1;
    fth_trace_close(trace);
    return result;
}

static int is_input(const struct dirent *entry)
{
    return fth_text_ends(entry->d_name, ".fathom") || fth_text_ends(entry->d_name, ".json") ||
           fth_text_ends(entry->d_name, ".jobs");
}

/* Is it a trace whose profile is there, too? That says the same. */
static bool has_profile(const char *trace)
{
    size_t length = strlen(trace) - strlen(".fathom");
    char *profile = fth_text_ends(trace, ".fathom")
                        ? fth_text_format("%.*s.json", (int)length, trace)
                        : NULL,
         first[64];
    bool has = profile && fth_workflow_is_profile(first, peek(profile, first, sizeof first));
    free(profile);
    return has;
}

/* What in a folder cannot be read is left out, and said; the rest is still shown. */
static int add_folder(struct request *request, const char *path, struct fth_error **error)
{
    struct dirent **entries;
    int count = scandir(path, &entries, is_input, alphasort);
    if (count < 0)
        return fth_fail_errno(error, "cannot read the folder '%s'", path);
    for (int i = 0; i < count; i++) {
        struct fth_error *reason = NULL;
        char *name = fth_path_below(path, entries[i]->d_name);
        if (!has_profile(name) && add_file(request, name, &reason)) {
            request->workflow.incomplete = true;
            fth_workflow_note(&request->workflow, "%s is left out: %s", name,
                              fth_error_text(reason));
        }
        fth_error_free(reason);
        free(name);
        free(entries[i]);
    }
    free(entries);
    return 0;
}

static int add_all(struct request *request, struct fth_error **error)
{
    for (size_t i = 0; i < request->path_count; i++) {
        struct stat facts;
        bool folder = !stat(request->paths[i], &facts) && S_ISDIR(facts.st_mode);
        if (folder ? add_folder(request, request->paths[i], error)
                   : add_file(request, request->paths[i], error))
            return -1;
    }
    for (size_t i = 0; i < request->job_file_count; i++)
        if (fth_workflow_add_jobs(&request->workflow, request->job_files[i], error))
            return -1;
    if (!request->workflow.step_count)
        return fth_fail(error,
                        "there are no steps in '%s': traces end in .fathom, profiles in .json",
                        request->paths[0]);
    return 0;
}

/* ---- writing ---- */

static const struct form {
    const char *name;
    void (*dot)(const struct fth_workflow_facts *facts, struct fth_sink *sink);
    enum fth_workflow_layout layout; /* of a picture: `dot` is NULL */
} forms[] = {
    {"svg", NULL, FTH_LAYOUT_GRAPH},
    {"svg-scaled", NULL, FTH_LAYOUT_SCALED},
    {"svg-time", NULL, FTH_LAYOUT_TIME},
    {"dot", fth_workflow_write_dot, FTH_LAYOUT_GRAPH},
    {"graphml", fth_workflow_write_graphml, FTH_LAYOUT_GRAPH},
    {"prov", fth_workflow_write_prov, FTH_LAYOUT_GRAPH},
};

static const struct form *form_of(const char *name)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (!strcmp(name, forms[i].name))
            return &forms[i];
    return NULL;
}

/* To the file of -o, or to the standard output. */
static int save(const struct request *request, struct fth_sink *sink, struct fth_error **error)
{
    int result = 0;
    if (request->page.path)
        result = fth_cmd_save(request->page.path, sink, request->force, error);
    else
        result = fth_cmd_print(sink, error);
    fth_sink_close_memory(sink);
    return result;
}

static int write_graph(const struct request *request, const struct fth_workflow_facts *facts,
                       struct fth_error **error)
{
    const struct form *form = form_of(request->graph);
    struct fth_sink sink;
    fth_sink_open_memory(&sink);
    if (form->dot)
        form->dot(facts, &sink);
    else
        fth_workflow_write_svg(facts, form->layout, &sink);
    return save(request, &sink, error);
}

static int write_page(const struct request *request, const struct fth_workflow_facts *facts,
                      const struct fth_results *results, struct fth_error **error)
{
    struct fth_writer writer;
    if (fth_cmd_open_page(&writer, &request->page, "fathom workflow", FTH_WORKFLOW_LINE_DEPTH,
                          request->paths, error))
        return -1;
    fth_workflow_page(&writer, facts, results, &request->view);
    return fth_cmd_close_page(&writer, 0, error);
}

static int write_html(const struct request *request, const struct fth_workflow_facts *facts,
                      const struct fth_results *results, struct fth_error **error)
{
    const struct fth_cmd_page page = {.chosen = &fth_format_html, .path = request->html_path};
    struct fth_writer writer;
    if (fth_cmd_open_page(&writer, &page, "fathom workflow", FTH_WORKFLOW_LINE_DEPTH,
                          request->paths, error))
        return -1;
    fth_workflow_html(writer.output, facts, results, "h1",
                      request->view.top_chosen ? request->view.top : FTH_WORKFLOW_PAGE_ROWS);
    return fth_cmd_close_page(&writer, 0, error);
}

static int write_pages(const struct request *request, const struct fth_workflow_facts *facts,
                       struct fth_error **error)
{
    struct fth_results results = {0};
    fth_workflow_tables(facts, &results);
    fth_workflow_findings(facts, &results);
    int result = write_page(request, facts, &results, error);
    if (!result && request->html_path)
        result = write_html(request, facts, &results, error);
    fth_results_free(&results);
    return result;
}

/* Nothing if no cluster is named. */
static int simulate(struct request *request, struct fth_workflow_facts *facts,
                    struct fth_simulated_workflow *simulated, struct fth_error **error)
{
    if (!request->cluster_count)
        return 0;
    if (fth_workflow_simulate(simulated, &facts->graph, request->cluster_paths, request->clusters,
                              (uint32_t)request->cluster_count, request->most_events, error))
        return -1;
    facts->simulated = simulated;
    fth_workflow_note_simulated(&request->workflow, simulated);
    return 0;
}

static int show(struct request *request, struct fth_error **error)
{
    struct fth_workflow_facts facts;
    struct fth_simulated_workflow simulated = {0};
    struct fth_step_pages pages = {0};
    if (add_all(request, error))
        return -1;
    fth_workflow_facts_make(&facts, &request->workflow);
    fth_workflow_note_doubts(&request->workflow, &facts.graph);
    int result = simulate(request, &facts, &simulated, error);
    if (!result && request->step_pages) {
        result = fth_cmd_write_step_pages(&pages, &request->workflow, request->html_path,
                                          request->jobs, error);
        facts.step_pages = (const char *const *)pages.links;
    }
    if (!result)
        result = request->graph ? write_graph(request, &facts, error)
                                : write_pages(request, &facts, error);
    fth_simulated_workflow_free(&simulated);
    fth_step_pages_free(&pages);
    fth_workflow_facts_free(&facts);
    return result;
}

static int profile(struct request *request, struct fth_error **error)
{
    struct fth_sink sink;
    if (request->page.path && fth_cmd_check_new_file(request->page.path, request->force, error))
        return -1;
    if (add_all(request, error))
        return -1;
    fth_sink_open_memory(&sink);
    fth_workflow_write_profile(&request->workflow, &sink);
    return save(request, &sink, error);
}

static const struct fth_workflow_engine *engine_of(const char *name)
{
    for (size_t i = 0; i < fth_workflow_engine_count; i++)
        if (!strcmp(name, fth_workflow_engines[i].name))
            return &fth_workflow_engines[i];
    return NULL;
}

static int wrap(struct request *request, struct fth_error **error)
{
    const struct fth_workflow_engine *engine = engine_of(request->paths[0]);
    struct fth_sink sink;
    char self[PATH_MAX];
    if (!engine || request->path_count > 1)
        return fth_fail(
            error,
            "'%s' is no engine: choose make, shell, slurm, snakemake, dask, nextflow or "
            "cromwell",
            request->paths[engine ? 1 : 0]);
    if (!realpath("/proc/self/exe", self))
        return fth_fail_errno(error, "cannot find this program");
    fth_sink_open_memory(&sink);
    fth_workflow_write_wrapper(engine, self, &sink);
    return save(request, &sink, error);
}

/* ---- the command ---- */

static const struct action actions[] = {{"show", show}, {"profile", profile}, {"wrap", wrap}};
enum { ACTIONS = sizeof actions / sizeof *actions };

static const struct action *action_of(struct argp_state *state, const char *word)
{
    const char *names[ACTIONS + 1] = {NULL};
    char choice[256];
    for (size_t i = 0; i < ACTIONS; i++)
        names[i] = actions[i].name;
    snprintf(choice, sizeof choice,
             "show, profile or wrap, for example fathom workflow show %.128s", word);
    return &actions[fth_cmd_action(state, word, names, choice)];
}

static void add_path(struct request *request, const char *path)
{
    FTH_GROW(request->paths, request->path_count);
    request->paths[request->path_count++] = path;
}

static void add_shared(struct argp_state *state, struct request *request, char *folder)
{
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/')
        folder[--length] = '\0';
    if (folder[0] != '/' || length == 1)
        fth_cmd_wrong(state, "--shared takes the full path of a folder, not '%s'", folder);
    FTH_GROW(request->workflow.shared, request->workflow.shared_count);
    request->workflow.shared[request->workflow.shared_count++] = folder;
}

static void add_cluster(struct argp_state *state, struct request *request, const char *name)
{
    size_t number = request->cluster_count;
    if (number == MOST_CLUSTERS) {
        fth_cmd_wrong(state, "--on takes %d clusters at most; '%s' is one more", (int)MOST_CLUSTERS,
                      name);
        return;
    }
    request->clusters[number] = name;
    request->cluster_paths[number] = fth_cmd_cluster(state, name, request->cluster_files[number]);
    request->cluster_count++;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct request *request = state->input;
    switch (key) {
    case OPTION_TOP:
        request->view.top = (size_t)fth_cmd_integer(state, "top", argument);
        request->view.top_chosen = true;
        return 0;
    case OPTION_ALL:
        request->view.all = true;
        return 0;
    case OPTION_GRAPH:
        if (!form_of(argument))
            fth_cmd_wrong(state,
                          "--graph takes svg, svg-scaled, svg-time, dot, graphml or prov, not '%s'",
                          argument);
        request->graph = argument;
        return 0;
    case OPTION_HTML:
        request->html_path = argument;
        return 0;
    case OPTION_STEP_PAGES:
        request->step_pages = true;
        return 0;
    case OPTION_JOBS_FROM:
        FTH_GROW(request->job_files, request->job_file_count);
        request->job_files[request->job_file_count++] = argument;
        return 0;
    case OPTION_SHARED:
        add_shared(state, request, argument);
        return 0;
    case OPTION_ON:
        add_cluster(state, request, argument);
        return 0;
    case OPTION_MAX_EVENTS:
        request->most_events = (uint64_t)fth_cmd_integer(state, "max-events", argument);
        return 0;
    case OPTION_FORCE:
        request->force = true;
        return 0;
    case OPTION_JOBS:
        request->jobs = fth_cmd_jobs(state, argument);
        return 0;
    case ARGP_KEY_INIT:
        return fth_cmd_page_option(key, state, &request->page);
    case ARGP_KEY_ARG:
        if (request->action)
            add_path(request, argument);
        else
            request->action = action_of(state, argument);
        return 0;
    case ARGP_KEY_END:
        if (!request->action)
            fth_cmd_wrong(state, "give an action: show, profile or wrap");
        if (request->graph && (request->cluster_count || request->html_path))
            fth_cmd_wrong(state, "--graph and --%s: use two commands",
                          request->html_path ? "html" : "on");
        if (request->step_pages && !request->html_path)
            fth_cmd_wrong(state, "--step-pages needs --html FILE: the pages go beside it");
        if (!request->path_count)
            fth_cmd_wrong(state, request->action->run == wrap
                                     ? "wrap wants the name of an engine, for example make"
                                     : "give a trace, a profile, or a folder of these");
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

int fth_cmd_workflow(int argc, char **argv)
{
    const struct argp argp = {
        options, parse, "ACTION TRACE...", text, fth_cmd_page_options(FTH_CMD_HAS_TABLES, 0),
        NULL,    NULL};
    struct request request = {.view.top = 20, .most_events = USUAL_EVENTS};
    struct fth_error *error = NULL;
    if (fth_cmd_parse(&argp, argc, argv, 0, &request))
        return 1;
    FTH_GROW(request.paths, request.path_count);
    request.paths[request.path_count] = NULL;
    int result = request.action->run(&request, &error);
    fth_workflow_free(&request.workflow);
    free(request.paths);
    free(request.job_files);
    return result ? fth_cmd_failed("workflow", error) : 0;
}
