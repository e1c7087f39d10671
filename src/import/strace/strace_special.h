/* System calls that are taken in a way of their own. Inner header of the importer. */
#ifndef FTH_IMPORT_STRACE_STRACE_SPECIAL_H
#define FTH_IMPORT_STRACE_STRACE_SPECIAL_H

#include "import/strace/strace_log.h"

enum fth_strace_special {
    FTH_STRACE_PLAIN,
    FTH_STRACE_IGNORED,  /* it ends a thread, or does nothing */
    FTH_STRACE_CREATES,  /* a process or thread */
    FTH_STRACE_EXECUTES, /* a program */
    FTH_STRACE_ENDS,     /* the process */
    FTH_STRACE_STATS,    /* newfstatat: of a descriptor, where its path is empty */
    FTH_STRACE_OPENS_HOW,
    FTH_STRACE_WAITS_ID,
    FTH_STRACE_SETS_DEATH_SIGNAL,
    FTH_STRACE_KILLS,
    FTH_STRACE_ASKS_READY, /* poll, select and their like */
    FTH_STRACE_WAITS_SIGNAL,
    FTH_STRACE_OPENS,
    FTH_STRACE_OPENS_QUEUE,
    FTH_STRACE_USES_QUEUE,
};

enum { FTH_STRACE_QUEUE = 24 }; /* the number of a message queue as text */

/* Puts the parameters as the function has them, and says which one it is. `queue`: room for its
 * number. False: the call is not kept. */
bool fth_strace_prepare(struct fth_strace_log *log, const struct fth_strace_thread *thread,
                        struct fth_strace_call *call, char queue[FTH_STRACE_QUEUE],
                        uint32_t *function);

#endif
