/* The program's own account of its calls, kept by a channel that no tracer sees: system calls
 * without the C library's functions around them, into memory that forked processes share. One JSON
 * object per call. */
#ifndef LOG_H
#define LOG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

void log_start(void);
/* Writes everything to this file. For the first process, when all others are gone. */
void log_finish(const char *path);

/* A call is about to be made, and has been made. */
void log_before(void);
void log_after(void);

/* What it was. `file`: the path that it is about, NULL for none. `result`: as the trace should show
 * it; of a failed call, errno is kept too. The arguments as members of a JSON object. */
void log_call(const char *function, int64_t result, bool failed, const char *file,
              const char *arguments, ...) __attribute__((format(printf, 5, 6)));

#endif
