/* Beginning an instance, or opening one. */
#include "cmd/fs/fs_request.h"

#include "base/settings.h"
#include "cmd/fs/fs_from_trace.h"
#include "cmd/fs/fs_in_use.h"
#include "cmd/fs/fs_nodes.h"
#include "cmd/fs/fs_server.h"
#include "fs/protocol/fs_messages.h"
#include "fs/server/node_meeting.h"

#include <errno.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int fth_cmd_fs_open(struct fth_cmd_fs_request *request, struct fth_error **error)
{
    char path[PATH_MAX];
    if (!fth_instance_place(fth_cmd_fs_name(request), path))
        return fth_fail(error,
                        "'%s' cannot be the name of an instance: it has no slash, does not "
                        "begin with a dot, and has at most 64 characters",
                        fth_cmd_fs_name(request));
    if (access(path, F_OK) && errno == ENOENT)
        return fth_fail(error,
                        "there is no instance '%s'; `fathom fs start --instance %s` makes "
                        "one",
                        fth_cmd_fs_name(request), fth_cmd_fs_name(request));
    return fth_instance_open(&request->instance, path, error);
}

static bool has_bound(const struct fth_model_rules *rules)
{
    for (size_t i = 0; i < rules->model_count; i++)
        if (rules->models[i].moments.publishes & FTH_AT_BOUND)
            return true;
    return false;
}

static int check_use(const struct fth_cmd_fs_request *request, const char *path,
                     struct fth_error **error)
{
    char parent[PATH_MAX];
    snprintf(parent, sizeof parent, "%s", path);
    *strrchr(parent, '/') = 0;
    return fth_cmd_fs_check_use(&request->instance, parent, strrchr(path, '/') + 1, error);
}

static int check_copies(const struct fth_fs_instance *instance, struct fth_error **error)
{
    if (instance->copies > 1 && instance->server_count < 2)
        return fth_fail(error, "--copies 2 needs a second node to have the copy: this instance has "
                               "one (--nodes, or one `fathom fs start` for each node by a "
                               "launcher)");
    if (instance->copies > 1 && *instance->rdma)
        return fth_fail(error, "--copies 2 does not go with --rdma: what is copied goes by TCP");
    return 0;
}

int fth_cmd_fs_make(struct fth_cmd_fs_request *request, const char *name, struct fth_error **error)
{
    char path[PATH_MAX];
    if (!fth_instance_place(name, path))
        return fth_fail(error,
                        "'%s' cannot be the name of an instance: it has no slash, does not "
                        "begin with a dot, and has at most 64 characters",
                        name);
    if (check_copies(&request->instance, error))
        return -1;
    if (!realpath(request->under ? request->under : ".", request->instance.under_path))
        return fth_fail_errno(error, "the folder below, '%s', cannot be used", request->under);
    if (fth_cmd_fs_choose_models(&request->models, &request->instance, error) ||
        (request->models.trace &&
         fth_cmd_fs_from_trace(request->models.trace, &request->instance, error)))
        return -1;
    if (request->instance.within && !has_bound(&request->instance.rules))
        return fth_fail(error, "--publish-within is for models that do not say when others see "
                               "what was written, such as --model eventual");
    if (check_use(request, path, error) ||
        fth_cmd_fs_meet(&request->instance, path, request->self, error))
        return -1;
    if (fth_instance_make(&request->instance, path, request->buffers, error)) {
        fth_cmd_fs_miss(&request->instance);
        return -1;
    }
    if (!fth_cmd_fs_start_server(&request->instance, error))
        return 0;
    fth_instance_remove(&request->instance);
    fth_cmd_fs_miss(&request->instance);
    return -1;
}

/* It was made, and cannot be used. */
static int give_up(struct fth_cmd_fs_request *request)
{
    struct fth_bytes answer;
    struct fth_view view;
    if (!fth_cmd_fs_ask(&request->instance, FTH_MESSAGE_DISCARD, &answer, &view, NULL))
        fth_instance_remove(&request->instance);
    fth_bytes_free(&answer);
    fth_cmd_fs_miss(&request->instance);
    return -1;
}

/* None of them works before all are there. */
static int wait_for_others(struct fth_cmd_fs_request *request, struct fth_error **error)
{
    if (request->instance.server_count == 1 ||
        !fth_node_meeting_wait(&request->instance, request->wait, error))
        return 0;
    return give_up(request);
}

int fth_cmd_fs_mount_new(struct fth_cmd_fs_request *request, struct fth_error **error)
{
    return fth_cmd_fs_mount(&request->instance, request->mount, error) ? give_up(request) : 0;
}

/* What an instance has from its start is not given again. */
int fth_cmd_fs_open_as_it_is(struct fth_cmd_fs_request *request, struct fth_error **error)
{
    const char *given = fth_cmd_fs_has_models(&request->models) ? "--model and --from-trace"
                        : request->under                        ? "--under"
                        : request->buffers                      ? "--buffer"
                        : request->nodes                        ? "--nodes"
                        : *request->instance.address            ? "--address"
                        : *request->instance.rdma               ? "--rdma"
                        : request->instance.copies > 1          ? "--copies"
                        : *request->instance.prefix             ? "--at"
                        : request->mount                        ? "--mount"
                                                                : NULL;
    if (fth_cmd_fs_open(request, error))
        return -1;
    if (!given)
        return 0;
    return fth_fail(error,
                    "%s cannot be given: the instance '%s' is there already (`fathom fs start "
                    "--instance %s` alone starts its server again where it was killed, "
                    "`fathom fs stop --instance %s` ends it)",
                    given, fth_cmd_fs_name(request), fth_cmd_fs_name(request),
                    fth_cmd_fs_name(request));
}

/* The folder of the instance is gone when it has ended. */
static void stay(const struct fth_cmd_fs_request *request)
{
    static const struct timespec pause = {.tv_nsec = 100000000};
    fflush(stdout);
    while (access(request->instance.path, F_OK) == 0)
        nanosleep(&pause, NULL);
}

/* The server lives, and somebody has unmounted what was mounted: *error says so then. */
static bool is_still_open(const struct fth_fs_instance *instance, struct fth_error **error)
{
    char place[FTH_MOUNT_TEXT];
    if (fth_cmd_fs_mount_state(instance, place) != FTH_CMD_FS_UNMOUNTED)
        return false;
    fth_error_free(*error);
    *error = NULL;
    fth_fail(error,
             "'%s' was unmounted by somebody else, and programs still have files open there: close "
             "them, then this command mounts it again",
             place);
    return true;
}

/* What of an instance was killed: its server, its mount, or both. */
static int start_again(struct fth_cmd_fs_request *request, struct fth_error **error)
{
    if (fth_cmd_fs_open_as_it_is(request, error))
        return -1;
    int server = fth_cmd_fs_start_server(&request->instance, error);
    int mount = fth_cmd_fs_mount_again(&request->instance, server ? NULL : error);
    if (server && !mount && is_still_open(&request->instance, error))
        return -1;
    if (mount < 0 || (server && !mount))
        return -1;
    fth_error_free(*error);
    *error = NULL;
    if (!server)
        fprintf(stderr, "fathom fs: the server of the instance '%s' was started again\n",
                fth_cmd_fs_name(request));
    if (mount)
        fprintf(stderr, "fathom fs: '%s' was mounted again\n", request->instance.prefix);
    return wait_for_others(request, error);
}

/* UCX listens by itself where its device is a network interface of the system. */
static void warn_of_rdma(const struct fth_fs_instance *instance)
{
    if (!*instance->rdma)
        return;
    if (instance->server_count == 1)
        fprintf(stderr, "fathom fs: --rdma changes nothing: the instance has one server\n");
    else if (if_nametoindex(instance->rdma))
        fprintf(stderr,
                "fathom fs: '%s' is a device of TCP: anybody in its network can end the servers, "
                "as UCX listens there to everybody; for trials, or networks that are trusted\n",
                instance->rdma);
}

static int start_new(struct fth_cmd_fs_request *request, struct fth_error **error)
{
    if (fth_cmd_fs_count_nodes(&request->instance, request->nodes, &request->self, error) ||
        fth_cmd_fs_make(request, fth_cmd_fs_name(request), error))
        return -1;
    warn_of_rdma(&request->instance);
    return wait_for_others(request, error) || fth_cmd_fs_mount_new(request, error) ? -1 : 0;
}

int fth_cmd_fs_start(struct fth_cmd_fs_request *request, struct fth_error **error)
{
    char path[PATH_MAX];
    bool is_there = fth_instance_place(fth_cmd_fs_name(request), path) && access(path, F_OK) == 0;
    if (is_there ? start_again(request, error) : start_new(request, error))
        return -1;
    printf("export %s=%s\n", FTH_SETTING_NAME(FS), request->instance.path);
    char *preload = NULL;
    if (request->instance.rules.model_count && fth_cmd_fs_preload(&preload, error))
        return -1;
    if (preload)
        printf("export LD_PRELOAD=%s\n", preload);
    free(preload);
    if (request->stays)
        stay(request);
    return 0;
}
