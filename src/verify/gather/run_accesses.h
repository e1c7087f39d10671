/* What the processes of a run did to files, as far as consistency is concerned: accesses, calls
 * that may synchronize, changes of names. Inner header of the verify room.
 *
 * Accesses that no model can distinguish (same thread, same chain of calls, nothing between them
 * that orders or synchronizes) share one *situation*: however many there are, they are judged once.
 * Their bytes are ranges, and series where they are at equal distances. */
#ifndef FTH_VERIFY_GATHER_OPERATIONS_H
#define FTH_VERIFY_GATHER_OPERATIONS_H

#include "base/intern.h"
#include "verify/gather/runs.h"
#include "verify/gather/verify_semantics.h"
#include "verify/gather/series.h"
#include "verify/gather/ownership.h"
#include "verify/gather/position_uses.h"
#include "verify/gather/verify_progress.h"

#include <fathom/access.h>

#define FTH_NO_OPENING UINT32_MAX
#define FTH_NO_HANDLE UINT64_MAX
#define FTH_NO_CHAIN UINT32_MAX
#define FTH_NEVER UINT32_MAX /* step of a moment that does not come */
/* Step of a moment that is not known before fth_run_accesses_settle: its timeline is the number of
 * an order's ticket. */
#define FTH_BY_TICKET (UINT32_MAX - 1)

/* What an access's ranges are. */
enum fth_region {
    FTH_REGION_BYTES,
    /* What was written to the end of the file. As it is gathered its ranges stand one behind the
     * other from 0 on; fth_append_positions_find puts them where they are, or may be. */
    FTH_REGION_APPENDED,
    /* Where that began: the same writes once more, as readers of the size of the file, which
     * whoever wrote before them made. */
    FTH_REGION_END,
    /* What a call that makes the file longer leaves out: zeros from then on (holes.h). */
    FTH_REGION_HOLE,
    /* Bytes of a read that nobody wrote before it. */
    FTH_REGION_BARE,
    /* What a call gives room to: it changes how long the file is, if that was less. */
    FTH_REGION_ROOM,
};

/* Ticks count beginnings and ends of marks in a thread: of two things of one thread, what ended at
 * an earlier tick came first. */
struct fth_situation {
    /* What is asked of both of each two accesses that meet comes first, as it is asked of millions
     * of them: up to FTH_SITUATION_ASKED. */
    uint32_t proc, thread;
    uint32_t opening; /* of the process; once files are known, index of the file */
    uint32_t handle;  /* of MPI, once files are known: its opening; of others FTH_NO_OPENING */
    struct fth_moment begin, end; /* end.step FTH_NEVER: the operation was never found complete */
    uint8_t layer;                /* number of one of those that are wanted */
    uint8_t region;               /* enum fth_region */
    bool writes, atomic;
    bool removes; /* a write that cuts the file off, or makes a hole in it */
    bool cuts;    /* the former: it is compared by itself (cuts.h) */
    /* or takes bytes out, or puts some in: what is behind moves, and how long the file is then is
     * not known */
    bool moves;
    /* it may have accessed other bytes, or none: its ranges are all that it may have */
    bool unsure;
    /* of a file of MPI: how many seeks and views had set that, + 1; else 0 */
    uint32_t by_shared_pointer;
    /* the open file that it is a interval of + 1, if nobody has moved that but by reading and
     * writing; 0: not known, or somebody has */
    uint32_t description;
    uint64_t carrier;  /* the collective call of MPI-IO that it is part of, or FTH_NO_CALL */
    uint64_t contents; /* of a write: what it wrote, and where; 0: not known, or of no interest */
    int64_t start, end_time;        /* ns: of the first one's entry, of the last one's exit */
    uint64_t first_call, last_call; /* numbers in its thread */
    uint32_t chain;
    uint32_t began, ended; /* ticks */
    /* of a call that gives room, and writes nothing but zeros over what was there: the file is at
     * least as long then; else 0 */
    uint64_t room;
    /* of one that cuts off, on the system: it leaves nothing; it opened the file, which it would
     * have made, or has made for certain (new_files.h) */
    bool empties, may_make, makes_new;
    bool removes_nothing, perhaps_nothing; /* there was nothing; nobody saw whether there was */
    const char *why_unsure; /* of an access; NULL: it is not, or no access but what comes of one */
    bool by_name;           /* of a call that gave the name of the file, not a descriptor */
    /* of an operation that its call only began: by what it was found complete; NULL: by nothing */
    const struct fth_function *completed_by;
    bool is_mapping;   /* from the call that mapped the file to the end of its process */
    bool of_library;   /* an MPI library does it, or a launcher, to a file that it has for itself */
    bool inherited;    /* through a descriptor that was there when the process began */
    uint32_t opener;   /* the process that opened that + 1; 0: not known */
    uint32_t interval; /* that it is part of, where the descriptor stands; or FTH_NO_INTERVAL */
    bool placed;       /* where that is does not depend on where the interval begins */
    bool together;     /* a collective call: it has a situation of its own */
    uint64_t appended; /* bytes, of region APPENDED */
    uint64_t read_end; /* of reads: behind the last byte that any of them read; their ranges go on
                        * behind it where they found the end of the file */
    /* of those: the lowest end of the file that one of them found, + 1; 0: none found it. Of region
     * END: the lowest one that the first append may have found, + 1 */
    uint64_t found_end;
    uint64_t cut_at;   /* of one that cuts off: how long the file is then */
    uint64_t observed; /* of appends: where the first ones went in this run, + 1; 0: not known */
};
#define FTH_SITUATION_ASKED offsetof(struct fth_situation, room)

enum { FTH_CACHE_LINE = 64 };
/* It will be asked soon: that comes near the processor. */
static inline void fth_situation_fetch(const struct fth_situation *situation)
{
    for (size_t i = 0; i < FTH_SITUATION_ASKED; i += FTH_CACHE_LINE)
        __builtin_prefetch((const char *)situation + i);
}

/* One of the two sides of a write to the end of the file. */
static inline bool fth_is_append(const struct fth_situation *situation)
{
    return situation->region == FTH_REGION_APPENDED || situation->region == FTH_REGION_END;
}

/* A range of one access. */
struct fth_access_range {
    uint64_t start, length;
    uint32_t situation;
    /* number of the call minus the situation's first_call; UINT32_MAX: more than that */
    uint32_t call;
};

/* A call of a situation, given as in fth_access_range: its number in the thread. */
static inline uint64_t fth_call_since(const struct fth_situation *situation, uint32_t call)
{
    return situation->first_call + (call == UINT32_MAX ? 0 : call);
}

struct fth_access_series {
    struct fth_series series;
    uint32_t situation;
    /* of its first range; calls of a series that are each one's own need not have numbers in a
     * row */
    uint32_t call;
};

/* A call that is in a set of a model, or the end of a process. */
struct fth_sync_mark {
    uint32_t proc, thread, opening; /* FTH_NO_OPENING: about no file, so about each */
    uint32_t handle;       /* of MPI, once files are known: its opening; of others FTH_NO_OPENING */
    uint32_t began, ended; /* ticks */
    struct fth_moment in, out;
    uint64_t call;
    int64_t time;
    uint32_t chain; /* or FTH_NO_CHAIN */
    enum fth_mark_kind kind;
    /* of FTH_MARK_OPERATION: the tick at which that began, in the same thread; what ended later is
     * not in it */
    uint32_t since;
    bool comes_last; /* operations that had begun then are in it */
    /* the outermost collective call of MPI that it is, or is inside of: a number in the thread; or
     * FTH_NO_CALL */
    uint64_t collective;
    const struct fth_function *function; /* NULL: of FTH_MARK_PROCESS_END */
};

/* Where a process, as one image of it, did its last call, and its first one. */
struct fth_last_call {
    uint32_t first_thread;
    struct fth_moment first;
    uint32_t proc, thread, tick;
    struct fth_moment behind;
    uint64_t call;
    int64_t time;
};

/* A file that it had open then. */
struct fth_left_open {
    uint32_t proc, opening;
    bool close_on_exec;
};

/* An opened file: who asked for which name, when. */
struct fth_opening {
    uint32_t proc, name;  /* name: in fth_run_accesses.names */
    uint64_t number;      /* of the handle, in the process */
    uint32_t asked;       /* the name that the call had, absolute; there, too */
    uint32_t file;        /* index of the file, once files are known */
    bool is_real;         /* it is what the system says, whatever was asked for */
    uint32_t host;        /* the node's, there too */
    int64_t time, closed; /* closed: INT64_MAX, if it was open to the end */
    bool exclusive;       /* it made the file: nothing was there under that name */
    bool creates;         /* or would have made it */
    bool was_seen;        /* the call that opened it, and so the time */
    uint32_t thread;      /* of that call, and its number there, of handles of MPI */
    uint64_t call;
    bool is_nameless;       /* it made a file that has no name */
    bool was_there;         /* nobody looked for its name: the descriptor came from elsewhere */
    bool inherited;         /* it was there when the process began, as far as calls show */
    /* No stream of the program is on it, and none of its calls but those that streams make
     * underneath: libc has opened it for itself, unseen, such as /etc/passwd for getpwuid. */
    bool is_of_libc;
    bool changes_appending; /* the process has changed whether writes to it append */
    bool is_descriptor;     /* no stream, nor a file of a library */
    bool by_mpi;            /* a handle of MPI, for which its syncs count only */
    bool reads_only;        /* nothing is written by it: to close it makes no write visible */
    uint64_t device, inode; /* of the node's; inode 0: not known */
    uint64_t links;         /* names that it had */
    uint64_t size;          /* how long it was then, + 1; 0: not known */
    int64_t sized;          /* ns: when that was known at the latest */
    bool size_is_hint;      /* it is what the node knew, of a file that others may make longer */
};

enum fth_name_change { FTH_NAME_MOVED, FTH_NAME_EXCHANGED, FTH_NAME_LINKED, FTH_NAME_DELETED };
struct fth_name_event {
    enum fth_name_change change;
    bool symbolic;     /* a link that is no name of the file itself */
    uint32_t from, to; /* to: not of deleted ones */
    /* of a linked one: what is linked, if that is a descriptor; else FTH_NO_OPENING */
    uint32_t opening;
    int64_t time;
    uint32_t proc;
};

struct fth_changed_link {
    uint32_t run;
    const char *path; /* the trace's */
};

/* What a call does to a name, or asks of it. */
enum fth_touch_kind {
    FTH_TOUCH_SIZE,     /* how large is it? Of a file that is open: fstat, a seek to its end */
    FTH_TOUCH_LOOK,     /* stat, access ... : is it there? */
    FTH_TOUCH_OPEN,     /* as it is, or not at all */
    FTH_TOUCH_LIST,     /* of a folder: what is in it? */
    FTH_TOUCH_MAKE,     /* if it is not there */
    FTH_TOUCH_MAKE_NEW, /* it must not be there */
    FTH_TOUCH_REMOVE,   /* or give it to something else */
    FTH_TOUCH_TRUNCATE,
    FTH_TOUCH_LENGTHEN, /* a write behind its end, or room there */
    FTH_TOUCH_APPEND,   /* a write to its end, wherever that is */
};
struct fth_touch {
    uint32_t proc, thread, name, chain;
    enum fth_touch_kind kind;
    bool together;   /* in a collective call of MPI-IO, whose library knows what each rank does */
    bool by_name;    /* the call found the file by its name */
    bool is_there;   /* the name was there when the call returned */
    bool is_missing; /* it was not: the call failed because of that */
    bool is_empty;   /* if the call made the file or folder, nothing was in it */
    bool asks_size;
    bool places; /* where an access of the process goes comes from the size that it asked for */
    bool cuts;   /* it leaves nothing of what was in the file, though it is no truncation */
    bool unsure; /* of one that lengthens: if the file was not as long before, which is not known */
    /* of a truncation, how long the file is then; of one that lengthens, how long at least */
    uint64_t extent;
    struct fth_moment moment; /* such calls have nothing inside that could order threads */
    uint64_t times;           /* such calls one after the other, of which this is the first */
    uint64_t call;
    int64_t start, end;
};

struct fth_chain {
    uint32_t parent; /* the call around, or FTH_NO_CHAIN */
    uint32_t depth;
    const struct fth_function *function;
    uint32_t source; /* in fth_run_accesses.names, or FTH_NO_CHAIN */
    uint32_t unused;
};

/* From when to when a descriptor of a process was of an opening. */
struct fth_holding {
    uint32_t proc, descriptor, opening;
    int64_t from, to; /* from: INT64_MIN, if it was there when the process began */
};

/* From then on a process has its table of descriptors, or its current folder, in common with a
 * child; or its threads have their own. Each process of the trace is taken to have one. Or it has
 * mounted something, or has another root. */
struct fth_shared_table {
    uint32_t proc;
    int64_t child; /* its pid; 0: threads of the process */
    int64_t time;  /* ns: of the call */
    bool descriptors, folder, mounts;
};

/* How often something was so, by name of the file: an index in fth_run_accesses.names. */
struct fth_name_counts {
    uint64_t *counts;
    uint32_t limit;
};

/* Of one process, or, put together, of all. Arrays are the owner's. */
struct fth_run_accesses {
    struct fth_intern names;  /* with the byte of value zero behind each: fth_run_accesses_name */
    struct fth_intern chains; /* of struct fth_chain */
    struct fth_situation *situations;
    size_t situation_count;
    struct fth_access_range *ranges;
    size_t range_count;
    struct fth_access_series *series;
    size_t series_count;
    struct fth_sync_mark *marks;
    size_t mark_count;
    struct fth_opening *openings;
    size_t opening_count;
    struct fth_name_event *name_events;
    size_t name_event_count;
    /* of all processes: links on the way to names, that the run has changed */
    struct fth_changed_link *changed_links;
    size_t changed_link_count;
    struct fth_touch *touches;
    size_t touch_count;
    /* of all processes, once files are known: touches in order of name and time, and where those of
     * a name begin; one more than there are names */
    struct fth_touch **touches_by_name;
    uint32_t *first_touch;
    struct fth_ownership_interval *intervals;
    size_t interval_count;
    struct fth_position_use *position_uses;
    size_t position_use_count;
    struct fth_birth *births;
    size_t birth_count;
    struct fth_holding *holdings;
    size_t holding_count;
    struct fth_shared_table *sharings;
    size_t sharing_count;
    struct fth_last_call *last_calls;
    size_t last_call_count;
    struct fth_left_open *left_open;
    size_t left_open_count;
    uint64_t accesses;
    uint64_t contents; /* accesses of which these are known */
    /* files mapped to be written and shared: when what is done through memory is not seen */
    uint64_t mapped;
    struct fth_name_counts mapped_names;
    /* of all processes, once positions are known: turns of processes, or threads, that share a
     * position, in no order with each other */
    struct fth_name_counts turn_names;
    struct fth_name_counts vague_turn_names; /* of threads whose order is not recorded */
};

/* A name, and how long it is. Valid until names are added. */
static inline const char *fth_run_accesses_name(const struct fth_run_accesses *accesses,
                                                uint32_t number, size_t *length)
{
    const char *name = (const char *)fth_interned(&accesses->names, number, length);
    --*length;
    return name;
}

void fth_name_count(struct fth_name_counts *counts, uint32_t name, uint64_t times);

/* What is asked for: accesses of some layers, and calls of functions that are in a set. */
struct fth_accesses_wanted {
    struct fth_verify_semantics_table semantics_table;
    bool several_nodes;
    int together; /* number of the layer whose collective calls carry bytes of others: mpiio */
    /* are writes distinguished by what they wrote? Each is a situation of its own then */
    bool contents;
};

/* Goes through the calls of one process, and feeds them to the order. Returns false and sets *error
 * on damage, or when it is given up. `accesses` is zeroed before. `progress`: or NULL.
 * Different processes may be gone through by different threads. */
bool fth_run_accesses_gather(struct fth_run_accesses *accesses, struct fth_trace *trace,
                             size_t proc, const struct fth_accesses_wanted *wanted,
                             struct fth_order *order, struct fth_verify_progress *progress,
                             struct fth_error **error);
/* When all processes are fed: moments of calls' ends, and numbers and times over all runs, for what
 * was gathered of a process of this one. */
void fth_run_accesses_settle(struct fth_run_accesses *accesses, const struct fth_run *run);
/* Adds `more`, of another process, and empties it. */
void fth_run_accesses_join(struct fth_run_accesses *all, struct fth_run_accesses *more);
void fth_run_accesses_free(struct fth_run_accesses *accesses);

/* For qsort_r on numbers of situations, once files are known: by layer, by file, by number.
 * `context`: the situations. */
static inline int fth_situations_by_file(const void *a, const void *b, void *context)
{
    const struct fth_situation *situations = context;
    uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
    if (situations[i].layer != situations[j].layer)
        return situations[i].layer < situations[j].layer ? -1 : 1;
    if (situations[i].opening != situations[j].opening)
        return situations[i].opening < situations[j].opening ? -1 : 1;
    return i < j ? -1 : i > j;
}

enum fth_precedence { FTH_UNORDERED_PAIR, FTH_FIRST_IS_FIRST, FTH_SECOND_IS_FIRST };

#endif
