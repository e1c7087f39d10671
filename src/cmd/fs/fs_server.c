/* Servers of instances: their processes, and questions to them. */
#include "cmd/fs/fs_server.h"

#include "base/memory.h"
#include "cmd/fs/fs_mount.h"
#include "fs/client/connection.h"
#include "fs/protocol/fs_messages.h"
#include "fs/server/node_network.h"
#include "fs/server/node_server.h"
#include "fs/server/take_over.h"
#include "fs/server/ucx_ways.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
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

/* Of several servers, one is asked to stop by the command, and asks the others: each leaves nothing
 * on its node. */
static void serve(const struct fth_fs_instance *instance, int listening, int network)
{
    struct fth_error *error = NULL;
    leave_caller(instance);
    int ended = fth_node_server_run(instance, listening, network, fth_take_over, &error);
    if (ended < 0) {
        fprintf(stderr, "fathom fs: %s\n", fth_error_text(error));
        fth_error_free(error);
        _exit(1);
    }
    if (ended && instance->server_count > 1) {
        fth_cmd_fs_unmount(instance, true);
        fth_cmd_fs_remove(instance);
    }
    _exit(0);
}

/* Listens for the servers of other nodes, and tells them where. -1 without an error: there are
 * none. */
static int listen_for_others(const struct fth_fs_instance *instance, struct fth_error **error)
{
    struct fth_met_node node = {.port = 0};
    if (instance->server_count == 1 || (*instance->rdma && fth_ucx_try(instance->rdma, error)))
        return -1;
    int network = fth_node_listen(instance, &node, error);
    if (network >= 0 && fth_node_meeting_tell(instance, &node, error)) {
        close(network);
        return -1;
    }
    return network;
}

/* What was published there is served by another node. */
static int check_lost(const struct fth_fs_instance *instance, struct fth_error **error)
{
    struct fth_lost_node lost;
    bool is_lost = fth_instance_is_lost(instance);
    if (instance->server_count > 1 && instance->under >= 0 && !is_lost)
        is_lost = fth_node_meeting_lost(instance, &lost) && lost.server == instance->server;
    return is_lost ? fth_fail(error,
                              "this node is lost for the instance '%s': another node has its part "
                              "(`fathom fs status` there shows it); `fathom fs stop --discard` "
                              "removes what is left here",
                              instance->path)
                   : 0;
}

int fth_cmd_fs_start_server(const struct fth_fs_instance *instance, struct fth_error **error)
{
    int lock, listening;
    if (check_lost(instance, error))
        return -1;
    if (instance->under < 0)
        return fth_fail(error, "the folder below, '%s', is not there", instance->under_path);
    listening = fth_instance_listen(instance, &lock, error);
    if (listening < 0)
        return -1;
    int network = listen_for_others(instance, error);
    if (*error) {
        close(listening);
        close(lock);
        return -1;
    }
    pid_t child = fork();
    if (child == 0) {
        /* Twice, so that nobody has to wait for it. */
        if (fork() == 0)
            serve(instance, listening, network);
        _exit(0);
    }
    if (network >= 0)
        close(network);
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
    *answer = (struct fth_bytes){.data = NULL};
    if (kind != FTH_MESSAGE_DISCARD && check_lost(instance, error))
        return -1;
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

static void take_text(struct fth_view *view, char *to, size_t room)
{
    uint64_t length = fth_view_varint(view);
    const uint8_t *text = fth_view_bytes(view, length);
    snprintf(to, room, "%.*s", text ? (int)(length % PATH_MAX) : 0, (const char *)text);
}

void fth_cmd_fs_each_loss(const struct fth_fs_instance *instance,
                          void (*tell)(const struct fth_unsaved *process,
                                       const struct fth_unsaved_file *file, void *data),
                          void *data)
{
    char node[FTH_NODE_NAME_MOST + 1];
    struct fth_unsaved *process = fth_new(1, sizeof *process);
    struct fth_bytes answer;
    struct fth_view view;
    bool done = !fth_cmd_fs_ask(instance, FTH_MESSAGE_LOSSES, &answer, &view, NULL);
    while (done && fth_view_left(&view) && !view.failed) {
        struct fth_unsaved_file file = {.begin = 0};
        take_text(&view, node, sizeof node);
        take_text(&view, process->program, sizeof process->program);
        process->process = (int64_t)fth_view_varint(&view);
        take_text(&view, file.name, sizeof file.name);
        file.begin = fth_view_varint(&view);
        file.end = fth_view_varint(&view);
        file.has_gaps = fth_view_varint(&view) != 0;
        if (!view.failed)
            tell(process, &file, data);
    }
    free(process);
    fth_bytes_free(&answer);
}
