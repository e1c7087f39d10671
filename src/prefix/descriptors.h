/* Descriptors come and go. */
#ifndef FTH_PREFIX_DESCRIPTORS_H
#define FTH_PREFIX_DESCRIPTORS_H

#include "prefix/descriptor_table.h"
#include "prefix/prefix.h"

/* Is the file of a descriptor that was opened cut off? */
enum fth_prefix_cut {
    FTH_NOT_CUT,
    FTH_IS_CUT, /* the system has done it */
    FTH_TO_CUT, /* it is wanted, and is not done yet */
};

/* A descriptor was opened, or came from somewhere: is it one of ours? FTH_TO_CUT is done also where
 * it is not, and not before the file has been taken. Returns the descriptor, or -1 with errno where
 * it cannot be used, and is closed. */
int fth_prefix_adopt(int descriptor, enum fth_prefix_cut cut);
/* The same of a file that was opened with these flags by its path from the folder below, without
 * links: nothing of that is asked for again. */
int fth_prefix_adopt_below(int descriptor, const char *name, int flags, enum fth_prefix_cut cut);
/* `copy` is another descriptor of what `descriptor` is of. */
void fth_prefix_copied(int descriptor, int copy);
/* The descriptor is about to be closed. -1: what was written to it could not be attached. */
int fth_prefix_closes(int descriptor);
/* All descriptors that this program was started with. */
void fth_prefix_adopt_inherited(void);

#endif
