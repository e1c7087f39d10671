/* Processes of a run that live and have no file in its spill folder yet: forked ones before their
 * first call, and those whose program has just begun. Their environment names the folder. */
#ifndef FTH_TRACE_SPILL_LATE_PROCESSES_H
#define FTH_TRACE_SPILL_LATE_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fth_late_processes {
    int64_t *pids;
    size_t count;
};

/* Those of this node, readable for this user, whose environment names `spill`, an absolute path, as
 * it was when their program began; `has_file` says of a pid whether it is known. Not this process,
 * and none whose program cannot be recorded. Freed by the caller: `pids`. */
void fth_late_processes_find(struct fth_late_processes *late, const char *spill,
                             bool (*has_file)(int64_t pid, const void *context),
                             const void *context);
bool fth_late_processes_have(const struct fth_late_processes *late, int64_t pid);

/* The name of the program of a process; "?": it has ended meanwhile. */
void fth_process_program(int64_t pid, char *name, size_t size);

#endif
