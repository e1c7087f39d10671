/* The folder of spill files. Every function leaves errno alone. Inner header of the
 * capture room. */
#ifndef FTH_CAPTURE_PROCESS_SPILL_FOLDER_H
#define FTH_CAPTURE_PROCESS_SPILL_FOLDER_H

#include "interpose/interpose.h"

enum { FTH_LONGEST_SPILL = 1024 }; /* bytes of its path, with the zero behind it */

/* Its path is absolute. False: that is too long. */
bool fth_spill_here(const char *folder);
const char *fth_spill_folder(void) FTH_PUBLIC;
/* The program's root is about to change: from now on spill files are reached without their path. It
 * has not changed after all. */
void fth_spill_hold_folder(void);
void fth_spill_let_folder_go(void);
/* Opens a file of the spill, inside of fth_apart; -1 on failure, then *error. */
int fth_spill_open(const char *name, int flags, int *error) FTH_PUBLIC;

#endif
