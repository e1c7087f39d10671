/* The user's compiler: for the source of a plug-in, and for what its preprocessor makes of a
 * header. */
#include "base/bytes.h"
#include "base/memory.h"
#include "base/settings.h"
#include "base/visible.h"
#include "cmd/wrap/wrap.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_WORDS = 256 };

/* A command as it is put together. */
struct command {
    size_t count;
    char *words[MOST_WORDS];
};

static void add(struct command *command, const char *word)
{
    if (command->count < MOST_WORDS - 1)
        command->words[command->count++] = fth_text_copy(word);
}

/* Words with blanks between them: CC may be "ccache gcc". */
static void add_words(struct command *command, const char *words)
{
    while (words && *words) {
        size_t length = strcspn(words, " \t\n");
        char word[PATH_MAX];
        if (length && length < sizeof word) {
            memcpy(word, words, length);
            word[length] = 0;
            add(command, word);
        }
        words += length;
        words += strspn(words, " \t\n");
    }
}

static void free_command(struct command *command)
{
    for (size_t i = 0; i < command->count; i++)
        free(command->words[i]);
}

static const char *compiler_of(const struct fth_wrap_request *request)
{
    const char *given = request->compiler ? request->compiler : getenv("CC");
    return given && *given ? given : "cc";
}

static void add_flags(struct command *command, const struct fth_wrap_request *request)
{
    add_words(command, getenv("CFLAGS"));
    for (size_t i = 0; i < request->flag_count; i++) {
        char flag[PATH_MAX];
        if (snprintf(flag, sizeof flag, "-%c%s", request->flags[i].letter,
                     request->flags[i].value) < (int)sizeof flag)
            add(command, flag);
    }
}

/* Headers in quotes stand beside the file that names them. */
static void add_folder_of(struct command *command, const char *file)
{
    char path[PATH_MAX], flag[PATH_MAX + 2];
    snprintf(path, sizeof path, "%s", file);
    snprintf(flag, sizeof flag, "-I%s", dirname(path));
    add(command, flag);
}

/* Starts it; `to`: its standard output, -1: ours. Returns the process, or -1 and *error. */
static pid_t start(struct command *command, int to, struct fth_error **error)
{
    int pipe_of_failure[2], problem = 0;
    command->words[command->count] = NULL;
    if (pipe2(pipe_of_failure, O_CLOEXEC) != 0)
        return fth_fail_errno(error, "cannot make a pipe");
    pid_t process = fork();
    if (process == 0) {
        if (to >= 0)
            dup2(to, STDOUT_FILENO);
        execvp(command->words[0], command->words);
        problem = errno;
        _exit(write(pipe_of_failure[1], &problem, sizeof problem) < 0 ? 126 : 127);
    }
    close(pipe_of_failure[1]);
    bool failed = process > 0 && read(pipe_of_failure[0], &problem, sizeof problem) > 0;
    close(pipe_of_failure[0]);
    if (process < 0)
        return fth_fail_errno(error, "cannot start a process");
    if (!failed)
        return process;
    waitpid(process, NULL, 0);
    if (problem == ENOENT)
        return fth_fail(error,
                        "there is no C compiler '%s': install gcc or clang (on Debian and Ubuntu: "
                        "apt-get install gcc), or choose another one with --cc or CC",
                        command->words[0]);
    return fth_fail(error, "cannot run the compiler '%s': %s", command->words[0],
                    strerror(problem));
}

/* It did not work: the command, to be tried again. */
static int say_failed(const struct command *command, const char *what, struct fth_error **error)
{
    fprintf(stderr, "fathom wrap: the command was:");
    for (size_t i = 0; i < command->count; i++)
        fth_say(stderr, " %s", command->words[i]);
    fputc('\n', stderr);
    return fth_fail(error, "%s; see the messages of the compiler above", what);
}

static bool wait_for(pid_t process)
{
    int status;
    while (waitpid(process, &status, 0) < 0)
        if (errno != EINTR)
            return false;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Where the headers of wrappers are: installed with this program, or built with it. */
static int find_headers(char path[PATH_MAX], struct fth_error **error)
{
    char self[PATH_MAX], candidate[2 * PATH_MAX];
    const char *given = getenv(FTH_SETTING_NAME(INCLUDE));
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = 0;
    if (given && *given)
        snprintf(candidate, sizeof candidate, "%s", given);
    else
        snprintf(candidate, sizeof candidate, "%s/../include/fathom/plugin", dirname(self));
    if (realpath(candidate, path))
        return 0;
    return fth_fail(error,
                    "cannot find the headers for plug-ins in '%s'; they are installed with Fathom, "
                    "and FATHOM_INCLUDE can name their folder",
                    candidate);
}

int fth_wrap_compile(const struct fth_wrap_request *request, const char *source, const char *output,
                     struct fth_error **error)
{
    static const char *const ours[] = {"-std=gnu17",
                                       "-D_GNU_SOURCE",
                                       "-O2",
                                       "-fPIC",
                                       "-shared",
                                       "-fvisibility=hidden",
                                       "-fno-builtin",
                                       "-fexceptions",
                                       "-U_FORTIFY_SOURCE",
                                       "-fno-stack-protector",
                                       "-Wno-deprecated-declarations",
                                       "-Werror=incompatible-pointer-types",
                                       "-Wl,-z,now",
                                       "-Wl,-Bsymbolic"};
    struct command command = {0};
    char headers[PATH_MAX], flag[PATH_MAX + 2];
    if (find_headers(headers, error))
        return -1;
    add_words(&command, compiler_of(request));
    add_flags(&command, request);
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        add(&command, ours[i]);
    snprintf(flag, sizeof flag, "-I%s", headers);
    add(&command, flag);
    add_folder_of(&command, request->input);
    add(&command, "-o");
    add(&command, output);
    add(&command, source);
    pid_t process = start(&command, -1, error);
    int result = process < 0         ? -1
                 : wait_for(process) ? 0
                                     : say_failed(&command, "the plug-in does not compile", error);
    free_command(&command);
    return result;
}

static bool read_all(int from, struct fth_bytes *to)
{
    char piece[65536];
    for (;;) {
        ssize_t length = read(from, piece, sizeof piece);
        if (length < 0 && errno == EINTR)
            continue;
        if (length <= 0)
            return length == 0;
        fth_bytes_put(to, piece, (size_t)length);
    }
}

char *fth_wrap_preprocess(const struct fth_wrap_request *request, const char *header,
                          size_t *length, struct fth_error **error)
{
    struct command command = {0};
    struct fth_bytes bytes = {0};
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        fth_fail_errno(error, "cannot make a pipe");
        return NULL;
    }
    add_words(&command, compiler_of(request));
    add_flags(&command, request);
    static const char *const ours[] = {"-std=gnu17", "-D_GNU_SOURCE", "-U_FORTIFY_SOURCE", "-E",
                                       "-xc"};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        add(&command, ours[i]);
    add_folder_of(&command, header);
    add(&command, header);
    pid_t process = start(&command, ends[1], error);
    close(ends[1]);
    bool complete = process > 0 && read_all(ends[0], &bytes);
    close(ends[0]);
    if (process > 0 && (!wait_for(process) || !complete))
        say_failed(&command, "the header cannot be read", error);
    free_command(&command);
    if (*error) {
        fth_bytes_free(&bytes);
        return NULL;
    }
    fth_bytes_put(&bytes, "", 1);
    *length = bytes.length - 1;
    return (char *)bytes.data;
}
