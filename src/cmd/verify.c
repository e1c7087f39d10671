/* `fathom verify`: which consistency a run needs of its file system. */
#include "base/memory.h"
#include "base/path_text.h"
#include "base/text.h"
#include "base/text_file.h"
#include "base/visible.h"
#include "cmd/shared/command.h"
#include "cmd/shared/page_options.h"
#include "verify/gather/known_functions.h"
#include "verify/verify.h"
#include "views/pages/verdict.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    OPTION_TOP = 0x300,
    OPTION_COLLECTIVES,
    OPTION_SEQUENCE,
    OPTION_BY_FILES,
    OPTION_WORKFLOW,
    OPTION_EQUAL_CONTENTS,
    OPTION_JOBS,
    OPTION_HTML,
    EXIT_RACY = 2,
    EXIT_UNKNOWN = 3,
    EXIT_AS_SEEN = 4,
    MOST_THREADS = 1024,
};

static const struct argp_option options[] = {
    {"model", 'm', "MODEL", 0,
     "posix, commit, session, mpi-io, eventual, all (default), or a file with your own models", 0},
    {"collectives-synchronize", OPTION_COLLECTIVES, NULL, 0,
     "Treat every collective call as a barrier, even if MPI does not require it (MPI_File_open, "
     "MPI_File_close, MPI_Comm_dup ...)",
     0},
    {"equal-contents", OPTION_EQUAL_CONTENTS, NULL, 0,
     "Do not count two writes of the same bytes to the same place as a conflict. The traces need "
     "hashes: fathom record --contents",
     0},
    {"in-sequence", OPTION_SEQUENCE, NULL, 0,
     "Several traces: each run ended before the next one began", 0},
    {"workflow", OPTION_WORKFLOW, "FILE", 0,
     "Several traces: FILE gives the order of the runs, in lines such as 'b.fathom after a.fathom'",
     0},
    {"by-files", OPTION_BY_FILES, NULL, 0,
     "Several traces: a run came after every run that ended before it began and shares a file with "
     "it",
     0},
    {"jobs", OPTION_JOBS, "N", 0,
     "Number of threads (default: one per processor); the verdict is always the same", 0},
    {"top", OPTION_TOP, "N", 0,
     "Show N kinds of violations per model, 0 for all (default: 10; with --html 200)", 0},
    {"html", OPTION_HTML, "FILE", 0, "Also write the verdict to FILE as an HTML page", 0},
    {0},
};

static const char text[] =
    "Determine from a run which consistency a program needs of its file system: which accesses of "
    "different processes conflict, what orders them, and whether that is enough under each "
    "consistency model.\v"
    "Exit status: 0 safe; 2 racy under the chosen model (all: racy under POSIX); 3 not known "
    "(unknown byte ranges, synchronization that cannot be followed, or no program recorded); 4 "
    "safe as far as was seen (part of the run was not recorded); 1 an error.\n"
    "\n"
    "Examples:\n"
    "  fathom verify app.fathom\n"
    "  fathom verify --model session app.fathom && echo runs on NFS\n"
    "  fathom verify --json app.fathom | jq .weakest\n"
    "  fathom verify --html verdict.html app.fathom\n"
    "  fathom verify --in-sequence write.fathom analyse.fathom\n"
    "  fathom verify --by-files traces/";

struct request {
    struct fth_cmd_page page;
    const char *html_path, *model, *workflow_path;
    char **paths; /* of the traces; ended by NULL, when there are any */
    size_t path_count;
    struct fth_verify_options options;
    size_t top, top_of_page;
    bool in_sequence;
};

/* The request has a copy. */
static void add_path(struct request *request, const char *path)
{
    request->paths = fth_resize(request->paths, request->path_count + 2, sizeof *request->paths);
    request->paths[request->path_count++] = fth_text_copy(path);
    request->paths[request->path_count] = NULL;
}

static int is_trace(const struct dirent *entry)
{
    return fth_text_ends(entry->d_name, ".fathom");
}

/* A trace, or all traces of a folder. */
static void add_paths(struct argp_state *state, struct request *request, const char *path)
{
    struct stat facts;
    struct dirent **entries;
    if (stat(path, &facts) || !S_ISDIR(facts.st_mode)) {
        add_path(request, path);
        return;
    }
    int count = scandir(path, &entries, is_trace, alphasort);
    if (count <= 0)
        fth_cmd_wrong(state,
                      "there are no traces (*.fathom) in the folder '%s'. Of profiles, `fathom "
                      "workflow show` says which consistency the files need that steps hand on",
                      path);
    for (int i = 0; i < count; i++) {
        char *name = fth_path_below(path, entries[i]->d_name);
        add_path(request, name);
        free(name);
        free(entries[i]);
    }
    free(entries);
}

static unsigned read_threads(struct argp_state *state, const char *argument)
{
    char *end;
    unsigned long threads = strtoul(argument, &end, 10);
    if (end == argument || *end || *argument == '-' || threads > MOST_THREADS)
        fth_cmd_wrong(state,
                      "--jobs takes a number of threads, 0 to %d, not '%s' (for the order of "
                      "several runs use --workflow)",
                      MOST_THREADS, argument);
    return (unsigned)threads;
}

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
    case OPTION_EQUAL_CONTENTS:
        request->options.equal_contents = true;
        return 0;
    case OPTION_SEQUENCE:
        request->in_sequence = true;
        return 0;
    case OPTION_BY_FILES:
        request->options.order_by_files = true;
        return 0;
    case OPTION_WORKFLOW:
        request->workflow_path = argument;
        return 0;
    case OPTION_JOBS:
        request->options.threads = read_threads(state, argument);
        return 0;
    case ARGP_KEY_ARG:
        add_paths(state, request, argument);
        return 0;
    case OPTION_TOP:
        request->top = request->top_of_page = (size_t)fth_cmd_integer(state, "top", argument);
        return 0;
    case OPTION_HTML:
        request->html_path = argument;
        return 0;
    case ARGP_KEY_INIT:
        return fth_cmd_page_option(key, state, &request->page);
    }
    if (key != ARGP_KEY_END)
        return ARGP_ERR_UNKNOWN;
    if (request->path_count == 0)
        fth_cmd_wrong(state, "give a trace: the file that `fathom record` wrote");
    return 0;
}

/* The models to judge by. *asked: the one by which the run is judged; NULL: all. */
static int choose_models(const struct request *request, struct fth_consistencies *models,
                         const char **asked, struct fth_error **error)
{
    *asked = NULL;
    if (!request->model || strcmp(request->model, "all") == 0) {
        fth_consistency_built_in(models);
        return 0;
    }
    if (!fth_consistency_is_file(request->model)) {
        if (!fth_consistency_meant(models, request->model, error))
            return -1;
    } else if (fth_consistency_read(models, request->model, error)) {
        return -1;
    }
    if (models->count == 1)
        *asked = models->models[0].name;
    return 0;
}

static void warn_of_unknown(void *context, const char *function, unsigned line, unsigned column)
{
    const struct request *request = context;
    fth_say(stderr,
            "fathom verify: %s:%u:%u: the function '%s' is unknown and synchronizes nothing\n",
            request->model, line, column, function);
}

/* ---- several runs ---- */

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The trace that goes by this name: as it was given, or the last part of that. */
static int find_run(const struct fth_runs *runs, const char *name, size_t *found,
                    struct fth_error **error)
{
    size_t count = 0;
    for (size_t i = 0; i < runs->count; i++)
        if (strcmp(runs->runs[i].path, name) == 0 ||
            strcmp(base_of(runs->runs[i].path), name) == 0) {
            *found = i;
            count++;
        }
    if (count == 1)
        return 0;
    return fth_fail(error,
                    count ? "'%s' matches several of the traces" : "'%s' is not one of the traces",
                    name);
}

/* "b.fathom after a.fathom ..." */
static int read_order(struct fth_runs *runs, char *line, struct fth_error **error)
{
    char *rest = line, *name = strtok_r(line, " \t\r\n", &rest), *after;
    size_t later, earlier;
    if (!name || *name == '#')
        return 0;
    after = strtok_r(NULL, " \t\r\n", &rest);
    if (!after || strcmp(after, "after") != 0)
        return fth_fail(error, "expected 'after' following '%.80s'", name);
    if (find_run(runs, name, &later, error))
        return -1;
    name = strtok_r(NULL, " \t\r\n", &rest);
    if (!name)
        return fth_fail(error, "expected names of traces following 'after'");
    for (; name && *name != '#'; name = strtok_r(NULL, " \t\r\n", &rest)) {
        if (find_run(runs, name, &earlier, error))
            return -1;
        if (earlier == later)
            return fth_fail(error, "'%s' cannot come after itself", name);
        fth_runs_put_before(runs, earlier, later);
    }
    return 0;
}

static int read_workflow(const char *path, struct fth_runs *runs, struct fth_error **error)
{
    FILE *file = fth_text_file(path, FTH_TEXT_MOST_BYTES, error);
    char *line = NULL;
    size_t room = 0, number = 0;
    int result = 0;
    if (!file)
        return -1;
    ssize_t length;
    while (!result && (length = getline(&line, &room, file)) > 0) {
        number++;
        if (memchr(line, 0, (size_t)length))
            result =
                fth_fail(error, "%s:%zu: the file contains bytes of value zero and is not text",
                         path, number);
        else if (read_order(runs, line, error))
            result = fth_fail_in(error, "%s:%zu", path, number);
    }
    if (!result && ferror(file))
        result = fth_fail_errno(error, "cannot read '%s'", path);
    free(line);
    fclose(file);
    return result;
}

static int order_runs(const struct request *request, struct fth_runs *runs,
                      struct fth_error **error)
{
    for (size_t i = 1; i < runs->count && request->in_sequence; i++) {
        const struct fth_run *one = &runs->runs[i - 1], *next = &runs->runs[i];
        fth_runs_put_before(runs, i - 1, i);
        if (next->offset < one->offset + fth_trace_info(one->trace)->end)
            fth_say(stderr,
                    "fathom verify: '%s' began before '%s' ended, by the clock; check the order of "
                    "the traces\n",
                    next->path, one->path);
    }
    return request->workflow_path ? read_workflow(request->workflow_path, runs, error) : 0;
}

static struct fth_trace **open_traces(const struct request *request, struct fth_error **error)
{
    struct fth_trace **traces = fth_new(request->path_count + 1, sizeof *traces);
    for (size_t i = 0; i < request->path_count && !*error; i++) {
        for (size_t j = 0; j < i; j++)
            if (strcmp(request->paths[i], request->paths[j]) == 0) {
                fth_fail(error, "'%s' is given twice", request->paths[i]);
                return traces;
            }
        traces[i] = fth_cmd_open_trace(request->paths[i], error);
        if (!traces[i])
            break;
    }
    return traces;
}

/* ---- the verdict ---- */

static int show_on(const struct request *request, const struct fth_cmd_page *page, size_t top,
                   const struct fth_verdict *verdict, const char *asked, struct fth_error **error)
{
    struct fth_writer writer;
    if (fth_cmd_open_page(&writer, page, "fathom verify", FTH_VERDICT_LINE_DEPTH,
                          (const char *const *)request->paths, error))
        return -1;
    fth_views_verdict(&writer, verdict, asked, top);
    return fth_cmd_close_page(&writer, 0, error);
}

static int show(const struct request *request, const struct fth_verdict *verdict, const char *asked,
                struct fth_error **error)
{
    const struct fth_cmd_page html = {.chosen = &fth_format_html, .path = request->html_path};
    if (show_on(request, &request->page, request->top, verdict, asked, error))
        return -1;
    return request->html_path ? show_on(request, &html, request->top_of_page, verdict, asked, error)
                              : 0;
}

static int status_of(const struct fth_verdict *verdict, const char *asked)
{
    static const int statuses[] = {[FTH_SAFE] = 0,
                                   [FTH_SAFE_AS_SEEN] = EXIT_AS_SEEN,
                                   [FTH_SAFETY_UNKNOWN] = EXIT_UNKNOWN,
                                   [FTH_RACY] = EXIT_RACY};
    enum fth_safety safety =
        asked ? fth_verdict_safety(&verdict->models[0]) : fth_verdict_of_run(verdict);
    bool nothing =
        verdict->no_program || verdict->no_calls || (asked && !verdict->models[0].has_accesses);
    if (nothing && safety < FTH_SAFETY_UNKNOWN)
        safety = FTH_SAFETY_UNKNOWN;
    return statuses[safety];
}

/* The exit status; 1: *error is set. */
static int verify(const struct request *request, struct fth_trace **traces,
                  struct fth_error **error)
{
    struct fth_consistencies models = {0};
    struct fth_runs runs = {0};
    const char *asked = NULL;
    struct fth_verdict *verdict = NULL;
    int status = 1;
    if (choose_models(request, &models, &asked, error) == 0 &&
        fth_runs_open(&runs, traces, (const char *const *)request->paths, request->path_count,
                      error) == 0 &&
        order_runs(request, &runs, error) == 0) {
        if (request->model && fth_consistency_is_file(request->model))
            fth_consistencies_unknown(&models, &runs, warn_of_unknown, (void *)request);
        verdict = fth_verify(&runs, &models, &request->options, error);
        if (verdict && request->options.equal_contents && !verdict->contents)
            fprintf(stderr, "fathom verify: no write has a hash of its contents: record with "
                            "`fathom record --contents`\n");
        if (verdict && show(request, verdict, asked, error) == 0)
            status = status_of(verdict, asked);
    }
    fth_verdict_free(verdict);
    fth_runs_close(&runs);
    fth_consistencies_free(&models);
    return status;
}

int fth_cmd_verify(int argc, char **argv)
{
    const struct argp argp = {
        options, parse, "TRACE|FOLDER...", text, fth_cmd_page_options(FTH_CMD_HAS_TABLES, 0),
        NULL,    NULL};
    struct request request = {.top = 10, .top_of_page = 200};
    struct fth_error *error = NULL;
    int status = 1;
    if (fth_cmd_parse(&argp, argc, argv, 0, &request))
        return 1;
    struct fth_trace **traces = open_traces(&request, &error);
    if (!error)
        status = verify(&request, traces, &error);
    for (size_t i = 0; i < request.path_count; i++) {
        fth_trace_close(traces[i]);
        free(request.paths[i]);
    }
    free(traces);
    free(request.paths);
    return status == 1 ? fth_cmd_failed("verify", error) : status;
}
