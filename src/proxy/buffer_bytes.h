/* How much memory of the program a call accesses, from the buffer's first byte on. */
#ifndef FTH_PROXY_BUFFER_BYTES_H
#define FTH_PROXY_BUFFER_BYTES_H

#include "proxy/forms.h"

/* The last access that was taken, and its form. Sets *bytes, 0 for a call without a buffer, and
 * returns NULL; or why that is not known. */
const char *fth_buffer_bytes(struct fth_accesses *accesses, const struct fth_access *access,
                             const struct fth_form *form, const struct fth_process *process,
                             uint64_t *bytes);

#endif
