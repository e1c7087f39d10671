/* What sockets are connected to. Inner header of the capture room. */
#ifndef FTH_CAPTURE_FOLLOW_CONNECTED_SOCKETS_H
#define FTH_CAPTURE_FOLLOW_CONNECTED_SOCKETS_H

#include "capture/record/runtime.h"

bool fth_is_socket(int descriptor);
/* Notes where the connection of this socket leads, before the call at hand. False: not all of it is
 * known yet. */
bool fth_note_connection(struct fth_draft *draft, int32_t slot, int descriptor);

#endif
