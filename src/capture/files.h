/* The tracer's own files, memory and locks: system calls that no wrapper sees. Every function
 * leaves errno alone. Inner header of the capture room. */
#ifndef FTH_CAPTURE_FILES_H
#define FTH_CAPTURE_FILES_H

#include "capture/runtime.h"

enum { FTH_LONGEST_SPILL = 1024 };
/* The folder of spill files; its path is absolute. False: that is too long. */
bool fth_spill_here(const char *folder);
const char *fth_spill_folder(void) FTH_PUBLIC;
/* The program's root is about to change: from now on spill files are reached without their path. It
 * has not changed after all. */
void fth_spill_hold_folder(void);
void fth_spill_let_folder_go(void);

/* Signals of this thread wait from here on, until they may go again: work that a handler must not
 * jump out of. */
uint64_t fth_signals_wait(void) FTH_PUBLIC;
void fth_signals_go(uint64_t before) FTH_PUBLIC;

/* Does work in a task of this process that has a table of descriptors of its own, while signals
 * wait. Everything below that has to do with files belongs into such work. */
void fth_apart(void (*work)(void *), void *argument) FTH_PUBLIC;
/* Opens a file of the spill; -1 on failure, then *error. */
int fth_spill_open(const char *name, int flags, int *error) FTH_PUBLIC;

/* Opens any other file for reading; -1 on failure. */
int fth_file_open(const char *path) FTH_PUBLIC;
/* The same for reading and writing, made when it is not there. */
int fth_file_make(const char *path, int *error);
/* What the recorder reads and writes is none of the program's doing: the system counts it, too. */
void fth_own_written(uint64_t bytes) FTH_PUBLIC;
void fth_own_read(uint64_t bytes) FTH_PUBLIC;
bool fth_file_write(int file, const void *bytes, size_t size, uint64_t at, int *error);
void fth_file_close(int file) FTH_PUBLIC;
/* Reserves and maps [at, at + bytes) of the file; NULL on failure. */
void *fth_file_map(int file, uint64_t at, size_t bytes, int *error) FTH_PUBLIC;
/* Maps the same of another file over it, which has it already. */
bool fth_file_map_over(int file, uint64_t at, size_t bytes, void *memory);
/* May the same work when it is tried again later? */
bool fth_error_is_passing(int error);

void *fth_map_memory(size_t bytes) FTH_PUBLIC;
void fth_unmap(void *memory, size_t bytes) FTH_PUBLIC;
/* Maps what all threads have in common, unless *table is there already. False: there is no
 * memory. */
bool fth_map_once(void **table, size_t bytes);

/* A table that takes memory, which the program may have a limit of, only as far as it is used. Its
 * place does not change. */
struct fth_memory_table {
    size_t most, size; /* elements, and bytes of one */
    size_t count;      /* so many can be used */
    void *start;
};
/* Makes this element one of those that can be used, as all before it. False: there is no memory. */
bool fth_table_reach(struct fth_memory_table *table, size_t index);

/* A lock for rare things; never taken on the path of a data call. */
struct fth_lock {
    /* an address of the thread's own: one that jumped out of a signal handler may hold it still */
    const char *owner;
};
void fth_lock(struct fth_lock *lock) FTH_PUBLIC;
void fth_unlock(struct fth_lock *lock) FTH_PUBLIC;

#endif
