/* Whose process is this? Inner header of the capture room. */
#ifndef FTH_CAPTURE_WRAP_FORK_H
#define FTH_CAPTURE_WRAP_FORK_H

#include <stdbool.h>

/* True: fth_process describes the process that runs. A forked child that has made no call yet
 * starts its recording here; a vforked one never has any. */
bool fth_process_is_recorded(void);

#endif
