/* The data calls of one layer, numbered for each process from 0 in order of entry, each with the
 * time that it spent in every layer below and with its subcalls: data calls inside of it on
 * descriptors. They are handed on when they are over.
 *
 * Inclusive time of a layer in a call: the sum of the calls of this layer in it that are not inside
 * another one of the same layer. They follow one another, as fragments do. Exclusive time: that of
 * its calls without that of the calls directly inside. Calls that other threads make for it are not
 * below it. */
#ifndef FTH_ANALYSIS_NUMBERED_H
#define FTH_ANALYSIS_NUMBERED_H

#include "analysis/select/select.h"
#include "analysis/calls/call_classes.h"
#include "base/progress.h"

struct fth_layer_time {
    int64_t inclusive, exclusive;
    uint64_t calls;
};

struct fth_subcall {
    int64_t start, end;
    uint64_t bytes; /* 0: not known */
    const struct fth_function *function;
    const char *file;       /* or NULL; as long as the call is handed on */
    int64_t server_process; /* that served it, -1: a call of the process itself */
};

/* A call of a probe inside that sent a request to a server. */
struct fth_sent_request {
    int64_t identity;
    uint16_t layer, system_layer;
    int64_t in_system; /* ns of calls of the system inside of it */
};

struct fth_numbered_call {
    size_t proc;
    uint64_t id; /* in its process */
    const struct fth_function *function;
    int64_t start, end;
    bool collective;
    bool selected;                 /* by --where, or in the segment */
    int64_t messages;              /* ns of calls that pass messages, inside */
    uint32_t layer;                /* index in the layers of the classes */
    struct fth_layer_time *layers; /* one for each of them */
    uint32_t subcall_count;
    struct fth_subcall *subcalls;
    uint32_t sent_count;
    struct fth_sent_request *sent;
    int64_t identity; /* of the request that it serves */
    uint64_t bytes;   /* 0: not known */
};

/* The lowest layer with data calls above the system's; if there is none, that of the system. NULL:
 * the run has no data calls. */
const char *fth_numbered_layer(const struct fth_trace *trace,
                               const struct fth_call_classes *classes);

/* Of which calls: in the lines of a file, or in a region (last 0). NULL: of all. */
struct fth_segment {
    const char *name;
    int64_t first, last;
};

struct fth_numbering {
    struct fth_trace *trace;
    /* its --where says which calls are selected; all are numbered */
    const struct fth_selection *selection;
    const struct fth_call_classes *classes;
    const char *layer;
    bool served; /* instead of those of a layer: calls that serve a request */
    const struct fth_segment *segment;
    struct fth_progress *progress; /* or NULL */
    void (*take)(void *context, const struct fth_numbered_call *call);
    void *context;
};
int fth_analysis_number(const struct fth_numbering *numbering, struct fth_error **error);

#endif
