/* What is at hand while one goes through the calls of a process. Inner header of the verify
 * room. */
#ifndef FTH_VERIFY_GATHER_GATHER_H
#define FTH_VERIFY_GATHER_GATHER_H

#include "verify/gather/run_accesses.h"

/* An access on its way: of a call that has not returned, or an operation that has not completed. */
struct fth_pending_operation {
    struct fth_situation situation;
    uint64_t call;
    uint64_t length;
    bool is_short;  /* a read that found the end of the file: its pieces are what it asked for */
    uint64_t moved; /* of that: so many of their first bytes were there */
    size_t piece_count; /* series, in the order of access */
    size_t piece_room;
    struct fth_series *pieces;
};

/* A call of a thread that has not returned. */
struct fth_entry {
    bool is_access, removes; /* it may be both */
    bool is_of_all_streams;  /* and in a set of a model */
    const struct fth_function *function;
    const struct fth_verify_semantics *semantics;
    uint64_t call; /* its number in the thread */
    const char *source;
    uint32_t file;  /* of a call of MPI: the name of the file that it is about + 1; 0: none */
    uint32_t chain; /* FTH_NO_CHAIN: not asked for yet */
    uint32_t mark, mark_count; /* the first one, and how many: those inside of it come behind */
    int64_t end;
    struct fth_pending_operation access;
    struct fth_situation removal;
    struct fth_series removed;
};

/* Ranges of one situation that come one after the other, and may turn out to be a series. */
struct fth_builder {
    uint32_t situation;
    uint64_t first_call; /* of the situation */
    uint64_t call;       /* of the first range */
    uint64_t start, last, length;
    int64_t stride;
    uint64_t count; /* 0: empty */
};

/* Accesses to several files, or by several chains of calls, take turns: for each of so many the
 * situation is remembered that came last. */
enum { FTH_BUILDERS = 64 };

struct fth_access_thread {
    bool known;
    uint32_t tick;
    size_t depth, room; /* entries on the stack */
    struct fth_entry *stack;
    /* An access that is over, and of which it is not known yet whether something inside it ordered
     * threads: not so, if the next one begins where it began. */
    struct fth_pending_operation held;
    bool holds;
    struct fth_builder builders[FTH_BUILDERS];
};

struct fth_open_operation {
    uint32_t thread; /* of the call that started it */
    uint64_t number; /* of one of several that a call started (fth_operation); or FTH_NO_CALL */
    bool is_over;    /* a call has said so */
    bool is_mapping; /* no operation: bytes that are mapped from then on */
    bool is_shared;  /* a mapping, with all that have the file */
    struct fth_pending_operation access;
};

/* How long a file is, as far as one process knows of one opening. */
struct fth_opened_size {
    bool begun;
    bool known;      /* it is no longer than that, unless others made it so */
    uint64_t extent; /* at least */
    uint32_t touch;  /* the last one that made it longer + 1 */
    /* the last one that sought the end + 1, and where that was: the descriptor has only been moved
     * by accesses since (`stands`); 0: none */
    uint32_t sought;
    uint64_t sought_at;
    bool stands;
};

/* A sync that goes on behind the call that began it. */
struct fth_open_sync {
    uint32_t thread, opening, tick;
    uint64_t call;
    const struct fth_function *function;
};

struct fth_gathering {
    struct fth_run_accesses *accesses;
    struct fth_trace *trace;
    size_t proc;
    const struct fth_accesses_wanted *wanted;
    enum { FTH_LEFT_OUT_UNKNOWN, FTH_LEFT_OUT_SOME, FTH_LEFT_OUT_NONE } left_out; /* of calls */
    struct fth_order_builder *builder;
    struct fth_access_thread *threads;
    uint32_t thread_limit;
    uint32_t *openings; /* by number of handle: opening + 1 */
    uint32_t opening_limit;
    struct fth_opened_size *sizes; /* by opening */
    uint32_t size_limit;
    uint32_t *at_descriptor; /* opening + 1 of what is there */
    uint32_t *held;          /* by descriptor, too: the last one of the holdings + 1 */
    uint32_t descriptor_limit, held_limit;
    bool *by_stream; /* by opening: a stream has accessed it */
    uint32_t by_stream_limit;
    int64_t now;              /* when the call began */
    uint32_t *last_intervals; /* by opening: the last one + 1 */
    uint32_t last_interval_limit;
    int32_t *descriptor_counts; /* by opening: descriptors that stand for it, less the first */
    uint32_t live_limit;
    struct fth_open_operation *operations;
    size_t operation_count;
    struct fth_open_sync *syncs;
    size_t sync_count;
    bool has_calls;
    uint32_t first_thread; /* of the first call */
    struct fth_moment first;
    uint32_t last_thread; /* of the call that came last */
    uint64_t last_call;   /* its number there */
};

/* ---- accesses.c ---- */

uint32_t fth_gather_name(struct fth_run_accesses *accesses, const char *text);
/* The chain of calls that ends with the one on the thread's stack at `depth`. */
uint32_t fth_gather_chain(struct fth_gathering *gather, struct fth_access_thread *thread,
                          size_t depth);

/* What an access by the call at its entry has in common with any other: it ends where it begins, is
 * part of no collective call, and does not write. */
struct fth_situation fth_gather_situation(struct fth_gathering *gather,
                                          struct fth_access_thread *thread,
                                          const struct fth_call *call, uint32_t opening, int layer);

/* Is a name an MPI library's own (its lock files, its shared memory)? Then it is touched inside a
 * call of MPI that is about something else. */
bool fth_gather_is_of_library(const struct fth_access_thread *thread, uint32_t depth,
                              uint32_t name);
/* Is what a call touches left out: a library's own, or a launcher's? */
bool fth_gather_is_left_out(const struct fth_gathering *gather,
                            const struct fth_access_thread *thread, uint32_t depth, uint32_t name);

struct fth_access_thread *fth_gather_thread(struct fth_gathering *gather, uint32_t number);

/* The call that `entry` is about is one that matters to a model beside accesses (mark_calls.c). */
void fth_gather_marks(struct fth_gathering *gather, struct fth_access_thread *thread,
                      struct fth_entry *entry, const struct fth_call *call);
/* The call begins a sync, and finds the operation over. */
void fth_gather_sync_begins(struct fth_gathering *gather, struct fth_access_thread *thread,
                            const struct fth_call *call);
/* That sync, if it comes behind all operations that had begun; else NULL. */
const struct fth_open_sync *fth_gather_sync_comes_last(struct fth_gathering *gather,
                                                       const struct fth_call *call,
                                                       const struct fth_operation *operation);
void fth_gather_sync_ends(struct fth_gathering *gather, struct fth_access_thread *thread,
                          const struct fth_call *call, const struct fth_operation *operation);
/* The call accesses a file, perhaps inside of one of stdio. */
void fth_gather_by_stream(struct fth_gathering *gather, struct fth_access_thread *thread,
                          const struct fth_call *call, uint32_t opening);

/* ---- pending_operations.c ---- */

/* Something begins that goes on behind the call; it takes the pieces. */
struct fth_open_operation *fth_gather_begin(struct fth_gathering *gather,
                                            const struct fth_call *call,
                                            struct fth_pending_operation *access);
/* What a call with control blocks of aio begins by a list of them, and what it finds over. */
void fth_gather_blocks(struct fth_gathering *gather, struct fth_access_thread *thread,
                       const struct fth_access *access, struct fth_accesses *accesses);
/* Operations that are over with the call. */
void fth_gather_ends(struct fth_gathering *gather, struct fth_access_thread *thread,
                     const struct fth_access *access);
/* The call has mapped a file. */
void fth_gather_mapping(struct fth_gathering *gather, struct fth_access_thread *thread,
                        const struct fth_call *call);
/* The call has opened a stream: it may read by a map of its file, which it makes when it is read
 * from. */
void fth_gather_mapped_stream(struct fth_gathering *gather, struct fth_access_thread *thread,
                              const struct fth_call *call);
/* This call, or a stream that it opens, is on an opening that was not seen: whose is that? */
void fth_gather_owner(struct fth_gathering *gather, const struct fth_entry *entry,
                      const struct fth_access *access, uint32_t opening);
void fth_gather_stream_opened(struct fth_gathering *gather, const struct fth_call *call);
/* A mapping may have been made writable: which one is not known. */
void fth_gather_unprotect(struct fth_gathering *gather);
/* The process is over. */
void fth_gather_last_operations(struct fth_gathering *gather);

/* ---- openings.c ---- */

/* The name that a path stands for: "a/../f" and "f" are one, unless "a" is a link; on disks of
 * their own the same path on two nodes are two, "NODE:/tmp/f". */
uint32_t fth_gather_file(struct fth_gathering *gather, const char *path);

/* Number of the opening that made the handle, if anything was done with that; else
 * FTH_NO_OPENING. */
uint32_t fth_gather_known_opening(const struct fth_gathering *gather,
                                  const struct fth_handle *handle);
/* The call has closed handles: descriptors are free again. */
void fth_gather_closed(struct fth_gathering *gather, const struct fth_call *call);
/* Number of the opening that made the handle, or FTH_NO_OPENING: it is no file's. */
uint32_t fth_gather_opening(struct fth_gathering *gather, const struct fth_handle *handle);
/* That of the descriptor that a path of /proc or /dev stands for ("/proc/self/fd/3");
 * FTH_NO_OPENING: it is no such path, or not known. */
uint32_t fth_gather_opening_at(const struct fth_gathering *gather, const char *path);
/* Of a call that has no handle, or of its second file. */
uint32_t fth_gather_opening_by_name(struct fth_gathering *gather, const char *path);

/* ---- accesses.c ---- */

/* A call that moves bytes has begun: its entry is an access, or an operation is under way. */
void fth_gather_bytes(struct fth_gathering *gather, struct fth_access_thread *thread,
                      struct fth_entry *entry, const struct fth_access *access,
                      struct fth_accesses *accesses);
/* The other side of a call that moves bytes between two files: an access of its own. */
void fth_gather_second(struct fth_gathering *gather, struct fth_access_thread *thread,
                       const struct fth_access *access);
/* ---- sharings.c ---- */

/* The call may change what the process has in common with others, or its threads with each
 * other. */
void fth_gather_sharing(struct fth_gathering *gather, const struct fth_call *call);

/* ---- removals.c ---- */

/* Does the call take bytes out of a file? Then the entry knows them. */
void fth_gather_removal(struct fth_gathering *gather, struct fth_access_thread *thread,
                        struct fth_entry *entry, const struct fth_call *call);

/* The value of the first parameter that is called so; false: there is none. */
bool fth_gather_value(const struct fth_call *call, const char *name, uint64_t *value);
/* Has it a flag with one of these words in its name? `words` ends in NULL. */
bool fth_gather_has_flag(const struct fth_gathering *gather, const struct fth_call *call,
                         const char *parameter, const char *flags_name, const char *const *words);
/* Does a call that gives room to a file, or makes holes in it, leave it as long as it is? */
bool fth_gather_keeps_size(const struct fth_gathering *gather, const struct fth_call *call);

/* ---- situations.c ---- */

/* What a call accesses becomes pieces. */
void fth_gather_pieces(struct fth_pending_operation *access, struct fth_accesses *accesses);
/* One piece. */
void fth_gather_piece(struct fth_pending_operation *access, uint64_t start, uint64_t length);
/* Of an operation that moved fewer bytes than it was asked to: the first ones. */
void fth_gather_shorten(struct fth_pending_operation *access, uint64_t length);
/* Where the last byte of the first `length` ones ends; of none, where they begin. */
uint64_t fth_gather_end(const struct fth_pending_operation *access, uint64_t length);
/* An access is over; an operation that does not block is put by itself. */
void fth_gather_access(struct fth_run_accesses *accesses, struct fth_access_thread *thread,
                       struct fth_pending_operation *access);
void fth_gather_operation(struct fth_run_accesses *accesses, struct fth_access_thread *thread,
                          struct fth_pending_operation *operation);
/* The thread has no more. */
void fth_gather_flush(struct fth_run_accesses *accesses, struct fth_access_thread *thread);

/* ---- process_ends.c ---- */

/* There are no more calls: what the process has left open. Before the calls are closed. */
void fth_gather_left_open(struct fth_gathering *gather, struct fth_calls *calls);

/* ---- name_calls.c ---- */

/* The call may use a name as a flag. Before any moment of the call is asked for. */
void fth_gather_name_uses(struct fth_gathering *gather, struct fth_access_thread *thread,
                          const struct fth_call *call);
/* Does a call have a path? Does it look at a file inside of one that opens it? Is it about a file
 * system, whatever the name? */
bool fth_gather_is_probe(const struct fth_access_thread *thread, uint32_t depth, uint32_t name);
bool fth_gather_has_path(const struct fth_call *call);
bool fth_gather_asks_for_file_system(const struct fth_function *function);
/* The call may change names, or look at them. */
void fth_gather_names(struct fth_gathering *gather, struct fth_access_thread *thread,
                      const struct fth_access *access);
/* Adds `touch`, of which who did it, and when, is filled in. Returns where it stands. */
size_t fth_gather_touch(struct fth_gathering *gather, struct fth_access_thread *thread,
                        const struct fth_call *call, struct fth_touch touch);

/* ---- flag_calls.c ---- */

/* The call may change, or ask for, what processes use as a flag besides names. Before any moment of
 * the call is asked for. */
void fth_gather_flags(struct fth_gathering *gather, const struct fth_access_thread *thread,
                      const struct fth_access *access);

/* ---- size_calls.c ---- */

/* What a call on an open file asks of its size, or does to it. */
void fth_gather_size(struct fth_gathering *gather, struct fth_access_thread *thread,
                     const struct fth_access *access);
/* The question for the end of the file + 1 whose answer says where the access goes; 0: none. Before
 * fth_gather_size. */
uint32_t fth_gather_sought(const struct fth_gathering *gather, const struct fth_access *access);
/* An access of the system to known bytes of an opening: it may make the file longer. */
void fth_gather_extent(struct fth_gathering *gather, struct fth_access_thread *thread,
                       const struct fth_access *access,
                       const struct fth_pending_operation *pending);

#endif
