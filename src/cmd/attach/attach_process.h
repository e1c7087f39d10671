/* Begins and ends the recording of one process that runs. */
#ifndef FTH_CMD_ATTACH_ATTACH_PROCESS_H
#define FTH_CMD_ATTACH_ATTACH_PROCESS_H

#include "base/error.h"

#include <stddef.h>
#include <sys/types.h>

/* `library`: the tracer; `settings`: "NAME=VALUE" and a zero for each. */
int fth_attach_process(pid_t pid, const char *library, const char *settings, size_t length,
                       struct fth_error **error);
int fth_attach_process_end(pid_t pid, struct fth_error **error);

#endif
