/* How each function of a trace is repeated: as it was called, in another way that does the same to
 * files, or not at all, and why. That follows from the roles of its row, never from its name. Who
 * repeats a run (replay, proxy) repeats the outermost calls of the layers that it keeps: what they
 * did inside, they do again. */
#ifndef FTH_REPEAT_WAYS_H
#define FTH_REPEAT_WAYS_H

#include "fathom/trace.h"

/* Which layers are kept. */
enum fth_repeat_layers {
    FTH_REPEAT_MPIIO, /* messages and files of MPI, streams, the system's calls outside of them */
    FTH_REPEAT_POSIX, /* streams and the system's calls, also of MPI-IO; messages */
    FTH_REPEAT_HDF5,  /* of HDF5, and outside of them as FTH_REPEAT_MPIIO */
    /* as the program makes them: also those of libraries that access files (HDF5, NetCDF) */
    FTH_REPEAT_LIBRARIES,
};

enum fth_repeat_how {
    /* its layer is not kept: calls inside of it are outermost ones */
    FTH_REPEAT_THROUGH,
    FTH_REPEAT_CALL, /* with the same arguments, handles and names being those of the repetition */
    /* bytes through a stream or descriptor in a form that depends on their contents (fgets,
     * fprintf): as many bytes are moved */
    FTH_REPEAT_MOVE,
    FTH_REPEAT_UNIQUE,     /* makes a file or folder with a name of its own (mkstemp, mkdtemp) */
    FTH_REPEAT_DUPLICATE,  /* dup and the like: the new descriptor may have any number */
    FTH_REPEAT_DESCRIPTOR, /* asks for the descriptor of a stream or folder */
    FTH_REPEAT_BEGIN,      /* begins an asynchronous operation of the system (aio_read) */
    FTH_REPEAT_END,        /* takes its result (aio_return), and waits for it first */
    /* ends requests of MPI, whichever it ended: those are waited for */
    FTH_REPEAT_COMPLETE,
    FTH_REPEAT_PROBE, /* until there is a message, if there was one */
    /* a collective call whose arrays of counts are not in the trace, or one among neighbours: a
     * barrier in its place, which is as nonblocking or persistent */
    FTH_REPEAT_MEET,
    FTH_REPEAT_FORK,    /* another process begins: with its own calls */
    FTH_REPEAT_REAP,    /* waits for the end of one */
    FTH_REPEAT_NOTHING, /* it only asks, or has no effect on a repetition */
    FTH_REPEAT_LEFT_OUT /* `why` */
};

struct fth_repeat_way {
    const struct fth_function *function;
    enum fth_repeat_how how;
    const char *why; /* of one left out: "a socket, a pipe or another object of the system" ... */
    /* it is missed also where the call around it is repeated: that does not do it again */
    bool is_missed_inside;
};

struct fth_repeat_ways;
/* Never NULL; valid as long as the trace. */
struct fth_repeat_ways *fth_repeat_ways_open(const struct fth_trace *trace,
                                             enum fth_repeat_layers layers);
/* Never NULL: a damaged trace may have calls of functions that it does not list. */
const struct fth_repeat_way *fth_repeat_way_of(const struct fth_repeat_ways *ways,
                                               const struct fth_function *function);
void fth_repeat_ways_close(struct fth_repeat_ways *ways); /* NULL is allowed */

/* Which calls of a process are outermost ones of the layers that are kept. Takes its calls in order
 * of entry (fth_calls_next); zero at first. */
struct fth_repeat_outer {
    uint32_t *inside; /* by thread: depth of the outermost kept call + 1; 0: there is none yet */
    uint32_t limit;
};
/* The way of this call; NULL: it is inside another one that is kept and does it again, or of a
 * layer that is not kept. */
const struct fth_repeat_way *fth_repeat_outermost(struct fth_repeat_outer *outer,
                                                  const struct fth_repeat_ways *ways,
                                                  const struct fth_call *call);
void fth_repeat_outer_free(struct fth_repeat_outer *outer);

#endif
