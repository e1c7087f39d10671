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

/* Of sets of kinds. */
#define FTH_WORK_BIT(kind) (1u << (kind))
/* Calls on names, attributes and handles of files: neither data nor where it stands, nor what makes it safe. */
#define FTH_WORKS_METADATA                                                                         \
    (FTH_WORK_BIT(FTH_WORK_FILE_KINDS) - 1 -                                                       \
     (FTH_WORK_BIT(FTH_WORK_READ) | FTH_WORK_BIT(FTH_WORK_WRITE) | FTH_WORK_BIT(FTH_WORK_SEEK) |   \
      FTH_WORK_BIT(FTH_WORK_SYNC) | FTH_WORK_BIT(FTH_WORK_MAP) | FTH_WORK_BIT(FTH_WORK_POLL)))

struct fth_work {
    enum fth_work_kind kind;
    bool io, messages;
    bool data;       /* reads or writes */
    bool system;     /* on a descriptor: what it moves leaves the process */
    bool buffered;   /* fills or empties a buffer of the process */
    bool stream;     /* on a stream of stdio */
    bool region;     /* of the application: its time is the program's own */
    uint16_t layer;  /* index in fth_works.layers */
    uint32_t index;  /* of the function, dense in the trace */
    int8_t paths[2]; /* parameters that are paths; -1: none */
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
void fth_works_free(struct fth_works *works);

#endif
