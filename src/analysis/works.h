/* What functions are for, derived once from the roles that they have in the catalogue. */
#ifndef FTH_ANALYSIS_WORKS_H
#define FTH_ANALYSIS_WORKS_H

#include <fathom/trace.h>

enum fth_work_kind {
    FTH_WORK_OPEN,
    FTH_WORK_CLOSE,
    FTH_WORK_DUP,
    FTH_WORK_READ,
    FTH_WORK_WRITE,
    FTH_WORK_SEEK,
    FTH_WORK_SYNC,
    FTH_WORK_TRUNCATE,
    FTH_WORK_MAP,
    FTH_WORK_LOCK,
    FTH_WORK_CONTROL,
    FTH_WORK_POLL,
    FTH_WORK_STAT,
    FTH_WORK_NAME,
    FTH_WORK_DELETE,
    FTH_WORK_PERMISSION,
    FTH_WORK_LIST,
    FTH_WORK_VIEW,
    FTH_WORK_FILE_KINDS, /* those before are about files */
    FTH_WORK_SEND = FTH_WORK_FILE_KINDS,
    FTH_WORK_RECV,
    FTH_WORK_EXCHANGE,
    FTH_WORK_PROBE,
    FTH_WORK_START,
    FTH_WORK_WAIT,
    FTH_WORK_TEST,
    FTH_WORK_COLLECTIVE,
    FTH_WORK_RMA,
    FTH_WORK_MESSAGE_KINDS, /* those between pass messages */
    FTH_WORK_TYPE = FTH_WORK_MESSAGE_KINDS,
    FTH_WORK_COMM,
    FTH_WORK_OTHER,
};

/* What the time of a call goes to: the one division of time that all tables use. */
enum fth_activity {
    FTH_ACTIVITY_READING,
    FTH_ACTIVITY_WRITING,
    FTH_ACTIVITY_SYNCING,
    FTH_ACTIVITY_METADATA,
    /* begins I/O that goes on beside the program, asks about it, waits for it */
    FTH_ACTIVITY_ASYNC,
    FTH_ACTIVITY_IO_KINDS, /* those before are I/O */
    FTH_ACTIVITY_MESSAGES = FTH_ACTIVITY_IO_KINDS,
    /* for others: children, threads, locks that are asked for until they are there, devices, and
     * whoever is at the other end of a pipe, a socket or a terminal */
    FTH_ACTIVITY_WAITING,
    FTH_ACTIVITY_OTHER,
    FTH_ACTIVITIES,
};

/* Of sets of kinds. */
#define FTH_WORK_BIT(kind) (1u << (kind))
/* Calls on names, attributes and handles of files: neither data nor where it stands, nor what makes
 * it safe. */
#define FTH_WORKS_METADATA                                                                         \
    (FTH_WORK_BIT(FTH_WORK_FILE_KINDS) - 1 -                                                       \
     (FTH_WORK_BIT(FTH_WORK_READ) | FTH_WORK_BIT(FTH_WORK_WRITE) | FTH_WORK_BIT(FTH_WORK_SEEK) |   \
      FTH_WORK_BIT(FTH_WORK_SYNC) | FTH_WORK_BIT(FTH_WORK_MAP) | FTH_WORK_BIT(FTH_WORK_POLL)))

/* Calls that move bytes: a library may have kept some until it is asked to make them safe, or to
 * close the file. */
#define FTH_WORKS_MOVING                                                                           \
    (FTH_WORK_BIT(FTH_WORK_READ) | FTH_WORK_BIT(FTH_WORK_WRITE) | FTH_WORK_BIT(FTH_WORK_SYNC) |    \
     FTH_WORK_BIT(FTH_WORK_CLOSE))

struct fth_work {
    enum fth_work_kind kind;
    enum fth_activity activity; /* of a call on a file; on a pipe and the like it is waiting */
    bool io;                    /* about files */
    bool messages;              /* passes messages, or waits for some */
    bool data;                  /* reads or writes */
    bool system;                /* on a descriptor: what it moves leaves the process */
    bool buffered;              /* fills or empties a buffer of the process */
    bool stream;                /* on a stream of stdio */
    bool refills;               /* of a stream for macros, which move bytes without a call */
    /* makes a datatype, a communicator, a window, or opens something in a file: what may be made
     * once and used again */
    bool sets_up;
    bool region;     /* of the application: its time is the program's own */
    uint16_t layer;  /* index in fth_works.layers */
    uint32_t index;  /* of the function, dense in the trace */
    int8_t paths[2]; /* parameters that are paths; -1: none */
    /* of what makes memory that is a file safe: the parameter that says how many bytes; -1: none */
    int8_t mapped;
};

struct fth_works {
    size_t layer_count;
    const char **layers; /* in order of first appearance: the catalogue's, from the system up */
    size_t count;
    struct fth_work *list; /* by place in the trace */
    struct fth_works_place *places;
    size_t place_mask;
};

struct fth_works *fth_works_new(const struct fth_trace *trace);
const struct fth_work *fth_work_of(const struct fth_works *works,
                                   const struct fth_function *function);
/* What a call of such a function does that is about this handle; NULL: about none. */
enum fth_activity fth_activity_of(const struct fth_work *work, const struct fth_handle *handle);
void fth_works_free(struct fth_works *works);

#endif
