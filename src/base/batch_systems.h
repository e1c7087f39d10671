/* Batch systems (Slurm, PBS ...): the variables by which a process knows which job it is in. One
 * table; a line there adds a system. */
#ifndef FTH_BASE_BATCH_SYSTEMS_H
#define FTH_BASE_BATCH_SYSTEMS_H

#include <stdbool.h>

struct fth_batch_system {
    const char *name; /* as people call it */
    const char *job;  /* variables: of the job's number, */
    /* of the number of the job array, where its jobs have numbers of their own; or NULL */
    const char *array;
    const char *tasks[2]; /* of the task of the array */
    bool counts_from_one; /* task 0 is no task */
};

extern const struct fth_batch_system fth_batch_systems[];
extern const unsigned fth_batch_system_count;

struct fth_batch_job {
    const char *system, *number, *task; /* task NULL: the job is in no array */
};

/* The value of a variable, or NULL. */
typedef const char *fth_variable(const void *context, const char *name);

/* The job that these variables name; false: none. The texts are those that `variable` gave. */
bool fth_batch_find(fth_variable *variable, const void *context, struct fth_batch_job *job);
/* Is this the name of a variable of the table? */
bool fth_batch_is_variable(const char *name);
#endif
