/* A build starts compilers with arguments, and a trace of the build has these. Of the arguments
 * those are kept that decide how a source is read: folders of headers, macros, the standard. What
 * starts compilers (a wrapper of MPI, ccache) comes before what it starts, so the last command is
 * the one of the compiler itself. */
#include "instrument/compile_commands.h"

#include "base/memory.h"
#include "base/path_text.h"
#include "base/text.h"

#include <ctype.h>
#include <fathom/trace.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const char *keep(struct fth_compile_commands *commands, const char *text)
{
    size_t length = strlen(text) + 1;
    return memcpy(fth_arena_take(&commands->arena, length), text, length);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* gcc, g++-12, cc, x86_64-linux-gnu-gcc, clang, icx, mpicc; not what these start: cc1, as, ld. */
static bool is_compiler(const char *program)
{
    static const char *const parts[] = {"cc", "++", "clang", "icx", "icpx", "nvc", "CC"};
    if (fth_text_begins(program, "cc1") || fth_text_begins(program, "ccache"))
        return false;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strstr(program, parts[i]))
            return true;
    return false;
}

static bool is_source(const char *argument)
{
    static const char *const endings[] = {".c", ".cc", ".cpp", ".cxx", ".C", ".c++"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (*argument != '-' && fth_text_ends(argument, endings[i]))
            return true;
    return false;
}

/* Does it decide how the source is read? *with_next: what follows belongs to it. */
static bool is_wanted(const char *argument, bool *with_next)
{
    static const char *const alone[] = {"-I", "-D", "-U"};
    static const char *const before[] = {"-isystem",  "-iquote",  "-idirafter", "-include",
                                         "-isysroot", "-imacros", "-iprefix",   "-iwithprefix"};
    static const char *const whole[] = {"-std=",           "-ansi",         "-pthread",
                                        "-fopenmp",        "-m32",          "-m64",
                                        "-funsigned-char", "-fshort-enums", "-O"};
    *with_next = false;
    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++)
        if (fth_text_begins(argument, alone[i])) {
            *with_next = !argument[2];
            return true;
        }
    for (size_t i = 0; i < sizeof before / sizeof *before; i++)
        if (fth_text_begins(argument, before[i])) {
            *with_next = !argument[strlen(before[i])];
            return true;
        }
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        if (fth_text_begins(argument, whole[i]))
            return true;
    return false;
}

/* Those of others that a name follows, which is none of a source: -o x.o, -MF x.d. */
static bool skips_next(const char *argument)
{
    static const char *const before[] = {"-o", "-MF", "-MT", "-MQ", "-x", "-Xlinker", "-T"};
    for (size_t i = 0; i < sizeof before / sizeof *before; i++)
        if (!strcmp(argument, before[i]))
            return true;
    return false;
}

struct reading {
    struct fth_compile_commands *commands;
    const struct fth_process *process;
    size_t first; /* of its arguments behind the compiler */
};

static const char *absolute(const struct reading *reading, const char *name)
{
    char *path = *name == '/' ? fth_text_copy(name)
                              : fth_text_format("%s/%s", reading->process->directory, name);
    fth_path_settle(path);
    const char *kept = keep(reading->commands, path);
    free(path);
    return kept;
}

static void add(const struct reading *reading, const char *source)
{
    struct fth_compile_commands *commands = reading->commands;
    const struct fth_process *process = reading->process;
    const char **arguments =
        fth_arena_take(&commands->arena, (process->argument_count + 3) * sizeof *arguments);
    size_t count = 0;
    char *folder = fth_text_format("-working-directory=%s", process->directory);
    arguments[count++] = keep(commands, folder);
    free(folder);
    for (size_t i = reading->first; i < process->argument_count; i++) {
        bool with_next;
        if (is_wanted(process->arguments[i], &with_next)) {
            arguments[count++] = keep(commands, process->arguments[i]);
            if (with_next && i + 1 < process->argument_count)
                arguments[count++] = keep(commands, process->arguments[++i]);
        } else if (skips_next(process->arguments[i])) {
            i++;
        }
    }
    FTH_GROW(commands->list, commands->count);
    commands->list[commands->count++] = (struct fth_compile_command){
        absolute(reading, source), keep(commands, source), arguments, count};
}

static void take_process(struct fth_compile_commands *commands, const struct fth_process *process)
{
    struct reading reading = {commands, process, 1};
    if (!process->argument_count || !process->directory)
        return;
    const char *program = base_name(process->arguments[0]);
    if (fth_text_begins(program, "ccache") && process->argument_count > 1) {
        program = base_name(process->arguments[1]);
        reading.first = 2;
    }
    if (!is_compiler(program))
        return;
    for (size_t i = reading.first; i < process->argument_count; i++)
        if (skips_next(process->arguments[i]))
            i++;
        else if (is_source(process->arguments[i]))
            add(&reading, process->arguments[i]);
}

int fth_compile_commands_read(struct fth_compile_commands *commands, const char *trace,
                              struct fth_error **error)
{
    struct fth_trace *build = fth_trace_open(trace, error);
    *commands = (struct fth_compile_commands){0};
    if (!build)
        return -1;
    for (size_t i = 0; i < fth_trace_process_count(build); i++)
        take_process(commands, fth_trace_process(build, i));
    fth_trace_close(build);
    return 0;
}

const struct fth_compile_command *
fth_compile_commands_find(const struct fth_compile_commands *commands, const char *source)
{
    for (size_t i = commands->count; i-- > 0;)
        if (!strcmp(commands->list[i].source, source))
            return &commands->list[i];
    return NULL;
}

void fth_compile_commands_free(struct fth_compile_commands *commands)
{
    free(commands->list);
    fth_arena_free(&commands->arena);
    *commands = (struct fth_compile_commands){0};
}
