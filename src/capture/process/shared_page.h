/* A page in the spill folder that all processes of a node share. Inner header of the capture
 * room. */
#ifndef FTH_CAPTURE_PROCESS_SHARED_PAGE_H
#define FTH_CAPTURE_PROCESS_SHARED_PAGE_H

#include "trace/record/spill.h"

/* NULL: there is no room for it. */
extern struct fth_spill_shared *fth_shared_page;

/* Of this recording; inside of fth_apart, when the spill folder is there. */
void fth_shared_page_start(void);

#endif
