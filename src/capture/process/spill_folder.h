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

/* ---- small files ---- */

/* They are made in memory as long as so many bytes are free there. */
void fth_spill_uses_memory(uint64_t least_free);

enum fth_spill_place { FTH_SPILL_IN_MEMORY, FTH_SPILL_ON_DISK, FTH_SPILL_PLACES };

/* As fth_spill_open, in this place; -1 also where small files are not in memory, or it is short
 * there. */
int fth_spill_open_in(enum fth_spill_place place, const char *name, int flags, int *error);
void fth_spill_remove_from(enum fth_spill_place place, const char *name);

#endif
