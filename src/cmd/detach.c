/* `fathom detach`: ends what `fathom attach` began; that one then makes the trace. */
#include "cmd/attach/attach_process.h"
#include "cmd/shared/command.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 4096 };

struct request {
    size_t count;
    pid_t pids[MOST];
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct request *request = state->input;
    char *end;
    long pid;
    switch (key) {
    case ARGP_KEY_ARG:
        pid = strtol(argument, &end, 10);
        if (*end || end == argument || pid <= 0 || pid > INT_MAX || request->count == MOST)
            fth_cmd_wrong(state, "'%s' is not a process ID", argument);
        request->pids[request->count++] = (pid_t)pid;
        return 0;
    case ARGP_KEY_NO_ARGS:
        fth_cmd_wrong(state, "give a process, for example: fathom detach 1234");
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

int fth_cmd_detach(int argc, char **argv)
{
    static const struct argp argp = {
        NULL,
        parse,
        "PID...",
        "End the recording of processes that `fathom attach` records. The processes continue, and "
        "`fathom attach` writes the trace.",
        NULL,
        NULL,
        NULL};
    static struct request request;
    int status = 0;
    fth_cmd_parse(&argp, argc, argv, 0, &request);
    for (size_t i = 0; i < request.count; i++) {
        struct fth_error *error = NULL;
        if (fth_attach_process_end(request.pids[i], &error))
            status = fth_cmd_failed("detach", error);
    }
    return status;
}
