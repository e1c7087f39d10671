/* This process: its identity, its spill file, its options. Inner header of the capture room. */
#ifndef FTH_CAPTURE_PROCESS_H
#define FTH_CAPTURE_PROCESS_H

#include "capture/runtime.h"
#include "trace/spill.h"

#include <stdbool.h>
#include <stddef.h>

struct fth_call_info { /* generated: one per row of the catalogue */
    const char *name, *layer;
    unsigned flags; /* FTH_CALL_... */
    bool binds;     /* makes or gives up handles that have a path or a name */
};
extern const struct fth_call_info fth_call_infos[];
extern const unsigned fth_call_count;
extern const uint64_t fth_catalog_hash;

extern FTH_PUBLIC struct fth_spill_process *fth_process; /* mapped; NULL: not recording */

/* Starts recording in this process, or decides not to. `forked_from`: image of the parent, 0 when this is a new program. */
void fth_process_start(uint64_t forked_from);
/* "DIR/IMAGE.N.stream" into path. */
void fth_stream_path(char *path, size_t size, unsigned number);
/* The folder of spill files, absolute. */
const char *fth_spill_folder(void) FTH_PUBLIC;
/* Recording stops here, because of `error` (an errno); the program goes on. */
void fth_process_stop(int error);
/* Brings the clock's last anchor up to date. */
void fth_process_touch(void) FTH_PUBLIC;
void fth_process_ended(enum fth_spill_end how, int status);
/* Sets a fact such as "mpi" in the process file. */
void fth_process_note(const char *key, const char *value) FTH_PUBLIC;

/* In a forked child, before its first call: locks that other threads of the parent held are free. */
void fth_handles_in_child(void);

/* Adds FATHOM_... and the preload to what filters want; see filter.c. */
void fth_filters_read(void);

/* System calls that no wrapper sees, with errno kept. -1 on failure, then *error. */
int fth_open_file(const char *path, int flags, int *error);
bool fth_write_file(int file, const void *bytes, size_t size, uint64_t at, int *error);
void fth_close_file(int file);
/* Reserves and maps [at, at + bytes) of the file; NULL on failure. */
void *fth_map_file(int file, uint64_t at, size_t bytes, int *error);
void *fth_map_memory(size_t bytes) FTH_PUBLIC;
void fth_unmap(void *memory, size_t bytes) FTH_PUBLIC;
/* A lock for rare things; never taken on the path of a data call. */
struct fth_lock {
    const char *owner; /* an address of the thread's own: one that jumped out of a signal handler may hold it still */
};
void fth_lock(struct fth_lock *lock) FTH_PUBLIC;
void fth_unlock(struct fth_lock *lock) FTH_PUBLIC;

#endif
