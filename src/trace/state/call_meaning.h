/* What a function's row in the catalogue means for the values of its calls: where the handle, the
 * bytes, the offset stand. */
#ifndef FTH_TRACE_STATE_CALL_MEANING_H
#define FTH_TRACE_STATE_CALL_MEANING_H

#include "catalog/values.h"
#include "trace/record/traced_process.h"

/* A path among the values; -1: none. */
struct fth_path_meaning {
    int value, directory; /* slot that it is relative to */
    int directory_class;
};

/* Where things stand in the values of a function's calls; -1: nowhere. Derived from its row
 * once. */
struct fth_meaning {
    const struct fth_row *row;
    bool ready;
    struct { /* of the tracer */
        /* a note of the tracer (fathom.calls, contents.calls); which one */
        bool any, binds, cwd, stood;
    } note;
    bool reads, writes, opens, advances;
    bool buffered; /* bytes moved are not yet those of the file */
    bool starts,
        /* a data call that ends later: its bytes are those asked for; or are known at the end of a
         * split call */
        begins;
    int value_count;
    struct fth_value_plan plan[FTH_MOST_VALUES];
    uint32_t steppable; /* bits of the values that can be steps */
    struct {
        int handle, handle_class; /* of the file that the call is about */
        int other,
            /* of a second one, if the call copies between two: what it reads from one goes to the
             * other */
            other_class;
        struct fth_path_meaning path, second_path; /* second_path: of a call that has two */
    } about;
    struct {                                    /* bytes asked for */
        int bytes, size, items, count, element; /* what was asked for */
        bool one_byte;
    } asked;
    int whence, moved, result;
    int mapping, protection; /* flags of a call that maps a file to memory */
    int view;                /* position in a file view */
    int completes; /* of a call that asks whether something is complete: what it said; 0 is no */
    enum {
        FTH_AIO_NONE,
        /* asynchronous I/O of POSIX: of the control block in `handle`, or of those in `blocks` */
        FTH_AIO_BEGINS,
        FTH_AIO_ENDS, /* reports what became of it */
    } aio;
    int blocks, blocks_class; /* a list of control blocks; the class of their slots */
    int step_count;           /* values that are predicted or move a cursor, in order */
    uint8_t steps[FTH_MOST_VALUES];
    int name_count; /* values that are names or lists */
    uint8_t names[FTH_MOST_VALUES];
};

struct fth_meaning *fth_meanings_new(const struct fth_catalog *catalog);
/* Those of the built-in catalogue, of which a run uses few: a function's is there once it has been
 * asked for by fth_builtin_meaning. Not for several threads at a time. */
struct fth_meaning *fth_builtin_meanings(void);
const struct fth_meaning *fth_builtin_meaning(uint32_t function);
/* The same, of a table of its own, to be freed: for a thread beside others. */
struct fth_meaning *fth_builtin_meanings_new(void);
const struct fth_meaning *fth_builtin_meaning_in(struct fth_meaning *meanings, uint32_t function);

/* Bytes asked for. */
static inline int64_t fth_bytes_asked(const struct fth_meaning *meaning, const int64_t *values)
{
    if (meaning->asked.bytes >= 0)
        return values[meaning->asked.bytes];
    if (meaning->asked.size >= 0 && meaning->asked.items >= 0)
        return (int64_t)((uint64_t)values[meaning->asked.size] *
                         (uint64_t)values[meaning->asked.items]);
    if (meaning->asked.count >= 0 && meaning->asked.element >= 0 &&
        (meaning->reads || meaning->writes))
        return (int64_t)((uint64_t)values[meaning->asked.count] *
                         (uint64_t)values[meaning->asked.element]);
    return meaning->asked.one_byte ? 1 : 0;
}

/* Does this value stand in an aiocb? */
static inline bool fth_offset_is_of_aio(const struct fth_meaning *meaning, int offset)
{
    return offset >= 0 && meaning->row->fields[meaning->plan[offset].field].role == FTH_ROLE_AIO;
}

/* Bytes asked for by the access at an offset: in an aiocb they stand behind it. */
static inline int64_t fth_bytes_asked_at(const struct fth_meaning *meaning, const int64_t *values,
                                         int offset)
{
    return fth_offset_is_of_aio(meaning, offset) ? values[offset + 1]
                                                 : fth_bytes_asked(meaning, values);
}

bool fth_call_failed(const struct fth_meaning *meaning, const int64_t *values);
/* Bytes moved: values[meaning->moved] is resolved to them; those asked for when the call is
 * nonblocking; 0 for other calls and failures. */
uint64_t fth_call_bytes(const struct fth_meaning *meaning, const int64_t *values);
/* False: it asks for elements of a size that is not known, or for no number of bytes. */
bool fth_bytes_asked_are_known(const struct fth_meaning *meaning, const int64_t *values);
/* False: it is no data call, or its 0 bytes mean that nobody knows. */
bool fth_call_bytes_are_known(const struct fth_meaning *meaning, const int64_t *values);

/* Does a call of this signature say that nothing is complete yet? It is made again and again
 * then. */
bool fth_call_waits(const struct fth_meaning *meaning, const struct fth_signature *signature);
/* Makes of the signature of a call that found something complete that of one that did not. False:
 * it is none, or it cannot be known. */
bool fth_call_would_wait(const struct fth_meaning *meaning, const struct fth_signature *signature,
                         struct fth_signature *waiting);

#endif
