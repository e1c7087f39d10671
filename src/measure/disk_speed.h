/* Inner header: how fast files are. */
#ifndef FTH_MEASURE_DISK_SPEED_H
#define FTH_MEASURE_DISK_SPEED_H

#include "measure/trial.h"

struct fth_disk_request {
    const char *folder;
    uint64_t size; /* of the file; 0: as room and time allow */
};

/* What there is to know about how it was measured. */
struct fth_disk_setting {
    uint64_t size;
    bool is_direct;  /* past the page cache; else writes are followed by fdatasync */
    bool is_memory;  /* the folder is in memory: tmpfs or the like */
    char system[32]; /* the file system's type */
};

/* The sizes of records, each twice the one before. */
enum { FTH_DISK_LEAST_RECORD = 16 << 10, FTH_DISK_MOST_RECORD = 8 << 20 };
enum { FTH_DISK_MOST_AT_ONCE = 32, FTH_DISK_MIXED_RECORD = 1 << 20 };
/* Seeks shorter than this are near. */
enum { FTH_DISK_NEAR = 1000000 };

/* Times "sequential read", "sequential write", "random read", "random write", "near read",
 * "lookup", what goes through the page cache (disk_file.h) and, where that can be had, several
 * reads at once, on files of our own that have no names, so that nothing is left of them whatever
 * ends us. */
int fth_measure_disk(struct fth_trials *trials, const struct fth_disk_request *request,
                     struct fth_disk_setting *setting, int64_t budget,
                     struct fth_progress *progress, struct fth_error **error);

#endif
