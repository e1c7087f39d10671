/* The files of a folder of Recorder 2.1 and 2.2: recorder.mt has the names of functions, and each
 * rank N the files N.mt (its times, how many records) and N.itf (its records). */
#ifndef FTH_IMPORT_RECORDER_TRACE_H
#define FTH_IMPORT_RECORDER_TRACE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FTH_RECORDER_ARGUMENTS = 16 };

struct fth_recorder_text {
    const char *text;
    uint32_t length;
};

/* A call. Records stand in the order in which calls ended. */
struct fth_recorder_record {
    int64_t start, end; /* ns since the rank began */
    int32_t result;     /* of calls that open a file: the descriptor; else nothing */
    uint32_t function, count;
    uint32_t depth;
    bool holds; /* the record before it is of a call that was made in it */
    struct fth_recorder_text arguments[FTH_RECORDER_ARGUMENTS];
};

struct fth_recorder_trace {
    const char *folder;
    char *names; /* of all functions */
    const char *functions[256];
    uint32_t function_count;
    int64_t ranks;
    double resolution; /* seconds */
    /* of the rank that was read last */
    int64_t start, end; /* ns since 1970 */
    char *bytes;
    struct fth_recorder_record *records;
    size_t record_count;
    uint64_t overlaps; /* calls that began before the one before them ended, and are not in it */
};

/* -1: *error. The trace is freed by fth_recorder_trace_close in any case. */
int fth_recorder_trace_open(const char *folder, struct fth_recorder_trace *trace,
                            struct fth_error **error);
/* When a rank began, ns since 1970. */
int fth_recorder_trace_start(const struct fth_recorder_trace *trace, int64_t rank, int64_t *start,
                             struct fth_error **error);
int fth_recorder_trace_read(struct fth_recorder_trace *trace, int64_t rank,
                            struct fth_error **error);
void fth_recorder_trace_close(struct fth_recorder_trace *trace);

#endif
