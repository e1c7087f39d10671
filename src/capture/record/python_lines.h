/* Where in a Python program a call is made, for `fathom record --lines`: what the thread executes
 * is read from the structures of CPython. Inner header of the capture room. */
#ifndef FTH_CAPTURE_RECORD_PYTHON_LINES_H
#define FTH_CAPTURE_RECORD_PYTHON_LINES_H

#include "capture/record/runtime.h"
#include "interpose/reach/loaded_objects.h"

/* Is there a Python interpreter in this process, whose structures are known? */
extern bool fth_python_is_known;
/* Looks for one. One thread at a time. */
void fth_python_look(const struct fth_objects *objects);

/* What this thread executes: a number that is the same for the same lines. 0: no Python, or nobody
 * knows. `place` holds as long as the call. `may_interrupt`: a signal handler may make such a
 * call. */
uint64_t fth_python_place(struct fth_python_place *place, bool may_interrupt);
/* Path of the file, a zero, "python " and the lines as they are shown. Returns its length. `to` has
 * FTH_LONGEST_TEXT bytes. */
size_t fth_python_place_text(const struct fth_python_place *place, char *to);

#endif
