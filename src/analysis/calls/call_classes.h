/* What functions are for, derived once from the roles that they have in the catalogue. */
#ifndef FTH_ANALYSIS_CALL_CLASSES_H
#define FTH_ANALYSIS_CALL_CLASSES_H

#include <fathom/trace.h>

enum fth_call_class_kind {
    FTH_CALLS_OPEN,
    FTH_CALLS_CLOSE,
    FTH_CALLS_DUP,
    FTH_CALLS_READ,
    FTH_CALLS_WRITE,
    FTH_CALLS_SEEK,
    FTH_CALLS_SYNC,
    FTH_CALLS_TRUNCATE,
    FTH_CALLS_MAP,
    FTH_CALLS_LOCK,
    FTH_CALLS_CONTROL,
    FTH_CALLS_POLL,
    FTH_CALLS_STAT,
    FTH_CALLS_NAME,
    FTH_CALLS_DELETE,
    FTH_CALLS_PERMISSION,
    FTH_CALLS_LIST,
    FTH_CALLS_VIEW,
    FTH_CALLS_FILE_KINDS, /* those before are about files */
    FTH_CALLS_SEND = FTH_CALLS_FILE_KINDS,
    FTH_CALLS_RECV,
    FTH_CALLS_EXCHANGE,
    FTH_CALLS_PROBE,
    FTH_CALLS_START,
    FTH_CALLS_WAIT,
    FTH_CALLS_TEST,
    FTH_CALLS_COLLECTIVE,
    FTH_CALLS_RMA,
    FTH_CALLS_MESSAGE_KINDS, /* those between pass messages */
    FTH_CALLS_TYPE = FTH_CALLS_MESSAGE_KINDS,
    FTH_CALLS_COMM,
    FTH_CALLS_OTHER,
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
#define FTH_CALLS_BIT(kind) (1u << (kind))
/* Calls on names, attributes and handles of files: neither data nor where it stands, nor what makes
 * it safe. */
#define FTH_CLASSES_METADATA                                                                       \
    (FTH_CALLS_BIT(FTH_CALLS_FILE_KINDS) - 1 -                                                     \
     (FTH_CALLS_BIT(FTH_CALLS_READ) | FTH_CALLS_BIT(FTH_CALLS_WRITE) |                             \
      FTH_CALLS_BIT(FTH_CALLS_SEEK) | FTH_CALLS_BIT(FTH_CALLS_SYNC) |                              \
      FTH_CALLS_BIT(FTH_CALLS_MAP) | FTH_CALLS_BIT(FTH_CALLS_POLL)))

/* Calls that move bytes: a library may have kept some until it is asked to make them safe, or to
 * close the file. */
#define FTH_CLASSES_MOVING                                                                         \
    (FTH_CALLS_BIT(FTH_CALLS_READ) | FTH_CALLS_BIT(FTH_CALLS_WRITE) |                              \
     FTH_CALLS_BIT(FTH_CALLS_SYNC) | FTH_CALLS_BIT(FTH_CALLS_CLOSE))

struct fth_call_class {
    enum fth_call_class_kind kind;
    enum fth_activity activity; /* of a call on a file; on a pipe and the like it is waiting */
    bool io;                    /* about files */
    bool messages;              /* passes messages, or waits for some */
    bool data;                  /* reads or writes */
    bool empties;               /* a call of the system by which streams empty their buffers */
    bool system;                /* on a descriptor: what it moves leaves the process */
    bool buffered;              /* fills or empties a buffer of the process */
    /* of probes: which parameter is the number of the request that the call sends, or serves; -1 */
    int8_t sends, serves;
    bool stream;  /* on a stream of stdio */
    bool refills; /* of a stream for macros, which move bytes without a call */
    /* makes a datatype, a communicator, a window, or opens something in a file: what may be made
     * once and used again */
    bool sets_up;
    bool gives_tuned_hint; /* model/reading/given_hints.h */
    bool may_wait;         /* for whoever is at the other end of a pipe, a socket or a terminal */
    bool region;           /* of the application: its time is the program's own */
    uint16_t layer;        /* index in fth_call_classes.layers */
    uint32_t index;        /* of the function, dense in the trace */
    uint8_t path_count;    /* parameters that are paths, at most 2 */
    bool reopens;          /* gives what is open already another handle (fdopen) */
    /* of what makes memory that is a file safe: the parameter that says how many bytes; -1: none */
    int8_t mapped;
};

struct fth_call_classes {
    size_t layer_count;
    const char **layers; /* in order of first appearance: the catalogue's, from the system up */
    size_t count;
    struct fth_call_class *list; /* by place in the trace */
    /* of them: what they are on a handle that no file is behind (fth_call_class_for) */
    struct fth_call_class *fileless;
    /* and each as one of the reads [0] or writes [1] that a call starts at once (lio_listio) */
    struct fth_call_class *parts[2];
    struct fth_call_classes_place *places;
    size_t place_mask;
};

struct fth_call_classes *fth_call_classes_new(const struct fth_trace *trace);
const struct fth_call_class *fth_call_class_of(const struct fth_call_classes *classes,
                                               const struct fth_function *function);
/* Of a call: functions of libraries that close whatever they are given (H5Idec_ref), or count who
 * uses it, have nothing to do with files where that is a dataspace or a list of properties. */
const struct fth_call_class *fth_call_class_for(const struct fth_call_classes *classes,
                                                const struct fth_call *call);
/* What the time of a call goes to, which is of this class. */
enum fth_activity fth_activity_of(const struct fth_trace *trace, const struct fth_call_class *class,
                                  const struct fth_call *call);
/* Is such a call work of a thread? Threads that the MPI library has started, and that do none, wait
 * for events in calls that are not recorded: only the time of their calls is known. `to_others`: it
 * is on what meets others. */
bool fth_activity_is_work(const struct fth_call_class *class, enum fth_activity activity,
                          bool to_others);
void fth_call_classes_free(struct fth_call_classes *classes);

#endif
