/* Programs that `fathom instrument` starts. */
#include "cmd/instrument/instrument_command.h"

#include "base/memory.h"
#include "base/visible.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LAST_BYTES = 3000, NOT_STARTED = 127 };

static _Noreturn void become(char *const *words, const char *folder, const char *log)
{
    int input = open("/dev/null", O_RDONLY | O_CLOEXEC),
        output = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (input < 0 || output < 0 || dup2(input, 0) < 0 || dup2(output, 1) < 0 ||
        dup2(output, 2) < 0 || chdir(folder) != 0) {
        dprintf(output, "cannot enter '%s': %s\n", folder, strerror(errno));
        _exit(NOT_STARTED);
    }
    execvp(words[0], words);
    dprintf(2, "cannot run '%s': %s\n", words[0], strerror(errno));
    _exit(NOT_STARTED);
}

int fth_cmd_run_in_folder(char *const *words, const char *folder, const char *log,
                          struct fth_error **error)
{
    int status;
    pid_t child = fork();
    if (child == 0)
        become(words, folder, log);
    if (child < 0)
        return fth_fail_errno(error, "cannot start a process");
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return fth_fail_errno(error, "cannot wait for '%s'", words[0]);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void fth_cmd_run_show_log(const char *log)
{
    char text[LAST_BYTES + 1];
    FILE *file = fopen(log, "re");
    if (!file)
        return;
    if (fseek(file, -LAST_BYTES, SEEK_END))
        rewind(file);
    text[fread(text, 1, LAST_BYTES, file)] = 0;
    fclose(file);
    char *rest = NULL;
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        fth_say(stderr, "| %s\n", line);
}
