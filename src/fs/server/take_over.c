/* A server with what another one had. */
#include "fs/server/take_over.h"

#include "fs/server/beats.h"
#include "fs/server/kept_copy.h"
#include "fs/server/node_network.h"
#include "fs/server/node_server.h"

#include <errno.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static int serve(const char *path, struct fth_error **error)
{
    struct fth_fs_instance instance;
    struct fth_met_node node = {.port = 0};
    int lock;
    if (fth_instance_open(&instance, path, error))
        return -1;
    if (instance.under < 0)
        return fth_fail(error, "the folder below, '%s', is not there", instance.under_path);
    int listening = fth_instance_listen(&instance, &lock, error);
    int network = listening < 0 ? -1 : fth_node_listen(&instance, &node, error);
    if (network < 0 || fth_node_meeting_tell(&instance, &node, error))
        return -1;
    int ended = fth_node_server_run(&instance, listening, network, NULL, error);
    if (ended > 0)
        fth_instance_remove(&instance);
    return ended;
}

/* It has nothing of the server that it comes from: no socket, no lock. */
static void be_server(const char *path)
{
    struct fth_error *error = NULL;
    close_range(STDERR_FILENO + 1, ~0U, 0);
    setsid();
    fth_beats_forked();
    int ended = serve(path, &error);
    if (ended < 0) {
        fprintf(stderr, "fathom fs: the part of the lost node cannot be taken over: %s\n",
                fth_error_text(error));
        fth_error_free(error);
    }
    _exit(ended < 0);
}

static bool is_running(const char *path)
{
    struct fth_fs_instance instance;
    struct fth_error *error = NULL;
    if (fth_instance_open(&instance, path, &error)) {
        fth_error_free(error);
        return true; /* it has ended, and nothing is left */
    }
    int lock = fth_instance_lock(&instance, 0);
    fth_instance_close(&instance);
    if (lock >= 0)
        close(lock);
    return lock < 0;
}

void fth_take_over(const struct fth_fs_instance *instance)
{
    char path[PATH_MAX];
    fth_kept_copy_path(instance, path);
    if (is_running(path))
        return;
    pid_t child = fork();
    if (child == 0) {
        /* twice, so that nobody has to wait for it */
        if (fork() == 0)
            be_server(path);
        _exit(0);
    }
    if (child < 0)
        fprintf(stderr, "fathom fs: the part of the lost node cannot be taken over: no process\n");
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR) {
    }
}
