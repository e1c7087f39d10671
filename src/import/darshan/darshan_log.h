/* What a log of Darshan says: its run, the counters of its files, and the accesses of DXT. */
#ifndef FTH_IMPORT_DARSHAN_LOG_H
#define FTH_IMPORT_DARSHAN_LOG_H

#include "base/error.h"
#include "base/progress.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fth_darshan_module { FTH_DARSHAN_POSIX, FTH_DARSHAN_MPIIO, FTH_DARSHAN_STDIO };
enum { FTH_DARSHAN_MODULES = 3, FTH_DARSHAN_SIZES = 10, FTH_DARSHAN_NO_FILE = -1 };

/* In the order in which they are printed (darshan_lines.py). Times are in nanoseconds; -1: the
 * module has no such counter. */
enum fth_darshan_counter {
    FTH_DARSHAN_OPENS, /* of MPI-IO: independent ones, as reads and writes */
    FTH_DARSHAN_COLLECTIVE_OPENS,
    FTH_DARSHAN_READS,
    FTH_DARSHAN_WRITES,
    FTH_DARSHAN_COLLECTIVE_READS,
    FTH_DARSHAN_COLLECTIVE_WRITES,
    FTH_DARSHAN_SPLIT_READS,
    FTH_DARSHAN_SPLIT_WRITES,
    FTH_DARSHAN_NONBLOCKING_READS,
    FTH_DARSHAN_NONBLOCKING_WRITES,
    FTH_DARSHAN_SEEKS,
    FTH_DARSHAN_STATS,
    FTH_DARSHAN_SYNCS,
    FTH_DARSHAN_BYTES_READ,
    FTH_DARSHAN_BYTES_WRITTEN,
    FTH_DARSHAN_CONSECUTIVE_READS,
    FTH_DARSHAN_CONSECUTIVE_WRITES,
    FTH_DARSHAN_SEQUENTIAL_READS,
    FTH_DARSHAN_SEQUENTIAL_WRITES,
    FTH_DARSHAN_SWITCHES,
    FTH_DARSHAN_UNALIGNED,
    FTH_DARSHAN_READ_TIME,
    FTH_DARSHAN_WRITE_TIME,
    FTH_DARSHAN_META_TIME,
    FTH_DARSHAN_SIZES_READ,
    FTH_DARSHAN_SIZES_WRITTEN = FTH_DARSHAN_SIZES_READ + FTH_DARSHAN_SIZES,
    FTH_DARSHAN_COUNTERS = FTH_DARSHAN_SIZES_WRITTEN + FTH_DARSHAN_SIZES
};

struct fth_darshan_record {
    enum fth_darshan_module module;
    int64_t rank; /* -1: of all ranks */
    int64_t file;
    int64_t counters[FTH_DARSHAN_COUNTERS];
};

/* A read or write of DXT. */
struct fth_darshan_access {
    int64_t offset, bytes, start, end; /* ns since the run began */
    int32_t rank, file;
    bool is_mpi, writes;
};

struct fth_darshan_log {
    int64_t processes, start, end; /* ns since 1970 */
    char *version, *command;
    char **files;
    size_t file_count;
    bool is_partial, has_traces, has[FTH_DARSHAN_MODULES];
    struct fth_darshan_record *records;
    size_t record_count;
    struct fth_darshan_access *accesses;
    size_t access_count;
    char **hosts; /* of each process; NULL: not known */
};

/* -1: *error says what is wrong with the log, or what is missing to read it. What was read is freed
 * by fth_darshan_log_free in any case. */
int fth_darshan_log_read(const char *path, struct fth_darshan_log *log, bool *stopped,
                         struct fth_progress *progress, struct fth_error **error);
/* Of lines that are there already: for tests of damage. */
int fth_darshan_log_parse(const char *path, int lines, struct fth_darshan_log *log, bool *stopped,
                          struct fth_progress *progress, struct fth_error **error);
void fth_darshan_log_free(struct fth_darshan_log *log);

#endif
