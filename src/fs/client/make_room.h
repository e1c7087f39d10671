/* Room in the buffer of this client, when it is full. The caller has the lock of the client. */
#ifndef FTH_FS_MAKE_ROOM_H
#define FTH_FS_MAKE_ROOM_H

#include <stdbool.h>

/* Finds segments that nobody needs; else writes what is attached to the folder below, where it is
 * then read from; else moves what is not attached together, as nobody else may see it; else
 * attaches it, where that may be (attach_early of the client). false: errno is set, ENOSPC if all
 * of the buffer is not attached. */
bool fth_make_room(void);

#endif
