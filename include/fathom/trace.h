/* <fathom/trace.h>: read a trace written by `fathom record`.
 *
 * A trace contains processes, a process threads, and a thread calls. This header opens a trace,
 * lists its contents, and iterates over calls in order of entry, one at a time. It never holds more
 * calls in memory than a call has nested calls.
 *
 * Thread-safety: many threads may read a `struct fth_trace` in parallel; a `struct fth_calls`
 * belongs to one thread. Lifetime: every returned pointer is valid as long as the trace, except for
 * what a call points to, which is valid until the next call is taken from the same iterator.
 * Integers are exact 64-bit values; times are nanoseconds since the start of the run; sizes are
 * bytes. Texts end with 0. Those of the program (paths, arguments, names) are its bytes, which need
 * not be UTF-8.
 *
 * Errors: a function with a parameter `error` that fails sets *error, which must be NULL before;
 * the caller frees it with fth_error_free. `error` may be NULL. If memory runs out, the process
 * prints that on standard error and exits with status 1. An index must be less than the count that
 * the function before it returns: this is not checked, except that fth_calls_open and the functions
 * like it fail for a process that does not exist. */
#ifndef FATHOM_TRACE_H
#define FATHOM_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* An error and what caused it, outermost first: "cannot open trace 'x': section 3 is damaged at
 * byte 96: ...". */
struct fth_error;
/* The whole chain as one line, without a line break; never NULL. It is valid until the error is
 * freed. */
const char *fth_error_text(const struct fth_error *error);
void fth_error_free(struct fth_error *error); /* NULL is allowed */

struct fth_trace;

/* Opens and checks the trace in `path`. Returns NULL and sets *error (to be freed by the caller)
 * if the file cannot be read, is not a trace, is damaged, or has a newer version. */
struct fth_trace *fth_trace_open(const char *path, struct fth_error **error);
/* Frees the trace and all that was returned for it. Close its iterators before, and let no other
 * thread use it. NULL is allowed. */
void fth_trace_close(struct fth_trace *trace);

/* One intercepted function: a row of the catalogue, which the trace contains. */
struct fth_parameter {
    const char *name; /* as in the prototype */
    const char *type; /* its C type */
    const char *role; /* role words of the catalogue, "" when it has none */
};
struct fth_function {
    const char *name;
    const char *layer;
    const char *kind;
    const char *result_type; /* its C type */
    size_t parameter_count;
    const struct fth_parameter *parameters;
    /* moves bytes to and from a buffer of the process; transfers to and from the file are separate
     * calls (stdio_write) */
    bool buffered;
    /* reads or writes that another call completes (<fathom/access.h>) */
    bool starts;
    /* Properties of all its calls, from the catalogue; words are NULL if absent. */
    bool collective, nonblocking, copies;
    const char *builds; /* how it makes its handle: "split" */
    const char *orders; /* how it orders the processes that take part: "all" */
    /* makes its last path another name of what the first one, or a string (symlink), names; other
     * functions of the kind `name` with two paths rename */
    bool links_name;
    /* opens, deletes, renames or resizes something in a file (a dataset, an attribute, a link), not
     * the file as a whole */
    bool inside_file;
    /* for consistency models: it opens a whole file, closes it, or passes written data on to the
     * system */
    bool opens, closes, syncs;
};
/* The functions of the trace, from 0 to count - 1; a pointer identifies a function. */
size_t fth_trace_function_count(const struct fth_trace *trace);
const struct fth_function *fth_trace_function(const struct fth_trace *trace, size_t index);

#define FTH_NO_RANK (-1)
#define FTH_NO_WORLD (-1)
#define FTH_NO_PROCESS (-1)
#define FTH_NO_TIME INT64_MIN
#define FTH_NO_ERROR (-1) /* not known: several nodes that go by their time of day */

/* Calls that were made but not kept, because there was no space for them (a full disk, a limit) or
 * no permission to write. All zero: there are none. */
struct fth_missing {
    /* 1 for a process with such calls; or the number of processes of which nothing was kept */
    uint64_t processes;
    uint64_t calls;
    bool uncounted; /* there may be more, which were not counted */
    int error;      /* errno: the first reason; 0: unknown */
    int64_t since;  /* ns since the start of the run, FTH_NO_TIME */
};

/* One process image: exec makes a new one. `proc` is its index, dense from 0, in order of start. */
struct fth_process {
    /* the process that forked it, or the image before the exec; FTH_NO_PROCESS */
    int64_t parent_proc;
    int64_t world;      /* number of its MPI_COMM_WORLD, FTH_NO_WORLD outside MPI */
    int64_t rank, size; /* in that world; FTH_NO_RANK if unknown */
    int64_t pid;
    const char *host, *executable, *directory;
    size_t argument_count;
    const char *const *arguments;
    /* ns since the start of the run; end of its last call if its end was not recorded */
    int64_t start, end;
    /* "openmpi", "mpich", "standard": the ABI of its MPI; NULL outside MPI */
    const char *mpi_abi;
    /* description by its MPI library: "Open MPI v4.1.4 ..."; NULL outside MPI */
    const char *mpi;
    const char *how_ended; /* "exit 0", "exec", "signal 9", "killed or lost", "still running" */
    /* it did not end by itself, or the recording ended before it; the end of a writer without a
     * reader by SIGPIPE is its own */
    bool cut_off;
    bool launcher;     /* mpirun, orted, hydra_pmi_proxy, srun ...: hidden in tables by default */
    uint64_t calls;    /* recorded */
    uint64_t excluded; /* excluded by filters */
    uint64_t lost;     /* not kept (a signal handler inside the tracer, a full disk ...) */
    int stopped;       /* errno that stopped its recording early; 0: it was recorded to the end */
    /* the lost calls for which there was no space, or no permission to write */
    struct fth_missing missing;
    /* of `calls`: those that are only in sums by function and file, because the budget of the
     * recording was used up, and the time of the first one, or FTH_NO_TIME. They are not lost
     * calls. `only_watched`: they are in sums by function alone, since the process was only
     * watched from time to time (fth_trace_phases) */
    uint64_t summed;
    int64_t summed_since;
    bool only_watched;
    /* of `lost`: those that were counted by function, as the process was only watched then */
    uint64_t only_counted;
    size_t thread_count;
    /* "ticks" of the processor, or "monotonic": CLOCK_MONOTONIC, if ticks are unreliable */
    const char *clock;
    /* maximum error of its times against those of the node of rank 0, ns; FTH_NO_ERROR */
    int64_t clock_error;
    /* ns since the start of the run: who waited for it knew then that a signal had ended it, which
     * was behind `end`; FTH_NO_TIME: nobody was seen to wait */
    int64_t reaped;
};
/* Did it make calls that cannot be read one by one? */
static inline bool fth_process_lacks_calls(const struct fth_process *process)
{
    return process->lost || process->summed;
}
/* A phase of a process in a run of `fathom record --select`: those that were slowest in the phase
 * before are recorded in full, the others are only watched. */
struct fth_phase {
    uint64_t number;    /* the same on all processes of a node; there may be gaps */
    int64_t begin, end; /* ns since the start of the run */
    bool recorded;      /* all of it */
    /* "watched"; "chosen": it was among the slowest of the phase before; "first": there was none
     * before; "overtook": it was watched, and recorded from the moment on when it became slow;
     * "no place": more processes than can be compared */
    const char *how;
    /* Of its calls of the layer that is compared: ns, and of it in calls that were recorded;
     * unless `is_open`: the process was killed in this phase. */
    bool is_open;
    uint64_t time, recorded_time, calls;
};
/* Of a process, in order; *count 0: no phases were looked at. */
const struct fth_phase *fth_trace_phases(const struct fth_trace *trace, size_t proc, size_t *count);

/* Calls of a process that were only counted: neither recorded nor in sums, but among its lost
 * calls. */
struct fth_counted_calls {
    const struct fth_function *function; /* NULL: of functions beyond the first 500 */
    uint64_t calls;
};
const struct fth_counted_calls *fth_trace_counted_only(const struct fth_trace *trace, size_t proc,
                                                       size_t *count);

/* Processes, from 0 to count - 1. */
size_t fth_trace_process_count(const struct fth_trace *trace);
const struct fth_process *fth_trace_process(const struct fth_trace *trace, size_t proc);

/* Kinds of blind spots. */
enum fth_unseen_kind {
    /* about the recording itself: a damaged file, a lost node, an unknown library */
    FTH_UNSEEN_OTHER,
    FTH_UNSEEN_PROGRAM, /* a program of which nothing was recorded: it may have accessed any file */
    /* a library inside a program: its calls are missing, those of lower layers are not */
    FTH_UNSEEN_LIBRARY,
    /* reads and writes that were queued (io_uring, io_submit) */
    FTH_UNSEEN_QUEUE,
    /* system calls on files that the program made directly, without a function of libc */
    FTH_UNSEEN_DIRECT,
    FTH_UNSEEN_BYTES, /* bytes that the system counted and no recorded call moved */
    /* stores to a mapped file, between the call that mapped it and the end */
    FTH_UNSEEN_MAP,
    /* a hint: code that could make system calls directly; it may never have run */
    FTH_UNSEEN_CODE,
    /* the call in which a process was killed: it is not among the calls */
    FTH_UNSEEN_CALL,
};
enum { FTH_UNSEEN_KINDS = FTH_UNSEEN_CALL + 1 };
/* "other", "program", "library", "queue", "direct", "bytes", "map", "code", "call"; NULL: no such
 * kind. */
const char *fth_unseen_word(enum fth_unseen_kind kind);
/* Can it have read or written files? False for a hint, and if only a layer is missing. */
bool fth_unseen_accesses_files(enum fth_unseen_kind kind);

#define FTH_UNSEEN_UNKNOWN (-1)

/* One blind spot. */
struct fth_unseen {
    enum fth_unseen_kind kind;
    const char *sentence;
    const char *program; /* the name of its executable; NULL: unknown, or none */
    const char *path;    /* the one file that it concerns; NULL: any */
    int64_t proc;        /* the process; FTH_NO_PROCESS: several, or none that was recorded */
    int64_t since;       /* ns since the start of the run: not before that; FTH_UNSEEN_UNKNOWN */
    int64_t bytes_read,
        bytes_written; /* or FTH_UNSEEN_UNKNOWN; for a mapping, written: its maximum size */
};

/* The run as a whole. */
struct fth_trace_info {
    uint32_t version;         /* of the format */
    uint64_t file_bytes;      /* of the trace */
    uint64_t signature_bytes; /* parts of it; they add up to file_bytes */
    uint64_t grammar_bytes;
    uint64_t literal_bytes;
    uint64_t time_bytes;
    /* repetition counts of calls and loops that differ between processes */
    uint64_t count_bytes;
    uint64_t string_bytes;
    /* identity and clock of each process, and the times of its calls of each function */
    uint64_t process_bytes;
    uint64_t sample_bytes; /* of the machine's counters: <fathom/samples.h> */
    uint64_t other_bytes;
    uint64_t calls, lost_calls, excluded_calls;
    /* processes of which nothing was kept; their calls are not in lost_calls */
    struct fth_missing unrecorded;
    int64_t start_realtime; /* ns since 1970-01-01 UTC */
    int64_t end;            /* ns since the start of the run */
    int64_t resolution;     /* of times, ns, rounded up */
    /* Set if `--time` requested another form than exact times at this resolution. Sums and nesting
     * are exact in any case. Means: similar calls of a thread get the mean of their gaps and
     * durations, and every 32,768 calls times are exact again. Percent, or 0: each gap and each
     * duration is off by less than this percentage of it, and the start of a call is never late,
     * nor early by more than this percentage of the longest gap or duration since times were
     * exact. */
    bool times_are_means;
    unsigned time_percent;
    /* what `record` knew: command, host, user, options, filters, MPI, blind spots: a JSON object */
    const char *meta_json;
    size_t blind_spot_count;
    const char *const *blind_spots; /* what was not recorded, a sentence each */
    /* as many, in the same order: details of each. In older traces without details, all are
     * FTH_UNSEEN_OTHER */
    const struct fth_unseen *unseen;
};
/* Never NULL. */
const struct fth_trace_info *fth_trace_info(const struct fth_trace *trace);

/* Sums that the trace contains. No calls are read for them: O(functions) and O(files) per
 * process. */
struct fth_function_sum {
    const struct fth_function *function;
    bool inside_same_layer; /* these calls happened inside a call of the same layer */
    /* these calls happened inside another call on a file, which counts their time */
    bool inside_file_call;
    /* at least one of these outer calls is not of a buffered function, and counts their bytes */
    bool inside_unbuffered_call;
    uint64_t calls, errors;
    /* as fth_call.bytes. For lio_listio: those of all its blocks, without the bytes that were not
     * moved according to aio_return */
    uint64_t bytes_read, bytes_written;
    int64_t time;              /* ns, including nested calls */
    int64_t shortest, longest; /* ns, of one call; 0 if there are no calls */
};
struct fth_file_sum {
    const char *path; /* absolute */
    uint64_t calls;
    /* moved from and to the file, by calls of unbuffered functions that are not inside another such
     * call */
    uint64_t bytes_read, bytes_written;
    uint64_t opens; /* by calls that are not inside another call on a file */
    int64_t time;   /* ns, of calls that are not inside another call on a file */
};
/* Sums of one process, in no particular order: sets *rows to an array of *count rows, which is
 * valid as long as the trace. Rows are merged: one per function and flags, one per path. Several
 * threads may call this at the same time; the sums of a process are added up once. Returns false
 * and sets *error on damage; then *rows and *count do not change. */
bool fth_trace_function_sums(struct fth_trace *trace, size_t proc,
                             const struct fth_function_sum **rows, size_t *count,
                             struct fth_error **error);
bool fth_trace_file_sums(struct fth_trace *trace, size_t proc, const struct fth_file_sum **rows,
                         size_t *count, struct fth_error **error);

/* The durations of the calls of a function, as a histogram. Bin k contains the calls of at least
 * edges[k] ns and less than edges[k + 1]. edges[0] is 0, edges[1] is one unit of the process's
 * times (their resolution, in its clock), and each further edge is twice the previous one. Edges
 * are rounded down to ns, and are at most 36 years. Durations are measured in whole units, so a
 * call whose duration is less than a unit from an edge may be in the bin on the other side. */
#define FTH_DURATION_BINS 65
struct fth_durations {
    int64_t edges[FTH_DURATION_BINS + 1];
    uint64_t calls[FTH_DURATION_BINS];
};
/* Fills *durations for one process; `function` is one of this trace. If times are means, the trace
 * has histograms, which are added up: O(signatures) per thread. Otherwise all calls of the process
 * are read, with their times in the trace (within `time_percent`). Results are not cached; any
 * thread may call this. Returns false and sets *error on damage, and if the times of a process are
 * means only in part, or means in different units. */
bool fth_trace_durations(struct fth_trace *trace, size_t proc, const struct fth_function *function,
                         struct fth_durations *durations, struct fth_error **error);

/* How much of the file the calls of a function take. The notes of the tracer itself (layer
 * `fathom`) count as functions. */
struct fth_function_cost {
    const struct fth_function *function;
    uint64_t calls;
    uint64_t signatures;    /* number of different ones in each shape of processes, added up */
    uint64_t symbols;       /* in grammars; each grammar counts once */
    uint64_t literal_bytes; /* share of the compressed literals, by the size of its columns */
    uint64_t time_bytes;    /* share of the times, by the number of its calls */
};
/* Sets *rows to an array that the caller frees, one row for each function that was called.
 * Decompresses all literals. Returns false and sets *error on damage. */
bool fth_trace_function_costs(struct fth_trace *trace, struct fth_function_cost **rows,
                              size_t *count, struct fth_error **error);

/* A value of a call. */
enum fth_value_type {
    FTH_VALUE_NONE, /* not recorded (a buffer), or a null pointer: JSON null */
    /* integer; text: the name of a constant (MPI_ANY_SOURCE, SEEK_SET), or NULL */
    FTH_VALUE_INTEGER,
    FTH_VALUE_TEXT,     /* text */
    FTH_VALUE_INTEGERS, /* integers[0..count); texts: NULL, or a name or NULL for each of them */
    FTH_VALUE_TEXTS,    /* texts[0..count) */
    /* integer: the number of a descriptor, the slot of any other handle; text: its path or name, or
     * NULL */
    FTH_VALUE_HANDLE,
    FTH_VALUE_HANDLES, /* integers[0..count), texts[0..count): the same for each of them */
};
#define FTH_MOST_INTEGERS 1024 /* the rest of a longer list is not recorded */
/* Handles without a number. */
#define FTH_HANDLE_UNKNOWN (-1) /* not known */
#define FTH_HANDLE_NULL (-2)    /* MPI_COMM_NULL, AT_FDCWD ...: `text` has the name */
/* Identity of the file of a handle, if the path is not enough. */
struct fth_identity {
    uint64_t device, inode; /* on the node of the process; inode 0: unknown */
    uint64_t links;         /* number of names of the file; 1 if it had none */
    const char *path;       /* another path of the file, from the system; or NULL */
    uint64_t size;          /* of the file when it was opened, plus 1; 0: unknown */
};
struct fth_value {
    enum fth_value_type type;
    /* of a descriptor that no call of the trace opened: its flags (fcntl, F_GETFL) plus 1; else
     * 0 */
    uint32_t flags;
    int64_t integer;
    const char *text;
    const struct fth_identity *identity; /* of a handle; NULL: the path identifies the file */
    size_t count;
    const int64_t *integers;
    const char *const *texts;
};

#define FTH_NO_CALL UINT64_MAX
#define FTH_NO_BYTES UINT64_MAX

/* ---- handles ---- */

/* Bits of fth_handle.access. */
enum { FTH_ACCESS_READ = 1, FTH_ACCESS_WRITE = 2 };

/* Bits of fth_handle.creation_flags and .status_flags; the numbers are those of OTF2. */
enum fth_creation_flag {
    FTH_CREATE = 1,
    FTH_TRUNCATE = 2,
    FTH_OPEN_DIRECTORY = 4,
    FTH_EXCLUSIVE = 8,
    FTH_NO_TERMINAL = 16,
    FTH_NO_FOLLOW = 32,
    FTH_PATH_ONLY = 64,
    FTH_TEMPORARY = 128,
    FTH_LARGE_FILE = 256,
    FTH_NO_SEEK = 512,
    FTH_UNIQUE = 1024,
};
enum fth_status_flag {
    FTH_CLOSE_ON_EXEC = 1,
    FTH_APPEND = 2,
    FTH_NON_BLOCKING = 4,
    FTH_ASYNC = 8,
    FTH_SYNC = 16,
    FTH_DATA_SYNC = 32,
    FTH_AVOID_CACHING = 64,
    FTH_NO_ACCESS_TIME = 128,
    FTH_DELETE_ON_CLOSE = 256,
    FTH_ATOMIC = 1 << 16, /* MPI_File_set_atomicity; OTF2 has no number for it */
};

enum fth_handle_origin {
    FTH_HANDLE_MADE, /* by a call of this trace */
    /* no call of this trace made it, but it is known: stdin, a descriptor inherited by fork or
     * exec, MPI_COMM_WORLD, H5P_DEFAULT, a file opened by a call that filters exclude */
    FTH_HANDLE_THERE,
    FTH_HANDLE_INSIDE, /* made inside a library, by no recorded call: the descriptor of a stream */
    /* not known to be open: closed twice, garbage. There is one such handle per class */
    FTH_HANDLE_UNKNOWN_ORIGIN,
};

/* A handle, from the call that made it, or its first use, until it is closed. If its number or slot
 * is used again, that is another handle. There are handles of files, of objects in files (datasets,
 * property lists) and of named objects (communicators, datatypes), but not of requests and the
 * like. Counts and flags include the calls so far. */
struct fth_handle {
    size_t proc;
    uint64_t number; /* within the process, in order of first appearance, from 0 */
    /* from the catalogue: "fd", "stream", "mpi_file", "hid", "ncid", "comm" ... */
    const char *handle_class;
    /* of the function that made it; if none did, of most functions that take its class */
    const char *layer;
    int64_t value;    /* number of a descriptor, slot of any other handle; FTH_HANDLE_UNKNOWN */
    const char *path; /* of the file, absolute if that is known; or NULL */
    /* of the object, within the file ("/group/data") or by itself ("MPI_COMM_WORLD"); or NULL */
    const char *name;
    struct fth_identity identity; /* inode 0 and path NULL: `path` identifies the file */
    /* "file" (anything else with a path), "directory", "pipe", "socket", "device", "memory"; NULL:
     * no file, or unknown */
    const char *type;
    enum fth_handle_origin origin;
    /* The calls that made and closed it: thread and number, within this process. FTH_NO_CALL: no
     * such call is known. */
    uint32_t made_thread, closed_thread;
    uint64_t made_by, closed_by;
    /* ns: end of the call that made it, start of the one that closed it; -1: no such call */
    int64_t made_at, closed_at;
    /* What it belongs to, or NULL. For a handle that was made inside another call: the handle that
     * this call was making or using (descriptors belong to an MPI_File). For an object: the file or
     * group in which it was opened. For a duplicate: the original. For the descriptor given to
     * fdopen: the stream. Parents never form a cycle, and are valid as long as their children. */
    const struct fth_handle *parent;
    bool duplicate;          /* a copy of its parent */
    bool collective;         /* made by a group together */
    unsigned access;         /* FTH_ACCESS_...; 0: unknown */
    uint32_t creation_flags; /* enum fth_creation_flag */
    uint32_t status_flags;   /* enum fth_status_flag, their current values */
    /* the communicator of the processes that opened the file together, or NULL */
    const struct fth_handle *group;
    /* For a communicator: its name, or that of the one it is a duplicate of, or NULL. The number of
     * its processes, and the rank of this one; -1: unknown. */
    const char *group_name;
    int64_t group_size, group_rank;
    /* For a communicator that the program made: a number from 1, the same in all its processes,
     * which no other communicator has; -1: unknown. Only the calls of all processes determine it,
     * so only `fathom dump --handles` and `fathom handles` do that. For an intercommunicator,
     * group_size and group_rank refer to the local group, and group_others is the number of
     * processes in the remote group; otherwise it is 0. */
    int64_t group_id, group_others;
    /* Sums over calls about it (call->handle); bytes as fth_call.bytes. */
    uint64_t calls, errors, bytes_read, bytes_written;
    int64_t time; /* ns, including nested calls */
};

/* How a call used a handle. */
enum fth_handle_use_kind { FTH_HANDLE_USED, FTH_HANDLE_CLOSED, FTH_HANDLE_OPENED };
struct fth_handle_use {
    const struct fth_handle *handle;
    /* index of the parameter; -1: the result, -2: the implied stream (puts) */
    int parameter;
    enum fth_handle_use_kind kind;
};

/* One of the operations that a call starts at once (lio_listio). */
struct fth_control_block {
    int64_t descriptor;
    const struct fth_handle *handle; /* of the descriptor: only from fth_calls_with_handles */
    bool writes;                     /* or it reads */
    uint64_t offset, bytes_asked;
    uint64_t bytes; /* moved, if a later aio_return says so; else requested */
};

struct fth_call {
    size_t proc;
    uint32_t thread; /* number within the process; 0: the first that made a call */
    int64_t tid;     /* the system's thread id */
    uint64_t number; /* of this call within its thread, in order of entry, from 0 */
    /* Number of the enclosing call, or FTH_NO_CALL. If the thread was started inside a call of
     * another thread, that call is the parent of its outermost calls, and of those of the threads
     * that it starts. It may have ended before them. */
    uint64_t parent;
    uint32_t parent_thread;             /* of the parent: `thread`, or one that started it */
    const struct fth_function *starter; /* function of a parent in another thread; else NULL */
    uint32_t depth;                     /* 0: not inside another recorded call */
    const struct fth_function *function;
    bool from_fortran;                 /* the program called the Fortran function of this name */
    int64_t start, end;                /* ns since the start of the run */
    const struct fth_value *arguments; /* function->parameter_count of them */
    struct fth_value result;
    /* errno of a failed call (MPI: its error code); 0 if it did not fail; -1 if its library gives
     * no reason */
    int64_t error_number;
    /* "ENOENT", "MPI_ERR_IO" ...; NULL if it did not fail, or the number is unknown */
    const char *error_name;
    /* where the program makes the call: "file.c:123 function", or "module+0x12ab" if the module has
     * no lines. NULL for calls inside another recorded one, and without `fathom record --lines` */
    const char *source;
    const char *file;     /* path that the call is about, absolute if that is known; or NULL */
    uint32_t file_number; /* of that path: equal paths of a process have the same; 0: no path */
    const char *object;   /* name of an object in that file ("/group/data" in HDF5); or NULL */
    bool reads, writes;   /* what a data call does to its file */
    uint64_t bytes_asked; /* requested; FTH_NO_BYTES: unknown, or no data call */
    /* moved, or requested if the call is nonblocking. For aio_read and aio_write: moved, if a later
     * aio_return says so */
    uint64_t bytes;
    /* false: no data call, or another call has the bytes (the end of a split one), or they are
     * unknown */
    bool bytes_known;
    /* hash of the bytes that it wrote; 0: unknown (`fathom record --contents`) */
    uint64_t contents;
    /* For a read or write at the file position of a descriptor that others may move: whether the
     * system's value of this position was recorded, and the value; -1: it was moved meanwhile. */
    bool stood_is_reported;
    int64_t stood;
    int64_t stream; /* slot of the implied standard stream (puts); else -1 */
    /* All processes of a group take part. Without handles, this is a property of the function, from
     * the catalogue. With handles, it also depends on the file and the transfer properties:
     * nc_close of a file that a group opened, H5Dwrite with a collective property list. */
    bool collective;
    /* Only from fth_calls_with_handles, otherwise NULL and 0. Valid until the next call is
     * taken. */
    const struct fth_handle *handle; /* the one that it is about, or that it made; or NULL */
    const struct fth_handle *group;  /* communicator of the call, or of its handle; or NULL */
    size_t use_count;
    const struct fth_handle_use *uses;
    /* a data call between two files (copy_file_range, sendfile, splice): it reads as many bytes
     * from one as it writes to the other */
    bool copies;
    /* Absolute if that is known: the file of these two that `file` is not; of a call with two paths
     * (rename, link), the second one. NULL: unknown, or no such call */
    const char *other_file;
    /* Reads and writes that it starts at once (lio_listio), none if it failed. Valid until the next
     * call is taken. Their bytes are not in `bytes`. */
    size_t block_count;
    const struct fth_control_block *blocks;
};

/* A lock on a file: flock, lockf, fcntl. */
enum fth_lock_operation {
    FTH_LOCK_ACQUIRED,
    FTH_LOCK_REFUSED, /* the call failed: the lock was not acquired, or not released */
    FTH_LOCK_RELEASED,
};
struct fth_lock_event {
    enum fth_lock_operation operation;
    bool shared; /* for acquisitions; otherwise the lock is exclusive */
    /* an open file description holds it (flock, F_OFD_SETLK): it stays if the process closes
     * another descriptor of the file */
    bool of_description;
    int whence;            /* as for lseek: where `start` counts from */
    int64_t start, length; /* bytes; length 0: to the end. Both 0: the whole file */
    bool waits;            /* the call waits until others release their locks (F_SETLKW, flock) */
};
/* If the call acquires or releases a lock, or tried to: fills *lock and returns true. Otherwise
 * returns false. */
bool fth_call_lock(const struct fth_trace *trace, const struct fth_call *call,
                   struct fth_lock_event *lock);

struct fth_calls;
/* Calls of one process in order of entry, all its threads merged. NULL: *error is set: there is no
 * such process, or the trace is damaged. Several iterators, also of one process, may be used at the
 * same time. */
struct fth_calls *fth_calls_open(struct fth_trace *trace, size_t proc, struct fth_error **error);
/* The same, without calls that ended before `time` (ns since the start of the run). The others are
 * the same as from fth_calls_open, with the same numbers. Of the time before, only a few blocks per
 * thread are read, however long it ran. The exceptions are threads with calls whose effect is not
 * known in advance (one bound a slot that is a literal; a failed seek left a cursor at an unknown
 * place): all their earlier calls are read. */
struct fth_calls *fth_calls_from(struct fth_trace *trace, size_t proc, int64_t time,
                                 struct fth_error **error);
/* Like fth_calls_open, but each call has its handles. Memory grows with the number of open handles
 * and their parents. */
struct fth_calls *fth_calls_with_handles(struct fth_trace *trace, size_t proc,
                                         struct fth_error **error);
/* The next handle that ended with the last call; NULL: no more, or the iterator is not from
 * fth_calls_with_handles. After fth_calls_next has returned 0: the next handle that was never
 * closed. If the caller takes all of them after each call, each handle of the process comes once. A
 * handle is valid until the next call is taken; after the last one, until fth_calls_close. */
const struct fth_handle *fth_calls_ended_handle(struct fth_calls *calls);
/* 1: *call is filled; 0: there are no more calls; -1: the trace is damaged, and *error is set.
 * After that only fth_calls_close is allowed. */
int fth_calls_next(struct fth_calls *calls, struct fth_call *call, struct fth_error **error);
void fth_calls_close(struct fth_calls *calls); /* NULL is allowed */

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
