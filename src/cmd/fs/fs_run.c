/* A program on an instance. */
#include "cmd/fs/fs_request.h"

#include "base/settings.h"
#include "cmd/run/launch.h"
#include "fs/protocol/fs_messages.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void nothing(void)
{
}

/* *status: as from waitpid. -1: *error is set, it was not started. */
static int run_program(struct fth_cmd_fs_request *request, int *status, struct fth_error **error)
{
    struct fth_outcome outcome;
    char *preload = NULL;
    if (request->instance.rules.model_count && fth_cmd_fs_preload(&preload, error))
        return -1;
    const struct fth_setting settings[] = {{FTH_SETTING_NAME(FS), request->instance.path},
                                           {preload ? "LD_PRELOAD" : NULL, preload},
                                           {NULL, NULL}};
    bool launched = fth_launch(request->command, settings, false, nothing, &outcome) == 0;
    if (launched && !outcome.exec_error) {
        *status = outcome.status;
        return 0;
    }
    errno = launched ? outcome.exec_error : errno;
    request->not_started = fth_launch_status_of_error(errno);
    return fth_fail_errno(error, "'%s' cannot be started", *request->command);
}

/* Ends as the program did, after all that it attached is in the folder below. */
int fth_cmd_fs_run(struct fth_cmd_fs_request *request, struct fth_error **error)
{
    char own[64];
    int status = 0;
    if (!request->command)
        return fth_fail(error, "give a program, for example: fathom fs run -- ./app");
    snprintf(own, sizeof own, "run-%ld", (long)getpid());
    bool is_own = !request->name;
    if (is_own ? fth_cmd_fs_make(request, own, error) || fth_cmd_fs_mount_new(request, error)
               : fth_cmd_fs_open_as_it_is(request, error))
        return -1;
    if (!is_own)
        fth_cmd_fs_mount_again(&request->instance, NULL); /* else `status` says what is wrong */
    int failed = run_program(request, &status, error);
    if (is_own)
        fth_cmd_fs_unmount(&request->instance, false);
    if (!failed)
        fth_cmd_fs_tell_of_losses(&request->instance, false);
    if (is_own && !fth_cmd_fs_write(request, FTH_MESSAGE_STOP, NULL, failed ? NULL : error))
        fth_cmd_fs_remove(&request->instance);
    else if (is_own && !failed)
        return fth_fail_in(error, "what was not written is still in the instance '%s'", own);
    return failed ? -1 : fth_launch_end_alike(status);
}
