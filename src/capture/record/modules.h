/* Which module (program or library) an address of code is in: for the source lines of calls
 * (`fathom record --lines`). Inner header of the capture room. */
#ifndef FTH_CAPTURE_RECORD_MODULES_H
#define FTH_CAPTURE_RECORD_MODULES_H

#include "capture/record/runtime.h"

#include <stddef.h>

/* Are calls distinguished by the code that makes them? */
extern bool fth_lines_are_kept;
/* Are modules looked at: for that, or for the names of functions that are regions? */
extern bool fth_modules_are_known;
/* Goes up when an address may mean other code than before. */
extern FTH_PUBLIC uint16_t fth_code_generation;

struct fth_code_place {
    const char *module; /* its path, a zero, its build-id in hexadecimal digits */
    size_t length;      /* of both */
    uint64_t offset;    /* from where the module would be at address 0 */
};

/* False: it is in no module that was there at the last look, or in one of ours. Takes no lock. */
bool fth_code_place(uintptr_t address, struct fth_code_place *place) FTH_PUBLIC;
/* What is loaded now. One thread at a time. */
void fth_modules_look(const struct fth_objects *objects);

#endif
