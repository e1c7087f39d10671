/* Descriptors come and go. */
#ifndef FTH_PREFIX_DESCRIPTORS_H
#define FTH_PREFIX_DESCRIPTORS_H

#include "prefix/descriptor_table.h"
#include "prefix/prefix.h"

/* A descriptor was opened, or came from somewhere: is it one of ours? `truncated`: its file was cut
 * off as it was opened. Returns the descriptor, or -1 with errno where it cannot be used. */
int fth_prefix_adopt(int descriptor, bool truncated);
/* `copy` is another descriptor of what `descriptor` is of. */
void fth_prefix_copied(int descriptor, int copy);
/* The descriptor is about to be closed. -1: what was written to it could not be attached. */
int fth_prefix_closes(int descriptor);
/* All descriptors that this program was started with. */
void fth_prefix_adopt_inherited(void);

#endif
