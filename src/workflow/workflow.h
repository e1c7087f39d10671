/* A workflow: programs that hand files to each other. Each command that was started is a step; what
 * steps did to files says which of them needs which.
 *
 * Steps come from traces (gather/trace_steps.h) or from profiles of traces, which are small and can
 * be kept (gather/step_profile.h). All times are nanoseconds since 1970-01-01 UTC, by the clock of
 * the node of the step. Not thread-safe. Memory that is out ends the program (base/memory.h). */
#ifndef FTH_WORKFLOW_H
#define FTH_WORKFLOW_H

#include "base/keyed.h"

#include <stdbool.h>
#include <stdint.h>

enum { FTH_NO_STEP = UINT32_MAX };
#define FTH_NEVER INT64_MIN

/* What a step did to a file from one change of its name to the next. */
struct fth_workflow_use {
    uint32_t step, file;
    int64_t first_read, last_read;   /* FTH_NEVER: it did not read */
    int64_t first_write, last_write; /* likewise */
    uint64_t read, written;          /* bytes that were moved */
    /* Bytes of the file from the first that was accessed to behind the last; 0 and UINT64_MAX: it
     * is not known which (a pipe, a map of memory, appended data). */
    uint64_t read_from, read_to, written_from, written_to;
    bool fresh;       /* it made the file, or cut it to nothing: what was in it before is gone */
    bool runs;        /* the file is a program that the step executed */
    uint32_t process; /* of the workflow; FTH_NO_STEP: not known which */
    /* When the process had opened the file, before it accessed it; and closed it, so that what it
     * wrote before was written back. FTH_NEVER: not known, or it got an open file from another
     * process, or has none closed. */
    int64_t opened, closed;
    /* ns in calls that read it, or found its end, and that wrote to it: on a pipe, how long it
     * waited for who has the other end; both 0: perhaps not known */
    int64_t reading, writing;
};

/* A step could have written to a pipe, of which another one found the end when it could no more:
 * it waited for that, whether anything was written or not. */
struct fth_workflow_hold {
    uint32_t holder, reader; /* steps */
    uint32_t file;
};

/* A process with all programs that it became (exec). What it did in the order of its calls, its
 * parent did before it started it or after it knew of its end. */
struct fth_workflow_process {
    uint32_t parent; /* with a lower number; FTH_NO_STEP: not known */
    bool one_thread; /* its calls came in the order of their times */
    int64_t started; /* when its parent began to start it; FTH_NEVER: not known */
    int64_t gone;    /* when its parent knew that it had ended; FTH_NEVER: likewise */
};

enum fth_workflow_change_kind {
    FTH_CHANGE_RENAME,
    FTH_CHANGE_LINK,
    FTH_CHANGE_DELETE,
    FTH_CHANGE_POINT, /* it is a symbolic link now: what is done through it is another file's */
};
/* Is there a second file? */
static inline bool fth_workflow_has_other(enum fth_workflow_change_kind kind)
{
    return kind == FTH_CHANGE_RENAME || kind == FTH_CHANGE_LINK;
}

/* A name of a file that a step gave or took away. */
struct fth_workflow_change {
    enum fth_workflow_change_kind kind;
    uint32_t step, file, other; /* other: the new name, if there is one */
    int64_t time;
    bool of_folder; /* a folder above it was renamed: of no matter if the file was not there */
};

/* A command with all the processes that it started. */
struct fth_workflow_step {
    char *program;   /* the name of its program: "sort" */
    char *command;   /* its words with blanks between */
    char *directory; /* where it started */
    char *host;
    char *job;     /* of the batch system, "Slurm job 4711"; NULL: none, or not known */
    char *ended;   /* "exit 0", "signal 9" */
    char *trace;   /* path of its trace, as given */
    uint32_t proc; /* its first process, as `fathom info` numbers it */
    /* The step that is the script, the shell or the `make` that started it; FTH_NO_STEP: none. */
    uint32_t script;
    bool is_script; /* it only starts others: it is no box of the graph unless it moved data */
    int64_t start, end;
    uint64_t processes, ranks, calls;
    /* ns of all its threads: in I/O, in messages, waiting, in other calls and in its own code */
    int64_t io, messages, waiting, other, own;
    /* ns outside of recorded calls of processes that were only watched in some phases */
    int64_t unknown;
};

/* What a batch system says of a job. Texts are not NULL; 0 and FTH_NEVER: not known. Times are
 * those of the batch system, to the second. */
struct fth_workflow_job {
    char *number; /* "4711"; of the task of an array "4711_3" */
    char *name, *state;
    char *needs; /* numbers of jobs with blanks between, whose end it had to wait for */
    int64_t submit, start, end;
    uint64_t processors, memory, used_memory; /* asked for; bytes, asked for and at most used */
    int64_t limit, used_time;                 /* ns: asked for, of all its processors */
};

struct fth_workflow {
    uint32_t step_count, use_count, change_count, note_count, job_count, process_count, hold_count;
    struct fth_workflow_step *steps;
    struct fth_workflow_process *processes;
    struct fth_workflow_use *uses;
    struct fth_workflow_change *changes;
    struct fth_workflow_hold *holds; /* as far as traces know them */
    struct fth_workflow_job *jobs;
    struct fth_keyed job_numbers; /* by number: number + 1 in `jobs`, as uint32_t */
    char **notes;                 /* sentences: what is not known of this workflow */
    /* "PATH", or "HOST:PATH" where nodes have files of their own; of a pipe "pipe:[NUMBER]@HOST" */
    struct fth_intern files;
    uint32_t shared_count; /* folders whose files are the same on all hosts, whatever traces say: */
    const char **shared;   /* to be freed, their texts not; set before anything is added */
    uint32_t processors;   /* of the largest node; 0: not known */
    bool incomplete;       /* calls are missing: files may have users that are not seen */
};

void fth_workflow_free(struct fth_workflow *workflow);
/* Takes away what was added since it was as `before`, a copy of it; names of files stay. */
void fth_workflow_cut(struct fth_workflow *workflow, const struct fth_workflow *before);
/* All zero, to be filled; valid until the next is added. */
struct fth_workflow_step *fth_workflow_add_step(struct fth_workflow *workflow);
void fth_workflow_add_use(struct fth_workflow *workflow, const struct fth_workflow_use *use);
/* Its number. */
uint32_t fth_workflow_add_process(struct fth_workflow *workflow,
                                  const struct fth_workflow_process *process);
void fth_workflow_add_change(struct fth_workflow *workflow,
                             const struct fth_workflow_change *change);
/* Of one step with itself: none. */
void fth_workflow_add_hold(struct fth_workflow *workflow, struct fth_workflow_hold hold);
/* The job of this number, made if it is not there. Valid until the next is made. `also`: another
 * number that it has from now on, or NULL. */
struct fth_workflow_job *fth_workflow_job(struct fth_workflow *workflow, const char *number,
                                          const char *also);
/* Which of `jobs` a step ran in; FTH_NO_STEP: none of them. */
uint32_t fth_workflow_job_of(const struct fth_workflow *workflow, uint32_t step);
/* A sentence, once. */
void fth_workflow_note(struct fth_workflow *workflow, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Its text, with a byte of value zero behind it; valid until a file is added. */
const char *fth_workflow_file(const struct fth_workflow *workflow, uint32_t file);
/* The number of a file; in a shared folder, without its host. */
uint32_t fth_workflow_file_number(struct fth_workflow *workflow, const char *name);
/* The same, if it has one. */
bool fth_workflow_find_file(const struct fth_workflow *workflow, const char *name,
                            uint32_t *number);

#endif
