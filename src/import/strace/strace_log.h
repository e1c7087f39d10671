/* A log of strace while it is read: its processes and threads, and the call that is at hand. Inner
 * header of the part. */
#ifndef FTH_IMPORT_STRACE_STRACE_LOG_H
#define FTH_IMPORT_STRACE_STRACE_LOG_H

#include "base/intern.h"
#include "import/shared/imported_descriptors.h"
#include "import/shared/importer.h"
#include "import/strace/strace_lines.h"
#include "import/strace/strace_values.h"

/* The working directory of a process, or of several (CLONE_FS). */
struct fth_strace_folder {
    uint32_t users, generation;
    bool is_known;
    char *path;
};

struct fth_strace_process {
    struct fth_imported_process facts;
    struct fth_imported_table *table;
    struct fth_strace_folder *folder;
    uint32_t threads;
    int64_t dies; /* when it began to end: its locks are free from then on; 0: not known */
};

/* A line that waits until it is known who its thread belongs to. */
struct fth_strace_kept_line {
    struct fth_strace_line line; /* its text is the one below */
    char *text;
    struct fth_strace_kept_line *next;
};

struct fth_strace_thread {
    int64_t pid;
    struct fth_strace_process *process; /* NULL: it has ended, or is not known yet */
    struct fth_imported_stream *stream; /* NULL: it has no call yet */
    struct fth_bytes interrupted;       /* an unfinished call */
    bool is_interrupted, creates;       /* creates: a clone that has not returned */
    int64_t entered;
    int64_t signalled; /* by its last line; or 0 */
    uint32_t *bound;   /* by descriptor: the generation that its stream knows */
    uint32_t bound_count, folder;
    uint32_t closing; /* generation of what an interrupted close is of; 0: there is none */
    struct fth_strace_kept_line *kept, **kept_end;
};

/* Names of calls, and what they are. */
struct fth_strace_named {
    uint32_t function; /* of the catalogue; UINT32_MAX: none */
    uint8_t special;   /* enum of strace_calls.c */
    uint64_t left_out; /* calls that are not in the trace */
};

struct fth_strace_log {
    struct fth_imported_run *run;
    struct fth_imported *imported;
    const struct fth_catalog *catalog;
    struct fth_error **error;
    struct fth_intern names;
    struct fth_strace_named *named;
    struct fth_intern pids;
    struct fth_strace_thread **threads; /* by number of the pid */
    struct fth_strace_thread *last;
    struct fth_strace_thread *unnamed; /* whose number has not been written yet; or NULL */
    uint32_t creating;                 /* threads in a clone that has not returned */
    uint32_t created;                  /* pipes and sockets without a name */
    size_t kept_bytes;
    bool has_pids;
    struct fth_bytes scratch, torn; /* torn: the beginning of a line that a message has cut */
    /* for `info` */
    uint64_t cut_strings, without_duration, without_return, without_beginning, cut_lines;
    uint64_t named_files; /* opened, and only their name is in the log */
    uint64_t reopened;    /* descriptors, without a close between */
    uint64_t children_seen, children_made;
    bool has_exec, is_of_day, has_summary;
    int64_t killed_others; /* when SIGKILL last went to several, or to who is not known; or 0 */
};

/* strace_processes.c */
struct fth_strace_thread *fth_strace_thread(struct fth_strace_log *log, int64_t pid);
void fth_strace_rename(struct fth_strace_log *log, struct fth_strace_thread *thread, int64_t pid);
/* Makes it the first thread of a process that nobody has made. */
void fth_strace_adopt(struct fth_strace_log *log, struct fth_strace_thread *thread, int64_t time);
/* `flags` of clone; NULL: the child has not been seen before. */
void fth_strace_born(struct fth_strace_log *log, struct fth_strace_thread *parent,
                     struct fth_strace_thread *child, int64_t flags, int64_t time);
struct fth_imported_stream *fth_strace_stream(struct fth_strace_log *log,
                                              struct fth_strace_thread *thread, int64_t time);
bool fth_strace_is_start(const struct fth_strace_log *log, const struct fth_strace_thread *thread);
/* The program that a process becomes. */
void fth_strace_exec(struct fth_strace_log *log, struct fth_strace_thread *thread,
                     const struct fth_strace_call *call, int64_t time);
void fth_strace_thread_ends(struct fth_strace_log *log, struct fth_strace_thread *thread,
                            enum fth_spill_end how, int status, int64_t time);
void fth_strace_change_folder(struct fth_strace_process *process, const char *path, size_t length);
/* Where it was from the beginning, as -y says. */
void fth_strace_know_folder(struct fth_strace_log *log, struct fth_strace_process *process,
                            struct fth_strace_text path);
void fth_strace_processes_close(struct fth_strace_log *log);

/* strace_calls.c: a whole call of this thread. -1: the line is no call. */
int fth_strace_take_call(struct fth_strace_log *log, struct fth_strace_thread *thread,
                         struct fth_strace_text text, int64_t entered);
/* A call that has begun, and whose end comes later. */
void fth_strace_begin_call(struct fth_strace_log *log, struct fth_strace_thread *thread,
                           struct fth_strace_text text, int64_t entered);

/* strace_names.c */
struct fth_strace_named *fth_strace_name(struct fth_strace_log *log, struct fth_strace_text name);
bool fth_strace_creates(const struct fth_strace_named *named);
/* Flags of clone, clone3, fork and vfork. */
int64_t fth_strace_clone_flags(struct fth_strace_log *log, const struct fth_strace_call *call);

/* strace_effects.c: what a call that worked does to descriptors. */
void fth_strace_effects(struct fth_strace_log *log, struct fth_strace_thread *thread,
                        const struct fth_strace_call *call, const struct fth_row *row,
                        const struct fth_strace_result *result);
/* The descriptor, bound in the stream of the thread before its next call. */
struct fth_imported_descriptor *fth_strace_use(struct fth_strace_log *log,
                                               struct fth_strace_thread *thread,
                                               struct fth_strace_text text, int64_t *slot);
/* Where the access of the call stands, as a note, where readers would take it to be elsewhere. */
void fth_strace_note_position(struct fth_strace_log *log, struct fth_strace_thread *thread,
                              const struct fth_strace_call *call, const struct fth_row *row,
                              const struct fth_strace_result *result);
/* The path of an argument, absolute where the working directory is known, in log->scratch. */
bool fth_strace_path(struct fth_strace_log *log, struct fth_strace_thread *thread,
                     const struct fth_strace_call *call, const struct fth_row *row, int field);

#endif
