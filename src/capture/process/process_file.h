/* The file of this process in the spill folder. Inner header of the capture room. */
#ifndef FTH_CAPTURE_PROCESS_PROCESS_FILE_H
#define FTH_CAPTURE_PROCESS_PROCESS_FILE_H

#include "interpose/interpose.h"
#include "trace/record/spill.h"

/* What the environment asks for that the file says; the program may change its environment. */
void fth_process_file_settings(void);
/* Makes it, and fth_process of it. `forked_from`: image of the parent, or of the program before
 * this one; `forked_at`: when it was forked, all 0 if that is not known, or NULL: it was not;
 * `parent`: who forked it, if that is known. False: there is none, then *error (an errno), or its
 * calls are counted elsewhere (unkept_calls.h). */
bool fth_process_file_make(uint64_t forked_from, const struct fth_spill_anchor *forked_at,
                           struct fth_spill_process *parent, int *error);
/* The arguments of main, as the loader hands them to constructors, before the program runs. */
void fth_process_started_with(int count, char **arguments);
/* The image that this process is, or, in a child that has no file yet, that of its parent. */
uint64_t fth_process_image(void);
/* Brings the anchor of the clock in it up to date. */
void fth_process_touch(void) FTH_PUBLIC;
/* It has been copied to where the spill folder is now: goes on in the copy. */
bool fth_process_remap(void);
/* "IMAGE.N" and an ending: how files of a stream of this process are called. */
enum { FTH_LONGEST_STREAM_NAME = 64 };
void fth_name_stream_file(char *name, unsigned number, const char *ending);

#endif
