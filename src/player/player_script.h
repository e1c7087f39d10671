/* Scripts: what each thread of a replay is to do, as `fathom replay` writes it and the player reads
 * it, in a private folder, on one machine. The file `plan` has what all share, PROC.THREAD the
 * calls of a thread; the player of a process leaves what came of it in `result.PROC`. If the replay
 * leaves gaps, PROC.THREAD.times has when each operation begins, in the order in which they are
 * done: ns since the start of the recorded run, as signed differences (base/varint.h).
 *
 * A call is called by the address of its function, with each argument in a register: integers and
 * pointers alike have 64 bits there, on every processor with 64 bits that Linux runs on. So no
 * function needs code of its own, and one player serves every MPI. */
#ifndef FTH_PLAYER_PLAYER_SCRIPT_H
#define FTH_PLAYER_PLAYER_SCRIPT_H

#include <stdint.h>

#define FTH_SCRIPT_MAGIC 0x39796c70727466ull /* "ftrply9" */

enum {
    FTH_SCRIPT_CLASSES = 32,
    FTH_SCRIPT_ARGUMENTS = 14, /* most of one call */
    FTH_SCRIPT_NO_BLOB = -1,
};

/* How an argument is made. */
enum fth_script_form {
    FTH_SCRIPT_INTEGER,
    FTH_SCRIPT_TEXT,    /* a blob, ended by 0 */
    FTH_SCRIPT_WORDS,   /* text of the player that is as long */
    FTH_SCRIPT_NUMBERS, /* a blob of integers, or a structure */
    FTH_SCRIPT_VECTOR,  /* a blob of 64-bit lengths, which becomes struct iovec[] */
    FTH_SCRIPT_HANDLE,  /* the handle in a slot; below 0: predefined, see below */
    FTH_SCRIPT_CELL,    /* a pointer to the slot: its handle is used, made or given up there */
    FTH_SCRIPT_CELLS,   /* a blob of slots: an array of handles, read before and written after */
    FTH_SCRIPT_GIVEN,   /* bytes that are read: at this distance from the buffer of the player */
    FTH_SCRIPT_TAKEN,   /* bytes that are written to */
    FTH_SCRIPT_PLACE,   /* a pointer to an integer, which has this value before the call */
    FTH_SCRIPT_EITHER,  /* an integer; below 0: -1 - the blob that is pointed to */
    FTH_SCRIPT_NULL,
    FTH_SCRIPT_REAL,     /* the bits of a double, in its own register; one at most of a call */
    FTH_SCRIPT_CALLBACK, /* a function that returns 0 */
};

/* Where nothing has the value: GIVEN and TAKEN: MPI_IN_PLACE; HANDLE: no handle at all. */
#define FTH_SCRIPT_IN_PLACE INT64_MIN
#define FTH_SCRIPT_ASIDE (INT64_MIN + 1)  /* TAKEN: a place of its own, for a status */
#define FTH_SCRIPT_ABSENT (INT64_MIN + 2) /* TAKEN: NULL */
#define FTH_SCRIPT_NO_HANDLE INT64_MIN
#define FTH_SCRIPT_NOWHERE INT64_MIN /* PLACE: NULL */
/* A predefined handle by its name, a blob: -1 - blob. */
#define FTH_SCRIPT_PREDEFINED(blob) (-1 - (int64_t)(blob))

enum fth_script_result {
    FTH_SCRIPT_ANY,     /* says nothing */
    FTH_SCRIPT_MOVED,   /* bytes moved; negative: failed */
    FTH_SCRIPT_ITEMS,   /* items moved, of as many bytes as the argument `item_size` says */
    FTH_SCRIPT_STATUS,  /* negative: failed; also the new descriptor of a call that makes one */
    FTH_SCRIPT_CODE,    /* not 0: failed */
    FTH_SCRIPT_POINTER, /* NULL: failed; also a new stream or folder */
};

struct fth_script_parameter {
    uint8_t form;         /* enum fth_script_form */
    uint8_t handle_class; /* of handles */
    uint8_t width;        /* bytes of an integer in NUMBERS and PLACE; CELLS: 0: as MPI has it */
    uint8_t gives_up;     /* HANDLE: a pointer that is not valid behind the call */
};

struct fth_script_function {
    uint32_t name; /* a blob */
    uint8_t result;
    uint8_t result_class;  /* of the handle that it returns; 0: none */
    uint8_t narrow;        /* its result has 32 bits */
    uint8_t reads, writes; /* its bytes count as read, as written */
    uint8_t item_size;     /* the number of its argument */
    uint8_t is_mpi, is_init, is_finalize, is_hdf5, has_real;
    uint8_t is_called; /* a script has a call of it */
    uint8_t parameter_count;
    struct fth_script_parameter parameters[FTH_SCRIPT_ARGUMENTS];
};

enum fth_script_what {
    FTH_SCRIPT_CALL,
    FTH_SCRIPT_READ,   /* {class, slot, bytes}: so many bytes from a stream or descriptor */
    FTH_SCRIPT_WRITE,  /* to it */
    FTH_SCRIPT_OPEN,   /* {class, slot, path, flags, mode}: opens for a call with other arguments */
    FTH_SCRIPT_FOLDER, /* {path} */
    /* {from, to, whether `to` is open, and is closed by it}: descriptors. `from` -1: one that the
     * replay does not have, so what goes to `to` from now on goes nowhere */
    FTH_SCRIPT_COPY,
    FTH_SCRIPT_STREAM,   /* {stream, descriptor}: a standard stream on its standard descriptor */
    FTH_SCRIPT_NUMBER,   /* {class, slot, to}: the descriptor of a stream or folder */
    FTH_SCRIPT_COMPLETE, /* {blob of slots}: waits for these requests */
    FTH_SCRIPT_BEGIN,    /* {block, descriptor, offset, bytes, 0: read, 1: write, 2: sync} */
    FTH_SCRIPT_END,      /* {block} */
    /* {comm, request, enum fth_script_meeting}: a barrier. On an intercommunicator, too, all
     * processes of both groups take part. */
    FTH_SCRIPT_MEET,
    FTH_SCRIPT_UNTIL,  /* a CALL with a flag as its last PLACE, repeated until that is not 0 */
    FTH_SCRIPT_EXEC,   /* {}: descriptors that are closed on exec are closed */
    FTH_SCRIPT_FORK,   /* {proc} */
    FTH_SCRIPT_REAP,   /* {proc} */
    FTH_SCRIPT_THREAD, /* {thread} */
    /* {thread, steps}: waits until that one has done its first so many operations; each turn of a
     * loop counts anew, a loop itself does not */
    FTH_SCRIPT_WAIT,
    /* {times, words of the body}: behind them the body, which is operations, and then for each of
     * its words what is added to that from one time to the next */
    FTH_SCRIPT_LOOP,
};

/* When a barrier is over: when it returns; when its request has ended; when that was started and
 * has ended. */
enum fth_script_meeting { FTH_SCRIPT_BLOCKING, FTH_SCRIPT_NONBLOCKING, FTH_SCRIPT_PERSISTENT };

enum {
    FTH_SCRIPT_FAILED = 1, /* the recorded call failed */
    FTH_SCRIPT_SILENT = 2, /* no recorded call: it makes what one needs */
    /* of READ: the buffer of the stream was used up before, by macros that make no calls */
    FTH_SCRIPT_USED_UP = 4,
    /* of READ and WRITE on a descriptor: until all bytes have come or gone; none: until the end */
    FTH_SCRIPT_WHOLE = 16,
    FTH_SCRIPT_MAY_WAIT = 32, /* it is about a pipe, and may wait in the system: not for ever */
    FTH_SCRIPT_RACES = 8,     /* it deletes a file, or another process has: either is as recorded */
};

enum {
    FTH_SCRIPT_OP_WORDS = 3,   /* of 64 bits, of an operation without arguments */
    FTH_SCRIPT_LOOP_WORDS = 5, /* of a loop, up to its body */
    FTH_SCRIPT_MOST_BODY = 8192,
};

struct fth_script_blob {
    uint64_t at, length; /* in the bytes of the plan; begins at a multiple of 8 */
};

struct fth_script_op {
    uint16_t function; /* for times and results */
    uint8_t what, count;
    uint8_t flags, unused; /* 0 */
    uint16_t words;        /* of all of it; the writer of scripts sets it */
    int64_t expected;      /* what the result was */
    int64_t bytes;         /* that it moved */
    /* `count` of them; behind them, of functions that return a handle, its slot or -1 */
    int64_t arguments[];
};

struct fth_script_process {
    int64_t rank;     /* -1: no rank; it is started by its parent, or at first */
    int64_t start;    /* ns */
    int64_t becomes;  /* with which calls it goes on at the end (exec); -1: it ends */
    uint32_t is_root; /* the player begins with it */
    uint32_t threads;
};

struct fth_script_plan {
    uint64_t magic;
    uint32_t class_sizes[FTH_SCRIPT_CLASSES]; /* slots of each class */
    uint32_t fd_class, stream_class, dir_class, request_class, comm_class, block_class;
    uint32_t process_count, function_count, blob_count, ranks;
    char abi[16];      /* of the recorded MPI: "openmpi", "mpich", "standard"; "": none */
    int64_t directory; /* where processes work: a blob, or FTH_SCRIPT_NO_BLOB */
    uint32_t uses_hdf5;
    uint64_t buffer_bytes; /* of the largest access */
    uint64_t words_bytes;  /* of the longest text */
    double scale;          /* of recorded times; 0: no gaps */
    int64_t patience;      /* ns: how long a pipe is waited for at most */
    int64_t begin;         /* ns: the first call of the replay in the recorded run */
    uint64_t processes_at, functions_at, blobs_at, bytes_at; /* offsets in this file */
};

/* What came of the calls of a function. */
struct fth_script_outcome {
    uint64_t calls, differences, bytes_read, bytes_written;
    int64_t time; /* ns */
    /* of the first that was different */
    int64_t expected, result;
    int32_t error; /* errno; or MPI's code */
    uint32_t expected_failure;
};

struct fth_script_results {
    uint64_t magic;
    int64_t start, end; /* CLOCK_MONOTONIC, ns: of the first call, of the end of the last */
    int64_t late;       /* ns: at most so much later than asked for a call began */
    int64_t processor;  /* ns of processor time of the calls and around them */
    uint32_t function_count;
    uint32_t missing; /* functions that this system or MPI does not have */
    struct fth_script_outcome outcomes[];
};

#endif
