/* Servers of instances: their processes, and questions to them. */
#include "cmd/fs/fs_server.h"

#include "fs/client/connection.h"
#include "fs/server/node_server.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Holds no descriptor of who started it, and no terminal. */
static void leave_caller(const struct fth_fs_instance *instance)
{
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    int log = openat(instance->folder, "log", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    setsid();
    if (nothing >= 0) {
        dup2(nothing, STDIN_FILENO);
        dup2(nothing, STDOUT_FILENO);
        dup2(log >= 0 ? log : nothing, STDERR_FILENO);
    }
    if (chdir("/"))
        fprintf(stderr, "fathom fs: the server stays in its folder\n");
}

static void serve(const struct fth_fs_instance *instance, int listening)
{
    struct fth_error *error = NULL;
    leave_caller(instance);
    if (fth_node_server_run(instance, listening, &error)) {
        fprintf(stderr, "fathom fs: %s\n", fth_error_text(error));
        fth_error_free(error);
        _exit(1);
    }
    _exit(0);
}

int fth_cmd_fs_start_server(const struct fth_fs_instance *instance, struct fth_error **error)
{
    int lock, listening;
    if (instance->under < 0)
        return fth_fail(error, "the folder below, '%s', is not there", instance->under_path);
    listening = fth_instance_listen(instance, &lock, error);
    if (listening < 0)
        return -1;
    pid_t child = fork();
    if (child == 0) {
        /* Twice, so that nobody has to wait for it. */
        if (fork() == 0)
            serve(instance, listening);
        _exit(0);
    }
    close(listening);
    close(lock);
    if (child < 0)
        return fth_fail_errno(error, "the server cannot be started");
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
    }
    return 0;
}

int fth_cmd_fs_ask(const struct fth_fs_instance *instance, uint8_t kind, struct fth_bytes *answer,
                   struct fth_view *view, struct fth_error **error)
{
    struct fth_connection connection = {.instance = instance};
    bool done = fth_connection_open(&connection);
    if (done) {
        fth_connection_begin(&connection, kind);
        done = fth_connection_ask(&connection, view);
    }
    int failed = 0;
    if (!done && errno == EIO)
        failed = fth_fail(error, "the server could not write everything to '%s': see '%s/log'",
                          instance->under_path, instance->path);
    else if (!done)
        failed = fth_fail_errno(error,
                                "the instance '%s' has no server that answers; `fathom fs "
                                "start` with its name starts it again",
                                instance->path);
    fth_connection_close(&connection);
    fth_bytes_free(&connection.out);
    *answer = connection.in;
    return failed;
}
