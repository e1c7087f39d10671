/* What is known of a process while its calls are followed: positions, views, datatypes, operations
 * in flight. Inner header of the model room. */
#ifndef FTH_MODEL_RANGES_FOLLOWING_H
#define FTH_MODEL_RANGES_FOLLOWING_H

#include "fathom/access.h"
#include "model/ranges/datatype.h"
#include "model/calls/again.h"
#include "model/reading/model.h"
#include "model/ranges/selection.h"

enum {
    FTH_FOLLOWED_NUMBERS = 1 << 20, /* descriptors and slots from 0 */
    FTH_NOWHERE = -1,               /* a position that is not known */
    FTH_NO_FIELD = -3,              /* behind FTH_RESULT and FTH_ON_STREAM */
    FTH_MOST_NEW = 3,
};

struct fth_space;

/* What an open made; descriptors that are copies of each other share one. */
struct fth_opened {
    size_t references;
    int64_t position;        /* bytes, in files of MPI etypes */
    int64_t shared_position; /* of the file pointer that processes share */
    bool appends;
    bool was_there;   /* no call was seen to open it: others may have it, and move it */
    bool is_reported; /* the trace records where it stands, where that is not expected */
    /* of files of MPI: nothing has moved the pointer from the end of the file but writes */
    bool at_end;
    uint32_t settings; /* of the shared pointer: how many seeks and views have set it */
    bool alone;        /* no other process has it open with this one */
    uint64_t children; /* of the process, when it was opened */
    struct fth_file_view view;
    struct fth_made_datatype *etype, *filetype;
    struct fth_in_flight *split; /* the split collective operation that has begun */
};

/* What a number or slot stands for, by class: a struct fth_opened, fth_made_datatype, fth_in_flight
 * or fth_space. */
struct fth_followed {
    void **at;
    uint32_t room;
};

/* What a function means here, derived from its row once; numbers are those of parameters,
 * FTH_RESULT, or FTH_NO_FIELD. */
struct fth_range_semantics {
    bool ready;
    const struct fth_row *row;
    const struct fth_meaning *meaning;
    struct { /* of files; the class of each, and the pointer to the position in it, right behind */
        int file, file_class;   /* of the file that it is about */
        int other, other_class; /* a second one */
        int file_at, other_at;  /* pointers to the positions in them, right behind */
        int made, made_class;   /* file handle */
        int given_up;           /* file handle */
    } handles;
    struct { /* where it accesses, and how much */
        int offset, view, distance, position, pointed, count, aio;
    } place;
    int comm, datatype;
    struct { /* of descriptors */
        int flags;
        int64_t append; /* the flag */
        /* fcntl: its argument, and the commands that set flags with it and that copy the
         * descriptor */
        bool sets_flags;
        int argument;
        int64_t set_command, copy_commands[2];
    } control;
    bool is_mpi, opens, dups, seeks, locks, makes_process, sets_view, gets_view, builds, frees_type;
    enum fth_datatype_form form;
    struct { /* of requests */
        int handle, outs[2], indices, codes, status;
        int aio_list, event_set;
        int out_count;
        bool starts, asks, waits, cancels, ends;
    } request;
    struct {                                                /* libraries with arrays */
        unsigned space_operation;                           /* enum fth_space_operation */
        int dataset, memory_space, file_space;              /* of HDF5 */
        int variable, starts, counts, strides, block_count; /* of NetCDF and PnetCDF */
    } array;
};

struct fth_in_flight {
    struct fth_operation operation;
    char *file;
    int request_class; /* and the request in it; -1: it has none */
    int64_t request;
    int64_t about;     /* the file handle that it was made with: PnetCDF numbers requests by file */
    int64_t event_set; /* or the event set that it is in; FTH_NOWHERE: none */
    struct fth_opened *split_of; /* or the file whose split operation it is */
    int64_t aio[3];              /* or descriptor, offset, bytes */
    bool is_aio, found; /* found: a call said that it is over, but not with how many bytes */
};

/* A handle that a call will have made when it is over. */
struct fth_coming {
    int64_t end;
    uint32_t thread, depth;
    int handle_class;
    int64_t number;
    void *what;
};

struct fth_accesses {
    struct fth_calls *calls;
    const struct fth_trace *trace;
    const struct fth_model_process *process;
    size_t proc;
    /* functions, or short calls, were left out of the recording: what it has need not be all that
     * happened to a handle */
    bool leaves_out;
    uint64_t children;                           /* processes that this one has made so far */
    int64_t flag_to_append;                      /* O_APPEND */
    struct fth_range_semantics *semantics_table; /* by function */
    struct fth_followed *followed;               /* by class */
    struct {                                     /* of handles; -1: there is none */
        int file, descriptor, datatype;
        int space; /* of dataspaces, and of datasets; or -1 */
    } classes;
    struct { /* elements that the present call selects */
        bool left_out;
        struct fth_selected *selected;
        size_t selected_count;
        struct fth_made_selection **shown;
        size_t shown_count;
        struct fth_selection_means means;
    } selection;
    struct fth_access *access; /* that is being made */
    struct {                   /* handles of calls that are not over */
        struct fth_coming *coming;
        size_t count;
        uint32_t limit;
    } arrivals;
    uint64_t type_numbers; /* in all datatypes that are alive */
    struct {               /* predefined types whose handles name others now: whoever asked for one
                              has it until the next access */
        struct fth_made_datatype **types;
        size_t count;
    } replaced;
    /* the ranges of the present call */
    struct fth_layout_walk walk;
    struct {
        const struct fth_layout *tile; /* NULL: one piece at `at` */
        int64_t at, extent, skip;
    } ranges;
    struct { /* that are asynchronous */
        struct fth_in_flight **in_flight;
        size_t in_flight_count;
        struct fth_operation *shown; /* of those in flight */
        struct fth_in_flight **over; /* with the present call */
        size_t over_count;
        struct fth_in_flight **changed; /* with the present call (changed_operations.h) */
        size_t changed_count;
        struct fth_operation *given;
        uint64_t count;
    } operations;
    struct fth_turns *turns; /* of `calls`; NULL: nobody asked for them */
    struct fth_round_listener round_listener;
};

/* The value of a field; NULL: it has none. */
const struct fth_value *fth_value_of(const struct fth_call *call, int field);
/* Of a single handle or integer; FTH_NOWHERE: there is none. */
int64_t fth_number_of(const struct fth_call *call, int field);
/* The datatype that a field is; NULL: not known. */
struct fth_made_datatype *fth_datatype_of(struct fth_accesses *accesses,
                                          const struct fth_call *call, int field);
/* From the end of the present call on this stands at a number. */
void fth_following_made(struct fth_accesses *accesses, int class_index, int64_t number, void *what);
/* What stands at a number; NULL: nothing that is known. */
void *fth_followed_at(const struct fth_accesses *accesses, int class_index, int64_t number);
/* Puts something there; what was there is the caller's. */
void fth_following_drop_replaced(struct fth_accesses *accesses);
void *fth_followed_put(struct fth_accesses *accesses, int class_index, int64_t number, void *what);
/* The file that the call is about; NULL: not known. */
struct fth_opened *fth_opened_of(const struct fth_accesses *accesses,
                                 const struct fth_range_semantics *semantics,
                                 const struct fth_call *call);

/* A descriptor that no call was seen to open, but its flags are known, or where it stands. NULL:
 * there is no such number, or neither is known. */
struct fth_opened *fth_following_found(struct fth_accesses *accesses,
                                       const struct fth_range_semantics *semantics);
/* The second file of the call; NULL: not known. */
struct fth_opened *fth_following_other(struct fth_accesses *accesses,
                                       const struct fth_range_semantics *semantics);
void fth_opened_drop(struct fth_opened *opened); /* NULL is allowed */

/* Calls that were over before this one began, or that it cannot be inside of, have made what they
 * make. */
void fth_following_arrivals(struct fth_accesses *accesses, const struct fth_call *call);
/* What a call that did not fail does to handles, views and datatypes. */
void fth_following_handles(struct fth_accesses *accesses,
                           const struct fth_range_semantics *semantics, struct fth_opened *opened);
void fth_following_free_handles(struct fth_accesses *accesses);

/* What the call does to operations. `opened`: the file that it is about, or NULL. */
void fth_following_operations(struct fth_accesses *accesses,
                              const struct fth_range_semantics *semantics,
                              struct fth_opened *opened);
/* What the call before did is forgotten; those that were over with it are gone. */
void fth_following_forget_operations(struct fth_accesses *accesses);
void fth_following_free_operations(struct fth_accesses *accesses);

/* O_APPEND. */
int64_t fth_flag_to_append(const struct fth_catalog *catalog);
/* Fills in a semantics; fth_range_semantics_of makes it when it is asked for first. */
const struct fth_range_semantics *fth_range_semantics_of(struct fth_accesses *accesses,
                                                         const struct fth_call *call);

#endif
