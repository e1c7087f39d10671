/* <fathom/access.h>: what the calls of a trace do to bytes.
 *
 * A data call of <fathom/trace.h> says how many bytes it moved. This header says which bytes, as
 * ranges of the file: also for accesses at the position of a descriptor, and through MPI file views
 * with holes. It also follows nonblocking operations, from the call that started one to the call
 * that completed it.
 *
 * `struct fth_accesses` goes through the calls of one process in order of entry, like `struct
 * fth_calls`, and follows file positions, datatypes, views and requests. Its memory is proportional
 * to what the process had open. A call that moves bytes allocates nothing, and ranges are computed
 * one by one on request: a call with a billion ranges takes no more memory than a call with one.
 *
 * Thread-safety: a `struct fth_accesses` belongs to one thread. Lifetime: what an access points to
 * is valid until the next access is taken. Errors as in <fathom/trace.h>. Times are nanoseconds
 * since the start of the run, sizes and offsets bytes, unless said otherwise. */
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

/* A datatype as the tree of its constructors. */
struct fth_datatype {
    enum fth_datatype_form form;
    const char *name; /* "MPI_INT", or "vector": the word of the catalogue for its constructor */
    /* The constructor's integers, then its arrays of integers one after another, in order: for a
     * vector count, blocklength, stride; for a subarray ndims and order, then sizes, subsizes,
     * starts. */
    size_t integer_count;
    const int64_t *integers;
    size_t part_count; /* the types that it consists of */
    const struct fth_datatype *const *parts;
    /* In bytes, as MPI_Type_size, MPI_Type_get_extent and MPI_Type_get_true_extent return them:
     * size of its data; lower bound, and distance from there to the upper bound; position of its
     * first byte, and the one after its last byte. */
    int64_t size;
    int64_t lower_bound, extent;
    int64_t true_lower_bound, true_upper_bound;
};

/* Bytes of an element of a datatype without a hole, from its origin on: places may be negative. */
struct fth_datatype_piece {
    int64_t at, length;
};

/* Sets the first pieces of one element, up to `most` of them, in the order of its type map, those
 * that touch joined; returns how many. `most` may mean that there are more. O(most + height). Does
 * not change `type`, which must be one of an access. */
size_t fth_datatype_pieces(const struct fth_datatype *type, struct fth_datatype_piece *pieces,
                           size_t most);

/* What MPI_File_set_view sets. The filetype is repeated from the displacement on, and data are in
 * it; offsets count etypes of this data. */
struct fth_file_view {
    int64_t displacement; /* bytes */
    /* NULL: unknown (made before the trace begins, or with invalid numbers) */
    const struct fth_datatype *etype, *filetype;
};

/* ---- nonblocking operations ---- */

enum fth_operation_end {
    FTH_OPERATION_IN_FLIGHT, /* the trace does not contain its end */
    FTH_OPERATION_COMPLETE,
    FTH_OPERATION_CANCELLED,
    FTH_OPERATION_FAILED,
};

/* A call by its name in the run: that of `fathom dump` is PROC.THREAD.NUMBER. */
struct fth_call_name {
    uint32_t thread;
    uint64_t number; /* FTH_NO_CALL: there is none */
};

/* An operation that one call starts and another one completes: a nonblocking call of MPI or PnetCDF
 * and its wait, the halves of a split collective call, aio_write (or a control block of lio_listio)
 * and aio_return, a call of HDF5 with an event set and H5ESwait. It begins with the entry of its
 * first call, and is issued when that returns. */
struct fth_operation {
    size_t proc;
    uint64_t number; /* of this operation in its process, in order of begin, from 0 */
    bool reads, writes, collective; /* HDF5 also has operations that do neither: H5Fopen_async */
    const char *file;               /* as that of the starting call; may be NULL */
    struct fth_call_name begin;
    const struct fth_function *function;
    int64_t start, issued;
    /* calls that tested it and found it incomplete */
    uint64_t tests;
    struct fth_call_name first_test, last_test;
    enum fth_operation_end how;
    struct fth_call_name completion;         /* the call that completed or cancelled it */
    const struct fth_function *completed_by; /* the function of that call; NULL: there is none */
    int64_t end;                             /* of that call; of the run if there is none */
    uint64_t bytes_asked;
    /* bytes moved, from the status or aio_return (HDF5 and PnetCDF move all or fail); bytes_asked
     * if bytes_known is false */
    uint64_t bytes;
    bool bytes_known;
};

/* ---- elements of arrays: datasets of HDF5, variables of NetCDF and PnetCDF ---- */

enum fth_selection_form {
    /* `why`; or NULL if the library has no such selection: the memory of NetCDF */
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
     * blocks of `block` elements, the first at `start`, each `stride` after the one before. A count
     * or block of -1 is unlimited (H5S_UNLIMITED). For each point its coordinates. */
    const int64_t *numbers;
    int64_t total; /* -1: unknown, or unlimited */
};

/* What a call of these libraries does with one array. */
struct fth_selected {
    const char *object; /* its name in the file of the call ("/group/data"), or NULL */
    int64_t variable;   /* of NetCDF and PnetCDF: its number; else -1 */
    struct fth_elements file, memory;
};

/* ---- accesses ---- */

enum fth_access_kind {
    /* moves no bytes of a file: no data call, a buffered one, a failed one, or the end of another
     * call's operation */
    FTH_ACCESS_NONE,
    FTH_ACCESS_BYTES,   /* ranges are bytes of `call.file` */
    FTH_ACCESS_UNKNOWN, /* it moves bytes at an unknown place: `why` */
};

struct fth_range {
    uint64_t offset, length;
};

/* The access to the second descriptor of a call that moves bytes between two (copy_file_range,
 * sendfile, splice): it reads there if `call.writes`, else it writes there. */
struct fth_second_range {
    const char *file;       /* NULL: no second file, or not known which */
    bool known;             /* the range is */
    bool at_position;       /* it is at the file position of the second descriptor */
    struct fth_range range; /* its length is that of the access */
};

struct fth_access {
    struct fth_call call;
    enum fth_access_kind kind;
    const char *why; /* of an unknown one: "the file is open for appending" ... */
    /* of all its ranges; of a nonblocking operation, the bytes requested */
    uint64_t length;
    struct fth_second_range second;
    /* Of a call of kind seek, the resulting file pointer: a byte, for files of MPI an etype of the
     * view. -1: unknown, or no seek */
    int64_t position;
    /* Of a call of kind lock or control on a descriptor, its file position, from which locks may be
     * counted. -1: unknown, or no such call */
    int64_t stands;
    const struct fth_file_view *view;    /* through which the bytes were accessed; or NULL */
    const struct fth_datatype *datatype; /* the first one that the call was given; or NULL */
    /* Of a call of HDF5, NetCDF or PnetCDF: the elements that it reads or writes, for each array.
     * Their place in the file is unknown; calls of lower layers show which bytes were moved, and
     * when. */
    size_t selected_count;
    const struct fth_selected *selected;
    /* operations that this call completes */
    size_t operation_count;
    const struct fth_operation *operations;
    /* A write to the current end of the file (O_APPEND); for files of MPI, to the end when the file
     * was opened. The place of this access may be known or not. */
    bool appends;
    /* A call that changes whether writes to the open file append (F_SETFL). */
    bool changes_appending;
    /* Through the shared file pointer: how many seeks and views had set it, + 1; else 0. Between
     * two of them no two accesses through it have a byte in common. */
    uint32_t by_shared_pointer;
    /* The access advances the file position. With at_position, it is at that position, known or
     * not; otherwise its place is in the trace. */
    bool moves, at_position;
    /* At the position of a descriptor that was open when the process created another one, which may
     * have moved it since. */
    bool may_have_moved;
};

struct fth_accesses;
/* Follows `calls`, an iterator over the calls of this process from the beginning (fth_calls_open,
 * fth_calls_with_handles). It must outlive the result, and nothing else may take calls from it.
 * `proc` must be the process of `calls`. Never NULL. */
struct fth_accesses *fth_accesses_open(struct fth_trace *trace, size_t proc,
                                       struct fth_calls *calls);
/* 1: *access is the next call; 0: no more; -1: the trace is damaged, and *error is set. `access`
 * must stay where it is until the next one is taken: ranges and datatypes refer to it. */
int fth_accesses_next(struct fth_accesses *accesses, struct fth_access *access,
                      struct fth_error **error);
/* Sets *range to the next range of the last call; false: there are no more. Ranges come in the
 * order of access; adjacent ones are joined. Only accesses of kind BYTES have ranges. O(height of
 * the datatype) each. */
bool fth_accesses_range(struct fth_accesses *accesses, struct fth_range *range);
/* Restarts the ranges of the last call. */
void fth_accesses_rewind(struct fth_accesses *accesses);
/* The same with all bytes requested: a read that got fewer has found the rest to be beyond the end
 * of the file. */
void fth_accesses_rewind_asked(struct fth_accesses *accesses);
/* The datatype in a parameter of the last call, by the index in function->parameters; NULL: there
 * is none, or it is unknown. It is valid until the next access is taken. */
const struct fth_datatype *fth_accesses_datatype(struct fth_accesses *accesses, int parameter);
/* Sets *count to the number of operations that have begun and not ended, and returns them in order
 * of begin. After the last call, those without an end in the trace. They are valid until the next
 * access is taken. */
const struct fth_operation *fth_accesses_in_flight(struct fth_accesses *accesses, size_t *count);
/* Does not close the iterator over the calls. NULL is allowed. */
void fth_accesses_close(struct fth_accesses *accesses);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
