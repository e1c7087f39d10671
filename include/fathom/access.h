/* <fathom/access.h>: what the calls of a trace do to bytes.
 *
 * A data call of <fathom/trace.h> says how many bytes it moved. This header says which: as ranges
 * of the file, also where the position is that of a descriptor, or a file view of MPI puts holes
 * between them. It also follows operations that do not block, from the call that started one to the
 * call that found it complete.
 *
 * `struct fth_accesses` goes through the calls of one process in order of entry, as `struct
 * fth_calls` does, and follows what it has to know: positions of descriptors, datatypes, views,
 * requests. It holds as much as the process had open. Nothing is allocated for a call that moves
 * bytes, and ranges are computed one by one when they are asked for: a call with a billion of them
 * costs no more memory than one with one.
 *
 * Thread-safety: a `struct fth_accesses` belongs to one thread. Lifetime: what an access points to
 * lives until the next one is taken. */
#ifndef FATHOM_ACCESS_H
#define FATHOM_ACCESS_H

#include <fathom/trace.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* ---- datatypes and views of MPI ---- */

enum fth_datatype_form {
    FTH_DATATYPE_NAMED, /* predefined; `name` */
    FTH_DATATYPE_CONTIGUOUS,
    FTH_DATATYPE_VECTOR,
    FTH_DATATYPE_HVECTOR,
    FTH_DATATYPE_INDEXED,
    FTH_DATATYPE_HINDEXED,
    FTH_DATATYPE_INDEXED_BLOCK,
    FTH_DATATYPE_HINDEXED_BLOCK,
    FTH_DATATYPE_STRUCT,
    FTH_DATATYPE_SUBARRAY,
    FTH_DATATYPE_DARRAY,
    FTH_DATATYPE_RESIZED,
    FTH_DATATYPE_DUP,
};

/* A datatype as the tree that it was made as. */
struct fth_datatype {
    enum fth_datatype_form form;
    const char *name; /* "MPI_INT", or "vector": the word of the catalogue for its constructor */
    /* The constructor's integers, then its arrays of integers one behind the other, each in its
     * order: for a vector count, blocklength, stride; for a subarray ndims and order, then sizes,
     * subsizes, starts. */
    size_t integer_count;
    const int64_t *integers;
    size_t part_count; /* the types that it was made of */
    const struct fth_datatype *const *parts;
    /* In bytes: its data; from its lower bound to its upper bound; where its first byte is, and
     * behind its last one. As MPI_Type_size, MPI_Type_get_extent and MPI_Type_get_true_extent give
     * them. */
    int64_t size;
    int64_t lower_bound, extent;
    int64_t true_lower_bound, true_upper_bound;
};

/* What MPI_File_set_view sets. Data are in the filetype, which is repeated from the displacement
 * on; offsets count etypes in there. */
struct fth_file_view {
    int64_t displacement; /* bytes */
    /* NULL: not known (made before the trace begins, or of numbers that cannot be) */
    const struct fth_datatype *etype, *filetype;
};

/* ---- operations that do not block ---- */

enum fth_operation_end {
    FTH_OPERATION_IN_FLIGHT, /* nothing in the trace says that it ended */
    FTH_OPERATION_COMPLETE,
    FTH_OPERATION_CANCELLED,
    FTH_OPERATION_FAILED,
};

/* A call by its name in the run: that of `fathom dump` is PROC.THREAD.NUMBER. */
struct fth_call_name {
    uint32_t thread;
    uint64_t number; /* FTH_NO_CALL: there is none */
};

/* What a call started and another one found complete: a nonblocking call of MPI or PnetCDF and its
 * wait, the halves of a split collective one, aio_write (or a control block of lio_listio) and
 * aio_return, a call of HDF5 with an event set and H5ESwait. It has begun when its first call
 * began, and was issued when that returned. */
struct fth_operation {
    size_t proc;
    uint64_t number; /* of this operation in its process, in order of begin, from 0 */
    bool reads, writes, collective; /* of HDF5 also what does neither: H5Fopen_async */
    const char *file;               /* as that of the starting call; may be NULL */
    struct fth_call_name begin;
    const struct fth_function *function;
    int64_t start, issued;
    /* calls that asked for it and found it not done */
    uint64_t tests;
    struct fth_call_name first_test, last_test;
    enum fth_operation_end how;
    struct fth_call_name completion;         /* the call that found it complete, or cancelled it */
    const struct fth_function *completed_by; /* the function of that call; NULL: there is none */
    int64_t end;                             /* of that call; of the run where there is none */
    uint64_t bytes_asked;
    /* really moved, from the status or aio_return (HDF5 and PnetCDF move all or fail); bytes_asked
     * as long as bytes_known is false */
    uint64_t bytes;
    bool bytes_known;
};

/* ---- elements of arrays: datasets of HDF5, variables of NetCDF and PnetCDF ---- */

enum fth_selection_form {
    /* `why`; or NULL where the library does not tell any: the memory of NetCDF */
    FTH_SELECTION_UNKNOWN,
    FTH_SELECTION_ALL,
    FTH_SELECTION_NOTHING,
    FTH_SELECTION_SLABS,  /* regular blocks that do not overlap */
    FTH_SELECTION_POINTS, /* in this order */
};

/* Elements of an array of `rank` dimensions, counted from 0, the last dimension running fastest, as
 * in C. */
struct fth_elements {
    enum fth_selection_form form;
    const char *why;
    unsigned rank;
    const int64_t *extent; /* of the array, `rank` numbers; NULL: not known */
    size_t count;          /* slabs or points */
    /* For each slab start, stride, count and block, `rank` numbers each: in each dimension `count`
     * blocks of `block` elements, the first at `start`, each `stride` behind the one before. A
     * count or block of -1 has no end (H5S_UNLIMITED). For each point its coordinates. */
    const int64_t *numbers;
    int64_t total; /* -1: not known, or without end */
};

/* What a call of these libraries does with one array. */
struct fth_selected {
    const char *object; /* its name in the file of the call ("/group/data"), or NULL */
    int64_t variable;   /* of NetCDF and PnetCDF: its number; else -1 */
    struct fth_elements file, memory;
};

/* ---- accesses ---- */

enum fth_access_kind {
    /* moves no bytes of a file: no data call, of a buffer, failed, or the end of another call's
     * operation */
    FTH_ACCESS_NONE,
    FTH_ACCESS_BYTES,   /* ranges are bytes of `call.file` */
    FTH_ACCESS_UNKNOWN, /* it moves bytes, and where is not known: `why` */
};

struct fth_range {
    uint64_t offset, length;
};

/* Where a call that moves bytes between two descriptors (copy_file_range, sendfile, splice) does so
 * at the second one: it reads there if `call.writes`, and writes there if not. */
struct fth_second_range {
    const char *file;       /* NULL: no second file, or not known which */
    bool known;             /* the range is */
    bool at_position;       /* it is where the second descriptor stands */
    struct fth_range range; /* its length is that of the access */
};

struct fth_access {
    struct fth_call call;
    enum fth_access_kind kind;
    const char *why; /* of an unknown one: "the file is open for appending" ... */
    /* of all its ranges; of an operation that does not block, what was asked for */
    uint64_t length;
    struct fth_second_range second;
    /* Of a call of kind seek, where it leaves the file pointer: a byte, of files of MPI an etype of
     * the view. -1: not known, or no seek */
    int64_t position;
    /* Of a call of kind lock or control on a descriptor, where that stands: locks may be counted
     * from there. -1: not known, or no such call */
    int64_t stands;
    const struct fth_file_view *view;    /* that the bytes were accessed through; or NULL */
    const struct fth_datatype *datatype; /* the first one that the call was given; or NULL */
    /* Elements that it reads or writes, of each array: of a call of HDF5, NetCDF or PnetCDF. Where
     * in the file these are is not said; the calls below tell which bytes were moved, when that is
     * done. */
    size_t selected_count;
    const struct fth_selected *selected;
    /* operations that are over with this call */
    size_t operation_count;
    const struct fth_operation *operations;
    /* A write to the end of the file, wherever that is when the call comes to it (O_APPEND); of
     * files of MPI to where the end was when the file was opened. Of an unknown one, or of one of
     * which the place is known that it found this time. */
    bool appends;
    /* Through the file pointer that processes share: as long as nobody moves it, no two accesses
     * through it have a byte in common. */
    bool by_shared_pointer;
    /* The descriptor moves on with it: at_position, it is where that stood, known or not; else
     * where it was is in the trace. */
    bool moves, at_position;
    /* Where a descriptor stands that was open when the process made another one, which may have
     * moved it since. */
    bool may_have_moved;
};

struct fth_accesses;
/* Follows `calls`, an iterator over the calls of this process from the beginning on
 * (fth_calls_open, fth_calls_with_handles), which must outlive it and which nobody else may take
 * calls from. */
struct fth_accesses *fth_accesses_open(struct fth_trace *trace, size_t proc,
                                       struct fth_calls *calls);
/* 1: *access is the next call; 0: no more; -1: *error is set. */
int fth_accesses_next(struct fth_accesses *accesses, struct fth_access *access,
                      struct fth_error **error);
/* The next range of the call that came last: true, and *range, as often as there are any. They come
 * in the order in which the call accesses them; those that touch are one. Of an access that is not
 * of kind BYTES there is none. O(height of the datatype) each. */
bool fth_accesses_range(struct fth_accesses *accesses, struct fth_range *range);
/* The ranges of the call that came last begin anew. */
void fth_accesses_rewind(struct fth_accesses *accesses);
/* The same with all bytes that it asked for: what a read got fewer of than that, it has found to be
 * behind the end of the file. */
void fth_accesses_rewind_asked(struct fth_accesses *accesses);
/* The datatype in a parameter of the call that came last; NULL: there is none, or it is not
 * known. */
const struct fth_datatype *fth_accesses_datatype(struct fth_accesses *accesses, int parameter);
/* Operations that have begun and not ended, in order of begin: at the end, those of which nothing
 * tells that they ended. */
const struct fth_operation *fth_accesses_in_flight(struct fth_accesses *accesses, size_t *count);
void fth_accesses_close(struct fth_accesses *accesses);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
