/* `fathom wrap`: rows about the user's own library become a plug-in for `fathom record --with`, or a header becomes rows to begin with. */
#include "cmd/wrap.h"

#include "catalog/generate/generate.h"
#include "catalog/packed.h"
#include "cmd/command.h"
#include "cmd/output_file.h"
#include "cmd/run.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    OPTION_SOURCE = 0x100,
    OPTION_CC,
    OPTION_FROM,
    OPTION_STATIC,
    MOST_ERRORS = 50,
    MOST_BYTES = 64 << 20
};

static const struct argp_option argp_options[] = {
    {"output", 'o', "FILE", 0, "Write to FILE: libfathom-NAME.so; of --from NAME.calls, or -", 0},
    {"from", OPTION_FROM, NULL, 0, "The argument is a header: write a first .calls of it, to edit",
     0},
    {"static", OPTION_STATIC, "NAME", 0,
     "Print what a program is linked with that has the library NAME (mpi, hdf5, hdf5_hl, netcdf, "
     "pnetcdf) inside; the argument is its file, as the linker gets it",
     0},
    {NULL, 'l', "LIBRARY", 0, "With --static: the library, as -lLIBRARY; repeatable", 0},
    {"source", OPTION_SOURCE, "FILE", 0,
     "Keep the plug-in's source in FILE; without -o that is all", 0},
    {"cc", OPTION_CC, "COMPILER", 0, "Compile with this one ($CC or cc)", 0},
    {"include", 'I', "FOLDER", 0, "Look for headers there; repeatable", 0},
    {"define", 'D', "NAME[=VALUE]", 0, "Define a macro for headers; repeatable", 0},
    {"quiet", 'q', NULL, 0, "Say nothing but what went wrong", 0},
    {0},
};

static const char text[] =
    "Make a plug-in that records the calls of a library which Fathom does not know."
    "\v"
    "CALLS describes the library's functions, one row each; the rows of fathom-wrap(1) are those "
    "of Fathom's own catalogue. The compiler's flags are those of CFLAGS, too.\n"
    "\n"
    "Examples:\n"
    "  fathom wrap --from mylib.h        # writes mylib.calls; look through it\n"
    "  fathom wrap mylib.calls           # writes libfathom-mylib.so\n"
    "  fathom record --with ./libfathom-mylib.so ./app\n"
    "  mpicc app.c $(fathom wrap --static mpi -l:libmpich.a)";

static void add_flag(struct argp_state *state, char letter, const char *value)
{
    struct fth_wrap_request *request = state->input;
    if (request->flag_count == FTH_MOST_WRAP_FLAGS)
        argp_error(state, "more than %d options and libraries", FTH_MOST_WRAP_FLAGS);
    request->flags[request->flag_count++] = (struct fth_wrap_flag){letter, value};
}

static void check(struct argp_state *state)
{
    const struct fth_wrap_request *request = state->input;
    bool has_library = false;
    for (size_t i = 0; i < request->flag_count; i++)
        has_library = has_library || request->flags[i].letter == 'l' || !request->flags[i].letter;
    if (has_library && !request->static_library)
        argp_error(state, "-l is for --static");
    if (request->static_library && !has_library)
        argp_error(state,
                   "which file is the library, as the linker finds it? For example: fathom wrap "
                   "--static %s "
                   "-l:lib%s.a. What it needs in its turn stands behind what this prints: see "
                   "PROGRAMS WITH A LIBRARY INSIDE in fathom-wrap(1)",
                   request->static_library,
                   strcmp(request->static_library, "mpi") ? request->static_library : "mpich");
    if (!request->input && !request->static_library)
        argp_error(state, "which file? For example: fathom wrap mylib.calls");
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct fth_wrap_request *request = state->input;
    switch (key) {
    case 'o':
        request->output = argument;
        return 0;
    case OPTION_FROM:
        request->from_header = true;
        return 0;
    case OPTION_SOURCE:
        request->source = argument;
        return 0;
    case OPTION_CC:
        request->compiler = argument;
        return 0;
    case 'I':
    case 'D':
    case 'l':
        add_flag(state, (char)key, argument);
        return 0;
    case OPTION_STATIC:
        request->static_library = argument;
        return 0;
    case 'q':
        request->quiet = true;
        return 0;
    case ARGP_KEY_ARG:
        if (request->static_library)
            add_flag(state, 0, argument);
        else if (request->input)
            argp_error(state, "one file at a time, not '%s' as well", argument);
        else
            request->input = argument;
        return 0;
    case ARGP_KEY_END:
        check(state);
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

/* ---- the rows ---- */

static char *read_whole(const char *path, size_t *length, struct fth_error **error)
{
    FILE *file = fopen(path, "re");
    char *bytes = NULL;
    size_t room = 0;
    *length = 0;
    if (!file) {
        fth_fail_errno(error, "cannot open '%s'", path);
        return NULL;
    }
    do {
        room = room ? room * 2 : 64 << 10;
        char *larger = room <= MOST_BYTES ? realloc(bytes, room) : NULL;
        if (!larger) {
            fth_fail(error, "'%s' is too large", path);
            break;
        }
        bytes = larger;
        *length += fread(bytes + *length, 1, room - *length, file);
    } while (*length == room);
    if (!*error && ferror(file))
        fth_fail_errno(error, "cannot read '%s'", path);
    fclose(file);
    if (*error) {
        free(bytes);
        return NULL;
    }
    return bytes;
}

static void complain(void *context, struct fth_error *error)
{
    size_t *count = context;
    if (++*count <= MOST_ERRORS)
        fprintf(stderr, "%s\n", fth_error_text(error));
    fth_error_free(error);
}

/* The rows of the file behind those of the catalogue. Errors have been told when it returns -1 without *error. */
static int read_rows(struct fth_catalog *catalog, const char *path, const char *rows, size_t length,
                     struct fth_error **error)
{
    size_t told = 0;
    if (fth_catalog_begin_with(catalog, &fth_packed_builtin))
        return fth_fail(error, "out of memory");
    size_t errors = fth_catalog_check(catalog, path, rows, length, complain, &told);
    if (errors) {
        fprintf(stderr, "fathom wrap: %zu error%s in '%s'; no plug-in was made\n", errors,
                errors == 1 ? "" : "s", path);
        return -1;
    }
    return check_plugin(catalog, path, error);
}

/* ---- the plug-in ---- */

static int write_source(const struct fth_catalog *catalog, const struct fth_wrap_request *request,
                        const char *path, const char *rows, size_t length, struct fth_error **error)
{
    FILE *out = fopen(path, "we");
    if (!out)
        return fth_fail_errno(error, "cannot write '%s'", path);
    write_plugin(out, catalog, request->input, rows, length);
    bool failed = ferror(out) != 0;
    if (fclose(out) != 0 || failed)
        return fth_fail_errno(error, "cannot write '%s'", path);
    return 0;
}

/* "libfathom-NAME.so" in the working directory. */
static char *default_output(const struct fth_catalog *catalog)
{
    char *name;
    return asprintf(&name, "libfathom-%s.so", catalog->libraries[0].name) < 0 ? NULL : name;
}

static void say_done(const struct fth_catalog *catalog, const char *output)
{
    size_t count = catalog->row_count - catalog->given_rows;
    fprintf(stderr, "fathom: %zu function%s of %s -> %s\n", count, count == 1 ? "" : "s",
            catalog->libraries[0].name, output);
    fprintf(stderr, "fathom: next: fathom record --with %s%s ./app\n",
            strchr(output, '/') ? "" : "./", output);
}

/* Compiles beside the file that is replaced, and puts it in its place when it is whole. */
static int compile_to(const struct fth_wrap_request *request, const char *source, const char *file,
                      struct fth_error **error)
{
    char *temporary;
    if (fth_cmd_check_output_file("", file, error))
        return -1;
    if (asprintf(&temporary, "%s.%ld.tmp", file, (long)getpid()) < 0)
        return fth_fail(error, "out of memory");
    int result = fth_wrap_compile(request, source, temporary, error);
    if (!result && rename(temporary, file) != 0)
        result = fth_fail_errno(error, "cannot write '%s'", file);
    if (result)
        unlink(temporary);
    free(temporary);
    return result;
}

static int compile(const struct fth_catalog *catalog, const struct fth_wrap_request *request,
                   const char *source, struct fth_error **error)
{
    char *output = request->output ? strdup(request->output) : default_output(catalog);
    char *file = output ? fth_cmd_output_file(output) : NULL;
    int result = file ? compile_to(request, source, file, error)
                      : fth_fail_errno(error, "cannot write '%s'", output ? output : "a plug-in");
    if (result == 0 && !request->quiet)
        say_done(catalog, output);
    free(file);
    free(output);
    return result;
}

static bool is_header(const char *path)
{
    const char *ending = strrchr(path, '.');
    return ending && (!strcmp(ending, ".h") || !strcmp(ending, ".hpp") || !strcmp(ending, ".hh"));
}

static int make_plugin(const struct fth_wrap_request *request, struct fth_error **error)
{
    struct fth_catalog catalog = {0};
    if (is_header(request->input))
        return fth_fail(
            error, "'%s' is a header: 'fathom wrap --from %s' makes a first version of its rows",
            request->input, request->input);
    char folder[PATH_MAX] = "", *source = NULL;
    size_t length;
    char *rows = read_whole(request->input, &length, error);
    if (!rows)
        return -1;
    int result = read_rows(&catalog, request->input, rows, length, error);
    if (result == 0 && !request->source) {
        const char *parent = getenv("TMPDIR");
        snprintf(folder, sizeof folder, "%s/fathom-wrap-XXXXXX",
                 parent && *parent ? parent : "/tmp");
        if (!mkdtemp(folder)) {
            result = fth_fail_errno(error, "cannot make the folder '%s'", folder);
            *folder = 0;
        }
    }
    if (result == 0 && (request->source ? !(source = strdup(request->source))
                                        : asprintf(&source, "%s/plugin.c", folder) < 0))
        result = fth_fail(error, "out of memory");
    if (result == 0) {
        rename_parameters(&catalog);
        result = write_source(&catalog, request, source, rows, length, error);
    }
    if (result == 0 && (!request->source || request->output))
        result = compile(&catalog, request, source, error);
    if (*folder) {
        if (source)
            unlink(source);
        rmdir(folder);
    }
    free(source);
    free(rows);
    fth_catalog_free(&catalog);
    return result;
}

int fth_cmd_wrap(int argc, char **argv)
{
    static const struct argp argp = {
        argp_options, parse, "CALLS\n--from HEADER\n--static NAME LIBRARY...", text, NULL,
        NULL,         NULL};
    struct fth_wrap_request request = {0};
    struct fth_error *error = NULL;
    if (argp_parse(&argp, argc, argv, 0, NULL, &request))
        return 1;
    int result = request.static_library ? fth_wrap_static(&request, &error)
                 : request.from_header  ? fth_wrap_draft(&request, &error)
                                        : make_plugin(&request, &error);
    if (result && error)
        return fth_cmd_failed("wrap", error);
    return result ? 1 : 0;
}
