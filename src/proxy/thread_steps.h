/* What orders a thread of the program, as steps between its calls. Inner header of the proxy
 * room. */
#ifndef FTH_PROXY_THREAD_STEPS_H
#define FTH_PROXY_THREAD_STEPS_H

#include "proxy/kept_calls.h"

/* The next step of the thread that is read, before the call that comes, or, behind its last one,
 * before the end. True: kept->reading is of it. */
bool fth_thread_step_next(struct fth_proxy_calls *kept, bool is_over);

#endif
