/* `fathom wrap`: rows about the user's own library become a plug-in for `fathom record --with`, or
 * a header becomes rows to begin with. */
#include "base/memory.h"
#include "base/text_file.h"
#include "base/visible.h"
#include "catalog/generate/generate.h"
#include "catalog/packed.h"
#include "cmd/shared/command.h"
#include "cmd/shared/output_file.h"
#include "cmd/wrap/wrap.h"
#include "cmd/wrap/wrap_folder.h"
#include "trace/file/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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
    {"output", 'o', "FILE", 0,
     "Write to FILE (default: libfathom-NAME.so; with --from NAME.calls); - is standard output", 0},
    {"from", OPTION_FROM, NULL, 0, "The argument is a header: draft a .calls file from it", 0},
    {"static", OPTION_STATIC, "NAME", 0,
     "Print linker options for a program that contains the library NAME (mpi, hdf5, hdf5_hl, "
     "netcdf, pnetcdf); the argument is the library as the linker gets it",
     0},
    {NULL, 'l', "LIBRARY", 0, "With --static: the library, as -lLIBRARY; repeatable", 0},
    {"source", OPTION_SOURCE, "FILE", 0,
     "Write the source of the plug-in to FILE; without -o do not compile it", 0},
    {"cc", OPTION_CC, "COMPILER", 0, "Use this compiler (default: $CC or cc)", 0},
    {"include", 'I', "FOLDER", 0, "Search this folder for headers; repeatable", 0},
    {"define", 'D', "NAME[=VALUE]", 0, "Define a macro for the headers; repeatable", 0},
    {"quiet", 'q', NULL, 0, "Print errors only", 0},
    {0},
};

static const char text[] =
    "Make a plug-in that records the calls of a library that Fathom does not know.\v"
    "CALLS describes the functions of the library, one per row (see fathom-wrap(1)). The compiler "
    "also gets the flags in CFLAGS.\n"
    "\n"
    "Examples:\n"
    "  fathom wrap --from mylib.h        # writes mylib.calls; review it\n"
    "  fathom wrap mylib.calls           # writes libfathom-mylib.so\n"
    "  fathom record --with ./libfathom-mylib.so ./app\n"
    "  mpicc app.c $(fathom wrap --static mpi -l:libmpich.a)";

static void add_flag(struct argp_state *state, char letter, const char *value)
{
    struct fth_wrap_request *request = state->input;
    if (request->flag_count == FTH_MOST_WRAP_FLAGS)
        fth_cmd_wrong(state, "more than %d options and libraries", FTH_MOST_WRAP_FLAGS);
    request->flags[request->flag_count++] = (struct fth_wrap_flag){letter, value};
}

static void check(struct argp_state *state)
{
    const struct fth_wrap_request *request = state->input;
    bool has_library = false;
    for (size_t i = 0; i < request->flag_count; i++)
        has_library = has_library || request->flags[i].letter == 'l' || !request->flags[i].letter;
    if (has_library && !request->static_library)
        fth_cmd_wrong(state, "-l needs --static");
    if (request->static_library && !has_library)
        fth_cmd_wrong(state,
                      "give the library as the linker finds it, for example: fathom wrap --static "
                      "%s -l:lib%s.a. Libraries that it needs come after the printed options: see "
                      "PROGRAMS WITH A LIBRARY INSIDE in fathom-wrap(1)",
                      request->static_library,
                      strcmp(request->static_library, "mpi") ? request->static_library : "mpich");
    if (!request->input && !request->static_library)
        fth_cmd_wrong(state, "give a file, for example: fathom wrap mylib.calls");
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
            fth_cmd_wrong(state, "one file at a time, not '%s' as well", argument);
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
    FILE *file = fth_text_file(path, FTH_TEXT_MOST_BYTES, error);
    char *bytes = NULL;
    size_t room = 0;
    *length = 0;
    if (!file)
        return NULL;
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
        fth_say(stderr, "%s\n", fth_error_text(error));
    fth_error_free(error);
}

/* A compiler reads on as long as there is something: of a device without end. */
static int check_include(const char *rows, const char *include, struct fth_error **error)
{
    struct stat facts;
    char *path = NULL;
    const char *slash = strrchr(rows, '/');
    int length = (int)strlen(include) - 2; /* "kv.h" or <kv.h> */
    bool beside = include[0] == '"' && include[1] != '/' && slash;
    if (length < 1)
        return 0;
    path = fth_text_format("%.*s%.*s", beside ? (int)(slash + 1 - rows) : 0, rows, length,
                           include + 1);
    bool other = stat(path, &facts) == 0 && !S_ISREG(facts.st_mode);
    free(path);
    return other ? fth_fail(error, "'%s' cannot be used: include %s is not a regular file", rows,
                            include)
                 : 0;
}

static int check_includes(const struct fth_catalog *catalog, const char *rows,
                          struct fth_error **error)
{
    int result = 0;
    for (size_t i = 0; i < catalog->include_count && result == 0; i++)
        result = check_include(rows, catalog->includes[i], error);
    return result;
}

/* The rows of the file behind those of the catalogue. Errors have been reported when it returns -1
 * without *error. */
static int read_rows(struct fth_catalog *catalog, const char *path, const char *rows, size_t length,
                     struct fth_error **error)
{
    size_t reported = 0;
    if (fth_catalog_begin_with(catalog, &fth_packed_builtin))
        return fth_fail(error, "out of memory");
    size_t errors = fth_catalog_check(catalog, path, rows, length, complain, &reported);
    if (errors) {
        fth_say(stderr, "fathom wrap: %zu error%s in '%s'; no plug-in was made\n", errors,
                errors == 1 ? "" : "s", path);
        return -1;
    }
    return check_includes(catalog, path, error) || check_plugin(catalog, path, error) ? -1 : 0;
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
    return fth_text_format("libfathom-%s.so", catalog->libraries[0].name);
}

static void say_done(const struct fth_catalog *catalog, const char *output)
{
    size_t count = catalog->row_count - catalog->given_rows;
    fth_say(stderr, "fathom: %zu function%s of %s -> %s\n", count, count == 1 ? "" : "s",
            catalog->libraries[0].name, output);
    fth_say(stderr, "fathom: next: fathom record --with %s%s ./app\n",
            strchr(output, '/') ? "" : "./", output);
}

static int copy_bytes(int from, int to)
{
    char piece[65536];
    ssize_t length;
    while ((length = read(from, piece, sizeof piece)) > 0)
        for (ssize_t done = 0, now; done < length; done += now)
            if ((now = write(to, piece + done, (size_t)(length - done))) < 0)
                return -1;
    return length < 0 ? -1 : 0;
}

/* To `temporary`, which is to become `path`. */
static int copy_to(const char *plugin, const char *path, const char *temporary)
{
    struct stat facts;
    int from = open(plugin, O_RDONLY | O_CLOEXEC);
    if (from < 0 || fstat(from, &facts) != 0) {
        if (from >= 0)
            close(from);
        return -1;
    }
    int to = fth_temporary_open(path, temporary);
    bool copied = to >= 0 && fchmod(to, facts.st_mode & 0777) == 0 && copy_bytes(from, to) == 0;
    if (to >= 0 && close(to) != 0)
        copied = false;
    close(from);
    return copied ? 0 : -1;
}

/* Puts it beside the file that is replaced, and in its place when it is whole. */
static int put_in_place(const char *plugin, const char *file, struct fth_error **error)
{
    char *temporary = fth_temporary_name(file, getpid());
    int result = 0;
    if (copy_to(plugin, file, temporary) != 0 || rename(temporary, file) != 0) {
        result = fth_fail_errno(error, "cannot write '%s'", file);
        unlink(temporary);
    }
    free(temporary);
    return result;
}

/* Nothing is beside the file while the compiler classes, which may be killed. */
static int compile_to(const struct fth_wrap_request *request, const char *source,
                      const char *plugin, const char *file, struct fth_error **error)
{
    return fth_cmd_check_output_file("", file, error) ||
                   fth_wrap_compile(request, source, plugin, error) ||
                   put_in_place(plugin, file, error)
               ? -1
               : 0;
}

static int compile(const struct fth_catalog *catalog, const struct fth_wrap_request *request,
                   const char *source, const char *plugin, struct fth_error **error)
{
    char *output = request->output ? fth_text_copy(request->output) : default_output(catalog);
    char *file = output ? fth_cmd_output_file(output) : NULL;
    int result = file ? compile_to(request, source, plugin, file, error)
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

static int make_of_rows(const struct fth_catalog *catalog, const struct fth_wrap_request *request,
                        const char *rows, size_t length, struct fth_error **error)
{
    struct fth_wrap_folder folder;
    if (request->source && !request->output)
        return write_source(catalog, request, request->source, rows, length, error);
    if (fth_wrap_folder_make(&folder, error))
        return -1;
    const char *source = request->source ? request->source : folder.source;
    int result = write_source(catalog, request, source, rows, length, error);
    if (result == 0)
        result = compile(catalog, request, source, folder.plugin, error);
    fth_wrap_folder_remove(&folder);
    return result;
}

static int make_plugin(const struct fth_wrap_request *request, struct fth_error **error)
{
    struct fth_catalog catalog = {0};
    if (is_header(request->input))
        return fth_fail(error, "'%s' is a header: 'fathom wrap --from %s' drafts the rows from it",
                        request->input, request->input);
    size_t length;
    char *rows = read_whole(request->input, &length, error);
    if (!rows)
        return -1;
    int result = read_rows(&catalog, request->input, rows, length, error);
    if (result == 0) {
        rename_parameters(&catalog);
        result = make_of_rows(&catalog, request, rows, length, error);
    }
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
    if (fth_cmd_parse(&argp, argc, argv, 0, &request))
        return 1;
    int result = request.static_library ? fth_wrap_static(&request, &error)
                 : request.from_header  ? fth_wrap_draft(&request, &error)
                                        : make_plugin(&request, &error);
    if (result && error)
        return fth_cmd_failed("wrap", error);
    return result ? 1 : 0;
}
