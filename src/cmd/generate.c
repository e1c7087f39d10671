/* `fathom generate`: a template with hints becomes a program with calls of an I/O library, and a
 * recorded run becomes a template. */
#include "base/memory.h"
#include "base/text_file.h"
#include "base/visible.h"
#include "cmd/generate/generate_page.h"
#include "cmd/generate/propose.h"
#include "cmd/shared/command.h"
#include "cmd/shared/json_line.h"
#include "cmd/shared/output_file.h"
#include "gen/gen.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPTION_LIBRARY = 0x300,
    OPTION_LANGUAGE,
    OPTION_LEVEL,
    OPTION_PROCESSES,
    OPTION_NODES,
    OPTION_ON,
    OPTION_EXPLAIN,
    OPTION_FROM,
    OPTION_FORCE,
    OPTION_HTML,
    OPTION_JSON
};

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0, "Write the program to this file. Default: the standard output", 0},
    {"from", OPTION_FROM, "TRACE", 0,
     "Propose a template: the arrays and parts of processes that the accesses of a recorded run "
     "imply",
     0},
    {"library", OPTION_LIBRARY, "NAME", 0,
     "What does the I/O: posix, mpiio, pnetcdf, hdf5, netcdf4. Default: as the template says", 0},
    {"level", OPTION_LEVEL, "NAME", 0,
     "The same by level: posix, mpiio, or high, which is the library of the template", 0},
    {"language", OPTION_LANGUAGE, "NAME", 0,
     "Of the template: c, c++, fortran. Default: by the ending of its name; with --from, of FILE",
     0},
    {"processes", OPTION_PROCESSES, "N", 0,
     "Choose for so many processes; the program runs with others, too", 0},
    {"nodes", OPTION_NODES, "N", 0, "Choose for so many nodes: as many aggregators", 0},
    {"on", OPTION_ON, "CLUSTER", 0,
     "Choose what is fastest on this cluster, by fathom simulate (a YAML file)", 0},
    {"explain", OPTION_EXPLAIN, NULL, 0, "Print each choice, and what it was weighed against", 0},
    {"html", OPTION_HTML, "FILE", 0,
     "Write the template beside the program to a page, with a form that writes hints", 0},
    {"force", OPTION_FORCE, NULL, 0, "Replace files that are there", 0},
    {"json", OPTION_JSON, NULL, 0, "Describe the program and its choices as one line of JSON", 0},
    {0},
};

static const char text[] =
    "Write the I/O of a program, from hints in its source.\v"
    "A template is a program in C, C++ or Fortran without I/O. Hints say which arrays there are, "
    "and which part each process writes or reads; where they stand, there the I/O is done:\n"
    "\n"
    "  #begin_options\n"
    "  library: hdf5; file: \"out.h5\"; processes: 4;\n"
    "  #end_options\n"
    "  #begin_dimensions\n"
    "  x: 100; y: 100;\n"
    "  #end_dimensions\n"
    "  #begin_variables\n"
    "  temp: double, 2, x, y;\n"
    "  #end_variables\n"
    "  #begin_attributes\n"
    "  unit: temp, char, \"Celsius\";\n"
    "  #end_attributes\n"
    "  #begin_write\n"
    "  array: rank, temp, rank * 25, 25, 0, 100, buffer;\n"
    "  #end_write\n"
    "\n"
    "The same hints become calls of POSIX, MPI-IO, PnetCDF, HDF5 or NetCDF-4. fathom-generate(1) "
    "teaches them.\n"
    "\n"
    "Examples:\n"
    "  fathom generate heat.in.c -o heat.c\n"
    "  fathom generate heat.in.c --library pnetcdf --explain -o heat.c\n"
    "  fathom generate --from app.fathom --explain -o app.in.c";

struct request {
    struct fth_gen_options settings;
    const char *path, *from, *output, *html;
    bool explain, force, json;
};

/* What has no meaning before there is a template. */
static void check_proposal(struct argp_state *state, const struct request *request)
{
    const char *language = request->settings.language;
    if (request->path)
        fth_cmd_wrong(state, "--from makes a template: '%s' is another one", request->path);
    if (request->html || request->settings.on || request->settings.processes ||
        request->settings.nodes)
        fth_cmd_wrong(state, "--from makes a template: --html, --on, --processes and --nodes are "
                             "for what is generated from it");
    if (language && strcmp(language, "c") != 0 && strcmp(language, "c++") != 0 &&
        strcmp(language, "fortran") != 0)
        fth_cmd_wrong(state, "there is no language '%s': there are c, c++, fortran", language);
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct request *request = state->input;
    switch (key) {
    case 'o':
        request->output = argument;
        return 0;
    case OPTION_LIBRARY:
        request->settings.library = argument;
        return 0;
    case OPTION_LEVEL:
        if (strcmp(argument, "posix") != 0 && strcmp(argument, "mpiio") != 0 &&
            strcmp(argument, "high") != 0)
            fth_cmd_wrong(state, "--level takes posix, mpiio or high, not '%s'", argument);
        if (strcmp(argument, "high") != 0)
            request->settings.library = argument;
        return 0;
    case OPTION_LANGUAGE:
        request->settings.language = argument;
        return 0;
    case OPTION_PROCESSES:
    case OPTION_NODES: {
        const char *name = key == OPTION_NODES ? "--nodes" : "--processes";
        int64_t count = fth_cmd_integer(state, name, argument);
        if (count < 1)
            fth_cmd_wrong(state, "%s takes a number of at least 1, not '%s'", name, argument);
        *(key == OPTION_NODES ? &request->settings.nodes : &request->settings.processes) = count;
        return 0;
    }
    case OPTION_ON:
        request->settings.on = argument;
        return 0;
    case OPTION_FROM:
        request->from = argument;
        return 0;
    case OPTION_EXPLAIN:
        request->explain = true;
        return 0;
    case OPTION_HTML:
        request->html = argument;
        return 0;
    case OPTION_FORCE:
        request->force = true;
        return 0;
    case OPTION_JSON:
        request->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (request->path)
            fth_cmd_wrong(state, "one TEMPLATE is expected, '%s' is a second one", argument);
        request->path = argument;
        return 0;
    case ARGP_KEY_END:
        if (!request->path && !request->from)
            fth_cmd_wrong(state, "a TEMPLATE is expected");
        if (request->from)
            check_proposal(state, request);
        if ((request->json || request->explain) && !request->output)
            fth_cmd_wrong(state, "--json and --explain need -o FILE, where the program goes");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static char *read_template(const char *path, size_t *length, struct fth_error **error)
{
    FILE *file = fth_text_file(path, FTH_TEXT_MOST_BYTES, error);
    if (!file)
        return NULL;
    char *bytes = NULL;
    size_t limit = 0;
    *length = 0;
    do {
        if (*length == limit)
            bytes = fth_resize(bytes, limit = limit ? 2 * limit : 1 << 16, 1);
        *length += fread(bytes + *length, 1, limit - *length, file);
    } while (!feof(file) && !ferror(file) && *length <= FTH_TEXT_MOST_BYTES);
    if (ferror(file) || *length > FTH_TEXT_MOST_BYTES) {
        fth_fail(error, "'%s' cannot be read, or is longer than 64 MiB", path);
        free(bytes);
        bytes = NULL;
    }
    fclose(file);
    return bytes;
}

static int write_program(const struct request *request, const struct fth_gen_program *program,
                         struct fth_error **error)
{
    struct fth_sink sink;
    fth_sink_open_memory(&sink);
    fth_sink_bytes(&sink, program->text, program->length);
    int result = request->output ? fth_cmd_save(request->output, &sink, request->force, error)
                                 : fth_cmd_print(&sink, error);
    fth_sink_close_memory(&sink);
    return result;
}

static int write_page(const struct request *request, const char *template, size_t length,
                      const struct fth_gen_program *program, struct fth_error **error)
{
    struct fth_sink sink;
    if (!request->html)
        return 0;
    fth_sink_open_memory(&sink);
    fth_cmd_generate_page(&sink, request->path, template, length, program);
    int result = fth_cmd_save(request->html, &sink, request->force, error);
    fth_sink_close_memory(&sink);
    return result;
}

static void explain(const struct fth_gen_program *program)
{
    for (size_t i = 0; i < program->explained_count; i++) {
        const struct fth_gen_explained *of = &program->explained[i];
        fth_say(stdout, "%u:%u: %s of %s: %s\n", of->line, of->column,
                of->writes ? "write" : "read", of->variable, of->reason);
        char *rest = NULL;
        for (char *line = strtok_r(of->weighed, "\n", &rest); line;
             line = strtok_r(NULL, "\n", &rest))
            fth_say(stdout, "    %s\n", line);
    }
}

static int say_in_json(const struct request *request, const struct fth_gen_program *program,
                       struct fth_error **error)
{
    struct fth_cmd_json_line line;
    struct fth_json *json = fth_cmd_json_begin(&line);
    fth_json_key_text(json, "template", request->path);
    fth_json_key_text(json, "output", request->output);
    fth_json_key_text(json, "library", program->library);
    fth_json_key_text(json, "language", program->language);
    fth_json_key_unsigned(json, "hint_lines", program->hint_lines);
    fth_json_key_unsigned(json, "generated_lines", program->generated_lines);
    fth_json_key(json, "accesses");
    fth_json_begin_array(json);
    for (size_t i = 0; i < program->explained_count; i++) {
        const struct fth_gen_explained *of = &program->explained[i];
        fth_json_begin_object(json);
        fth_json_key_unsigned(json, "line", of->line);
        fth_json_key_unsigned(json, "column", of->column);
        fth_json_key_text(json, "variable", of->variable);
        fth_json_key_boolean(json, "writes", of->writes);
        fth_json_key_boolean(json, "collective", of->collective);
        fth_json_key_boolean(json, "two_phase", of->two_phase);
        fth_json_key_boolean(json, "nonblocking", of->nonblocking);
        fth_json_key_text(json, "reason", of->reason);
        fth_json_key_text(json, "weighed", of->weighed);
        fth_json_end_object(json);
    }
    fth_json_end_array(json);
    return fth_cmd_json_end(&line, error);
}

static int propose(const struct request *request)
{
    struct fth_error *error = NULL;
    const struct fth_cmd_proposing asked = {.trace_path = request->from,
                                            .library = request->settings.library,
                                            .language = request->settings.language,
                                            .output = request->output,
                                            .force = request->force,
                                            .json = request->json,
                                            .explain = request->explain};
    return fth_cmd_propose(&asked, &error) ? fth_cmd_failed("generate", error) : 0;
}

int fth_cmd_generate(int argc, char **argv)
{
    const struct argp argp = {options, parse, "TEMPLATE", text, NULL, NULL, NULL};
    struct request request = {0};
    struct fth_gen_program program = {0};
    struct fth_error *error = NULL;
    size_t length;
    if (fth_cmd_parse(&argp, argc, argv, 0, &request))
        return 1;
    if (request.from)
        return propose(&request);
    char *template = read_template(request.path, &length, &error);
    int result =
        template ? fth_gen_make(request.path, template, length, &request.settings, &program, &error)
                 : -1;
    if (!result)
        result = write_page(&request, template, length, &program, &error);
    if (!result && (request.output || !request.html))
        result = write_program(&request, &program, &error);
    if (!result && request.json)
        result = say_in_json(&request, &program, &error);
    else if (!result && request.explain)
        explain(&program);
    fth_gen_program_free(&program);
    free(template);
    return result ? fth_cmd_failed("generate", error) : 0;
}
