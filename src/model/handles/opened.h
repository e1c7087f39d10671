/* How a handle was opened: access mode, creation and status flags, from the words that its layer
 * has for them. */
#ifndef FTH_MODEL_HANDLES_OPENED_H
#define FTH_MODEL_HANDLES_OPENED_H

#include "catalog/catalog.h"
#include "fathom/trace.h"

struct fth_open_mode {
    unsigned access;           /* FTH_ACCESS_... */
    uint32_t creation, status; /* enum fth_creation_flag, enum fth_status_flag */
};

/* Are these flags how something is opened (O_RDWR, MPI_MODE_CREATE, H5F_ACC_TRUNC, NC_WRITE
 * ...)? */
bool fth_flags_open(const struct fth_flags *flags);
/* Adds what `value` says. */
void fth_opened_by_flags(struct fth_open_mode *opened, const struct fth_flags *flags,
                         int64_t value);
/* Adds what a mode of fopen says: "r+". */
void fth_opened_by_mode(struct fth_open_mode *opened, const char *mode);
/* Does a stream with this mode read a map of its file, if that is possible ("rm")? */
bool fth_opened_mode_maps(const char *mode);
/* Adds what the catalogue says of the function: FTH_OPENS_... */
void fth_opened_by_row(struct fth_open_mode *opened, unsigned opens);

#endif
