/* What sockets are connected to. Inner header of the capture room. */
#ifndef FTH_CAPTURE_CONNECTIONS_H
#define FTH_CAPTURE_CONNECTIONS_H

#include "capture/runtime.h"

bool fth_is_socket(int descriptor);
/* Notes where the connection of this socket leads, before the call at hand. False: not all of it is
 * known yet. */
bool fth_note_connection(struct fth_draft *draft, int32_t slot, int descriptor);
void fth_record_connection(struct fth_draft *draft, int32_t slot,
                           const char *text); /* recorder.c */

#endif
