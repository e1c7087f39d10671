/* Children of a process in its scripts: each begins where the call that made it stands, and is over
 * before the call that waited for it, whatever the times are. Inner header of the repeat room. */
#ifndef FTH_REPEAT_CHILDREN_H
#define FTH_REPEAT_CHILDREN_H

#include "repeat/script/encoder.h"

struct fth_repeat_children {
    bool *begun, *ended; /* by process */
    /* of the process that is being written */
    struct fth_keyed of_streams; /* of int64_t: child + 1, by slot of the stream (popen) */
    size_t next;                 /* no earlier one has yet to begin by its time alone */
    uint32_t thread;             /* that last made one */
};

void fth_repeat_children_open(struct fth_repeat_children *children, size_t processes);
void fth_repeat_children_close(struct fth_repeat_children *children);
/* The calls of encoder->proc come. */
void fth_repeat_children_start(struct fth_repeat_children *children,
                               const struct fth_encoder *encoder);

/* The child that this call made, and its end, if the call waited for that (system, pclose). */
void fth_repeat_children_made(struct fth_repeat_children *children, struct fth_encoder *encoder,
                              const struct fth_call *call);
/* Those that no known call made, and that had begun by then, ns. They inherit what there is. */
void fth_repeat_children_until(struct fth_repeat_children *children, struct fth_encoder *encoder,
                               int64_t time);
/* The end of the child that this call waited for. */
void fth_repeat_children_reaped(struct fth_repeat_children *children, struct fth_encoder *encoder,
                                const struct fth_call *call);

#endif
