/* What shared.c finds, while it reads the calls of a run. Inner header of the order room. */
#ifndef FTH_ORDER_BUILD_SHARED_FINDING_H
#define FTH_ORDER_BUILD_SHARED_FINDING_H

#include "base/intern.h"
#include "order/build/shared.h"

/* A process that another one has stopped, and not let go on yet. */
struct fth_stopped {
    size_t proc;
    int64_t from;
};

struct fth_shared_finding {
    struct fth_trace *trace;
    struct fth_shared *shared;
    struct fth_intern names;  /* of things */
    struct fth_intern pairs;  /* of a thing and a process: of shared->shares, by number */
    struct fth_intern viewed; /* names of files that are mapped to be read */
    size_t proc;
    bool counts;                 /* calls that count are recorded */
    bool refused;                /* somebody wanted an address that another one had */
    bool notifies;               /* somebody is notified of messages that it does not receive */
    bool unprotects;             /* what is mapped to be read may be made writable */
    struct fth_stopped *stopped; /* by the process that is read */
    size_t stopped_count;
};

/* A process has a thing of this name, unique in the run; for people it is called by the text. */
void fth_shared_add(struct fth_shared_finding *finding, const char *name, const char *text,
                    struct fth_shared_thing share);

/* ---- shared_views.c ---- */

/* The name of the thing that a file is where it is mapped. */
void fth_shared_name_memory(char name[static 5000], const char *host, const char *path);
/* The process has mapped the file to read it. */
void fth_shared_view(struct fth_shared_finding *finding, const char *path, int64_t from);
/* When all processes are read. */
void fth_shared_find_writers(struct fth_shared_finding *finding);

/* ---- shared_notices.c ---- */

/* What a call that has returned without an error tells another process, or this one. */
void fth_shared_signal_to(struct fth_shared_finding *finding, const struct fth_call *call);
/* A signal to the process itself. */
void fth_shared_stop(struct fth_shared_finding *finding, const struct fth_call *call);
void fth_shared_end_of(struct fth_shared_finding *finding, const struct fth_call *call);
void fth_shared_end_of_parent(struct fth_shared_finding *finding, const struct fth_call *call);
void fth_shared_notice(struct fth_shared_finding *finding, const struct fth_call *call);
/* It reads or writes the memory of another process, or may; or stops it, or lets it go on. */
void fth_shared_visit(struct fth_shared_finding *finding, const struct fth_call *call);
void fth_shared_visit_to(struct fth_shared_finding *finding, size_t other, int64_t from);
/* One that found no such process. */
void fth_shared_looked_for(struct fth_shared_finding *finding, const struct fth_call *call);
/* This process learns of the end of process number `other`, at that time. */
void fth_shared_end(struct fth_shared_finding *finding, size_t other, const char *text,
                    int64_t from);
/* It looked in /proc for that process, or opened its memory there. */
void fth_shared_looked_at(struct fth_shared_finding *finding, int64_t pid, bool is_memory);
/* No more calls of this process. */
void fth_shared_end_signals(struct fth_shared_finding *finding);

#endif
