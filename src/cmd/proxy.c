/* `fathom proxy`: a program that does the same I/O as a recorded run. */
#include "proxy/proxy.h"

#include "base/phrase.h"
#include "base/visible.h"
#include "cmd/shared/command.h"
#include "cmd/shared/json_line.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPTION_COMPUTE = 0x300,
    OPTION_ANONYMOUS,
    OPTION_VALUES,
    OPTION_JSON,
    OPTION_SIZES,
    OPTION_PROCESS
};

static const struct argp_option options[] = {
    {"output", 'o', "DIR", 0, "Write the program into this folder, which is new or empty", 0},
    {"compute", OPTION_COMPUTE, "HOW", 0,
     "What the program does between calls: spin, as long as the run took there on average "
     "(default), or none",
     0},
    {"anonymous", OPTION_ANONYMOUS, NULL, 0, "Replace names of files and of objects in them", 0},
    {"values", OPTION_VALUES, "HOW", 0,
     "Sizes and places without a rule: exact, from a table (default), or histogram, drawn at "
     "random",
     0},
    {"process", OPTION_PROCESS, "PROC", 0,
     "Without MPI: repeat this process alone, by its number in fathom info. Default: all",
     0},
    {"sizes", OPTION_SIZES, NULL, 0,
     "The program takes as its last argument how many times as large its sizes and places are", 0},
    {"json", OPTION_JSON, NULL, 0, "Describe the program as one line of JSON", 0},
    {0},
};

static const char text[] =
    "Write a small program in C that makes the same calls as a recorded run, on files of its own: "
    "a benchmark with the I/O of a program, but without the program and its data.\v"
    "Loops stay loops, so the program is short however long the run was. Numbers are expressions "
    "of "
    "loop counters and the rank; those without a rule are in tables.h. It is written for people to "
    "read and change.\n"
    "\n"
    "Examples:\n"
    "  fathom proxy app.fathom -o proxy\n"
    "  cmake -S proxy -B proxy/build && cmake --build proxy/build\n"
    "  mkdir run && cd run && mpirun -n 4 ../proxy/build/proxy";

struct request {
    struct fth_proxy_settings settings;
    const char *trace_path;
    bool json;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct request *request = state->input;
    switch (key) {
    case 'o':
        request->settings.folder = argument;
        return 0;
    case OPTION_COMPUTE:
        if (strcmp(argument, "spin") != 0 && strcmp(argument, "none") != 0)
            fth_cmd_wrong(state, "--compute takes spin or none, not '%s'", argument);
        request->settings.spins = !strcmp(argument, "spin");
        return 0;
    case OPTION_ANONYMOUS:
        request->settings.anonymous = true;
        return 0;
    case OPTION_VALUES:
        if (strcmp(argument, "exact") != 0 && strcmp(argument, "histogram") != 0)
            fth_cmd_wrong(state, "--values takes exact or histogram, not '%s'", argument);
        request->settings.drawn = !strcmp(argument, "histogram");
        return 0;
    case OPTION_PROCESS: {
        char *end;
        request->settings.process = strtol(argument, &end, 10);
        if (*end || end == argument || request->settings.process < 0)
            fth_cmd_wrong(state, "--process takes the number of a process, not '%s'", argument);
        return 0;
    }
    case OPTION_SIZES:
        request->settings.grows = true;
        return 0;
    case OPTION_JSON:
        request->json = true;
        return 0;
    case ARGP_KEY_END:
        if (request->trace_path && !request->settings.folder)
            fth_cmd_wrong(state, "-o DIR is expected: where the program is written to");
    }
    return fth_cmd_trace_argument(key, argument, state, &request->trace_path);
}

static const char *program_of(const struct fth_process *process)
{
    const char *slash = process->executable ? strrchr(process->executable, '/') : NULL;
    return slash ? slash + 1 : process->executable ? process->executable : "unknown program";
}

enum { MOST_NAMED = 8 };

/* Which processes are not repeated, by their numbers in fathom info. */
static void say_others(const struct fth_trace *trace, const struct fth_proxy_summary *summary)
{
    const struct fth_process *own = fth_trace_process(trace, summary->proc);
    size_t named = 0;
    if (summary->processes == 1 && !summary->with_mpi)
        fth_say(stdout, "only process %zu (%s) is repeated (--process takes another one)\n",
                summary->proc, program_of(own));
    for (; named < summary->others && named < MOST_NAMED; named++) {
        size_t proc = summary->other_procs[named];
        const struct fth_process *other = fth_trace_process(trace, proc);
        fth_say(stdout, "left out: process %zu (%s), %s\n", proc, program_of(other),
                fth_phrase_several(other->calls, "call", "calls").text);
    }
    if (summary->others > named)
        fth_say(stdout, "left out: %zu more %s\n", summary->others - named,
                summary->others - named > 1 ? "processes" : "process");
}

static void say_ranks(const struct fth_proxy_summary *summary)
{
    const char *why = summary->why_ranks ? summary->why_ranks : "";
    if (summary->least_ranks == summary->most_ranks)
        fth_say(stdout, "runs with %" PRId64 " ranks only: %s\n", summary->most_ranks, why);
    else if (summary->most_ranks != INT64_MAX)
        fth_say(stdout, "runs with %" PRId64 " to %" PRId64 " ranks: %s\n", summary->least_ranks,
                summary->most_ranks, why);
    else if (summary->least_ranks > 1)
        fth_say(stdout, "runs with %" PRId64 " ranks or more: %s\n", summary->least_ranks, why);
    else
        fth_say(stdout, "runs with any number of ranks\n");
}

static void say(const struct fth_trace *trace, const struct fth_proxy_summary *summary,
                const char *folder)
{
    size_t started = summary->processes - summary->roots;
    fth_say(stdout, "%s: %zu lines, for %" PRIu64 " calls of %zu %s", folder, summary->lines,
            summary->calls, summary->roots, summary->with_mpi ? "ranks" : "process");
    if (started)
        fth_say(stdout, " and %zu that %s started", started, summary->roots > 1 ? "they" : "it");
    if (summary->threads)
        fth_say(stdout, ", with %s",
                fth_phrase_several(summary->threads, "more thread", "more threads").text);
    fth_say(stdout, " (%zu different calls%s)\n", summary->statements,
            summary->groups > 1 ? ", several groups of ranks" : "");
    fth_say(stdout, "%s of %s of the run %s repeated\n",
            fth_phrase_count((int64_t)summary->calls).text,
            fth_phrase_several(summary->run_calls, "call", "calls").text,
            summary->calls == 1 ? "is" : "are");
    for (size_t i = 0; i < summary->left_out_count; i++) {
        const struct fth_proxy_left_out *left = &summary->left_out[i];
        fth_say(stdout, "left out: %s of %s: %s\n",
                fth_phrase_several(left->calls, "call", "calls").text, left->function->name,
                left->why);
    }
    if (summary->others)
        say_others(trace, summary);
    if (summary->with_mpi)
        say_ranks(summary);
    if (summary->prepares)
        fth_say(stdout, "prepare.sh makes the files that have to be there before%s\n",
                summary->foreign ? ", but those of libraries, which it names: put them there" : "");
}

static int say_in_json(const struct fth_proxy_summary *summary, const char *folder,
                       struct fth_error **error)
{
    struct fth_cmd_json_line line;
    struct fth_json *json = fth_cmd_json_begin(&line);
    fth_json_key_text(json, "folder", folder);
    fth_json_key_unsigned(json, "lines", summary->lines);
    fth_json_key_unsigned(json, "calls", summary->calls);
    fth_json_key_unsigned(json, "run_calls", summary->run_calls);
    fth_json_key_unsigned(json, "statements", summary->statements);
    fth_json_key_unsigned(json, "processes", summary->processes);
    fth_json_key_unsigned(json, "threads", summary->threads);
    fth_json_key_unsigned(json, "groups", summary->groups);
    fth_json_key_unsigned(json, "other_processes", summary->others);
    if (summary->with_mpi) {
        fth_json_key_unsigned(json, "least_ranks", (uint64_t)summary->least_ranks);
        if (summary->most_ranks != INT64_MAX)
            fth_json_key_unsigned(json, "most_ranks", (uint64_t)summary->most_ranks);
        fth_json_key_text(json, "why_ranks", summary->why_ranks);
    }
    fth_json_key_boolean(json, "prepares", summary->prepares);
    fth_json_key_unsigned(json, "files_of_libraries", summary->foreign);
    fth_json_key(json, "left_out");
    fth_json_begin_array(json);
    for (size_t i = 0; i < summary->left_out_count; i++) {
        fth_json_begin_object(json);
        fth_json_key_text(json, "func", summary->left_out[i].function->name);
        fth_json_key_unsigned(json, "calls", summary->left_out[i].calls);
        fth_json_key_text(json, "why", summary->left_out[i].why);
        fth_json_end_object(json);
    }
    fth_json_end_array(json);
    return fth_cmd_json_end(&line, error);
}

int fth_cmd_proxy(int argc, char **argv)
{
    const struct argp argp = {options, parse, "TRACE", text, NULL, NULL, NULL};
    struct request request = {.settings = {.spins = true, .process = -1}};
    struct fth_proxy_summary summary = {0};
    struct fth_error *error = NULL;
    if (fth_cmd_parse(&argp, argc, argv, 0, &request))
        return 1;
    struct fth_trace *trace = fth_cmd_open_trace(request.trace_path, &error);
    int result = trace ? fth_proxy_write(trace, &request.settings, &summary, &error) : -1;
    if (!result && request.json)
        result = say_in_json(&summary, request.settings.folder, &error);
    else if (!result)
        say(trace, &summary, request.settings.folder);
    fth_proxy_summary_free(&summary);
    fth_trace_close(trace);
    return result ? fth_cmd_failed("proxy", error) : 0;
}
