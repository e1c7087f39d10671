/* What a process has written and not attached, for those who come when it is dead: the file
 * unsaved/PID-CLIENT of the instance, which the process maps. It has a line for each file, with the
 * first and the last byte; what is attached leaves it. */
#ifndef FTH_FS_UNSAVED_H
#define FTH_FS_UNSAVED_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { FTH_UNSAVED_FILES = 128, FTH_UNSAVED_NAME = 480, FTH_UNSAVED_PROGRAM = 16 };

/* No bytes where begin is end. The last line of a table is that of all files that have no other. */
struct fth_unsaved_file {
    char name[FTH_UNSAVED_NAME]; /* as it was when it was written first; its end where it is long */
    uint64_t begin, end;
    bool has_gaps; /* not all bytes between are lost */
};

struct fth_unsaved {
    int64_t process;
    char program[FTH_UNSAVED_PROGRAM];
    uint32_t count;
    struct fth_unsaved_file files[FTH_UNSAVED_FILES];
};

/* Makes the table of this process. NULL: errno is set. */
struct fth_unsaved *fth_unsaved_make(int folder, uint32_t client);
/* Of a forked child: the table is its parent's. */
void fth_unsaved_leave(struct fth_unsaved *unsaved);
/* The line of a new file. */
struct fth_unsaved_file *fth_unsaved_add(struct fth_unsaved *unsaved, const char *name);
void fth_unsaved_put(struct fth_unsaved_file *file, uint64_t begin, uint64_t end);
void fth_unsaved_clear(struct fth_unsaved_file *file);

/* Calls `tell` for each file of a process that is not there any more. */
void fth_unsaved_each(int folder,
                      void (*tell)(const struct fth_unsaved *process,
                                   const struct fth_unsaved_file *file, void *data),
                      void *data);

#endif
