/* What a recorded process leaves on disk while it runs: one small file about itself, one file per
 * stream of calls. Written by the capture library, read by the merger, never by anybody else: plain
 * structures of this machine.
 *
 * A killed process leaves these files as they were; reading them after a normal end and after a
 * kill is the same thing.
 *
 *   IMAGE.process   struct fth_spill_process and texts; mapped
 *   IMAGE.N.stream  at 0 the page, at FTH_SPILL_LIVE the live area; both mapped
 *   IMAGE.N.sealed  sealed records
 *   IMAGE.0.watched counts of calls that are only watched, and phases (watched_file.h); mapped
 *   IMAGE.N.sums    sums of what is not kept call by call any more (summed_file.h); mapped
 *
 * The first two are small, and are in memory (FTH_SPILL_MEMORY) while there is room for them; what
 * grows is on disk. A process that makes few calls touches no disk.
 *
 * A stream belongs to one thread at a time; a later thread goes on where an ended one stopped. Its
 * calls first go to the live area; when that is full they are sealed: packed, written behind the
 * records that are sealed already, and then made valid all at once by writing the other one of two
 * commits. The live area counts only when its sequence is that of the newest valid commit. */
#ifndef FTH_TRACE_RECORD_SPILL_H
#define FTH_TRACE_RECORD_SPILL_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The digit goes up whenever these structures, or what is in the streams, change. */
#define FTH_SPILL_PROCESS_MAGIC 0x42434f5250485446ull /* "FTHPROCB" */
#define FTH_SPILL_STREAM_MAGIC 0x3152545348544601ull
#define FTH_SPILL_RECORD_MAGIC 0x4c414553u /* "SEAL" */

enum {
    FTH_SPILL_PAGE = 4096,
    FTH_SPILL_LIVE = 64 << 10,
    FTH_SPILL_LIVE_FIRST = 32 << 10,  /* bytes of the live area at first, */
    FTH_SPILL_LIVE_LATER = 256 << 10, /* after the first seal */
    FTH_SPILL_TEXTS = 24 << 10,       /* most bytes of a process's texts */
    FTH_IMAGE_PID = 0x3fffff,         /* bits of an image's number: its pid */
};

enum fth_spill_end {
    FTH_END_UNKNOWN,
    FTH_END_EXIT,
    FTH_END_EXEC,
    FTH_END_RETURNED,
    FTH_END_SIGNAL,
    FTH_END_DETACHED,
    FTH_END_NOT_KNOWN /* of what was imported */
};

struct fth_spill_anchor {
    uint64_t ticks;
    int64_t monotonic, realtime; /* ns */
};

/* What the system counts for a process: bytes read and written, and how often it was asked to. */
struct fth_spill_counted {
    uint64_t read, written, reads, writes;
};
/* Of these it is known. */
enum { FTH_COUNTED_FIRST = 1, FTH_COUNTED_LAST = 2 };

/* Texts `queue`: since when (ns since 1970), a blank, and what it is: operations that are
 * handed to the system in it are not seen, or some are not. */
#define FTH_QUEUE_KEY "queue"
#define FTH_QUEUE_IO_URING "io_uring"
#define FTH_QUEUE_IO_SUBMIT "io_submit"
#define FTH_QUEUE_REST_OF_IO_URING "io_uring, beside those that are recorded"
#define FTH_QUEUE_REST_OF_IO_SUBMIT "io_submit, beside those that are recorded"
/* Texts `mapped`: bytes, a blank, and the path of a file that is mapped so that stores become part
 * of it. */
#define FTH_MAPPED_KEY "mapped"
/* Texts `written`: the path of a file of a program or of the system that it wrote to, as the first
 * one on its node. */
#define FTH_WRITTEN_KEY "written"
/* Texts `link`: how long the path of a symbolic link is, a space, that path, a space, the path that
 * it leads to; on the way to a name that the process changed. */
#define FTH_LINK_KEY "link"
/* Texts `looked_at`: the number of a process at which it looked in /proc, which is left out, for
 * the first time; or this one: there were more. */
#define FTH_LOOKED_AT_KEY "looked_at"
#define FTH_LOOKED_AT_MORE 0

/* A meeting of nodes in MPI: what this node's CLOCK_MONOTONIC said, what is to be added to make it
 * that of the node of rank 0, and how far off that may be. */
struct fth_spill_meeting {
    int64_t monotonic, offset, error; /* ns */
};

/* Calls that were seen but not kept, because there was no room for them or no right to write. */
struct fth_spill_unkept {
    uint64_t calls;
    uint32_t processes; /* that could not make a file */
    uint32_t error;     /* the first reason: errno; 0: there was none yet */
    uint32_t uncounted; /* some of them became programs that nobody counts for */
    struct fth_spill_anchor since;
};
/* The error of what is not kept because the budget of the recording is used up: no file operation
 * of ours gives it. */
#define FTH_NO_BUDGET ENOBUFS
/* That of what is missing because it was only watched (--select): none of ours, either. */
#define FTH_ONLY_WATCHED ENOANO
/* The file that processes of a node share; mapped. */
#define FTH_SPILL_SHARED "shared.page"
enum { FTH_SPILL_PLAIN = 256, FTH_SPILL_WRITTEN = 512, FTH_SPILL_LEFT_OUT = 2048 };
struct fth_spill_shared {
    uint64_t used;    /* bytes of the budget */
    uint64_t renames; /* how often a name was given to something else: it may have been a folder */
    /* by a number for each file: programs that can be recorded, as one process has seen */
    uint64_t plain[FTH_SPILL_PLAIN];
    /* of files of programs and of the system (capture/follow/written_files.c): has somebody written
     * one; numbers of their paths; bits of those that calls on were left out of */
    uint64_t writes, written[FTH_SPILL_WRITTEN], left_out[FTH_SPILL_LEFT_OUT];
};
/* A link in the folder to another one, in memory: see spill_memory.h. */
#define FTH_SPILL_MEMORY "memory"
/* One more of these, for processes that can make no file and do not know who forked them: a page,
 * made before the run. */
#define FTH_SPILL_UNKEPT "unkept.page"

/* Texts `regions`: functions are to be regions; one was entered that is compiled for it. */
#define FTH_REGIONS_WANTED "wanted"
#define FTH_REGIONS_ENTERED "entered"

struct fth_spill_process {
    uint64_t magic;
    uint64_t catalog;  /* hash of the catalogue that numbers the functions */
    uint64_t image;    /* this process image; unique on this machine */
    uint64_t previous; /* the image that forked it or was replaced by it; 0: not known */
    int64_t pid, parent_pid;
    struct fth_spill_anchor start, last;
    uint32_t ticks_are_ns; /* no usable time stamp counter: ticks are CLOCK_MONOTONIC */
    uint32_t ended;        /* enum fth_spill_end */
    int32_t status;        /* of exit; the signal */
    int32_t rank, size;    /* in the MPI world; -1 */
    uint32_t streams;      /* handed out */
    uint64_t world;        /* of MPI_COMM_WORLD, the same on its ranks; 0: none */
    uint32_t elsewhere;    /* 1: the world has ranks on other nodes, as its launcher says */
    uint64_t lost;         /* calls of devices that were not reported in time */
    uint32_t stopped;      /* recording stopped early: errno */
    /* processes that it forked and that could not make a file of their own, for want of rights */
    uint32_t locked_out;
    /* of threads that could not begin a stream; why and since when, of all */
    struct fth_spill_unkept unkept;
    struct fth_spill_unkept forked; /* of processes that it forked and that could not make a file */
    /* so many of these count; processes that met for their node have them, others none */
    uint32_t meetings_held;
    struct fth_spill_meeting meetings[2];
    /* When it started, when it ended, of that what the recorder did itself, so far; and what is in
     * parts that MPI_Finalize has merged. */
    uint32_t counted; /* FTH_COUNTED_... */
    uint32_t partial; /* 1: filters leave out calls, and nobody knows what they moved */
    struct fth_spill_counted counted_first, counted_last, counted_own, counted_merged;
    uint32_t lost_texts; /* for which there was no room */
    uint32_t text_bytes;
    char text
        /* KEY=VALUE\0 ...: host, exe, cwd, mpi, time (FATHOM_TIME), and arg once per argument */
        [];
};

/* The image's value for a key of its texts, or NULL; `at` is NULL at first and then what was
 * returned before, for keys that repeat. */
static inline const char *fth_spill_text(const struct fth_spill_process *process, const char *key,
                                         const char *at)
{
    size_t key_length = strlen(key);
    const char *end = process->text + process->text_bytes;
    for (const char *text = at ? at + strlen(at) + 1 : process->text; text < end;
         text += strlen(text) + 1)
        if (strncmp(text, key, key_length) == 0 && text[key_length] == '=')
            return text + key_length + 1;
    return NULL;
}

struct fth_spill_commit {
    uint64_t sequence;   /* newest valid one wins; from 1 */
    uint64_t sealed_end; /* bytes of sealed records that count */
    uint64_t live_bytes;
    uint64_t check; /* sum of the above, mixed */
};

static inline uint64_t fth_spill_check(const struct fth_spill_commit *commit)
{
    return (commit->sequence * 0x9E3779B97F4A7C15u + commit->sealed_end * 3 +
            commit->live_bytes * 5) ^
           0x46415448u;
}

struct fth_spill_stream {
    uint64_t magic;
    uint64_t image;
    struct fth_spill_commit commits[2];
};

/* A call that has not returned: what is left of a process that was killed in it. One for each depth
 * of calls inside calls. */
struct fth_spill_open {
    uint64_t begin;    /* ticks; 0: there is none */
    uint32_t function; /* 16 bits; what is above them is the draft's */
    int32_t slot;      /* of the file that it is about; -1: none, or not known */
};
enum { FTH_SPILL_OPEN = 64 };

/* Head of the live area; words follow, up to `used` of them. */
struct fth_spill_live {
    uint64_t sequence;
    uint64_t base; /* ticks: exit of the call before the first one here */
    int64_t tid;
    uint64_t excluded, lost; /* calls of this stream, ever */
    uint64_t left, deep;     /* of the lost: left without an end, too deep inside others */
    uint64_t unkept;         /* and those for which there was no room */
    /* by calls that were left out for their file */
    struct fth_spill_counted passed;
    uint32_t thread;
    uint32_t used;
    struct fth_spill_open open[FTH_SPILL_OPEN];
};

/* Words of the live area:
 *   a call        symbol | literals << 24, gap, duration, [64-bit gap], [64-bit duration], literals
 *                 (two words each)
 *   a definition  FTH_LIVE_DEFINITION | kind, words in all, then
 *                 string: byte length, bytes;  signature: 64-bit head, 64-bit values, [64-bit
 *                 source], [64-bit mask]
 * `gap` is entry minus the exit of the call before; for a call with calls inside, exit minus that
 * exit. In ticks; FTH_LIVE_LONG
 * says that the 64-bit form follows. Strings and signatures are numbered from 1 and 0 in order of
 * definition since the last
 * FTH_LIVE_SEGMENT, which forgets all. */
#define FTH_LIVE_DEFINITION 0xff000000u
#define FTH_LIVE_LONG 0xffffffffu
enum { FTH_LIVE_STRING = 1, FTH_LIVE_SIGNATURE = 2, FTH_LIVE_SEGMENT = 3 };
enum { FTH_LIVE_MOST_SYMBOLS = 1 << 24 };

/* Head of a signature: function | depth << 16 | flags << 24 | mask of literal values << 32. With
 * the top bit, a mask of those that are steps (trails.h) follows behind the values. */
#define FTH_HEAD_STEPS (UINT64_C(1) << 63)
enum {
    FTH_INSIDE_SAME_LAYER = 1,
    FTH_INSIDE_FILE_CALL = 2,
    FTH_INSIDE_UNBUFFERED_CALL =
        4, /* one on a file, and not on a stream with a buffer: its bytes are those of the file */
    FTH_INSIDE_ALL = 8, /* how many combinations of these there are */
    FTH_FROM_FORTRAN = 8,
    FTH_HAS_SOURCE = 16, /* where the call is made stands behind the values */
};

/* A thread that is started inside a call: fathom_bind binds a slot of this class, which no
 * catalogue has, to "start NUMBER"; in the thread that starts it, inside the call, and in the new
 * one before its first call. */
#define FTH_START_CLASS "thread start"
/* A descriptor that was there before: it binds the slot of this class, which no catalogue has
 * either, to the flags that F_GETFL gives, as a number. */
#define FTH_FLAGS_CLASS "descriptor flags"
/* Which file a slot is bound to, where its path does not say: the class of its handle follows. One
 * binds it to another path of the file, the other one to the number of the file, with the text
 * "DEVICE", or "DEVICE NAMES" when it has several. */
#define FTH_PATH_OF "path of "
#define FTH_FILE_OF "file of "
/* How long its file was when it was opened, as a number. */
#define FTH_SIZE_OF "size of "
enum { FTH_START_MADE = 0, FTH_START_FOLLOWED = 1 };

/* Where a call is made: number of the text of the module << FTH_SOURCE_BITS | place in it; 0:
 * nobody knows. The text is the module's path, a zero, and its build-id. While a process runs, the
 * address to which the call returns, below bits that distinguish modules that came one after the
 * other to the same addresses. */
#define FTH_SOURCE_BITS 40
#define FTH_SOURCE_OFFSET ((UINT64_C(1) << FTH_SOURCE_BITS) - 1)
/* Of a call from Python, the text is the path of its file, a zero, this, and where it is made as it
 * is shown; the place is the line. While a process runs, a hash of these. */
#define FTH_PYTHON_PLACE "python "
#define FTH_CODE_ADDRESS ((UINT64_C(1) << 48) - 1)

/* Sealed records follow one another, each padded to 8 bytes. */
struct fth_spill_record {
    uint32_t magic;
    uint32_t kind;
    uint64_t bytes; /* after this head, without padding */
};
enum fth_spill_kind {
    FTH_SPILL_DEFINITIONS = 1, /* definitions, as in the live area */
    /* struct fth_spill_block, the symbols of its calls (succession.h), then per call varints: gap,
     * duration (ticks), zigzag literals */
    FTH_SPILL_BLOCK = 2,
    FTH_SPILL_RESET = 3, /* strings and signatures start anew */
    /* struct fth_spill_merged. The same, and what comes behind it asks for nothing that is before:
     * bindings are noted again, and no value is a step. So who has what is before need not read
     * it. */
    FTH_SPILL_MERGED = 4,
    /* struct fth_spill_summed. The same: strings and signatures start anew, and bindings are noted
     * again, with each seal from here on. Calls behind it are in IMAGE.N.sums when they are sealed,
     * and there is no record any more. */
    FTH_SPILL_SUMMED = 5,
};
struct fth_spill_summed {
    uint64_t since; /* ticks */
};
struct fth_spill_block {
    uint64_t base; /* ticks: exit of the call before the first one here */
    int64_t tid;
    uint32_t thread;
    uint32_t calls;
    uint64_t symbol_bytes;
};
struct fth_spill_merged {
    uint64_t exit; /* ticks: of the last call */
    int64_t tid;
    uint32_t thread;
    uint32_t depth; /* of that call, notes left out */
};

#endif
